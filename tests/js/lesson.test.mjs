// The pure parts of the lessons: what is kept of answers, what they are worth, and the searches that were recorded.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Answers } from '../../pages/ui/lessons/js/answers.js';
import { flApartWords } from '../../pages/ui/lessons/js/apart.js';
import { flStore } from '../../pages/ui/lessons/js/document.js';
import { flWanted } from '../../pages/ui/lessons/js/hand.js';
import { flTranslate } from '../../pages/ui/draw/js/texts.js';
import { flBranch, flWalk } from '../../pages/ui/lessons/js/tree.js';

const choice = { kind: 'choice', options: ['yes', 'no'], right: 0 };
const number = { kind: 'number', low: 0, high: 10, step: 1 };
const lesson = /** @type {any} */ ({ id: 'flip', cards: [{ id: 'read' }, { id: 'guess', ask: choice },
  { id: 'often', ask: number }, { id: 'hand', hand: { queries: 2 } }] });
const nothing = { value: null, points: null, played: false, done: false, clicks: { lists: [], then: false } };

function storeOf(state = null) {
  const store = { state, read: () => structuredClone(store.state), write: (_, now) => { store.state = structuredClone(now); } };
  return store;
}

test('answers are kept and read again, with their points and the card', () => {
  const store = storeOf(), answers = new Answers(lesson, store), [, guess, often, hand] = lesson.cards;
  assert.ok(!answers.any);
  answers.change(guess, { value: 0, played: true, points: 1 });
  answers.change(often, { value: 3 });
  answers.change(hand, { clicks: { lists: [[1, 4], []], then: true } });
  answers.stand(2);
  answers.complete();
  const again = new Answers(lesson, store);
  assert.deepEqual(again.of(guess), { ...nothing, value: 0, played: true, points: 1 });
  assert.deepEqual(again.of(hand).clicks, { lists: [[1, 4], []], then: true });
  assert.deepEqual([again.place, again.completed, again.any], [2, true, true]);
  assert.deepEqual(again.score, { points: 1, of: 2 });
  again.forget();
  assert.deepEqual(new Answers(lesson, store).of(guess), nothing);
  assert.deepEqual(store.state.cards.guess, nothing, 'a course that resumes does not find them either');
});

test('what is stored and fits no card counts as not answered', () => {
  const cards = { guess: { value: 7, played: true, points: 1 }, often: { value: 11, points: 'x' },
    hand: { clicks: { lists: [['<b>']], then: false } }, gone: { value: 1 } };
  const answers = new Answers(lesson, storeOf({ place: 99, completed: 'yes', cards }));
  for (const card of lesson.cards) assert.deepEqual(answers.of(card), nothing);
  assert.deepEqual([answers.place, answers.completed, answers.score.points], [0, false, 0]);
});

test('without a store of the browser a page keeps what it has until it is left', () => {
  flStore.write('flip', { place: 1, completed: false, cards: {} });  // Node has no localStorage
  assert.equal(flStore.read('flip').place, 1);
  assert.equal(flStore.read('other'), null);
});

test('a drawn curve has a point if it is close, half of one if it is near', () => {
  const points = share => flApartWords({ share, distance: 1, worst: { step: 1, drawn: 1, real: 2 } }, false, '.3g', 'step')[2];
  assert.deepEqual([0.01, 0.1, 0.4].map(points), [1, 0.5, 0]);
});

test('clicks choose the recorded branch, and may be undone', () => {
  const faces = ['a', 'b', 'c'].map(label => ({ label, grade: label === 'c' ? 1 : 0 }));
  assert.deepEqual([[3], [3, 1], [3, 1, 2], [1], [], [9]].map(places => flBranch(faces, places)), [0, 0, 1, 1, 2, 2]);
  const end = { after: [2, 0, 1], later: [2, 1, 0], y: [0.5, 0.75], map: null };
  const tree = { of: 2, more: 100, wanted: { of: 'topic', what: '<em>c</em>' }, counts: true, faces, chart: { title: 'NDCG', x: [1, 102],
    trace: { name: 'a learner' } }, lists: { '': [0, 1, 2], 0: [2, 0, 1], 1: [1, 0, 2], 2: [0, 1, 2] }, ends: { '01': end } };
  const labels = list => list.map(({ label }) => label).join('');
  const walk = (lists, then = false) => flWalk(tree, { lists, then });
  assert.equal(labels(walk([]).list), 'abc');
  assert.equal(labels(walk([[3]]).list), 'cab');
  const answered = walk([[3], [2]]);
  assert.deepEqual([answered.list, labels(answered.first.before), labels(answered.first.after)], [null, 'abc', 'cab']);
  const ended = walk([[3], [2]], true);
  assert.equal(labels(ended.first.after), 'cba');
  assert.deepEqual(ended.chart.data, [{ name: 'a learner', x: [1, 102], y: [0.5, 0.75] }]);
});

test('what a person looks for is told in the language of the page', () => {
  flTranslate('de', { 'digit {digit}': 'die Ziffer {digit}', 'You look for {what}.': 'Sie suchen {what}.' });
  const digit = { of: /** @type {const} */ ('topic'), what: '<em>digit 3</em>' };
  assert.equal(flWanted(digit), 'You look for <em>digit 3</em>.');
  Object.assign(globalThis, { location: { search: '?lang=de' } });
  assert.equal(flWanted(digit), 'Sie suchen <em>die Ziffer 3</em>.');
  assert.equal(flWanted({ ...digit, what: '<em>Pixel 3</em>' }), 'Sie suchen <em>Pixel 3</em>.');
  delete (/** @type {any} */ (globalThis).location);
});
