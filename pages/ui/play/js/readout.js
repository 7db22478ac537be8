// The values under the pointer, a finger or the arrow keys.

import { flCount, flNumber } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';
import { flBefore, flBox, flShape } from './plot.js';

// The values of all curves at one step, in a box beside a line through that step; by pointer, finger or arrow keys.
export class Readout {
  static rows = 9;  // that fit into a chart

  constructor(chart) {
    const { plot } = chart;
    this.chart = chart;
    this.gone = new AbortController();
    this.cross = flBox('fl-cross', plot);
    this.ring = flBox('fl-ring', plot);
    this.tip = flBox('fl-tooltip', plot);
    this.spoken = flBox('fl-spoken', plot);
    this.spoken.setAttribute('aria-live', 'polite');
    plot.tabIndex = 0;
    plot.setAttribute('role', 'application');  // the arrow keys belong to it
    plot.setAttribute('aria-roledescription', flSay('chart'));
    plot.setAttribute('aria-description',
      flSay('Left and right walk along a curve, up and down change the curve, Escape leaves.'));
    const on = (name, react) => plot.addEventListener(name, react, { signal: this.gone.signal });
    on('pointermove', event => this.follow(event));
    on('pointerdown', event => (event.pointerType === 'touch' ? this.follow(event) : this.hide()));
    on('pointerleave', event => event.pointerType === 'touch' || this.hide());
    on('pointercancel', () => this.hide());  // the finger scrolls
    on('keydown', event => this.key(event));
    on('blur', () => this.hide());
    addEventListener('pointerdown', event => plot.contains(event.target) || this.hide(), { signal: this.gone.signal });
    this.hide();
  }

  follow(event) {
    const { plot, x, y, lines, others, t, held } = this.chart;
    if (!x || held || event.target.closest('.modebar')) return this.hide();
    const frame = plot.getBoundingClientRect();
    const across = event.clientX - frame.left - x.start, down = event.clientY - frame.top - y.start;
    const named = this.chart.ends.ends.find(({ name }) => name === event.target)?.line;
    if (!named && (across < 0 || across > x.length || down < 0 || down > y.length)) return this.hide();
    const seen = across <= x.place(t) + 8 ? lines : [];
    const near = named ?? [...seen, ...others]
      .map(line => [Math.abs(this.height(line, across) - down), line])
      .filter(([far]) => far < 9).sort((a, b) => a[0] - b[0])[0]?.[1];
    this.show(x.value(across), near ?? null);
  }

  // How far down a curve lies at a place across the chart, in pixels.
  height({ across, down, steps }, at) {
    const i = across.findIndex(px => px >= at);
    if (i <= 0) return i < 0 ? NaN : down[0];
    if (steps) return down[across[i] > at ? i - 1 : i];
    return down[i - 1] + (at - across[i - 1]) / (across[i] - across[i - 1]) * (down[i] - down[i - 1]);
  }

  // Show the values after a step, and never beyond the playhead.
  show(step, near, walking = null) {
    const { chart } = this, { x, y, lines, t, bright } = chart;
    const value = (line, until) => ({ line, ...chart.at(line, until) });
    const at = Math.min(step, t);
    let rows = lines.map(line => value(line, at)).filter(({ i }) => i >= 0);
    if (!rows.length) return this.hide();
    const slot = near?.slot ?? walking?.slot ?? null;
    for (const least of ['bound', 'faint']) {
      if (rows.length > Readout.rows) rows = rows.filter(({ line }) => !line[least] || line.slot === slot);
    }
    if (near?.kind) {  // an earlier run, known to its end
      const other = value(near, near.kind === 'future' && chart.player.playing ? at : step);
      if (other.i >= 0) rows.push(other);
    }
    const shown = Math.max(...rows.map(({ line, x }) => (line.kind ? -Infinity : x)));
    rows.sort((a, b) => y.place(a.y) - y.place(b.y));
    this.step = shown;
    this.fill(shown, rows, near ?? walking);
    if (bright !== slot) chart.highlight(slot);
    const across = x.start + x.place(shown), mark = walking ?? (near?.kind ? null : near);
    Object.assign(this.cross.style, { transform: `translateX(${across.toFixed(1)}px)`, top: y.start + 'px',
      height: y.length + 'px' });
    const point = mark && rows.find(({ line }) => line === mark);
    this.ring.hidden = !point;
    if (point) {
      const [a, b] = [x.start + x.place(point.x), y.start + y.place(point.y)];
      this.ring.style.transform = `translate(${a.toFixed(1)}px,${b.toFixed(1)}px)`;
      this.ring.style.borderColor = mark.line.color;
    }
    this.tip.hidden = this.cross.hidden = false;
    const room = chart.plot.clientWidth, gap = 12;
    this.tip.style.maxWidth = Math.min(350, Math.max(across, room - across) - gap) + 'px';
    const { offsetWidth: wide, offsetHeight: high } = this.tip;
    const left = across + gap + wide <= room ? across + gap : Math.max(0, across - gap - wide);
    const top = Math.max(0, y.start + Math.min(6, y.length - high));
    this.tip.style.transform = `translate(${left.toFixed(0)}px,${top.toFixed(0)}px)`;
  }

