"""LaTeX of all figures: its grammar everywhere, and pdflatex itself where it is installed."""

import re
import shutil
import subprocess
from xml.etree import ElementTree

import numpy as np
import pytest

from learners.tables import latex
from pages.ui import paper
from pages.ui.draw import pgfplots
from pages.ui.draw.bars import Bar, Interval, bar_panels, bars, histograms, intervals
from pages.ui.draw.charts import Axis, Curve, Look, line_chart, ribbon
from pages.ui.draw.parameter_charts import heat_maps, surface
from pages.ui.draw.plotly_panels import of_plotly
from pages.ui.draw.position_charts import PositionCurve, position_chart
from pages.ui.draw.scatter_panels import ScatterPanel, scatter_panels
from pages.ui.figures import result
from pages.ui.figures.catalogue import figures
from pages.ui.figures.view import files

NEEDS = {"blue", "orange", "green", "violet"}


def grammar(source):
    """Assert that every brace, environment and formula is closed, every special letter escaped, every number one."""
    assert source.isascii() and "?" not in source, "a letter without a name"
    assert source.startswith(pgfplots.ALONE) and source.endswith("\n\\flend\n")
    bare = re.sub(r"\\[\\{}$&#%_]", "", source.removeprefix(pgfplots.ALONE))
    depth = np.cumsum([(c == "{") - (c == "}") for c in bare])
    assert depth.min() >= 0 and depth[-1] == 0
    open_ = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", bare):
        if kind == "begin":
            open_.append(name)
        else:
            assert open_.pop() == name
    assert not open_
    assert all(line.count("$") % 2 == 0 for line in bare.splitlines())
    bare = re.sub(r"^% .*$", "", bare, flags=re.MULTILINE)  # names of curves
    bare = bare.replace("%\n", "\n")  # ends of lines that are no spaces
    assert "%" not in bare and "#" not in bare
    for head, data in re.findall(r"\n(x y (?:e|below above))\n(.*?)\n\};", bare, re.DOTALL):
        rows = [[float(cell) for cell in line.split()] for line in data.splitlines()]
        assert rows and all(len(row) == len(head.split()) and np.isfinite(row).all() for row in rows)
    for points in re.findall(r"coordinates \{(.*?)\};", bare):
        pairs = re.findall(r"\(([^,()]+),([^,()]+)\)", points)
        assert pairs and len(pairs) == points.count("(") and np.isfinite([[float(v) for v in p] for p in pairs]).all()
    drawn = set(re.findall(r"\\addplot\[(fl\w+|black), ([\w =]+), line", bare))
    samples = set(re.findall(r"\\draw\[(fl\w+|black), ([\w =]+), line", bare))
    assert drawn == samples or not samples, "each kind of line is named in the legend"
    for row in re.findall(r"\\toprule\n(.*?)\\bottomrule", bare, re.DOTALL):
        assert len({line.count("&") for line in row.splitlines() if "&" in line}) == 1


@pytest.mark.parametrize("figure", figures().values(), ids=figures())
def test_the_latex_of_every_figure_is_well_formed(figure):
    found = result.read(figure.id)
    source = files.to_latex(figure, found)
    grammar(source)
    pictures = source.count(r"\begin{tabular}" if figure.table else r"\begin{tikzpicture}")
    drawn = sum(bool(found.panels.get(panel.id)) for panel in figure.panels)
    assert pictures >= drawn > 0
    assert source.count(r"\caption{") == (len(figure.panels) if figure.table else 1)
    assert f"Mean over {found.seeds} data seed" in source and "one standard error" in source
    if not figure.table:
        names = {s.name for p in figure.panels for s in p.series if s.name in found.panels.get(p.id, {})}
        assert all(latex(name).replace(" ", "~") in source.replace(" ", "~") for name in names)


@pytest.mark.parametrize("figure", [f for f in figures().values() if not f.table], ids=lambda figure: figure.id)
def test_every_letter_of_a_figure_in_a_paper_has_seven_points(figure):
    picture = ElementTree.fromstring(files.to_svg(figure, result.read(figure.id)))
    scale = float(picture.get("width").removesuffix("mm")) / float(picture.get("viewBox").split()[2])  # mm a unit
    sizes = [float(e.get("font-size")) for e in picture.iter() if e.get("font-size") and e.get("dy") is None]
    assert sizes and min(sizes) * scale / 25.4 * 72 >= 7, "but for powers, which are raised"
    written = " ".join("".join(part.itertext()) for part in picture.iter() if part.tag.endswith("}text"))
    assert all(panel.title in written for panel in figure.panels), "also in two lines"


