"""A grid of Plotly charts that stand still: of a sweep, the lower bound, the data.

Streamlit builds its own chart element anew whenever the data change, so that the chart blinks and loses its zoom. Here
one component keeps the charts and hands them new data (`Plotly.react`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import streamlit as st

from pages.ui.draw import plotly_js
from pages.ui.draw.charts import PATTERNS, light


@dataclass(frozen=True)
class Chart:
    """A chart with its title and its definition. The zoom is kept while `revision` stays the same."""

    id: str
    title: str
    help: str
    figure: dict[str, Any]
    revision: str = ""
    wide: bool = False  # as wide as the page


@dataclass(frozen=True)
class Entry:
    """An entry of the legend, a sample of the curve and its label."""

    label: str
    color: str
    dash: str = "solid"
    width: float = 3


def show(charts: Sequence[Chart], legend: Sequence[Entry], key: str, text: str) -> None:
    """Draw the legend, and the charts in a grid of two columns on a wide screen and one on a narrow screen.

    text : colour of the titles.
    """
    payload = {
        "script": plotly_js.url(),
        "charts": [
            {
                "id": c.id, "title": c.title, "help": c.help, "revision": c.revision, "wide": c.wide,
                "data": [light(trace) for trace in c.figure["data"]], "layout": c.figure["layout"],
            }
            for c in charts
        ],
        "legend": entries(legend),
        "text": text,
    }  # fmt: skip
    # bytes: a dictionary would be walked and written out three times over at every redraw
    _component(key=key, data=orjson.dumps(payload, option=orjson.OPT_SERIALIZE_NUMPY))


def entries(legend: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return a legend for the browser."""
    return [{**vars(entry), "dash": PATTERNS[entry.dash]} for entry in legend]


def show_alone(charts: Sequence[Chart], key: str, text: str) -> None:
    """Draw charts without a legend; `key` may be any text that tells what they show."""
    show(charts, [], "charts-" + hashlib.sha256(key.encode()).hexdigest()[:12], text)


_CSS = """
.fl-legend { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; font-size: .95rem; margin-bottom: .5rem;
  min-height: 1.5rem; }
.fl-legend span { display: inline-flex; align-items: center; gap: .45rem; }
.fl-grid { display: grid; gap: .4rem 1.2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, max(24rem, 34%)), 1fr)); }
.fl-grid section { min-width: 0; }
.fl-grid h3 { font-size: .95rem; font-weight: 600; margin: .2rem 0 0; padding: 0; line-height: 1.4; }
.fl-grid details { display: inline; font-weight: 400; }
.fl-grid summary { display: inline-flex; cursor: pointer; list-style: none; opacity: .6; width: 1.05rem;
  height: 1.05rem; margin-left: .35rem; border: 1px solid currentColor; border-radius: 50%; font-size: .72rem;
  align-items: center; justify-content: center; vertical-align: .08rem; }
.fl-grid summary:hover, .fl-grid summary:focus-visible { opacity: 1; }
.fl-grid summary::-webkit-details-marker { display: none; }
.fl-grid p { margin: .2rem 0; font-size: .85rem; line-height: 1.4; }
.fl-grid .fl-plot { width: 100%; }
.fl-grid .fl-missing { padding: 2rem 1rem; }
"""

