r"""Charts for a paper, from the panels that the SVG drawer takes: pgfplots sources with their data, and PDF.

A source compiles by itself (`pdflatex`). A paper that has \usepackage{pgfplots} and, for tables, \usepackage{booktabs}
takes the same file by \input, in one column or over two. Letters have eight points.
"""

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np

from learners.base import Array
from learners.tables import latex
from pages.ui.draw.charts import COLORS
from pages.ui.draw.plotly_panels import PaperPanel, rgb_of
from pages.ui.draw.svg import INKS, NAMES, Frame, SvgAxis, SvgCurve, axes, columns_of, drawn, written

DASHES = {
    "solid": "solid", "dash": "dashed", "dashdot": "dash dot", "longdash": "dash pattern=on 7pt off 3pt",
    "dot": "dotted", "wide": "loosely dotted",
}  # fmt: skip
LEFT, RIGHT = 13, 3  # millimetres beside the axes of a panel, for what is written there
LETTERS = 28  # of all names of an axis that stand side by side
TICKS = 5  # of an axis, about
# the head of a file that compiles by itself, which TeX passes over once a document has begun
ALONE = r"""% pdflatex compiles this file. A paper with \usepackage{pgfplots,booktabs} takes it by \input.
\expandafter\ifx\csname @nodocument\endcsname\relax\def\flend{}\else\def\flend{\end{document}}
\documentclass[twocolumn]{article}
\usepackage[T1]{fontenc}
\usepackage[a4paper, textwidth=174mm, textheight=240mm, columnsep=6mm]{geometry}
\usepackage{booktabs,pgfplots}
\pgfplotsset{compat=1.16}
\begin{document}
\pagestyle{empty}
\fi
"""
STYLE = r"""\pgfplotsset{compat=1.16, scale only axis, width=\flwidth, height=\flheight, axis on top,
  tick align=outside, tick label style={font=\footnotesize},
  label style={font=\footnotesize, align=center}, xlabel style={text width=\flwidth},
  ylabel style={text width=\flheight},
  title style={font=\footnotesize\bfseries, align=center, text width=\flwidth},
  xtick pos=left, ytick pos=left, scaled ticks=false}
"""


def document(panels: Sequence[PaperPanel], caption: str, label: str) -> str:
    """Return panels as a LaTeX figure of one column, or of two columns if there are several; their legend below."""
    shown = [panel for panel in panels if drawn(panel[1])]
    columns = columns_of(len(shown))
    rows = []
    for first in range(0, len(shown), columns):
        row = (picture(*panel) for panel in shown[first : first + columns])
        rows.append("".join(f"\\hspace*{{{LEFT}mm}}{made}\\hspace*{{{RIGHT}mm}}%\n" for made in row))
    kind = "figure" if columns == 1 else "figure*"
    made = "\\smallskip\n".join(f"\\hbox to\\linewidth{{%\n{row}\\hfil}}\n" for row in rows)
    return page(
        f"\\begin{{{kind}}}[tp]\n\\pgfmathsetlengthmacro\\flwidth{{\\linewidth/{columns}-{LEFT + RIGHT}mm}}\n"
        f"\\pgfmathsetlengthmacro\\flheight{{.6*\\flwidth}}\n{STYLE}\\centering\\footnotesize\n{made}\n"
        f"{_legend(shown)}\\caption{{{latex(caption)}}}\n\\label{{fig:{label}}}\n\\end{{{kind}}}"
    )


def page(content: str) -> str:
    """Return a LaTeX document with what its content needs."""
    colors = "".join(
        f"\\providecolor{{fl{name}}}{{HTML}}{{{color[1:]}}}\n" for name, color in zip(NAMES, COLORS, strict=True)
    )
    return f"{ALONE}{colors}{content}\n\\flend\n"


def _legend(panels: Sequence[PaperPanel]) -> str:
    """Return the names of all curves, each once, after a sample of its line or point."""
    found: dict[str, SvgCurve] = {}
    for _, curves, names in panels:
        for curve, name in zip(curves, names, strict=bool(names)):
            if name and (len(curve.x) or len(curve.printed[0])):
                found.setdefault(name, curve)
    entries = [f"{_sample(curve)}~{_whole(latex(name))}" for name, curve in found.items()]
    if any(len(curve.printed[0]) for _, curves, _ in panels for curve in curves):
        entries.append(
            "\\tikz[baseline=-.6ex]\\draw plot[only marks, mark=diamond, mark size=3pt] coordinates {(0,0)};~as printed"
        )
    return "\n\\par\\smallskip " + "\\quad\n".join(entries) + "\\par\n" if entries else ""


