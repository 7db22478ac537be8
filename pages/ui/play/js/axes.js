// Draws curves where there is no plotly.js, as in a notebook, whose outputs are to be small: axes, lines and bands,
// without zoom. It has those functions of plotly.js that curves.js calls, and leaves the same elements.

import { flComma } from '../../draw/js/library.js';
import { flPath, flShape } from './plot.js';

const FL_AXIS_DASHES = { dash: '9 9', dashdot: '9 5 3 5', longdash: '14 6', dot: '3 3' };

// The values at which an axis has ticks, with their words.
function flAxisTicks({ type, range, tickvals, ticktext, tick0 = 0, dtick }) {
  const [low, high] = [Math.min(...range), Math.max(...range)], log = type === 'log';
  const inside = value => value >= low - 1e-9 && value <= high + 1e-9;
  const words = value => flComma(String(Number(value.toPrecision(6))).replace('-', '−'));
  if (tickvals) {
    const at = tickvals.map(value => (log ? Math.log10(value) : value));
    return at.map((place, i) => ({ place, words: ticktext?.[i] ?? words(tickvals[i]) })).filter(t => inside(t.place));
  }
  const rough = (high - low) / 5 || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = log ? Math.max(1, Math.ceil(rough))
    : dtick ?? [1, 2, 5, 10].map(m => m * power).find(s => s >= rough * (1 - 1e-9));
  const first = log ? Math.ceil(low - 1e-9) : tick0 + Math.ceil((low - tick0) / step - 1e-9) * step, found = [];
  for (let place = first; inside(place) && found.length < 30; place += step) {
    found.push({ place, words: words(log ? 10 ** place : place) });
  }
  return found;
}

// The range of an axis: as it is declared, or as wide as its values.
function flAxisRange({ type, range }, values) {
  if (range) return range;
  const log = type === 'log', known = values.filter(v => Number.isFinite(v) && (!log || v > 0));
  const ends = known.map(v => (log ? Math.log10(v) : v));
  const low = Math.min(log ? Infinity : 0, ...ends), high = Math.max(...ends);
  return low < high ? [low, high] : Number.isFinite(low) ? [low - 1, low + 1] : [0, 1];
}

function flDrawCurves(node, data, layout) {
  const { l = 46, r = 10, t = 8, b = 34 } = layout.margin ?? {}, width = node.clientWidth, { height } = layout;
  const wide = Math.max(10, width - l - r), high = Math.max(10, height - t - b), { grid, text } = {
    grid: layout.xaxis?.gridcolor ?? '#ccc', text: layout.font?.color ?? 'currentColor' };
  const all = name => data.filter(trace => trace.visible !== false).flatMap(trace => trace[name]);
  const axis = (given, start, length, values) => (
    { ...given, range: flAxisRange(given, values), _offset: start, _length: length });
  const x = axis(layout.xaxis ?? {}, l, wide, all('x')), y = axis(layout.yaxis ?? {}, t, high, all('y'));
  const share = ({ type, range: [low, top] }, value) => {
    const at = type === 'log' ? (value > 0 ? Math.log10(value) : NaN) : value;
    return value === null ? NaN : (at - low) / (top - low);
  };
  const across = value => share(x, value) * wide, down = value => high - share(y, value) * high;
  node._fullLayout = { xaxis: x, yaxis: y, width };
  node.replaceChildren();
  const root = flShape('svg', { class: 'main-svg', width, height, 'aria-hidden': 'true' }, node);
  const area = flShape('g', { transform: `translate(${l},${t})` }, root);
  const say = (words, place, parent = area) => {
    const made = flShape('text', { fill: text, 'font-size': 11, ...place }, parent);
    made.textContent = words;
  };
  for (const { place, words } of flAxisTicks(x)) {
    const at = (place - x.range[0]) / (x.range[1] - x.range[0]) * wide;
    flShape('path', { d: `M${at} 0V${high}`, stroke: grid }, area);
    say(words, { x: at, y: high + 14, 'text-anchor': 'middle' });
  }
  for (const { place, words } of flAxisTicks(y)) {
    const at = high - (place - y.range[0]) / (y.range[1] - y.range[0]) * high;
    flShape('path', { d: `M0 ${at}H${wide}`, stroke: grid }, area);
    say(words, { x: -6, y: at + 4, 'text-anchor': 'end' });
  }
  say(layout.xaxis?.title?.text ?? '', { x: wide / 2, y: high + 30, 'text-anchor': 'middle', 'font-size': 12 });
  for (const { y0, line } of layout.shapes ?? []) {
    const stroke = line?.color ?? text;
    flShape('path', { d: `M0 ${down(y0)}H${wide}`, stroke, 'stroke-dasharray': '5 4', opacity: .6 }, area);
  }
  for (const { text: words, x: right, y: up, yref } of layout.annotations ?? []) {
    const anchor = right > .75 ? 'end' : right > .25 ? 'middle' : 'start';
    const at = yref === 'paper' ? high * (1 - up) + (up > .9 ? 11 : 0) : down(up) - 3;
    say(words, { x: right * wide, y: at, 'text-anchor': anchor });
  }
  const layer = flShape('g', { class: 'scatterlayer' }, area);
  data.forEach((trace, i) => {
    if (trace.visible === false) return;
    const { line = {}, fill, fillcolor, mode = 'lines', opacity = 1 } = trace;
    const group = flShape('g', { class: `trace scatter tracefl${i}`, opacity }, layer);
    const d = flPath(Array.from(trace.x, across), Array.from(trace.y, down), line.shape === 'hv');
    if (fill) flShape('path', { class: 'js-fill', d: d && `${d}Z`, fill: fillcolor, stroke: 'none' }, group);
    const dash = /px/.test(line.dash ?? '') ? line.dash.replaceAll('px', '') : FL_AXIS_DASHES[line.dash] ?? '';
    if (line.width) {
      flShape('path', { class: 'js-line', d, fill: 'none', stroke: line.color, 'stroke-width': line.width,
        'stroke-dasharray': dash, 'stroke-linejoin': 'round' }, group);
    }
    if (mode.includes('markers')) trace.x.forEach((value, k) => {
      const [cx, cy] = [across(value), down(trace.y[k])];
      if (Number.isFinite(cx) && Number.isFinite(cy)) flShape('circle', { cx, cy, r: 2.5, fill: line.color }, group);
    });
  });
}

export const flAxes = {
  Icons: {},
  async newPlot(node, data, layout) {
    node.heard = {};
    node.on = (name, react) => { node.heard[name] = react; };
    return flAxes.react(node, data, layout);
  },
  async react(node, data, layout) {
    node.given = [data, layout];
    flDrawCurves(node, data, layout);
    node.heard.plotly_afterplot?.();
  },
  async relayout(node) { return flAxes.react(node, ...node.given); },
  purge(node) { node.replaceChildren(); },
};
