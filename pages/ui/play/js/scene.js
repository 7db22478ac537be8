// The scene above the charts: what one replicate did in the step under the playhead, drawn by one view per learner.

import { flAddress, flCount, flDrawing, flElement, flPreview } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';
import { ChangePicture } from './change.js';
import { flBytes } from './packed.js';
import { SceneAnswer, SceneLabels } from './scene_answers.js';
import { SceneComparison, SceneList } from './scene_list.js';
import { flSceneSign } from './scene_signs.js';
import { SceneSteps } from './scene_steps.js';

const FL_BEAT = 100;  // ms between two drawings while a run plays
const FL_SLIDE = 260;  // ms at most that a row slides
const FL_MOVED = 20;  // rows that slide at once while a run plays; more are too many to follow, and to draw
const FL_PACE = 26;  // ms from frame to frame above which nothing slides while a run plays
const FL_FEW = 2;  // learners whose scene is short enough for a place beside the first chart; that of more is cut
const FL_PAUSE = 200;  // ms of rest until the scene is told in words

export class Scene {
  constructor(player) {
    this.player = player;
    this.steps = new SceneSteps();
    this.views = [];
    this.shown = null;
    this.away = false;
    this.form = '';
    // ms: of the next drawing, of the last call, between calls
    this.due = 0;
    this.last = 0;
    this.pace = 16;
    this.open = new URLSearchParams(location.search).get('scene') !== 'false';
    this.title = flElement('span.fl-s-title');
    this.where = flElement('span.fl-s-where');
    this.help = flElement('p');
    this.sign = flElement('summary', { 'aria-label': flSay('What is this?') }, '?');
    const more = flElement('details.fl-s-more', {}, this.sign, this.help);
    this.head = flElement('h3.fl-s-head', {}, this.title, this.where, more);
    this.key = flElement('div.fl-s-key', { 'aria-hidden': 'true' });
    this.fold = flElement('button.fl-s-fold', { type: 'button', 'data-do': 'scene' });
    this.note = flElement('p.fl-s-note');
    this.body = flElement('div.fl-s-body', { 'aria-hidden': 'true' });
    this.held = flElement('div.fl-s-held');  // a chart that stands in the scene's place
    this.told = flElement('div.fl-s-told');
    this.change = new ChangePicture(player);
    const seen = flElement('div.fl-s-seen', {}, this.body, this.held);
    const both = flElement('div.fl-s-both', {}, seen, this.change.element);
    this.inside = flElement('div.fl-s-inside', {}, this.note, both, this.told);
    this.element = player.places.scene;
    this.element.append(flElement('div.fl-s-bar', {}, this.head, this.key, this.fold), this.inside);
    this.element.hidden = true;
    this.fold.addEventListener('click', () => this.turn(!this.open));
    this.sight = new IntersectionObserver(([{ isIntersecting }]) => {
      this.away = !isIntersecting;
      if (isIntersecting) this.reveal(player.t, player.playing);
    }, { rootMargin: '100px' });
    this.sight.observe(this.element);
    this._fold();
  }

  update(payload) {
    const { scene } = payload;
    this.element.hidden = !scene;
    this.scene = scene;
    if (!scene) return;
    this.element.style.color = payload.text;
    const picture = scene.kind === 'picture';
    this.element.classList.toggle('fl-s-picture', picture);
    if (picture) this._stand(payload.charts.find(chart => chart.id === scene.chart));
    if (scene.faces) this.faces = new SceneFaces(scene.faces, this.faces);
    this.change.update(scene.change, payload, this.faces);
    if (picture) { this.reveal(this.player.t, this.player.playing); return; }
    this.steps.merge(scene);
    const form = JSON.stringify([scene.kind, scene.name, scene.learners, payload.learners]);
    if (form !== this.form || scene.faces) this._build(scene, payload, form);
    this.shown = null;
    this.reveal(this.player.t, this.player.playing);
  }