def _whole(name: str) -> str:
    """Return a name that stays on one line if it is short."""
    return name.replace(" ", "~") if len(name) < 40 else name


def _sample(curve: SvgCurve) -> str:
    color = _color(curve)
    if curve.loose:
        return (
            f"\\tikz[baseline=-.6ex]\\draw[color={color}] plot[only marks, mark={_mark(curve)}] coordinates {{(0,0)}};"
        )
    return f"\\tikz[baseline=-.6ex]\\draw[{color}, {_line(curve)}] (0,0) -- (7mm,0);"


def _line(curve: SvgCurve) -> str:
    return f"{DASHES[curve.dash]}, line width={'.5' if curve.thin else '1'}pt"


def _color(curve: SvgCurve) -> str:
    if curve.ink in INKS:
        return f"fl{NAMES[INKS.index(curve.ink)]}"
    return "{{rgb,255:red,{};green,{};blue,{}}}".format(*rgb_of(curve.ink)) if curve.ink[0] == "#" else "black"


def _mark(curve: SvgCurve) -> str:
    return "*" if curve.round else "square*"


def picture(frame: Frame, curves: Sequence[SvgCurve], legend: Sequence[str] = ()) -> str:
    r"""Return a panel as a tikzpicture as wide as its axes, the first curve on top.

    >>> x = np.array([1.0, 2.0])
    >>> made = picture(Frame("50 %", "t", "R"), [SvgCurve(x, x, 0 * x, INKS[0])], ["A & B"])
    >>> print(*(line for line in made.splitlines() if line.startswith(("  title=", "%"))), sep="\n")
      title={50 \%},
    % A \& B
    """
    options = [
        f"title={{{latex(frame.title)}}}", f"xlabel={{{latex(frame.x_title)}}}", f"ylabel={{{latex(frame.y_title)}}}"
    ]  # fmt: skip
    options += ["xmode=log"] * frame.log_x + ["ymode=log"] * frame.log_y
    across, down = axes(frame, curves)
    if frame.names:
        labels = ", ".join(f"{{{latex(name)}}}" for name in frame.names)
        options += [f"xtick={{0,...,{len(frame.names) - 1}}}", f"xticklabels={{{labels}}}", _ends("x", across)]
        options += ["x tick label style={rotate=30, anchor=north east}"] * (sum(map(len, frame.names)) > LETTERS)
    else:
        options += _axis("x", across)
    if frame.rows:
        labels = ", ".join(f"{{{latex(name)}}}" for name in frame.rows)
        options += [f"ytick={{0,...,{len(frame.rows) - 1}}}", f"yticklabels={{{labels}}}", _ends("y", down)]
    else:
        options += _axis("y", down)
    options += ["y dir=reverse"] * (down.first < down.last)
    body = [
        line for i in reversed(range(len(curves))) for line in _curve(curves[i], frame, legend[i] if legend else "")
    ]
    lines = ",\n".join(f"  {option}" for option in options)
    start = "\\begin{tikzpicture}[baseline, trim axis left, trim axis right]"
    return "\n".join([start, f"\\begin{{axis}}[\n{lines},\n]", *body,
                       "\\end{axis}", "\\end{tikzpicture}"])  # fmt: skip


def _ends(name: str, axis: SvgAxis) -> str:
    low, high = (10**end if axis.log else end for end in (axis.low, axis.high))
    return f"{name}min={low:.6g}, {name}max={high:.6g}"


def _axis(name: str, axis: SvgAxis) -> list[str]:
    """Return the options of an axis with the ends and the ticks that the SVG has too."""
    ticks = axis.ticks(TICKS)
    options = [_ends(name, axis), f"{name}tick={{{', '.join(f'{value:.6g}' for value, _ in ticks)}}}"]
    if not axis.log or ticks[-1][0] / ticks[0][0] < 100:  # else powers, which pgfplots writes
        options.append(f"{name}ticklabels={{{', '.join(f'{{{latex(text)}}}' for _, text in ticks)}}}")
    return options


