// Answers of learners that name labels: one label that is right or wrong, or a set of them.

import { flCount, flElement } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';
import { flSceneHead, flSceneSign, flSceneSigns } from './scene_signs.js';

// The name of an example, with its image if it has one.
class SceneExample {
  constructor(faces) {
    this.faces = faces;
    this.image = faces?.images ? flElement('span.fl-s-image') : null;
    this.name = flElement('span.fl-s-name');
    this.element = flElement('div.fl-s-example', {}, ...this.image ? [this.image] : [], this.name);
  }

  static called(faces, row) {
    const name = faces?.name(row, '');
    return `${flSay('example')} ${flCount(row + 1)}${name ? ` ${name}` : ''}`;
  }

  show(row) {
    if (this.row === row) return;
    this.row = row;
    if (this.image) this.faces.paint(this.image, row, 56);
    this.name.textContent = this.name.title = SceneExample.called(this.faces, row);
  }
}

function flSceneLabels(faces, ids) {
  return [...ids].filter(id => id >= 0).map(id => faces?.labels?.[id] ?? String(id));
}

// One example, the label that a learner played, and what it heard.
export class SceneAnswer {
  static key = [['tick', 'right'], ['cross', 'wrong'], ['dice', 'exploring']];

  constructor(scene, learner, about) {
    this.scene = scene;
    this.learner = learner;
    this.told = about.hears === 'label';
    this.example = new SceneExample(scene.faces);
    const line = (words, ...rest) => flElement('div.fl-s-line', {},
      flElement('span.fl-s-what', {}, flSay(words)), ...rest);
    this.played = flElement('b');
    this.predicted = flElement('b');
    this.heard = flElement('b');
    this.truth = flElement('b');
    this.dice = flElement('span.fl-s-mark', { 'data-mark': 'dice' }, flSceneSign('dice'), flSay('exploring'));
    this.sign = flSceneSign('tick');
    this.mark = flElement('span.fl-s-mark', {}, this.sign, this.heard);
    const truth = line(this.told ? 'true label, told' : 'true label, not told', this.truth);
    truth.classList.add('fl-s-truth', ...this.told ? [] : ['fl-s-dashed']);
    this.element = flElement('div.fl-s-list', {}, flSceneHead(learner), flElement('div.fl-s-answer', {},
      this.example.element, flElement('div.fl-s-lines', {}, line('predicts', this.predicted),
        line('plays', this.played, this.dice), line('hears', this.mark)), truth));
  }

  read({ row: [row], truth: [truth], predicted, played, explored: [explored], heard: [heard], told: [told] }) {
    const names = ids => flSceneLabels(this.scene.faces, ids).join(', ');
    return { row, truth: names([truth]), predicted: names(predicted), played: names(played), explored: explored > 0,
      right: heard > 0, told: names([told]) };
  }

  show({ row, truth: label, predicted, played, explored, right, told }) {
    this.example.show(row);
    // a person may say something else
    const truth = told && told !== label ? flSay('{label}, but told {told}', { label, told }) : label;
    for (const [name, text] of Object.entries({ truth, predicted, played, heard: flSay(right ? 'right' : 'wrong') })) {
      if (this[name].textContent !== text) this[name].textContent = this[name].title = text;
    }
    this.dice.classList.toggle('fl-s-none', !explored);
    const sign = right ? 'tick' : 'cross';
    if (this.mark.dataset.mark === sign) return;
    this.mark.dataset.mark = sign;
    this.sign.firstElementChild.setAttribute('d', flSceneSigns[sign]);
  }

  tell({ row, truth, predicted, played, explored, right, told }) {
    const example = SceneExample.called(this.scene.faces, row), learner = this.learner.label;
    return [
      flSay('{learner} predicts {predicted} for {example} and plays {played}.',
        { learner, predicted, example, played }),
      explored ? flSay('It is exploring.') : '',
      flSay(right ? 'It hears that this is right.' : 'It hears that this is wrong.'),
      this.told ? flSay('It hears that the label is {told}.', { told })
        : flSay('The true label is {truth}, which it is not told.', { truth }),
    ].filter(Boolean).join(' ');
  }
}