  // A chart stands here. It has a title of its own, so that the scene's is seen only while it is hidden.
  _stand(chart) {
    this.element.classList.add('fl-s-beside');
    this.element.classList.remove('fl-s-many');
    this.views = [];
    this.form = '';
    this.title.textContent = chart?.title ?? '';
    for (const part of [this.body, this.key]) part.replaceChildren();
    this.where.textContent = this.note.textContent = '';
  }

  _build(scene, payload, form) {
    this.form = form;
    this.title.textContent = scene.title;
    this.help.textContent = this.sign.title = scene.help;
    const kinds = { ranking: SceneList, comparison: SceneComparison, answer: SceneAnswer, labels: SceneLabels };
    const View = kinds[scene.kind];
    this.views = payload.learners.map((learner, slot) => new View(this, learner, scene.learners?.[slot] ?? {}));
    const entry = ([sign, words]) => flElement('span', {}, ...sign ? [flSceneSign(sign)] : [], flSay(words));
    this.key.replaceChildren(...View.key.map(entry));
    this.body.replaceChildren(...this.views.map(view => view.element));
    const few = this.views.length <= FL_FEW;
    this.element.classList.toggle('fl-s-beside', few);
    this.element.classList.toggle('fl-s-many', !few);
    this.body.dataset.kind = scene.kind;
    this.body.dataset.faces = this.faces?.images ? 'images' : this.faces?.names ? 'names' : 'numbers';
  }

  // The place for a chart, if it stands in the scene's place.
  holds(chart) {
    return this.scene?.kind === 'picture' && this.scene.chart === chart ? this.held : null;
  }

  // How many steps are here, for the question what is missing; null if nothing of a scene is expected.
  get had() {
    if (!this.scene || this.scene.kind === 'picture') return null;
    return this.steps.gap ? 0 : this.steps.count;
  }

  turn(open) {
    this.open = open;
    flAddress.write({ scene: open ? null : 'false' });
    this._fold();
    this.player.draw();  // on a projector the charts take its room
    this.reveal(this.player.t, this.player.playing);
  }

  _fold() {
    this.fold.replaceChildren(flDrawing(12, 12, { path: {
      d: this.open ? 'M2 8l4-4 4 4' : 'M2 4l4 4 4-4', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.8,
    } }), flSay(this.open ? 'Hide' : 'Show'));
    this.fold.setAttribute('aria-expanded', this.open);
    this.fold.setAttribute('aria-label', flSay(this.open ? 'Hide the step' : 'Show the step'));
    this.inside.hidden = this.key.hidden = !this.open;
    this.element.classList.toggle('fl-s-closed', !this.open);
  }

  // Draws the latest step at or before t; while the run plays, no more often than the eye can follow.
  reveal(t, playing) {
    if (!this.scene || !this.open || this.away) return;
    const moves = playing || this.player.held, now = performance.now();
    if (this.scene.kind === 'picture') { this._picture(Math.floor(t), playing, moves, now); return; }
    this.pace += 0.1 * (playing ? Math.min(200, now - this.last) - this.pace : 16 - this.pace);
    this.last = now;
    if (playing && now < this.due) return;
    const step = Math.floor(t), frame = this.steps.at(step || (flPreview(this.player) ? 1 : 0));
    this._name(step, frame, moves);
    if (frame?.step !== this.shown) {
      this.due = now + FL_BEAT;
      this.shown = frame?.step;
      this.body.classList.toggle('fl-s-empty', !frame);
      const read = frame ? this.views.map((view, slot) => view.read(frame.slots[slot])) : [];
      this._slide(playing, read.reduce((sum, what, slot) => sum + (this.views[slot].moved?.(what) ?? 0), 0));
      read.forEach((what, slot) => this.views[slot].show(what, moves));
      this.change.show(frame?.slots);
    }
    clearTimeout(this.telling);
    if (!moves) this.telling = setTimeout(() => this._tell(frame), FL_PAUSE);
  }

  // The changes of a round, beside a chart that stands here.
  _picture(step, playing, moves, now) {
    if (!this.scene.change || (playing && now < this.due)) return;
    this.due = now + FL_BEAT;
    this.change.reveal(step);
    clearTimeout(this.telling);
    if (!moves) this.telling = setTimeout(() => this._say(this.change.lines), FL_PAUSE);
  }

