// The curves of one metric. Plotly draws them once, over all that is computed, and out of sight: what is seen is a copy
// of its curves behind a window that opens up to the playhead. The window and what lies behind it are layers that the
// browser only moves, in opposite directions, so that a frame costs no painting, and whatever Plotly draws anew, it
// never shows the future.

import { flCount, flDashOf, flPreview, loadPlotly } from '../../draw/js/library.js';
import { flLanguage, flSay, flUnits } from '../../draw/js/texts.js';
import { CurveEnds } from './ends.js';
import { flBytes } from './packed.js';
import { flBefore, flBox, flPath, flScale, flShape } from './plot.js';
import { Readout } from './readout.js';

export class CurveChart {
  // Where a curve stands after a step, as {x: the step of its value, y}; null before its first value. The value is that
  // of the step itself if it is here, or if the curve stands still between its points; else that of the point before.
  at(line, t) {
    const step = Math.floor(t), y = this.exact(line, step), i = flBefore(line, t);
    if (i < 0) return null;
    if (Number.isFinite(y)) return { i, x: step, y };
    return { i, x: line.steps ? Math.min(step, line.x.at(-1)) : line.x[i], y: line.y[i] };
  }

  // The value of a curve after a whole step, as it was sent beside the points; undefined if it was not.
  exact({ slot, faint, bound, kind }, step) {
    const { exact, drawn } = this.player.payload ?? {};
    if (!exact || kind || this.alone || this.turned || drawn !== this.payload.drawn) return undefined;
    const key = `${slot} ${Number(faint)} ${bound}`, packed = exact.charts[this.chart.id]?.[key];
    if (!packed) return undefined;
    exact.read ??= {};
    const values = exact.read[`${this.chart.id} ${key}`] ??= new Float32Array(flBytes(packed).buffer);
    return values[step - exact.first];
  }

  // How far down a curve stands at the playhead, in pixels; between two steps it is on its way, unless it jumps.
  height(line, i, t, out) {
    const from = Math.floor(t), [a, b] = [this.exact(line, from), this.exact(line, Math.ceil(t))].map(this.y.place);
    if (Number.isFinite(a) && Number.isFinite(b)) return line.steps ? a : a + (t - from) * (b - a);
    const next = line.down[i + 1];
    if (line.steps || !Number.isFinite(next)) return line.down[i];
    return line.down[i] + (out - line.across[i]) / (line.across[i + 1] - line.across[i]) * (next - line.down[i]);
  }

  constructor(plot, player) {
    this.plot = plot;
    this.player = player;
    this.t = 0;
    this.zoom = {};
    this.lines = [];
    this.others = [];
    this.alone = null;
    this.bright = null;
    this.kept = null;
    this.room = 0;  // kept for names on the right, in pixels
    this.scaled = false;  // whether the axes were looked up since Plotly has last drawn all
    plot.classList.add('fl-curves');
    plot.replaceChildren();
    this.under = flShape('svg', { class: 'fl-under', 'aria-hidden': true }, plot);
    this.drawn = /** @type {any} */ (flBox('fl-drawn', plot));  // Plotly makes more of it
    this.window = flBox('fl-window', plot);
    this.pane = flBox('fl-pane', this.window);
    this.copy = flShape('svg', { class: 'fl-copy', 'aria-hidden': true }, this.pane);
    this.playhead = flBox('fl-playhead', plot);
    this.over = flBox('fl-over', plot);
    this.over.ariaHidden = 'true';  // read out by the chart's label
    this.quiet = flBox('fl-quiet', plot);
    this.quiet.append(document.createElement('span'));
    this.readout = new Readout(this);
    this.gone = new AbortController();
    this.listen();
  }