def charts():
    """Return a chart of each kind that labs, sweeps and kept runs draw, beside those of curves."""
    rng, look = np.random.default_rng(0), Look()
    places, names = rng.normal(size=(30, 2)), ["A & B", "50 %", "γ_1"]
    classes = rng.integers(0, 3, 30)
    region = np.indices((9, 9)).sum(axis=0) // 6
    means = np.where(np.eye(3, 4), np.nan, rng.random((3, 4)))
    return {
        "map": surface(np.arange(4.0), np.array([1.0, 10, 100]), means, means / 9, ("γ", "C_1", "rate"), look),
        "maps": heat_maps([rng.random((9, 9))] * 2, ["One, γ = 0.1", "Two"], list("012345678"), look, 300),
        "intervals": intervals([Interval("A & B", 0.3, 0.1, 0), Interval("none_", 0.6, None, 1)], look),
        "bars": bars(["a", "b_1"], [3.0, 2.5], look, look.colors[1]),
        "panels": bar_panels([("One", 0, [Bar("a", -1.0, "", 1.0), Bar("b", 2.0, "")])] * 2, look, 200, "x", "", 1),
        "spread": histograms([rng.normal(size=99), rng.normal(size=99)], "slack ξ", look),
        "positions": position_chart([PositionCurve("A", 0, rng.random((5, 4)))], "rank", look, 200, np.ones(5)),
        "regions": scatter_panels(
            [ScatterPanel("A", places, classes, classes > 0, region=region, extent=(-3, 3, -3, 3))], names, look, ""
        ),
    }


@pytest.mark.parametrize("kind", charts())
def test_every_kind_of_chart_is_drawn_for_a_paper(kind):
    source, picture = paper.sources(charts()[kind], "A title", "A caption.", kind)
    grammar(source)
    root = ElementTree.fromstring(picture)
    several = kind in ("maps", "panels")
    assert root.get("width") == ("174mm" if several else "84mm"), "the width of one column, or of two"
    assert source.count(r"\begin{axis}") == 1 + several
    shapes = {e.get("fill") for e in root.iter() if e.tag.endswith("path")}
    if kind in ("map", "maps", "regions"):
        ((frame, curves, _), *_) = of_plotly(charts()[kind])
        assert len({*curves[-1].inks.flat} & shapes) == len({*curves[-1].inks.flat}), "every colour of the map"
        assert source.count("matrix plot*") == 1 + several
        if frame.names:
            assert f"xmin=-0.5, xmax={len(frame.names) - 0.5:g}" in source, "no white beside the cells"
    elif kind in ("bars", "panels"):
        assert ("#D55E00" if kind == "bars" else "#0072B2") in shapes and source.count("ybar") >= 1 + several
    if kind == "intervals":
        ((frame, curves, _),) = of_plotly(charts()[kind])
        assert list(frame.names) == ["A & B", "none_"] and [float(c.error[0]) for c in curves] == [0.1, 0.0]
        assert picture.count('h1"') == 2, "PDF would leave out a point that has no length"


PAPER = r"""\documentclass[twocolumn]{article}
\usepackage{booktabs,pgfplots}
\pgfplotsset{compat=1.16}
\begin{document}
%s
\end{document}
"""


