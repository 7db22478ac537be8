// The legend and the grid of charts. A chart keeps its cell and its object as long as its id is among the charts.

import { flCount, flDrawing, flElement, flNumber, flDashOf } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';
import { flExplained, flTerm } from '../../draw/js/terms.js';
import { CurveChart } from './curves.js';
import { FigurePicture, HtmlPicture } from './pictures.js';
import { Projector } from './projector.js';

export class Grid {
  constructor(root, player) {
    this.player = player;
    this.legend = flElement('div.fl-legend', { lang: 'en' });
    this.scene = flElement('div.fl-scene', { hidden: '' });  // before the charts, or beside the first of them
    this.grid = flElement('div.fl-grid', {}, this.scene);
    root.append(this.legend, this.grid);
    this.cells = new Map();
    this.kept = null;  // the learner whose curves stand out
    this.curved = null;  // the payload whose curves are drawn
    this.projector = new Projector(player, this);
    this.size = new ResizeObserver(() => this._fill());
    this.size.observe(this.grid);
    this.sight = new IntersectionObserver(seen => {
      for (const { target, isIntersecting } of seen) {
        const cell = this.cells.get(target.getAttribute('data-chart'));
        if (cell) cell.away = !isIntersecting;
        if (cell && isIntersecting) cell.stale ? player.draw() : cell.drawing.reveal(player.t, player.playing);
      }
    }, { rootMargin: '200px', scrollMargin: '200px' });  // the second: of the part of the page that scrolls
  }

  // Gives each chart its cell, in order; those that stay are not touched.
  arrange(payload) {
    this.legend.parentElement.classList.toggle('fl-present', Boolean(payload.present));
    this.grid.style.color = this.legend.style.color = payload.text;
    this._name(payload);
    this.projector.arrange(payload);
    const wanted = new Map(payload.charts.map(chart => [chart.id, chart.kind]));
    for (const [id, cell] of this.cells) if (wanted.get(id) !== cell.kind) this._remove(id);
    if (!this.scene.isConnected) this.grid.prepend(this.scene);
    let place = this.scene.nextElementSibling;
    this.grid.querySelector(':scope > .fl-missing')?.remove();
    for (const chart of payload.charts) {
      const cell = this.cells.get(chart.id) ?? this._cell(chart);
      this._take(cell, chart, payload);
      const held = this.player.scene.holds(chart.id);  // a chart in place of a scene
      if (cell.section === place) place = place.nextElementSibling;
      else if (!held) this.grid.insertBefore(cell.section, place?.isConnected ? place : null);
      if (held && cell.section.parentNode !== held) held.append(cell.section);
    }
    this._fill();
  }

  // A chart that would stand alone in the last row takes all of it.
  _fill() {
    const cells = [...this.grid.children].filter(cell => !cell.hidden);
    for (const cell of cells) cell.classList.remove('fl-last');
    const columns = getComputedStyle(this.grid).gridTemplateColumns.split(' ').length;
    const whole = cell => getComputedStyle(cell).gridColumnEnd === '-1';
    const place = cells.reduce((n, cell) => (whole(cell) ? 0 : n + 1), 0);
    if (columns > 1 && place > 1 && place % columns === 1) cells.at(-1).classList.add('fl-last');
  }

  // Draws what came, the curves first; a chart out of sight waits until it is seen, unless `all`.
  async update(payload, all) {
    const due = payload.charts.map(chart => this.cells.get(chart.id)).filter(cell => (
      cell?.stale && (!cell.away || !cell.drawn || all)
      && cell.chart.frames?.at.length !== 0));  // a first frame may be on the way
    const curves = due.filter(({ kind }) => kind === 'curves'), pictures = due.filter(({ kind }) => kind !== 'curves');
    for (const cell of curves) await this._draw(cell, payload);
    this.curved = payload;
    if (curves.length && pictures.length) await new Promise(next => setTimeout(next));  // they can be seen now
    for (const cell of pictures) await this._draw(cell, payload);
  }

  async _draw(cell, payload) {
    cell.stale = false;
    try {
      await cell.drawing.update(cell.chart, payload);
      cell.drawn = true;
    } catch (error) {
      console.error(error);
      const { alone } = this.player.host, words = flSay('This chart could not be drawn');
      if (!cell.drawn) cell.plot.replaceChildren(flMissing(words, error, alone));
    }
    cell.drawing.reveal(this.player.t, this.player.playing);
  }

  // Charts out of sight are left alone while the playhead moves, and follow when it stands.
  reveal(t, playing) {
    const moves = playing || this.player.held;
    for (const cell of this.cells.values()) if (cell.drawn && !(cell.away && moves)) cell.drawing.reveal(t, playing);
  }

  // Where every learner stands in each chart of curves: [{chart, entries}]. Bounds and faint lines are left out.
  read(t) {
    return [...this.cells.values()].filter(cell => cell.drawn && cell.drawing.read).map(({ chart, drawing }) => ({
      chart, entries: drawing.read(t).filter(entry => !entry.faint && !entry.bound),
    }));
  }

  get drawings() {
    return new Map([...this.cells].map(([id, cell]) => [id, cell.drawing]));
  }

  destroy() {
    this.sight.disconnect();
    this.size.disconnect();
    this.projector.destroy();
    for (const id of [...this.cells.keys()]) this._remove(id);
  }

