// A grid of charts that stand still, which are handed new data.

import { flDrawing, flElement, loadPlotly } from './library.js';
import { flExplained, flTerm } from './terms.js';

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
  plot.addEventListener('pointerdown', event => { plot.__held = event.pointerType !== 'touch'; }, true);
  // a finger scrolls the page; Plotly would zoom
  plot.addEventListener('touchstart', event => event.stopPropagation(), { capture: true, passive: true });
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
  const heading = flElement('h3', {}, ...flExplained(chart.title, chart.terms), flElement('details', {},
    flElement('summary', { title: chart.help, 'aria-label': 'What is this?' }, '?'), flElement('p', {}, chart.help)));
  return flElement(chart.wide ? 'section.fl-wide' : 'section', { 'data-chart': chart.id }, heading, plot);
}

function flStillLegend(entry) {
  const line = { x1: 0, x2: 34, y1: 4, y2: 4, stroke: entry.color, 'stroke-width': entry.width,
    'stroke-dasharray': entry.dash };
  const label = entry.help ? flTerm(entry.label, { says: entry.help }) : entry.label;
  return flElement('span', {}, flDrawing(34, 8, { line }), label);
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
