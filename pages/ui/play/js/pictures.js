// Pictures that are no curves: keyframes that follow the playhead, forwards and backwards.

import { flCount, flPreview, loadPlotly } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';
import { Keyframes } from './keyframes.js';
import { Painting } from './painting.js';

// All pictures take turns, so that drawing them never takes more than a part of the time. While a run plays, a draw of
// d ms is followed by 2 d ms without one, and each picture is drawn at most 8 times a second; at rest, by d ms. A draw
// that took very long, because the machine was busy, is not held against the next for more than a second.
const pictureTurns = {
  waiting: new Set(),
  free: 0,

  ask(picture) {
    this.waiting.add(picture);
    this.next();
  },

  next() {
    clearTimeout(this.timer);
    const began = performance.now();
    const due = picture => Math.max(this.free, picture.playing ? picture.due : 0);
    const picture = [...this.waiting].find(picture => due(picture) <= began);
    if (picture) {
      this.waiting.delete(picture);
      picture.draw();
      const spent = performance.now() - began;
      this.free = began + spent + Math.min(1000, (picture.playing ? 2 : 1) * spent);
      picture.due = began + 125;
    }
    if (!this.waiting.size) return;
    const pause = Math.min(...[...this.waiting].map(due)) - performance.now();
    this.timer = setTimeout(() => this.next(), Math.max(0, pause));
  },
};

// The base of pictures: which frame is due. `show(state)` of a subclass draws it.
class Picture {
  constructor(plot, player) {
    this.plot = plot;
    this.player = player;
    this.frames = new Keyframes();
    this.due = 0;
    this.playing = false;
    this.shown = null;
    this.index = -1;
    this.held = false;
    this.gone = new AbortController();
    plot.replaceChildren();
    plot.classList.add('fl-picture');
  }

  async update(chart, payload) {
    this.chart = chart;
    this.unit = flUnits(payload.unit).unit;
    this.frames.merge(chart.frames, payload.drawn, payload.run);
    this.index = -1;
    await this.prepare(payload);
    this.ready = !this.gone.signal.aborted;
    const { t, playing } = this.player;
    if (this.shown || !this.ready) { this.reveal(t, playing); return; }
    this.index = this.number(t);
    if (this.index >= 0) await this.draw();
  }

  /** @param {any} _payload */
  async prepare(_payload) {}

  // The number of the frame at step t, -1 if there is none. In a preview an empty one gives way to the first other.
  number(t) {
    const { frames } = this, index = frames.index(t), empty = state => state?.data?.length === 0;
    if (index < 0 || !flPreview(this.player)) return index;
    for (let i = index; i < frames.count; i += 1) if (!empty(frames.state(i))) return i;
    return index;
  }

  // Asks for a turn if another frame is due. It costs next to nothing otherwise.
  reveal(t, playing) {
    const index = this.number(t);
    if (index < 0 || !this.ready || (index === this.index && playing === this.playing)) return;
    this.index = index;
    this.playing = playing;
    if (this.done(this.frames.state(index))) {
      pictureTurns.waiting.delete(this);
      this.name();
    } else pictureTurns.ask(this);
  }

  done(state) {
    return this.shown === state;
  }

  // Draws the newest frame, whatever it was asked for.
  draw() {
    if (this.held) { this.index = -1; return; }  // a redraw would break off the drag
    this.shown = this.frames.state(this.index);
    this.name();
    return this.show(this.shown);
  }

  name() {
    const t = this.frames.at[this.index];
    const where = t ? `${this.unit} ${flCount(t)}` : flSay('before the first {unit}', { unit: this.unit });
    this.plot.setAttribute('aria-label', `${this.chart.title}, ${where}`);
    this.plot.dataset.step = t;
  }

  /**
   * @param {any} state
   * @returns {any}
   */
  show(state) { throw new Error(`nothing draws ${state}`); }

  destroy() {
    this.gone.abort();
    this.ready = false;
    pictureTurns.waiting.delete(this);
  }
}

export class FigurePicture extends Picture {
  constructor(plot, player) {
    super(plot, player);
    plot.setAttribute('role', 'figure');  // it holds buttons
    this.zoom = {};
    this.axes = {};  // the ranges of those that a figure holds
    this.painting = new Painting(plot);
    const { signal } = this.gone;
    plot.addEventListener('pointerdown', event => { this.held = event.pointerType !== 'touch'; },
      { capture: true, signal });
    // a finger scrolls the page; Plotly would zoom
    plot.addEventListener('touchstart', event => event.stopPropagation(), { capture: true, passive: true, signal });
    for (const end of ['pointerup', 'pointercancel']) {
      addEventListener(end, () => {
        if (!this.held) return;
        this.held = false;
        this.reveal(this.player.t, this.player.playing);
      }, { signal });
    }
    this.size = new ResizeObserver(() => {
      const width = plot.clientWidth;
      if (this.begun && width && width !== this.width) this.library.Plots.resize(plot).catch(() => {});
      if (width) this.width = width;
    });
    this.size.observe(plot);
  }