  _remove(id) {
    const cell = this.cells.get(id);
    this.cells.delete(id);
    this.sight.unobserve(cell.section);
    cell.drawing.destroy();
    cell.section.remove();
  }

  _cell(chart) {
    const help = flElement('p', { lang: 'en' }), title = flElement('span');
    const sign = flElement('summary', { 'aria-label': flSay('What is this?') }, '?');
    const plot = flElement('div.fl-plot');
    const section = flElement('section', { 'data-chart': chart.id },
      flElement('h3', {}, title, flElement('details', {}, sign, help)), plot);
    const kinds = { curves: () => CurveChart, figure: () => FigurePicture, html: () => HtmlPicture };
    const drawing = new (kinds[chart.kind]())(plot, this.player);
    if (this.kept !== null) drawing.keep?.(this.kept);
    const cell = { kind: chart.kind, section, plot, title, help, sign, drawing, away: false, drawn: false };
    this.cells.set(chart.id, cell);
    this.sight.observe(section);
    return cell;
  }

  // A payload may bring again what is drawn already, as after a rest; that costs no drawing.
  _take(cell, chart, payload) {
    const { run, drawn, revision, steps, text, grid, ghosts, futures, present } = payload;
    const told = JSON.stringify([{ ...chart, frames: chart.frames?.at }, run, drawn, revision, steps, text, grid,
      ghosts, futures, present]);
    if (told === cell.told) return;
    Object.assign(cell, { told, chart, stale: true });
    this._head(cell, chart);
  }

  _head(cell, chart) {
    if (cell.title.textContent !== chart.title) cell.title.replaceChildren(...flExplained(chart.title, chart.terms));
    cell.title.title = chart.title;  // where it is cut
    if (cell.help.textContent !== chart.help) cell.help.textContent = cell.sign.title = chart.help;
    cell.section.classList.toggle('fl-wide', Boolean(chart.wide));
    const height = chart.height ?? chart.layout?.height ?? chart.frames?.frames[0]?.layout?.height;
    if (height) cell.plot.style[chart.kind === 'html' ? 'minHeight' : 'height'] = `${height}px`;
  }

  // The entry of a learner is a button: a hand on it lets its curves stand out, a press keeps them so.
  _name({ legend, ghosts, futures, learners, other, text }) {
    const lines = futures.map(({ label, slot, was, number }) => ({ label, width: was ? 1.5 : 3,
      color: was ? learners[slot].color : other, dash: was ? '1.5 2.5' : flDashOf(number) }));
    const now = JSON.stringify([legend, ghosts.map(({ label, charts }) => [label, Object.keys(charts)]), lines, text]);
    if (now === this.named) return;
    this.named = now;
    this.kept = null;
    const slots = charts => [...new Set(Object.values(charts).flat().map(({ slot }) => slot))].sort();
    const pale = charts => slots(charts).map(slot => learners[slot]?.color ?? text);
    const kept = ghosts.map(({ label, charts }, i) => (
      { label: flSay('kept: {label}', { label }), color: text, width: 1.3, dash: flDashOf(i), colors: pale(charts) }));
    this.legend.replaceChildren(...[...legend, ...kept, ...lines].map(entry => this._entry(entry)));
  }

  // A kept run has one entry for all its curves, which are pale in the colours of the learners.
  _entry({ label, color, width, dash, help, slot = null, colors = [] }) {
    const one = (stroke, wide = 34) => flDrawing(wide, 8, { line: { x1: 0, x2: wide, y1: 4, y2: 4, stroke,
      'stroke-width': width, 'stroke-dasharray': dash } });
    const sample = flElement('span.fl-sample', {}, ...colors.length ? colors.map(each => one(each, 17)) : [one(color)]);
    sample.classList.toggle('fl-behind', colors.length > 0);
    if (slot === null) return flElement('span', {}, sample, help ? flTerm(label, { says: help }) : label);
    const title = flSay('Press to let these curves stand out');
    const made = flElement('button', { type: 'button', title, 'aria-pressed': false }, sample, label);
    const bright = chosen => this.cells.forEach(({ drawing }) => drawing.highlight?.(chosen));
    for (const name of ['pointerenter', 'focus']) made.addEventListener(name, () => bright(slot));
    for (const name of ['pointerleave', 'blur']) made.addEventListener(name, () => bright(null));
    made.addEventListener('click', () => {
      this.kept = this.kept === slot ? null : slot;
      for (const other of this.legend.querySelectorAll('button')) {
        other.setAttribute('aria-pressed', other === made && this.kept === slot);
      }
      this.cells.forEach(({ drawing }) => drawing.keep?.(this.kept));
    });
    return made;
  }
}

export function flMissing(what, error, alone = false) {
  const advice = flSay(alone ? 'It needs a network.' : 'Reload the page. If that does not help, restart the app.');
  return flElement('p.fl-missing', {}, `${what} (${error.message}). ${advice}`);
}

// Says where every learner stands, from what `Grid.read` returns.
export function flWords(player, readings) {
  const { payload, state, t } = player;
  const charts = readings.filter(({ entries }) => entries.length).map(({ chart, entries }) =>
    `${chart.title}: ${entries.map(entry => `${entry.name} ${flNumber(entry.value, chart.format)}`).join('; ')}.`);
  const where = `${flUnits(payload.unit).Unit} ${flCount(t)}.`;
  return [state === 'finished' ? flSay('Finished.') : '', payload.failed, where, ...charts].filter(Boolean).join(' ');
}