  listen() {
    const { plot, gone: { signal } } = this;
    const release = () => {
      if (!this.held) return;
      this.held = false;
      setTimeout(() => this.stale && this.draw(), 50);  // after Plotly has told where the drag went
    };
    plot.addEventListener('pointerdown', event => { this.held = event.pointerType !== 'touch'; },
      { capture: true, signal });
    for (const end of ['pointerup', 'pointercancel', 'blur']) addEventListener(end, release, { signal });
    // a finger scrolls the page; Plotly would zoom
    plot.addEventListener('touchstart', event => event.stopPropagation(), { capture: true, passive: true, signal });
    this.size = new ResizeObserver(() => {
      clearTimeout(this.resizing);
      this.resizing = setTimeout(() => this.resize(), 40);
    });
    this.size.observe(plot);
  }

  async resize() {
    const width = this.plot.clientWidth;
    if (!this.figure || !width || width === this.drawn._fullLayout.width) return;
    this.room = CurveEnds.room(this);
    if (this.margin !== this.figure.layout.margin.r) await this.draw();
    return this.library.relayout(this.drawn, { autosize: true });
  }

  // Called when what is drawn has changed.
  async update(chart, payload) {
    if (this.revision !== payload.revision) this.zoom = {};
    if (!this.turned) this.wide = null;
    this.revision = payload.revision;
    const behind = payload.ghosts.map((ghost, i) => [ghost, 'ghost', flDashOf(i)]);
    const futures = payload.futures.map(future => [future, 'future', future.was ? '' : flDashOf(future.number)]);
    const others = [...behind, ...futures].flatMap(
      ([other, kind, dash]) => (other.charts[chart.id] ?? []).map(curve => ({
        kind, dash, was: other.was, name: other.label, slot: curve.slot ?? other.slot, x: curve.x, y: curve.y,
        color: other.was === false ? payload.other
          : payload.learners[curve.slot ?? other.slot]?.color ?? payload.text })));
    this.chart = chart;
    this.payload = payload;
    this.others = others;
    this.plot.style.height = chart.layout.height + 'px';
    this.library = await (this.player.library ?? loadPlotly(payload.script));
    await this.draw();
  }

  // Draw one replicate in place of means and bands, or the means again (null).
  solo(values) {
    this.alone = values;
    return this.draw();
  }

  // Show the run at another stop of a knob in place of the run itself (null). Plotly takes no part in it: the copies of
  // its curves get other points. range : of the y axis, wide enough for all stops, or null.
  turn(stop, range) {
    const wider = range && !this.zoom.yaxis && JSON.stringify(range) !== JSON.stringify(this.wide ?? null);
    this.turned = stop;
    this.plot.classList.toggle('fl-turned', Boolean(stop));
    if (wider) {
      this.wide = range;
      this.draw();
    }
    this._turn();
    this.reveal(this.player.t);
  }

  _turn() {
    if (!this.x || !this.lines) return;
    const key = ({ slot, faint, bound }) => `${slot} ${Number(faint)} ${bound}`;
    const others = this.turned && new Map(this.turned.lines.map(line => [key(line), line]));
    const concerned = ({ slot }) => (this.turned?.slot ?? slot) === slot;
    for (const line of this.lines) {
      const { x, y, band } = line.own ??= { x: line.x, y: line.y };
      const other = others?.get(key(line)), now = other ?? { x, y, band };
      for (const one of line.shapes ?? []) one.toggleAttribute('hidden', Boolean(others && !other && concerned(line)));
      Object.assign(line, { x: now.x, y: now.y });
      line.across = Array.from(line.x, this.x.place);
      line.down = Array.from(line.y, this.y.place);
      if (!other && !line.moved) continue;  // Plotly's own path
      line.moved = Boolean(other);
      const paths = this._paths(line, other);
      line.shapes?.forEach((one, i) => {
        for (const path of one.querySelectorAll('path.js-line, path.js-fill')) {
          path.own ??= path.getAttribute('d');
          path.setAttribute('d', other ? paths[i] ?? '' : path.own);
        }
      });
    }
  }