// The set of labels that a learner shows, with hits, misses, and the true labels that it did not show. Without `row`
// there is no example for which it shows them.
export class SceneLabels {
  static key = [['tick', 'right'], ['cross', 'wrong'], [null, 'dashed: right, but not shown']];

  constructor(scene, learner, about) {
    this.scene = scene;
    this.learner = learner;
    this.hears = about.hears ?? 'shown';
    this.high = 0;
    this.example = new SceneExample(scene.faces);
    this.shown = flElement('div.fl-s-chips');
    this.missed = flElement('div.fl-s-chips');
    const unheard = { labels: 'missed', nothing: 'missed' }[this.hears] ?? 'missed, and it does not hear of them';
    this.element = flElement('div.fl-s-list.fl-s-labels', {}, flSceneHead(learner), this.example.element,
      flElement('div.fl-s-what', {}, flSay('shows')), this.shown,
      flElement('div.fl-s-what', {}, flSay(unheard)), this.missed);
  }

  read({ row: [row] = [], shown, right, missed, more }) {
    const { faces } = this.scene, names = flSceneLabels(faces, shown);
    return { row, shown: names.map((name, i) => ({ name, right: right[i] > 0 })), missed: flSceneLabels(faces, missed),
      more };
  }

  show({ row, shown, missed, more }) {
    this.example.element.classList.toggle('fl-s-none', row === undefined);
    if (row !== undefined) this.example.show(row);
    const chips = [...shown.map(({ name, right }) => [right ? 'tick' : 'cross', name])];
    this._chips(this.shown, chips, more[0], flSay('no label'));
    this._chips(this.missed, missed.map(name => ['', name]), more[1], flSay('none'));
    const { offsetWidth, offsetHeight } = this.element;  // as high as the highest at this width: nothing jumps
    if (offsetWidth === this.wide && offsetHeight <= this.high) return;
    this.high = offsetWidth === this.wide ? offsetHeight : 0;
    this.wide = offsetWidth;
    this.element.style.minHeight = this.high ? `${this.high}px` : '';
  }

  // Chips are used again; those that are not needed are hidden.
  _chips(box, chips, more, none) {
    const rest = more ? [['more', flSay('{count} more', { count: more })]] : [];
    const wanted = chips.length ? [...chips, ...rest] : [['more', none]];
    while (box.children.length < wanted.length) {
      box.append(flElement('span.fl-s-chip', {}, flSceneSign('tick'), flElement('span')));
    }
    [...box.children].forEach((chip, i) => {
      const [sign, name] = wanted[i] ?? ['none', ''];
      if (chip.told === `${sign} ${name}`) return;
      chip.told = `${sign} ${name}`;
      chip.hidden = sign === 'none';
      chip.dataset.sign = sign || 'missed';
      chip.firstElementChild.firstElementChild.setAttribute('d', flSceneSigns[sign] ?? '');
      chip.lastChild.textContent = name;
    });
  }

  tell({ row, shown, missed, more }) {
    const list = [...shown.map(({ name, right }) => `${name}, ${flSay(right ? 'right' : 'wrong')}`),
      ...more[0] ? [flSay('{count} more', { count: more[0] })] : []];
    const left = [...missed, ...more[1] ? [flSay('{count} more', { count: more[1] })] : []];
    const said = { learner: this.learner.label, what: list.join('; ') || flSay('no label'),
      left: left.join(', ') || flSay('none') };
    return row === undefined ? flSay('{learner} shows {what}. It missed {left}.', said)
      : flSay('{learner} shows {what} for {example}. It missed {left}.',
        { ...said, example: SceneExample.called(this.scene.faces, row) });
  }
}
