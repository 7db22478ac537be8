r"""Charts for a paper, from the panels that the SVG drawer takes: pgfplots sources with their data, and PDF.

A source compiles by itself (`pdflatex`), and what lies between \begin{figure} and \end{figure} goes into a paper that
has `\usepackage{pgfplots}`. Widths and letters are those of a column: set `\figwidth` for another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from learners.base import Array
from learners.tables import latex
from pages.ui.draw.charts import Look
from pages.ui.draw.svg import INKS, Frame, SvgCurve, drawn

COLUMN = "84mm"  # of a page with two columns
PaperPanel = tuple[Frame, Sequence[SvgCurve], Sequence[str]]  # with the names of its curves
NAMES = ("blue", "orange", "green", "violet")
DASHES = {
    "solid": "solid", "dash": "dashed", "dashdot": "dash dot", "longdash": "dash pattern=on 7pt off 3pt",
    "dot": "dotted", "wide": "loosely dotted",
}  # fmt: skip


def document(panels: Sequence[PaperPanel], caption: str, label: str) -> str:
    """Return panels, two side by side, as a LaTeX document."""
    made = "\n".join(picture(*panel) for panel in panels if drawn(panel[1]))
    return page(
        f"\\begin{{figure}}\n\\centering\n{made}\n\\caption{{{latex(caption)}}}\n\\label{{fig:{label}}}\n\\end{{figure}}"
    )


def page(content: str) -> str:
    """Return a LaTeX document with what its content needs."""
    colors = "".join(
        f"\\definecolor{{fl{name}}}{{HTML}}{{{color.lstrip('#')}}}\n"
        for name, color in zip(NAMES, Look().colors, strict=True)
    )
    return (
        "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[margin=15mm]{geometry}\n\\usepackage{booktabs}\n\\usepackage{pgfplots}\n"
        "\\pgfplotsset{compat=1.16}\n\\usepgfplotslibrary{fillbetween}\n"
        f"\\newlength\\figwidth\n\\setlength\\figwidth{{{COLUMN}}}\n{colors}"
        f"\\begin{{document}}\n\\pagestyle{{empty}}\n{content}\n\\end{{document}}\n"
    )


def picture(frame: Frame, curves: Sequence[SvgCurve], legend: Sequence[str]) -> str:
    r"""Return a panel as a tikzpicture, the first curve on top.

    >>> x = np.array([1.0, 2.0])
    >>> made = picture(Frame("50 %", "t", "R"), [SvgCurve(x, x, 0 * x, INKS[0])], ["A & B"])
    >>> print(*(line for line in made.splitlines() if line.startswith(("  title=", "\\addlegend"))), sep="\n")
      title={50 \%},
    \addlegendentry{A \& B}
    """
    options = [
        "width=\\figwidth", "height=.72\\figwidth", f"title={{{latex(frame.title)}}}",
        f"xlabel={{{latex(frame.x_title)}}}", f"ylabel={{{latex(frame.y_title)}}}",
        "label style={font=\\small}, tick label style={font=\\scriptsize}, title style={font=\\small}",
        "legend style={font=\\scriptsize, draw=none, fill opacity=0.8}, legend cell align=left", "axis on top",
    ]  # fmt: skip
    options += ["xmode=log"] * frame.log_x + ["ymode=log"] * frame.log_y
    if frame.names:
        ticks = ", ".join(map(str, range(len(frame.names))))
        labels = ", ".join(f"{{{latex(name)}}}" for name in frame.names)
        options += [f"xtick={{{ticks}}}", f"xticklabels={{{labels}}}", f"xmin=-0.6, xmax={len(frame.names) - 0.4:g}"]
        options += ["x tick label style={rotate=30, anchor=east}"] * (len(frame.names) > 3)
    if frame.y_range:
        low, high = sorted(frame.y_range)
        options += [f"ymin={low:.6g}, ymax={high:.6g}"] + ["y dir=reverse"] * (frame.y_range[0] > frame.y_range[1])
    body = [line for i in reversed(range(len(curves))) for line in _curve(curves[i], i, frame.log_y)]
    entries = [i for i in reversed(range(len(curves))) if len(_rows(curves[i], frame.log_y))]
    named = [f"\\addlegendentry{{{latex(legend[i])}}}" for i in entries] if len(legend) > 1 or legend else []
    lines = ",\n".join(f"  {option}" for option in options)
    return "\n".join(["\\begin{tikzpicture}", f"\\begin{{axis}}[\n{lines},\n]", *body, *named,
                      "\\end{axis}", "\\end{tikzpicture}"])  # fmt: skip


def _rows(curve: SvgCurve, log_y: bool) -> Array:
    """Return x, y and error of the points that can be drawn, (points, 3)."""
    rows = np.stack([np.asarray(part, dtype=float) for part in (curve.x, curve.y, curve.error)], axis=1)
    known = np.isfinite(rows).all(axis=1) & ((rows[:, 1] > 0) | (not log_y))
    found: Array = rows[known]
    return found


def _curve(curve: SvgCurve, number: int, log_y: bool) -> list[str]:
    """Return the plots of a curve; only the line itself gets an entry in the legend."""
    rows, color = _rows(curve, log_y), f"fl{NAMES[INKS.index(curve.ink)]}" if curve.ink in INKS else "black"
    if not len(rows):
        return []
    data = "\n".join(f"{x:.6g} {y:.6g} {e:.4g}" for x, y, e in rows)
    table = f"table[x=x, y=y, y error=e] {{\nx y e\n{data}\n}};"
    made = []
    if curve.loose:
        mark = "*" if curve.round else "square*"
        bars = "error bars/.cd, y dir=both, y explicit" if rows[:, 2].any() else ""
        made.append(f"\\addplot+[only marks, mark={mark}, {color}, mark options={{fill={color}}}, {bars}]\n{table}")
    else:
        if rows[:, 2].any():
            low = rows[:, 1] - rows[:, 2]
            low = np.maximum(low, rows[:, 1] / 100) if log_y else low  # below a logarithmic axis
            for side, values in (("l", low), ("h", rows[:, 1] + rows[:, 2])):
                points = " ".join(f"({x:.6g},{y:.6g})" for x, y in zip(rows[:, 0], values, strict=True))
                made.append(f"\\addplot[draw=none, forget plot, name path={side}{number}] coordinates {{{points}}};")
            made.append(f"\\addplot[{color}, opacity=.18, forget plot] fill between[of=l{number} and h{number}];")
        dash = DASHES.get(curve.dash, "dashed")
        made.append(f"\\addplot[{color}, {dash}, line width=1pt, mark=none]\n{table}")
    x, y = (np.asarray(part, dtype=float) for part in curve.printed)
    known = np.isfinite(x + y) if len(x) else np.zeros(0, dtype=bool)
    if known.any():
        points = " ".join(f"({a:.6g},{b:.6g})" for a, b in zip(x[known], y[known], strict=True))
        made.append(
            f"\\addplot[only marks, mark=diamond, mark size=4pt, {color}, forget plot] coordinates {{{points}}};"
        )
    return made


def of_plotly(figure: Mapping[str, Any], title: str = "") -> PaperPanel:
    """Return a chart of curves as a panel, with the names of its curves.

    Raises
    ------
    ValueError : for a chart that holds no curves, such as a map.
    """
    layout = figure["layout"]
    across, down = layout.get("xaxis", {}), layout.get("yaxis", {})
    curves, names, colors = [], [], list(Look().colors)
    band: Mapping[str, Any] | None = None
    for trace in figure["data"]:
        if trace.get("type", "scatter") != "scatter" or trace.get("xaxis", "x") != "x":
            continue
        if trace.get("fill"):
            band = trace
            continue
        x, y = (np.asarray(trace.get(axis, ()), dtype=object) for axis in "xy")
        line = trace.get("line") or {}
        color = str(line.get("color") or (trace.get("marker") or {}).get("color") or "")
        if not len(x) or not len(y) or "lines" not in trace.get("mode", "lines"):
            continue
        ink = INKS[colors.index(color)] if color in colors else "black"
        dash = str(line.get("dash") or "solid")
        x, y = x.astype(float), y.astype(float)
        curves.append(SvgCurve(x, y, _error(band, x, y), ink, dash))
        band = None
        names.append(str(trace.get("name") or "").split("<")[0])
    if not curves:
        raise ValueError("this chart has no curves")
    words = [str((axis.get("title") or {}).get("text") or "") for axis in (across, down)]
    log_x, log_y = (axis.get("type") == "log" for axis in (across, down))
    return Frame(title, words[0], words[1], (), log_x, log_y), curves, names


def _error(band: Mapping[str, Any] | None, x: Array, y: Array) -> Array:
    """Return half the width of a band around a curve; 0 without one, and where its sides differ."""
    if band is None:
        return np.zeros(len(x))
    places, edge = (np.asarray(band[axis], dtype=float) for axis in "xy")
    n = len(places) // 2
    if not n:
        return np.zeros(len(x))
    high, low = (np.interp(x, places[:n], part) for part in (edge[:n], edge[n:][::-1]))
    even = np.abs((high + low) / 2 - y) <= 1e-6 * np.maximum(np.abs(y), np.abs(high - low))
    return np.asarray((high - low) / 2 if even[np.isfinite(y)].all() else np.zeros(len(x)))


def makes_pdf() -> bool:
    """Return whether `pdf` can be called, since the package typst is installed."""
    return find_spec("typst") is not None


def pdf(svg: str) -> bytes:
    """Return an SVG as PDF, its lines and letters kept as such, by the package typst.

    Raises
    ------
    ValueError : if it is not installed.
    """
    try:
        import typst  # an optional dependency
    except ImportError:
        raise ValueError("PDF needs the package typst: pip install typst") from None
    page = '#set page(width: auto, height: auto, margin: 0pt)\n#image(bytes(sys.inputs.svg), format: "svg")\n'
    return bytes(typst.compile(page.encode(), sys_inputs={"svg": svg}))
