"""Export a figure as files: its numbers as CSV, its panels as SVG, its charts as one HTML page that works offline."""

import csv
import html
import io
from typing import cast

import orjson

from pages.ui.counting import counted
from pages.ui.draw import pgfplots, plotly_js
from pages.ui.draw.charts import light
from pages.ui.figures import draw
from pages.ui.figures.figure import SHEETS, Figure
from pages.ui.figures.result import Result
from pages.ui.figures.view import table, words
from pages.ui.plain import Html

_ERRORS = "bands and bars are ± one standard error"


def source(figure: Figure) -> str:
    """Return the work and the place of a figure, such as "Raman et al. 2013, Fig. 4"."""
    return f"{SHEETS[figure.paper].split('. ')[0]}, {figure.where}"


def to_csv(figure: Figure, result: Result) -> str:
    """Return a row for each panel, series, x and data seed (from 0), and the printed numbers with "printed" as seed."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("figure", "panel", "series", "x", "seed", "value"))
    for panel in figure.panels:
        for series in panel.series:
            drawn = result.panels.get(panel.id, {}).get(series.name)
            if drawn is not None:
                for seed, values in enumerate(drawn.y):
                    for x, value in zip(drawn.x, values, strict=True):
                        rows.writerow((figure.id, panel.id, series.name, x, seed, f"{value:g}"))
            for x, value in series.printed:
                rows.writerow((figure.id, panel.id, series.name, x, "printed", value))
    return out.getvalue()


def to_svg(figure: Figure, result: Result) -> str:
    """Return all panels with their legend as one SVG."""
    run = f"{source(figure)}; mean over {counted(result.seeds, 'data seed')}; {_ERRORS}"
    return draw.sheet(figure, result.panels, run)


def to_pdf(figure: Figure, result: Result) -> bytes:
    """Return what `to_svg` draws as PDF; ValueError where typst is not installed."""
    return pgfplots.pdf(to_svg(figure, result))


def to_latex(figure: Figure, result: Result) -> str:
    """Return all panels as a LaTeX document, with pgfplots sources and their data; of tables, as LaTeX tables."""
    if figure.table:
        made = [
            table.printed(panel, result.panels.get(panel.id, {})).latex(caption(figure, result, panel.title))
            for panel in figure.panels
        ]
        return pgfplots.page("\n\n".join(made))
    panels = []
    for panel in figure.panels:
        frame, curves = draw.small(figure, panel, result.panels.get(panel.id, {}))
        panels.append((frame, curves, [series.name for series in panel.series]))
    return pgfplots.document(panels, caption(figure, result), figure.id)


def caption(figure: Figure, result: Result, panel: str = "") -> str:
    """Return a caption with what is drawn, what the errors are, what was run, and which data stand for the paper's."""
    where = f", {panel}" if panel else ""
    errors = "± is one standard error, and brackets hold what the paper prints" if figure.table else _ERRORS
    run = words.sizes(figure) if result.scale == "page" else ["At the paper's size."]
    said = f"{figure.title} ({source(figure)}{where}). Mean over {counted(result.seeds, 'data seed')}; {errors}."
    return " ".join(part for part in (said, *run, words.stand_ins(figure)) if part)


def to_html(figure: Figure, result: Result) -> Html:
    """Return a page with all panels, as charts that react or as tables, and with the statements."""
    cells, charts = [], []
    for panel in figure.panels:
        found = result.panels.get(panel.id, {})
        if figure.table:
            cells.append(f"<section>{table.table(panel, found)}</section>")
            continue
        made = draw.panel(figure, panel, found, height=420)
        charts.append({"data": [light(trace) for trace in made["data"]], "layout": made["layout"]})
        cells.append(f"<section><h2>{html.escape(panel.title)}</h2><div class=chart></div></section>")
    named = "".join(f"<span>{sample}{html.escape(name)}</span>" for name, sample in draw.samples(figure).items())
    said = "".join(
        f"<li><b>{html.escape(s.verdict(result))}.</b> {s.said}: {html.escape(s.printed)} Here: "
        f"{html.escape(s.here(result))}</li>"
        for s in figure.statements
    )
    data = cast(Html, orjson.dumps(charts, option=orjson.OPT_SERIALIZE_NUMPY).decode().replace("</", "<\\/"))
    script = f"<script>{plotly_js.source()}</script><script>{_SCRIPT % data}</script>" if charts else ""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(figure.title)}</title>'
        f"<style>{_STYLE}</style><h1>{html.escape(figure.title)}</h1><p>{html.escape(source(figure))}. "
        f"{html.escape(figure.caption)}</p><p class=legend>{'' if figure.table else named}</p>"
        f"<main>{''.join(cells)}</main><ul>{said}</ul>{script}</html>\n"
    )


_STYLE = """
:root { --f0: #0072B2; --f1: #D55E00; --f2: #009E73; --f3: #CC79A7; --ft: #1B1F24; }
body { font: 1rem/1.5 system-ui, sans-serif; color: #1B1F24; max-width: 80rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1rem; margin: 0; }
main { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; } .legend span { white-space: nowrap; }
.legend svg { margin-right: .4rem; } table { border-collapse: collapse; } caption { text-align: left; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #D9DEE5; text-align: right; } th { text-align: left; }
small { display: block; opacity: .75; }
"""
_SCRIPT = """
const charts = %s;
document.querySelectorAll('.chart').forEach((place, i) =>
  Plotly.newPlot(place, charts[i].data, charts[i].layout, { displaylogo: false, responsive: true }));
"""