  // The paths of a curve and of its band at a stop, which are kept until the axes change.
  _paths(line, other) {
    if (!other) return [];
    const scale = `${this.x.low} ${this.x.unit} ${this.y.low} ${this.y.unit} ${this.y.length}`;
    if (other.scale !== scale) {
      const { place } = this.x, { place: down } = this.y;
      other.paths = [flPath(line.across, line.down, other.steps)];
      if (other.band) other.paths.push(`${flPath(Array.from(other.band[0], place), Array.from(other.band[1], down))}Z`);
      other.scale = scale;
    }
    return other.paths;
  }

  // The traces as they are drawn, each under a name by which its layer is found again.
  traces() {
    const { data, lines } = this.chart;
    const alone = this.alone && new Map(this.alone.lines.map(line => [line.trace, line.y]));
    const traces = data.map((trace, i) => (
      { ...trace, line: { ...trace.line }, uid: `fl${i}`, hoverinfo: 'skip', y: alone?.get(i) ?? trace.y }));
    for (const line of lines) {
      if (alone && line.band !== null) traces[line.band].visible = false;
      if (alone && !line.bound && !alone.has(line.trace)) traces[line.trace].visible = false;
    }
    this.lines = lines.map(line => ({ ...line, ...traces[line.trace], name: line.name }))
      .filter(line => line.visible !== false);
    this.lines.forEach((line, i) => {  // one that others hide is lifted by a few pixels; its values stay
      line.lift = 3 * this.lines.slice(i + 1).filter(later => this.hides(later, line)).length;
    });
    return traces;
  }

  // The margin on the right, with room for names.
  get margin() {
    return Math.max(this.chart.layout.margin?.r ?? 10, this.room);
  }

  hides(later, line) {
    const [low, high] = this.chart.layout.yaxis.range ?? [0, 1], near = Math.abs(high - low) / 150;
    const apart = line.y.filter((y, i) => line.x[i] !== later.x[i] || Math.abs(y - later.y[i]) > near).length;
    return line.x.length > 0 && apart <= line.x.length / 20;
  }

  // Ranges that the person zoomed to win over those that come, until a double click or other axes. Plotly's own
  // uirevision gives them up as soon as the ranges that come have changed. A redraw would break off a drag: it waits.
  async draw() {
    this.stale = true;
    if (this.busy || !this.library) return;
    this.busy = true;
    try {
      while (this.stale && !this.held && !this.gone.signal.aborted) {
        this.stale = this.scaled = false;
        this.room = CurveEnds.room(this);
        const layout = structuredClone(this.chart.layout), data = this.traces();  // Plotly writes into what it gets
        layout.hovermode = false;
        layout.margin = { ...layout.margin, r: this.margin };
        layout.annotations = layout.annotations?.filter(({ name }) => !CurveEnds.says(this, name));
        if (this.wide) layout.yaxis = { ...layout.yaxis, range: this.wide };
        for (const [axis, range] of Object.entries(this.zoom)) layout[axis] = { ...layout[axis], range };
        const first = !this.figure;
        this.figure = { data, layout };
        if (flLanguage() !== 'en') layout.separators = ',.';
        const done = first ? this.library.newPlot(this.drawn, data, layout, this.configuration())
          : this.library.react(this.drawn, data, layout);
        if (!this.scaled) this.rescale();  // before the browser paints
        await done;
        if (first) this.follow();
        if (!this.scaled) this.rescale();
      }
    } finally { this.busy = false; }
  }

  configuration() {
    const { Icons } = this.library;
    const save = format => ({
      name: format, title: flSay('Download as {format}', { format: format.toUpperCase() }),
      icon: format === 'png' ? Icons.camera : Icons.disk, click: () => this.download(format) });
    const reset = { name: 'reset', title: flSay('Reset axes (double click)'), icon: Icons.home,
      click: () => this.unzoom() };
    return { displaylogo: false, displayModeBar: 'hover', doubleClick: false, showTips: false,
      modeBarButtons: [[save('png'), save('svg'), 'zoom2d', 'pan2d', reset]] };
  }

