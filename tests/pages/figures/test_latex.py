"""LaTeX of all figures: its grammar everywhere, and pdflatex itself where it is installed."""

import re
import shutil
import subprocess

import numpy as np
import pytest

from pages.ui import paper
from pages.ui.draw import pgfplots
from pages.ui.draw.charts import Look, ribbon
from pages.ui.figures import result
from pages.ui.figures.catalogue import figures
from pages.ui.figures.view import files

NEEDS = {"blue", "orange", "green", "violet"}


def grammar(source):
    """Assert that every brace, environment and formula is closed, every special letter escaped, every number one."""
    assert source.isascii() and "?" not in source, "a letter without a name"
    bare = re.sub(r"\\[\\{}$&#%_]", "", source)
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
    assert "%" not in bare and "#" not in bare
    for data in re.findall(r"\nx y e\n(.*?)\n\};", bare, re.DOTALL):
        rows = [[float(cell) for cell in line.split()] for line in data.splitlines()]
        assert rows and all(len(row) == 3 and np.isfinite(row).all() for row in rows)
    for points in re.findall(r"coordinates \{(.*?)\};", bare):
        pairs = re.findall(r"\(([^,()]+),([^,()]+)\)", points)
        assert pairs and len(pairs) == points.count("(") and np.isfinite([[float(v) for v in p] for p in pairs]).all()
    named = re.findall(r"\\begin\{axis\}.*?\\end\{axis\}", bare, re.DOTALL)
    for axis in named:
        plots = [p for p in re.findall(r"\\addplot\+?\[(.*?)\]\n?", axis) if "forget plot" not in p]
        assert len(plots) == axis.count(r"\addlegendentry") > 0, "a name for each curve"
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
    assert f"Mean over {found.seeds} data seed" in source


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("id", ["C-fig2", "S-fig4", next(id for id, one in figures().items() if one.table)])
def test_pdflatex_compiles(id, tmp_path):
    (tmp_path / "a.tex").write_text(files.to_latex(figures()[id], result.read(id)))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_figure_becomes_a_pdf_with_its_letters():
    pytest.importorskip("typst")
    made = files.to_pdf(figures()["C-fig2"], result.read("C-fig2"))
    assert made.startswith(b"%PDF") and b"/Font" in made


def test_a_chart_keeps_its_curves_and_even_bands():
    x = np.array([1.0, 2.0, 4.0])
    line = {"type": "scatter", "mode": "lines", "x": x, "y": x, "name": "A & B", "line": {"color": Look().colors[1]}}
    layout = {"xaxis": {"type": "log", "title": {"text": "steps t"}}, "yaxis": {"title": {"text": "β"}}}
    for low, error in ((x - 0.5, 0.5), (x - 0.1, 0.0)):  # the second is wider above
        figure = {"data": [ribbon(x, low, x + 0.5, "#D55E00", False), line], "layout": layout}
        frame, (curve,), names = pgfplots.of_plotly(figure, "T")
        assert (frame.x_title, frame.log_x, frame.log_y, names) == ("steps t", True, False, ["A & B"])
        assert np.allclose(curve.error, error) and (curve.y == x).all()
    latex, svg = paper.sources(figure, "T", "A caption of 5 %.", "t")
    grammar(latex)
    assert r"\caption{A caption of 5 \%.}" in latex and "florange" in latex
    assert svg.startswith("<svg") and "A &amp; B" in svg
    with pytest.raises(ValueError, match="no curves"):
        pgfplots.of_plotly({"data": [{"type": "heatmap"}], "layout": {}})