def _rows(curve: SvgCurve, log_x: bool, log_y: bool) -> Array:
    """Return x, y and how far the band reaches below and above of the points that can be drawn, (points, 4)."""
    error = np.broadcast_to(curve.error, (2, len(curve.y)))
    rows = np.stack([np.asarray(part, dtype=float) for part in (curve.x, curve.y, *error)], axis=1)
    known = np.isfinite(rows).all(axis=1) & ((rows[:, 1] > 0) | (not log_y)) & ((rows[:, 0] > 0) | (not log_x))
    found: Array = rows[known]
    return found


def _curve(curve: SvgCurve, frame: Frame, name: str) -> list[str]:
    """Return the plots of a curve, after its name as a remark."""
    if curve.cells is not None and curve.inks is not None:
        return _cells(curve)
    rows, color = _rows(curve, frame.log_x, frame.log_y), _color(curve)
    made = [f"% {latex(name)}"] if name else []
    if len(rows):
        head, errors, own = "below above", "y error minus=below, y error plus=above", 2
        if (rows[:, 2] == rows[:, 3]).all():
            head, errors, own = "e", "y error=e", 1
        data = "\n".join(f"{x:.6g} {y:.6g} {' '.join(f'{e:.4g}' for e in es[:own])}" for x, y, *es in rows)
        table = f"table[x=x, y=y, {errors}] {{\nx y {head}\n{data}\n}};"
        if curve.bars:
            shape = f"ybar, bar width={curve.step[0]:.4g}, bar shift=0pt, draw=none, fill={color}"
            made.append(f"\\addplot[{shape}]\n{table}")
        elif curve.loose:
            bars = "error bars/.cd, y dir=both, y explicit" if rows[:, 2:].any() else ""
            shape = f"only marks, mark={_mark(curve)}, color={color}, mark options={{fill={color}}}, {bars}"
            made.append(f"\\addplot+[{shape}]\n{table}")
        else:
            if rows[:, 2:].any():
                low = rows[:, 1] - rows[:, 2]
                low = np.maximum(low, rows[:, 1] / 100) if frame.log_y else low  # below a logarithmic axis
                there, back = (
                    np.stack([rows[:, 0], rows[:, 1] + rows[:, 3]], axis=1),
                    np.stack([rows[:, 0], low], axis=1),
                )
                band = _coordinates(np.concatenate([there, back[::-1]]))
                made.append(f"\\addplot[draw=none, fill={color}, fill opacity=.18] {band} -- cycle;")
            made.append(f"\\addplot[{color}, {_line(curve)}, mark=none]\n{table}")
    printed = np.stack([np.asarray(part, dtype=float) for part in curve.printed], axis=1)
    printed = printed[np.isfinite(printed).all(axis=1)]
    if len(printed):
        made.append(f"\\addplot[only marks, mark=diamond, mark size=4pt, {color}] {_coordinates(printed)};")
    return made


def _coordinates(points: Array) -> str:
    return "coordinates {" + " ".join(f"({x:.6g},{y:.6g})" for x, y in points) + "}"


def _cells(curve: SvgCurve) -> list[str]:
    """Return the plot of a map, with its values as data."""
    assert curve.cells is not None and curve.inks is not None
    rows = [
        f"{curve.x[j]:.6g} {curve.y[i]:.6g} {value:.6g} "
        + ",".join(f"{c / 255:.3g}" for c in rgb_of(str(curve.inks[i, j])))
        for (i, j), value in np.ndenumerate(curve.cells)
    ]
    shape = f"matrix plot*, mesh/cols={len(curve.x)}, mesh/color input=explicit"
    made = [f"\\addplot[{shape}]\ntable[x=x, y=y, meta=color] {{\nx y value color\n{chr(10).join(rows)}\n}};"]
    for x, y, said, ink in written(curve):
        color = "white" if ink == "#FFFFFF" else "black"
        made.append(f"\\node[text={color}, font=\\scriptsize] at (axis cs:{x:.6g},{y:.6g}) {{{latex(said)}}};")
    return made


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
