// What a course hears of a lesson of the static edition, and what the field of its first page finds.

import assert from 'node:assert/strict';
import test from 'node:test';

import { flApi, flDuration, flStatement, flSuspended, Scorm } from '../../pages/ui/static/js/course.js';
import { flFound } from '../../pages/ui/static/js/home.js';

globalThis.addEventListener = () => {};
const LESSON = { id: 'flip', title: 'Why', cards: [{ id: 'meet' }, { id: 'guess', ask: {} }, { id: 'draw', ask: {} }] };

// An LMS that keeps what it is told, and notes the order of the calls.
function course(values = {}) {
  const calls = [];
  const note = (name, act) => (...given) => { calls.push([name, ...given]); return act(...given); };
  return { calls, values, LMSInitialize: note('begin', () => 'true'), LMSFinish: note('finish', () => 'true'),
    LMSCommit: note('commit', () => 'true'), LMSGetValue: name => values[name] ?? '',
    LMSSetValue: note('set', (name, value) => { values[name] = value; return 'true'; }) };
}

test('every word that is looked for must be there', () => {
  const all = [{ words: 'demo watch a perceptron flip' }, { words: 'figure [s] fig. 4' }];
  assert.deepEqual(flFound(all, ' Flip  perc'), [all[0]]);
  assert.deepEqual([flFound(all, ''), flFound(all, 'nothing')], [[], []]);
});

test('the object of the LMS is found in a page around, and in the one that opened it', () => {
  const api = course(), top = { API: api };
  top.parent = top;
  assert.equal(flApi({ parent: { parent: top } }), api);
  const alone = { opener: top };
  alone.parent = alone;
  assert.equal(flApi(alone), api);
  const none = {};
  none.parent = none;
  assert.equal(flApi(none), null);
});

test('a state has room in an LMS, whatever was drawn', () => {
  const curve = { x: [...Array(200).keys()], y: Array(200).fill(1 / 3) };
  const card = value => ({ value, played: true, done: true, points: 1 });
  const state = { place: 2, completed: false, cards: { a: card(curve), b: card(3) } };
  const kept = JSON.parse(flSuspended(state));
  assert.ok(kept.cards.a.value.x.length <= 17 && kept.cards.a.value.x.at(-1) === 199 && kept.cards.a.value.y[0] === 0.3333);
  assert.deepEqual(kept.cards.b, state.cards.b);
  const many = { ...state, cards: Object.fromEntries([...Array(40).keys()].map(i => [`c${i}`, card(curve)])) };
  assert.ok(flSuspended(many, 4096).length <= 4096);
});

test('a duration is written as SCORM 1.2 wants it', () => {
  assert.deepEqual([flDuration(0), flDuration(3725.9), flDuration(360_000)], ['0000:00:00', '0001:02:05', '0100:00:00']);
});

test('an LMS hears of answers, score, completion, and where to go on', () => {
  const api = course(), scorm = new Scorm(api, LESSON);
  assert.equal(scorm.read(), null);
  assert.equal(api.values['cmi.core.lesson_status'], 'incomplete');
  scorm.told({ kind: 'answered', card: 'guess', ask: 'choice', value: 2, points: 1, right: true });
  scorm.told({ kind: 'answered', card: 'draw', ask: 'curve', value: {}, points: 0.5, right: false });
  assert.equal(api.values['cmi.core.score.raw'], '75');
  const told = ['id', 'type', 'student_response', 'result'].map(name => api.values[`cmi.interactions.0.${name}`]);
  assert.deepEqual(told, ['guess', 'choice', '2', 'correct']);
  assert.equal(api.values['cmi.interactions.1.type'], 'performance');
  scorm.write('flip', { place: 1, completed: false, cards: { guess: { value: 2, played: true, done: true, points: 1 } } });
  scorm.finish();
  scorm.finish();
  assert.equal(api.values['cmi.core.exit'], 'suspend');
  assert.match(api.values['cmi.core.session_time'], /^\d{4}:\d\d:\d\d$/);
  assert.equal(api.calls.filter(([name]) => name === 'finish').length, 1);
  const again = course({ 'cmi.suspend_data': api.values['cmi.suspend_data'], 'cmi.core.lesson_status': 'incomplete' });
  const resumed = new Scorm(again, LESSON);
  assert.deepEqual(resumed.read().cards.guess.value, 2);
  resumed.told({ kind: 'answered', card: 'draw', ask: 'curve', value: {}, points: 1, right: true });
  resumed.told({ kind: 'completed', points: 2, of: 2 });
  assert.deepEqual([again.values['cmi.core.score.raw'], again.values['cmi.core.lesson_status']], ['100', 'completed']);
});

test('a statement names nobody', () => {
  const made = flStatement(LESSON, { kind: 'answered', card: 'guess', ask: 'number', question: 'How many?', value: 3,
    response: '3 flips', right: false, points: 0 });
  assert.equal(made.verb.id, 'http://adlnet.gov/expapi/verbs/answered');
  assert.deepEqual([made.result.success, made.result.response, made.object.definition.interactionType],
    [false, '3 flips', 'numeric']);
  const end = flStatement(LESSON, { kind: 'completed', points: 1, of: 2 });
  assert.deepEqual([end.result.completion, end.result.score.scaled, 'actor' in made, 'actor' in end],
    [true, 0.5, false, false]);
});
