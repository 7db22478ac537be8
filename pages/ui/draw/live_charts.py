"""A grid of Plotly charts that can be redrawn several times a second without flicker.

Streamlit builds its own chart element anew whenever the data change, so that the chart blinks and loses its zoom. Here
one component keeps the charts and hands them new data (`Plotly.react`). It drops frames that come faster than the
browser can draw and keeps the latest. Charts out of sight are drawn once no more frames come.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
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
const shared = (globalThis.__feedbackLab ??= {});
const decoder = new TextDecoder();

function base() {  // the app may be served below a path
  const own = document.querySelector('script[src*="static/js/"]');
  return own ? own.src.split('static/js/')[0] : document.baseURI;
}

function plotly(script) {
  if (globalThis.Plotly?.react) return Promise.resolve(globalThis.Plotly);
  return (shared.loading ??= new Promise((done, failed) => {
    const tag = document.createElement('script');
    tag.src = new URL(script, base()).href;
    tag.onload = () => done(globalThis.Plotly);
    tag.onerror = () => { shared.loading = null; failed(new Error('plotly.js could not be loaded')); };
    document.head.appendChild(tag);
  }));
}

const sight = new IntersectionObserver(
  plots => plots.forEach(seen => { seen.target.__away = !seen.isIntersecting; }),
  { rootMargin: '100px', scrollMargin: '100px' },  // the second: of the part of the page that scrolls
);

function cell(grid, chart) {
  const section = document.createElement('section');
  section.dataset.chart = chart.id;
  if (chart.wide) section.style.gridColumn = '1 / -1';
  const heading = document.createElement('h3');
  heading.append(chart.title);
  const details = document.createElement('details'), summary = document.createElement('summary');
  const text = document.createElement('p');
  summary.textContent = '?';
  summary.title = chart.help;
  summary.setAttribute('aria-label', 'What is this?');
  text.textContent = chart.help;
  details.append(summary, text);
  heading.append(details);
  const plot = document.createElement('div');
  plot.className = 'fl-plot';
  plot.setAttribute('role', 'img');
  plot.style.height = chart.layout.height + 'px';
  section.append(heading, plot);
  grid.append(section);
  sight.observe(plot);
  return section;
}

function name(legend, entries) {
  const now = JSON.stringify(entries);
  if (legend.__now === now) return;
  legend.__now = now;
  legend.replaceChildren(...entries.map(entry => {
    const item = document.createElement('span');
    const sample = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    for (const [k, v] of Object.entries({ width: 34, height: 8, 'aria-hidden': true })) sample.setAttribute(k, v);
    for (const [k, v] of Object.entries({ x1: 0, x2: 34, y1: 4, y2: 4, stroke: entry.color,
      'stroke-width': entry.width, 'stroke-dasharray': entry.dash })) line.setAttribute(k, v);
    sample.append(line);
    item.append(sample, entry.label);
    return item;
  }));
}

// Ranges that the person zoomed to win over those of the next frame, until a double click. Plotly's own
// uirevision gives them up as soon as the range that comes with a frame has changed, so it is not used.
async function redraw(library, plot, chart) {
  if (!plot.__zoom || plot.__revision !== chart.revision) plot.__zoom = {};
  plot.__revision = chart.revision;
  plot.__chart = chart;
  if (plot.__held) return;  // a redraw would break off the drag
  plot.setAttribute('aria-label', chart.title);
  const layout = structuredClone(chart.layout);  // Plotly writes into what it is given
  for (const [axis, range] of Object.entries(plot.__zoom)) layout[axis] = { ...layout[axis], range };
  if (plot.__drawn) { await library.react(plot, chart.data, layout); return; }
  plot.__drawn = true;
  const reset = () => { plot.__zoom = {}; return redraw(library, plot, plot.__chart); };
  await library.newPlot(plot, chart.data, layout, {  // once: another config would build the plot anew
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

// Returns whether charts out of sight were left as they were.
async function draw(grid, payload, all) {
  const legend = grid.parentElement.querySelector('.fl-legend');
  grid.style.color = legend.style.color = payload.text;
  name(legend, payload.legend);
  const wanted = new Map(payload.charts.map(c => [c.id, c]));
  for (const old of [...grid.children]) {
    if (!wanted.has(old.dataset.chart)) {
      const plot = old.querySelector('.fl-plot');
      if (plot) globalThis.Plotly?.purge(plot);
      old.remove();
    }
  }
  let place = 0;
  for (const chart of payload.charts) {
    const there = [...grid.children].find(c => c.dataset.chart === chart.id) ?? cell(grid, chart);
    if (grid.children[place] !== there) grid.insertBefore(there, grid.children[place] ?? null);
    place += 1;
  }
  const library = await plotly(payload.script);
  let left = false;
  for (const chart of payload.charts) {
    const section = [...grid.children].find(c => c.dataset.chart === chart.id);
    if (!section?.isConnected) continue;
    const plot = section.querySelector('.fl-plot');
    if (plot.__away && plot.__drawn && !all) left = true;
    else await redraw(library, plot, chart);
  }
  return left;
}

export default function (component) {
  const grid = component.parentElement.querySelector('.fl-grid');
  if (!grid) return;
  grid.__next = component.data;
  const pump = async () => {
    if (grid.__busy) return;
    grid.__busy = true;
    try {
      while (grid.__next) {
        const raw = grid.__next, all = grid.__all;
        grid.__next = grid.__all = null;
        clearTimeout(grid.__rest);
        const left = await draw(grid, JSON.parse(typeof raw === 'string' ? raw : decoder.decode(raw)), all);
        if (left) grid.__rest = setTimeout(() => { grid.__next ??= raw; grid.__all = true; pump(); }, 400);
        grid.dataset.frames = Number(grid.dataset.frames ?? 0) + 1;
        await new Promise(next => requestAnimationFrame(next));
      }
    } catch (error) {
      console.error(error);
      if (!grid.children.length || !globalThis.Plotly) {
        grid.innerHTML = '<p class="fl-missing">The charts could not be drawn (' + error.message +
          '). Reload the page. If that does not help, restart the app.</p>';
      }
    } finally { grid.__busy = false; }
  };
  pump();
  return () => setTimeout(() => {  // only once it is really gone, and after the last hover event
    if (!grid.isConnected) grid.querySelectorAll('.fl-plot').forEach(plot => globalThis.Plotly?.purge(plot));
  }, 1000);
}
"""

_component = st.components.v2.component(
    "feedback_lab_charts",
    html='<div class="fl-legend"></div><div class="fl-grid"></div>',
    css=_CSS,
    js=_JS,
    isolate_styles=False,
)