  follow() {
    this.drawn.on('plotly_doubleclick', () => this.unzoom());
    this.drawn.on('plotly_afterplot', () => {
      this.rescale();
      this.scaled = true;
    });
    this.drawn.on('plotly_relayouting', () => this.rescale(true));
    this.drawn.on('plotly_relayout', change => {
      for (const axis of ['xaxis', 'yaxis']) {
        const low = change[axis + '.range[0]'], high = change[axis + '.range[1]'];
        if (low !== undefined && high !== undefined) this.zoom[axis] = [low, high];
      }
      this.rescale();
    });
  }

  unzoom() {
    this.zoom = {};
    return this.draw();
  }

  // Save what is seen: nothing beyond the playhead, with title and legend.
  download(format) {
    const seen = ({ x, y }) => ({ x: x.filter(v => !(v > this.t)), y: y.filter((_, i) => !(x[i] > this.t)) });
    const data = this.figure.data.map(trace => ({ ...trace, ...seen(trace), showlegend: !!trace.name }));
    const others = this.others.map(other => ({ type: 'scatter', mode: 'lines', name: other.name, x: other.x, y: other.y,
      line: { color: other.color, width: 1 }, opacity: 0.5 }));
    const layout = { ...structuredClone(this.figure.layout), title: { text: this.chart.title, font: { size: 15 } },
      showlegend: true, legend: { orientation: 'h', y: -0.18 }, margin: { l: 60, r: 20, t: 50, b: 50 }, autosize: false,
      paper_bgcolor: getComputedStyle(this.plot).getPropertyValue('--st-background-color').trim() || '#fff' };
    return this.library.downloadImage({ data: [...others, ...data], layout },
      { format, width: 800, height: 480, scale: format === 'png' ? 2 : 1, filename: this.chart.id });
  }

  // Find the axes as they are drawn, once after each drawing, and lay everything else over them. While a hand moves
  // them, the copy of the curves follows; Plotly draws them anew afterwards.
  rescale(moving = false) {
    const { xaxis, yaxis } = this.drawn._fullLayout ?? {};
    if (!xaxis?._length) return;
    const x = this.x = flScale(xaxis), y = this.y = flScale(yaxis, true);
    for (const layer of [this.under, this.window, this.over, this.playhead, this.quiet]) {
      Object.assign(layer.style, { left: x.start + 'px', top: y.start + 'px', height: y.length + 'px' });
      if (layer !== this.playhead) layer.style.width = x.length + 'px';
    }
    for (const line of [...this.lines, ...this.others]) {
      line.across = Array.from(line.x, x.place);
      line.down = Array.from(line.y, y.place);
    }
    this.under.replaceChildren();
    if (moving) this.carry(); else this.take();
    for (const other of this.others) {
      const points = other.across.map((px, i) => [px, other.down[i]]).filter(point => point.every(Number.isFinite))
        .map(point => point.map(v => v.toFixed(1)));
      const jumps = this.lines.some(({ steps }) => steps);
      const d = jumps ? points.map(([x, y], i) => (i ? `H${x}V${y}` : `${x} ${y}`)).join('') : points.join('L');
      const name = other.was ? 'fl-future fl-was' : `fl-${other.kind}`;
      other.shape = flShape('path', { class: name, stroke: other.color, d: d && `M${d}` }, this.under);
      if (other.dash) other.shape.setAttribute('stroke-dasharray', other.dash);
      if (other.kind === 'future' && !moving) this.layer.append(other.shape.cloneNode());  // as far as it is played
    }
    for (const line of this.lines) {
      line.shapes = [line.trace, line.band].map(i => this.layer.querySelector(`.tracefl${i}`)).filter(Boolean);
      if (line.lift) line.shapes[0]?.setAttribute('transform', `translate(0,${-line.lift})`);
    }
    if (this.turned && !moving) this._turn();
    this.begin = Math.min(...this.lines.map(line => line.x.find((_, i) => Number.isFinite(line.y[i])) ?? Infinity));
    this.ends = new CurveEnds(this);
    this.highlight(this.bright);
    this.reveal(this.player.t);
    this.plot.dispatchEvent(new Event('fl-scaled', { bubbles: true }));  // for what a lesson lays over the chart
  }

