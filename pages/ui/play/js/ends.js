// The ends of the curves at the playhead, each a dot with the name of its learner. Names stand to the right of the
// playhead, where nothing is drawn yet, and beyond the axis a margin is kept for them; so they cover no curve. They
// move with the playhead and make room for one another. Plotly takes no part in it.

import { flBefore, flBox, flSpread } from './plot.js';

export class CurveEnds {
  static least = 400;  // a chart less wide, as on a phone, has dots alone; the legend has the names
  static widest = 104;  // of a name; a longer one has several lines
  static gap = 9;  // between the playhead and the names
  static pen = document.createElement('canvas').getContext('2d');
  static rooms = new WeakMap();  // by payload, since the browser takes long to look up a font while a page is drawn

  // The words at a line to compare with, which stand among the names.
  static reference({ layout }) {
    return layout.annotations?.find(({ name }) => name === 'reference');
  }

  // Whether Plotly leaves words to others: to the names at the ends, or the text in the middle of an empty chart.
  static says({ room }, name) {
    return name === 'empty' || (room > 0 && name === 'reference');
  }

  // The margin that the names need, the same for all charts of a page; 0 if there is no room for them.
  static room({ plot, payload }) {
    if (plot.clientWidth < CurveEnds.least) return 0;
    if (!CurveEnds.rooms.has(payload)) CurveEnds.rooms.set(payload, CurveEnds.measure(plot, payload));
    return CurveEnds.rooms.get(payload);
  }

  static measure(plot, payload) {
    const said = payload.charts.map(chart => chart.layout && CurveEnds.reference(chart)?.text);
    const texts = [...payload.learners.map(({ short }) => short), ...said].filter(Boolean);
    const { pen, widest, gap } = CurveEnds, { fontFamily } = getComputedStyle(plot);
    pen.font = `${plot.closest('.fl-present') ? 14 : 12}px ${fontFamily}`;
    const wide = Math.max(0, ...texts.map(text => pen.measureText(text).width));
    return wide && gap + Math.ceil(Math.min(wide, widest)) + 3;
  }

  constructor(chart) {
    const { payload, lines } = chart, named = chart.room > 0;
    this.chart = chart;
    chart.over.replaceChildren();
    this.ends = lines.filter(line => !line.bound).map(line => {
      const dot = flBox(line.faint ? 'fl-dot fl-thin' : 'fl-dot', chart.over), { color } = line.line;
      dot.style.background = color;
      const { short } = payload.learners[line.slot] ?? {};
      if (line.faint || !short || !named) return { line, dot };
      return { line, dot, ...this.name(short, line.name, color) };
    });
    const said = named && CurveEnds.reference(chart.chart);
    this.reference = said ? { value: said.y, down: 0, ...this.name(said.text, '', payload.text) } : null;
    for (const end of [...this.ends, this.reference ?? {}]) if (end.name) end.height = end.name.offsetHeight;
  }

  name(text, title, color) {
    const name = flBox('fl-end', this.chart.over);
    Object.assign(name, { textContent: text, title: title ?? text });
    name.style.setProperty('--fl-color', color);
    name.style.maxWidth = `${CurveEnds.widest}px`;
    return { name, height: 0 };
  }

  // Called for every frame. out : where the playhead is, in pixels.
  place(t, out) {
    const { x, y, preview, waiting } = this.chart, named = [];
    if (preview) [t, out] = [Infinity, x.length];
    for (const end of this.ends) {
      const { line, dot, name } = end, i = flBefore(line, t);
      const across = Number.isFinite(line.down[i + 1]) ? out : line.across[i];
      end.down = this.chart.height(line, i, t, out) - line.lift;
      const inside = (place, { length }) => place >= -1 - line.lift && place <= length + 1;
      const there = i >= 0 && inside(across, x) && inside(end.down, y);
      CurveEnds.put(dot, there && !preview, across, end.down);
      if (there && name) named.push(end); else if (name) CurveEnds.put(name, false);
    }
    const { reference } = this, left = (waiting ? x.length : out) + CurveEnds.gap;  // clear of words in the middle
    if (reference) {
      reference.down = y.place(reference.value);
      named.push(reference);
    }
    flSpread(named, y.length + 8).forEach((top, k) => CurveEnds.put(named[k].name, true, left, top - 4));
  }

  // Write only what has changed.
  static put(node, there, across = 0, down = 0) {
    if (node.hidden !== !there) node.hidden = !there;
    const moved = `translate(${across.toFixed(1)}px,${down.toFixed(1)}px)`;
    if (there && node.moved !== moved) node.style.transform = node.moved = moved;
  }
}