_JS = """
// A range that the person zoomed to wins over that of new data, until a double click or other axes.
async function flStill(library, plot, chart) {
  if (plot.__revision !== chart.revision) plot.__zoom = {};
  Object.assign(plot, { __revision: chart.revision, __chart: chart });
  if (plot.__held) return;  // a redraw would break off the drag
  plot.setAttribute('aria-label', chart.title);
  const layout = structuredClone(chart.layout);  // Plotly writes into what it is given
  for (const [axis, range] of Object.entries(plot.__zoom)) layout[axis] = { ...layout[axis], range };
  if (plot.__drawn) { await library.react(plot, chart.data, layout); return; }
  plot.__drawn = true;
  const reset = () => { plot.__zoom = {}; return flStill(library, plot, plot.__chart); };
  await library.newPlot(plot, chart.data, layout, {
    displaylogo: false, responsive: true, displayModeBar: 'hover', doubleClick: false,
    modeBarButtons: [['toImage', 'zoom2d', 'pan2d',
      { name: 'reset', title: 'Reset axes', icon: library.Icons.home, click: reset }]],
  });
  plot.addEventListener('pointerdown', () => { plot.__held = true; }, true);
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => { plot.__held = false; });
  plot.on('plotly_doubleclick', reset);
  plot.on('plotly_relayout', change => {
    for (const axis of ['xaxis', 'yaxis']) {
      const low = change[axis + '.range[0]'], high = change[axis + '.range[1]'];
      if (low !== undefined && high !== undefined) plot.__zoom[axis] = [low, high];
    }
  });
}

function flStillCell(chart) {
  const plot = flElement('div.fl-plot', { role: 'figure', style: `height: ${chart.layout.height}px` });
  const heading = flElement('h3', {}, chart.title, flElement('details', {},
    flElement('summary', { title: chart.help, 'aria-label': 'What is this?' }, '?'), flElement('p', {}, chart.help)));
  const wide = chart.wide ? 'grid-column: 1 / -1' : null;
  return flElement('section', { 'data-chart': chart.id, style: wide }, heading, plot);
}

function flStillLegend(entry) {
  const line = { x1: 0, x2: 34, y1: 4, y2: 4, stroke: entry.color, 'stroke-width': entry.width,
    'stroke-dasharray': entry.dash };
  return flElement('span', {}, flDrawing(34, 8, { line }), entry.label);
}

async function flStillDraw(grid, payload) {
  const legend = grid.parentElement.querySelector('.fl-legend');
  grid.style.color = legend.style.color = payload.text;
  legend.replaceChildren(...payload.legend.map(flStillLegend));
  const before = new Map([...grid.children].map(cell => [cell.dataset.chart, cell]));
  const cells = payload.charts.map(chart => before.get(chart.id) ?? flStillCell(chart));
  for (const cell of before.values()) {
    if (!cells.includes(cell)) globalThis.Plotly?.purge(cell.querySelector('.fl-plot'));
  }
  if (cells.length !== grid.children.length || cells.some((cell, i) => cell !== grid.children[i])) {
    grid.replaceChildren(...cells);
  }
  const library = await loadPlotly(payload.script);
  for (const [i, chart] of payload.charts.entries()) {
    if (cells[i].isConnected) await flStill(library, cells[i].querySelector('.fl-plot'), chart);
  }
  grid.dataset.frames = Number(grid.dataset.frames ?? 0) + 1;
}

export default function (component) {
  const grid = component.parentElement.querySelector('.fl-grid'), { data } = component;
  if (!grid) return;
  const payload = JSON.parse(typeof data === 'string' ? data : new TextDecoder().decode(data));
  grid.__drawing = (grid.__drawing ?? Promise.resolve()).then(() => flStillDraw(grid, payload)).catch(error => {
    console.error(error);
    const words = `The charts could not be drawn (${error.message}). Reload the page. If that does not help, restart `;
    if (!globalThis.Plotly) grid.replaceChildren(flElement('p.fl-missing', {}, words + 'the app.'));
  });
  return () => setTimeout(() => {  // only once it is really gone, and after the last hover event
    if (!grid.isConnected) grid.querySelectorAll('.fl-plot').forEach(plot => globalThis.Plotly?.purge(plot));
  }, 1000);
}
"""

_component = st.components.v2.component(
    "feedback_lab_charts",
    html='<div class="fl-legend"></div><div class="fl-grid"></div>',
    css=_CSS,
    js=(Path(__file__).parents[1] / "play" / "js" / "library.js").read_text("utf-8") + _JS,
    isolate_styles=False,
)