  take() {
    this.layer = flShape('g', {});
    const drawn = [...this.drawn.querySelectorAll('.scatterlayer')];
    this.layer.append(...drawn.flatMap(layer => [...layer.cloneNode(true).children]));
    this.copy.replaceChildren(this.layer);
    this.taken = { x: this.x, y: this.y };
  }

  carry() {
    const { x, y, taken } = this, wide = x.unit / taken.x.unit, high = y.unit / taken.y.unit;
    const right = (taken.x.low - x.low) * x.unit, down = y.length * (1 - high) - (taken.y.low - y.low) * y.unit;
    this.layer.setAttribute('transform', `matrix(${wide} 0 0 ${high} ${right} ${down})`);
  }

  // Uncover the curves up to step t, a fraction while it plays. Called for every frame.
  reveal(t) {
    const playing = this.player.playing;
    this.t = t;
    if (!this.x) return;
    const preview = flPreview(this.player) && this.begin < Infinity;
    if (preview !== this.preview) this.plot.classList.toggle('fl-preview', this.preview = preview);
    const { length } = this.x, out = this.turned && this.preview ? length : t > 0 ? this.x.place(t) : 0;
    const edge = Math.round(Math.min(Math.max(out, 0), length) * devicePixelRatio) / devicePixelRatio;
    this.window.style.transform = `translateX(${edge - length}px)`;
    this.pane.style.transform = `translateX(${length - edge}px)`;
    this.playhead.style.transform = `translateX(${edge}px)`;
    if (this.playing !== playing || this.hidden !== (out < 0 || out > length + 1)) {
      this.playing = playing;
      this.hidden = out < 0 || out > length + 1;
      this.plot.classList.toggle('fl-playing', !!playing);
      this.playhead.hidden = this.hidden;
    }
    if ((t < this.begin) !== this.waiting || (t > 0) !== this.begun || !playing) this.say();
    this.ends.place(t, out);
    this.readout.moved(playing);
  }

  // A text in the middle as long as no curve has begun: what the chart says itself, or how one begins.
  say() {
    this.waiting = this.t < this.begin;
    const [own] = this.begin === Infinity && this.player.limit !== 0 ? this.chart.layout.annotations ?? [] : [];
    const words = own && (own.name === 'empty' ? own.text.replaceAll('<br>', ' ') : '');
    this.begun = this.t > 0;
    const { unit } = flUnits(this.payload.unit), t = flCount(this.begin);
    const text = !this.begun ? flSay('Press Play or Step, and the curves appear here.') : this.begin < Infinity
      ? flSay('The first value comes with {unit} {t}.', { unit, t }) : flSay('There are no values so far.');
    this.quiet.firstChild.textContent = this.waiting && !this.preview ? words ?? text : '';
  }

  // The values at step t.
  read(t) {
    return this.lines.flatMap(line => {
      const now = this.at(line, t), { name, slot, faint, bound } = line;
      return now ? [{ name, slot, step: now.x, value: now.y, faint, bound }] : [];
    });
  }

  // Let the curves of one learner stand out, or none (null). What the legend `keeps` stands out unless a hand points.
  keep(slot) {
    this.kept = slot;
    this.highlight(null);
  }

  highlight(slot) {
    this.bright = slot;
    const chosen = slot ?? this.kept, pale = line => chosen !== null && line.slot !== chosen;
    for (const line of this.lines) line.shapes?.forEach(layer => layer.classList.toggle('fl-pale', pale(line)));
    for (const other of this.others) other.shape?.classList.toggle('fl-pale', pale(other));
    for (const { line, dot, name } of this.ends?.ends ?? []) {
      for (const node of [dot, name]) node?.classList.toggle('fl-pale', pale(line));
    }
  }

  destroy() {
    this.gone.abort();
    this.size.disconnect();
    clearTimeout(this.resizing);
    this.readout.destroy();
    const { library, drawn } = this;
    setTimeout(() => library?.purge(drawn), 1000);  // after its last event
    this.plot.classList.remove('fl-curves');
    this.plot.replaceChildren();
  }
}