  // Rows slide for less than the time until they are drawn again; with reduced motion they do not slide.
  _slide(playing, moved) {
    const { speed, calm, held } = this.player, beat = Math.max(FL_BEAT, 1000 / (Number(speed) || Infinity));
    const still = calm.matches || (playing && (moved > FL_MOVED || this.pace > FL_PACE));
    const ms = still ? 0 : held ? FL_BEAT : playing ? Math.min(FL_SLIDE, 0.9 * beat) : FL_SLIDE;
    if (ms !== this.ms) this.body.style.setProperty('--fl-s-slide', `${this.ms = ms}ms`);
  }

  _name(step, frame, moves) {
    const { scene, player: { payload } } = this, names = flUnits(payload.unit), { unit } = names;
    const of = payload.replicates > 1;
    const query = frame && this.views[0].query?.(frame.slots[0]);
    const shown = frame?.step ?? 0;
    const now = shown ? `${unit} ${flCount(shown)}` : '';
    const parts = [!step && frame ? flSay('next: {what}', { what: now }) : now, query,
      of ? `${flSay('replicate')} ${scene.replicate + 1}` : ''];
    const where = parts.filter(Boolean).join(' · ');
    if (this.where.textContent !== where) this.where.textContent = where;
    let note = '';
    if (!step && frame) note = flSay('This is {unit} 1. Press Play or Step to go on.', names);
    else if (!step) note = flSay('Press Play or Step, and what happens in the {unit} appears here.', names);
    else if (!frame) note = flSay('What happened is on its way.');
    else if (frame.step < step && !moves) {
      const place = { ...names, t: flCount(step) };
      note = scene.complete ? flSay('The latest {unit} kept before {unit} {t}.', place)
        : flSay('{Unit} {t} is on its way.', place);
    }
    if (this.note.textContent !== note) this.note.textContent = note;
    this.note.classList.toggle('fl-s-begin', !step && Boolean(frame));
  }

  // The scene in words, for those who do not see it.
  _tell(frame) {
    const told = frame ? this.views.map((view, slot) => view.tell(view.read(frame.slots[slot]))) : [];
    const changed = frame ? this.change.tell(frame.slots) : [];
    const lines = frame ? [`${this.title.textContent}, ${this.where.textContent}.`, ...told, ...changed]
      : [this.note.textContent];
    this._say(lines);
  }

  _say(lines) {
    if (lines.join() === this.said) return;
    this.said = lines.join();
    this.told.replaceChildren(...lines.map(line => flElement('p', {}, line)));
  }

  destroy() {
    clearTimeout(this.telling);
    this.sight.disconnect();
    this.faces?.destroy();
  }
}

// How documents and examples look: images cut out of one picture, or names.
class SceneFaces {
  images; labels; names; queries; query_names; slots;

  constructor(faces, before) {
    before?.destroy();
    Object.assign(this, faces);
    if (!this.images) return;
    const [head, data] = this.images.src.split(','), [type] = head.slice(5).split(';');
    this.url = URL.createObjectURL(new Blob([flBytes(data)], { type }));  // a short name, used many times over
  }

  // The name of a row of the features; `otherwise` where it has no name.
  name(row, otherwise) {
    return this.names?.[row] ?? otherwise;
  }

  // The name of a query; "" where there is but one.
  query(number) {
    if (!(this.queries > 1) || number === undefined) return '';
    const name = this.query_names?.[number] ?? flCount(number + 1);
    return flSay('query {number} of {all}', { number: name, all: flCount(this.queries) });
  }

  // Makes an element show the image of a row at a size in pixels.
  paint(element, row, size) {
    const { columns, rows, width, height } = this.images, high = Math.round(size * height / width);
    element.style.cssText = `width:${size}px;height:${high}px;background-image:url(${this.url});`
      + `background-size:${columns * size}px ${rows * high}px;`
      + `background-position:${-(row % columns) * size}px ${-Math.floor(row / columns) * high}px`;
  }

  destroy() {
    if (this.url) URL.revokeObjectURL(this.url);
  }
}