  fill(step, rows, bold) {
    const { text } = this.chart.payload, { unit } = flUnits(this.chart.payload.unit);
    const head = document.createElement('p');
    head.textContent = `${unit} ${flCount(step)}`;
    this.tip.replaceChildren(head, ...rows.map(({ line, x, y }) => {
      const row = document.createElement('div'), name = document.createElement('span');
      const number = document.createElement('b'), dash = this.chart.payload.learners[line.slot]?.dash ?? '';
      const sample = flShape('svg', { width: 22, height: 8 }, row);
      flShape('line', { x1: 0, x2: 22, y1: 4, y2: 4, stroke: line.line?.color ?? line.color ?? text,
        'stroke-width': line.kind || line.bound || line.faint ? 1.4 : 2.4,
        'stroke-dasharray': line.kind ? line.dash : line.bound ? (line.bound === 1 ? '2 4' : '2 9') : dash }, sample);
      name.textContent = (line.name ?? '') + (x === step ? '' : ` (${unit} ${flCount(x)})`);
      name.title = line.name ?? '';
      number.textContent = flNumber(y, this.chart.chart.format);
      row.append(name, number);
      row.classList.toggle('fl-bold', line === bold);
      return row;
    }));
  }

  key(event) {
    const { chart } = this, { lines, t } = chart;
    if (event.target !== chart.plot || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && !this.tip.hidden) {
      this.hide();
      chart.plot.blur();
    } else if (/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(event.key)) {
      const begun = lines.filter(line => flBefore(line, t) >= 0);
      if (begun.length) this.walk(event.key, begun, t); else this.say(flSay('No curve is drawn yet.'));
    } else return;
    event.preventDefault();
    event.stopPropagation();  // the same keys move the playhead
  }

  walk(key, lines, t) {
    let line = lines.find(({ trace }) => trace === this.walking?.trace) ?? lines[0];
    const last = flBefore(line, t), fresh = !this.walking;
    let i = fresh ? last : flBefore(line, Math.min(this.walking.step, t));
    if (/Up|Down/.test(key) && !fresh) {
      const at = line.x[i], place = other => other.down[flBefore(other, at)] ?? Infinity;
      const order = [...lines].sort((a, b) => place(a) - place(b));
      line = order[Math.min(Math.max(order.indexOf(line) + (key === 'ArrowUp' ? -1 : 1), 0), order.length - 1)];
      i = flBefore(line, at);
    } else if (!fresh || key === 'Home') {
      const known = line.x.map((_, k) => k).filter(k => k <= last && Number.isFinite(line.y[k]));
      const k = { ArrowLeft: known.indexOf(i) - 1, ArrowRight: known.indexOf(i) + 1, Home: 0 }[key] ?? known.length - 1;
      i = known[Math.min(Math.max(k, 0), known.length - 1)];
    }
    if (i < 0) i = line.y.findIndex(Number.isFinite);
    this.walking = { trace: line.trace, slot: line.slot, step: line.x[i] };
    this.show(line.x[i], null, line);
    const value = flNumber(line.y[i], this.chart.chart.format);
    this.say(`${line.name ?? flSay('Curve')}: ${value}, ${flUnits(this.chart.payload.unit).unit} ${line.x[i]}`);
  }

  say(text) {
    this.spoken.textContent = text;
  }

  // The playhead has moved: what is shown must not lie beyond it, and at rest the chart says where its curves stand.
  moved(playing) {
    if (!this.tip.hidden && (this.step > this.chart.t)) this.hide();
    clearTimeout(this.resting);
    if (!playing) this.resting = setTimeout(() => this.describe(), 200);
  }

  describe() {
    const { chart, t, payload } = this.chart;
    const values = this.chart.read(t).filter(line => !line.bound && line.name)
      .map(({ name, value, faint }) => `${name}${faint ? ` (${flSay('thin line')})` : ''} `
        + flNumber(value, chart.format));
    const { unit } = flUnits(payload.unit);
    const where = flSay('At {unit} {t} of {of}', { unit, t: Math.floor(t), of: payload.steps });
    const told = values.length ? `${where}: ${values.join('; ')}` 
      : this.chart.preview ? flSay('Nothing is played yet; pale curves are a preview of the run')
        : flSay('Nothing is drawn yet');
    this.chart.plot.setAttribute('aria-label', `${chart.title}. ${told}.`);
  }

  hide() {
    this.tip.hidden = this.cross.hidden = this.ring.hidden = true;
    this.walking = null;
    if (this.chart.bright !== null) this.chart.highlight(null);
  }

  destroy() {
    this.gone.abort();
    clearTimeout(this.resting);
  }
}