  async prepare(payload) {
    if (this.revision !== payload.revision) this.zoom = {};
    this.revision = payload.revision;
    this.library = await loadPlotly(payload.script);
    this.hold();
    const height = this.chart.height ?? (this.frames.count && this.frames.state(0).layout.height);
    if (height !== this.height) this.shown = null;
    if (height) this.plot.style.height = `${this.height = height}px`;
  }

  // Axes that a figure holds cover what any picture of the run needs, so that they stay while it plays.
  hold() {
    const held = {}, { frames } = this;
    for (let i = 0; i < frames.count; i += 1) {
      const { layout } = frames.state(i);
      for (const axis of layout.meta?.hold ?? []) {
        const { range } = layout[axis] ?? {}, [low, high] = held[axis] ?? range ?? [];
        if (range) held[axis] = [Math.min(low, range[0]), Math.max(high, range[1])];
      }
    }
    if (JSON.stringify(held) === JSON.stringify(this.axes)) return;
    this.axes = held;
    this.shown = null;  // drawn anew
  }

  done(state) {
    return this.shown === state && (this.playing || this.drawn === state);
  }

  // Paints or draws. Ranges that the person zoomed to win over those of the next frame, until a double click.
  show(state) {
    if (this.playing && this.begun && Painting.fits(this.drawn, state)) { this.painting.paint(state); return null; }
    this.drawn = state;
    requestAnimationFrame(() => requestAnimationFrame(() => this.drawn === this.shown && this.painting.clear()));
    const { data, layout } = Keyframes.whole(state);
    layout.height = this.height;
    for (const axis of layout.meta?.hold ?? []) if (this.axes[axis]) layout[axis].range = [...this.axes[axis]];
    for (const [axis, range] of Object.entries(this.zoom)) layout[axis] = { ...layout[axis], range };
    if (this.begun) return this.library.react(this.plot, data, layout);
    this.begun = true;
    const reset = () => { this.zoom = {}; this.show(this.shown); };
    const done = this.library.newPlot(this.plot, data, layout, {  // once: react keeps the configuration
      displaylogo: false, displayModeBar: 'hover', doubleClick: false, modeBarButtons: [['toImage']],
    });
    this.plot.on('plotly_doubleclick', reset);
    this.plot.on('plotly_relayout', change => {
      for (const key of Object.keys(change)) {
        const [, axis] = /^([xy]axis\d*)\.range\[0\]$/.exec(key) ?? [];
        if (axis) this.zoom[axis] = [change[key], change[`${axis}.range[1]`]];
      }
    });
    return done;
  }

  destroy() {
    super.destroy();
    this.size.disconnect();
    if (this.begun) this.library.purge(this.plot);
  }
}

// HTML comes from the server, which has escaped every text in it.
export class HtmlPicture extends Picture {
  constructor(plot, player) {
    super(plot, player);
    plot.setAttribute('role', 'group');
    this.size = new ResizeObserver(() => {  // as high as the highest frame at this width
      const { offsetWidth, offsetHeight } = plot;
      if (offsetWidth !== this.width) plot.style.minHeight = '';
      else plot.style.minHeight = `${offsetHeight}px`;
      this.width = offsetWidth;
    });
    this.size.observe(plot);
  }

  show(state) {
    const made = document.createElement('template');
    made.innerHTML = state.join('');
    HtmlPicture.adopt(this.plot, made.content);
  }

  // Makes a node's children like those of another. What stays is not touched, and images are not shown half loaded.
  static adopt(node, other) {
    const old = [...node.childNodes], now = [...other.childNodes];
    if (old.length !== now.length || old.some((child, i) => child.nodeName !== now[i].nodeName)) {
      node.replaceChildren(...now);
      return;
    }
    old.forEach((child, i) => {
      if (child.nodeType === Node.TEXT_NODE) {
        if (child.data !== now[i].data) child.data = now[i].data;
        return;
      }
      for (const { name } of [...child.attributes ?? []]) if (!now[i].hasAttribute(name)) child.removeAttribute(name);
      for (const { name, value } of now[i].attributes ?? []) {
        if (child.getAttribute(name) !== value) child.setAttribute(name, value);
      }
      HtmlPicture.adopt(child, now[i]);
    });
  }

  destroy() {
    super.destroy();
    this.size.disconnect();
  }
}