def compiled(folder, source):
    """Return what pdflatex says of a source; it must end with a page and without an error."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (folder / "a.tex").write_text(source)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=300)
    assert done.returncode == 0 and "Output written" in done.stdout, done.stdout[-2000:]
    return done.stdout


def too_wide(log):
    """Return what sticks out of its column by more than a point, is too large, or cannot be drawn."""
    wide = re.findall(r"Overfull \\[hv]box \((?:[2-9]|\d\d+)\.\S+ too.*", log)
    return wide + re.findall(r".*(?:Dimension too large|unbounded|too large for page|Font shape).*", log)


def test_pdflatex_compiles_a_figure_alone_and_takes_figures_into_a_paper(tmp_path):
    sources = {id: files.to_latex(figures()[id], result.read(id)) for id in ("C-fig2", "B-lem6", "S-tab1")}
    for id, source in sources.items():
        (tmp_path / f"{id}.tex").write_text(source)
    assert not too_wide(compiled(tmp_path, sources["C-fig2"]))
    for kind in ("map", "bars"):
        sources[kind] = paper.sources(charts()[kind], "A title", "A caption.", kind)[0]
        (tmp_path / f"{kind}.tex").write_text(sources[kind])
    assert not too_wide(compiled(tmp_path, PAPER % "\n".join(f"\\input{{{id}}}" for id in sources)))


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.parametrize("figure", figures().values(), ids=figures())
def test_pdflatex_compiles_every_figure(figure, tmp_path):
    assert not too_wide(compiled(tmp_path, files.to_latex(figure, result.read(figure.id))))


def test_a_figure_becomes_a_pdf_with_its_letters():
    pytest.importorskip("typst")
    made = files.to_pdf(figures()["C-fig2"], result.read("C-fig2"))
    assert made.startswith(b"%PDF") and b"/Font" in made


def test_a_chart_keeps_its_curves_and_bands():
    x = np.array([1.0, 2.0, 4.0])
    line = {"type": "scatter", "mode": "lines", "x": x, "y": x, "name": "A & B", "line": {"color": Look().colors[1]}}
    layout = {"xaxis": {"type": "log", "title": {"text": "steps t"}}, "yaxis": {"title": {"text": "β"}}}
    for low, error in ((x - 0.5, [0.5] * 3), (x - 0.1, [[0.1] * 3, [0.5] * 3])):  # the second is wider above
        figure = {"data": [ribbon(x, low, x + 0.5, "#D55E00", False), line], "layout": layout}
        ((frame, (curve,), names),) = of_plotly(figure, "T")
        assert (frame.x_title, frame.log_x, frame.log_y, names) == ("steps t", True, False, ["A & B"])
        assert np.shape(curve.error) == np.shape(error) and np.allclose(curve.error, error) and (curve.y == x).all()
    source, svg = paper.sources(figure, "T", "A caption of 5 %.", "t")
    grammar(source)
    assert r"\caption{A caption of 5 \%.}" in source and "florange" in source
    assert "y error minus=below, y error plus=above] {\nx y below above\n1 1 0.1 0.5\n" in source
    assert "(1,1.5) (2,2.5) (4,4.5) (4,3.9) (2,1.9) (1,0.9)" in source, "the band"
    assert svg.startswith("<svg") and "A &amp; B" in svg
    with pytest.raises(ValueError, match="no curves"):
        of_plotly({"data": [{"type": "pie"}], "layout": {}})


def test_a_metric_is_drawn_for_a_paper_with_its_steps_its_runs_and_what_it_is_compared_with():
    values = np.array([[0.1, 0.3], [0.2, 0.6], [0.4, 0.4]])
    axis = Axis("advantage", x_max=3, y_range=(0, 1), reference=(0.5, "no difference & more"))
    for band in ("10–90 %", "single runs"):
        figure = line_chart([Curve("A", 0, np.arange(1, 4), values, steps=True)], axis, band)
        ((_, curves, names),) = of_plotly(figure)
        *runs, curve, across = curves
        assert names == [""] * len(runs) + ["A", "no difference & more"]
        assert (across.x.tolist(), across.y.tolist(), across.dash, across.thin) == ([1, 3], [0.5, 0.5], "dash", True)
        assert curve.x.tolist() == [1, 2, 2, 3, 3] and np.allclose(curve.y, [0.2, 0.2, 0.4, 0.4, 0.4])
        if band == "single runs":
            assert [run.y.tolist() for run in runs] == [[0.1, 0.1, 0.2, 0.2, 0.4], [0.3, 0.3, 0.6, 0.6, 0.4]]
            assert {(run.ink, run.thin) for run in runs} == {("#A6CEE4", True)} and not curve.thin
        else:
            assert not runs and np.allclose(curve.edges, [[0.12, 0.12, 0.24, 0.24, 0.4], [0.28, 0.28, 0.56, 0.56, 0.4]])
        grammar(paper.sources(figure, "T", "C", "t")[0])
