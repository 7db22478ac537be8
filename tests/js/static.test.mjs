// What a course hears of a lesson of the static edition, and what the field of its first page finds.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

import { flApi, flDuration, flStatement, flSuspended, Scorm } from '../../pages/ui/static/js/course.js';
import { flFound } from '../../pages/ui/static/js/home.js';
import { flSeen } from '../../pages/ui/static/js/zoom.js';
import { flShared, loadPlotly } from '../../pages/ui/draw/js/library.js';
import { flTranslate } from '../../pages/ui/draw/js/texts.js';
import { flMark, flNamed } from '../../pages/ui/play/js/named.js';
import { flTakenOut } from '../../pages/ui/play/js/read.js';
import { flOpened, flUnfolded } from '../../pages/ui/play/js/unfold.js';

globalThis.addEventListener = () => {};
const LESSON = { id: 'flip', lang: 'de', title: 'Warum', cards: [{ id: 'meet' }, { id: 'guess', ask: {} }, { id: 'draw', ask: {} }] };

// An LMS that keeps what it is told, and notes the order of the calls.
function course(values = {}) {
  const calls = [];
  const note = (name, act) => (...given) => { calls.push([name, ...given]); return act(...given); };
  return { calls, values, LMSInitialize: note('begin', () => 'true'), LMSFinish: note('finish', () => 'true'),
    LMSCommit: note('commit', () => 'true'), LMSGetValue: name => values[name] ?? '',
    LMSSetValue: note('set', (name, value) => { values[name] = value; return 'true'; }) };
}

// As `wrapped` of pages/ui/static/store.py makes it.
const flWrapped = bytes => Buffer.concat([Buffer.from('document.currentScript.packed="'),
  ...[...bytes].map(byte => Buffer.from({ 10: '\\n', 13: '\\r', 34: '\\"', 92: '\\\\' }[byte] ?? [byte])),
  Buffer.from('";\n')]);

test('every byte is taken out of the script that holds it', () => {
  const all = Uint8Array.from({ length: 1024 }, (_, i) => (i < 256 ? i : (i * 7919) >> 3));
  assert.deepEqual(flTakenOut(flWrapped(all)), all);
  for (const text of ['\\n\n\\\\', '"', '', '\r\\r']) {
    assert.equal(Buffer.from(flTakenOut(flWrapped(Buffer.from(text)))).toString(), text);
  }
});

test('a folded recording is that of the version before, whose arrays stand within', async () => {
  const [before, now] = await Promise.all([1, 2].map(version => flOpened(
    new Uint8Array(readFileSync(new URL(`../saved/recordings/version-${version}.flab`, import.meta.url))))));
  assert.deepEqual({ ...now, version: 1 }, before);
  const folded = Buffer.from('["==1 0 3","=2 0 4","=2 0 4","=1 4 0"]\0acbd');
  assert.deepEqual(flUnfolded(folded), ['=1 0 3', btoa('abcd'), btoa('abcd'), '']);
});

test('what is seen of a panel stays within it, and keeps the place at which one zooms', () => {
  const whole = { x: 0, y: 0, width: 640, height: 430 }, near = flSeen(whole, whole, 2, [1, 0]);
  assert.deepEqual(near, { x: 320, y: 0, width: 320, height: 215 });
  assert.deepEqual(flSeen(whole, near, 1, [.5, .5], [.25, -.2]), { ...near, x: 240, y: 43 });
  assert.deepEqual(flSeen(whole, near, 1, [.5, .5], [-9, 9]), { ...near, x: 320, y: 0 });
  assert.deepEqual(flSeen(whole, near, .1), whole);
  assert.equal(flSeen(whole, near, 1e6).width, 640 / 20);
});

test('a picture waits for plotly.js that the page is reading, and for nothing where it reads none', async () => {
  await assert.rejects(loadPlotly(''), /could not be loaded/);
  flShared.loading = Promise.resolve('plotly');
  assert.equal(await loadPlotly(''), 'plotly');
  flShared.loading = null;
});

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

// The fullest state that a lesson with these cards can have: curves everywhere, and all lists clicked.
const places = value => Array.from({ length: 61 }, (_, i) => Number(value(i).toPrecision(4)));
const CURVE = { x: places(i => i * 555.6), y: places(i => 1 / (i + 3)), whole: true };
const CLICKS = { lists: Array(10).fill([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), then: true };
const NONE = { lists: [], then: false };
const full = (ids, clicks) => ({ place: 2, completed: false, cards: Object.fromEntries(ids.map(id => (
  [id, { value: structuredClone(CURVE), points: 1, played: true, done: true, clicks }]))) });

// What a person finds who comes back.
const resumed = state => new Scorm(course({ 'cmi.suspend_data': flSuspended(state) }), LESSON).read();

test('a drawn curve comes back whole where there is room, and with all its places where there is little', () => {
  const one = full(['draw'], NONE), many = full(Array.from({ length: 8 }, (_, i) => `a-card-with-a-long-name-${i}`), NONE);
  const far = state => Math.max(...Object.values(resumed(state).cards).map(({ value }) => {
    assert.deepEqual([value.x.length, value.y.length, value.whole, 'every' in value], [61, 61, true, false]);
    return Math.max(...value.x.map((x, i) => Math.abs(x - CURVE.x[i]) / CURVE.x[60]),
      ...value.y.map((y, i) => Math.abs(y - CURVE.y[i])));
  }));
  assert.ok(far(one) === 0 && flSuspended(one).length < 1000);
  assert.ok(far(many) > 1e-3 && far(many) < 0.1 && flSuspended(many).length <= 4096);
});

test('the fullest state of every lesson has room in an LMS, with its points', () => {
  const library = new URL('../../pages/ui/lessons/library/', import.meta.url), sizes = [];
  for (const name of readdirSync(library).filter(file => /^[a-z]+\.toml$/.test(file))) {
    const text = readFileSync(new URL(name, library), 'utf8');
    const ids = [...text.matchAll(/^id = "(.+)"$/gm)].map(([, id]) => id), hand = /^queries = /m.test(text);
    assert.ok(ids.length >= 2, name);
    const state = full(ids, NONE);
    if (hand) state.cards[ids[0]].clicks = CLICKS;
    sizes.push(flSuspended(state).length);
    const found = resumed(state);
    assert.deepEqual([Object.keys(found.cards), found.place], [ids, 2], name);
    assert.ok(Object.values(found.cards).every(({ value, points, done }) => value.y.length === 61 && points === 1 && done));
    if (hand) assert.deepEqual(found.cards[ids[0]].clicks, CLICKS);
  }
  assert.ok(sizes.length >= 11 && Math.max(...sizes) <= 4096);
});

test('where there is no room, clicks go first, then curves, then all but the card', () => {
  const state = full(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], CLICKS), kept = space => JSON.parse(flSuspended(state, space));
  state.cards.a.value = 3;
  assert.deepEqual([kept(4096).cards.b.clicks, kept(4096).cards.b.value.of], [CLICKS, 61]);
  assert.deepEqual([kept(2000).cards.b.clicks, kept(2000).cards.b.value.of], [undefined, 61]);
  const few = kept(600).cards;
  assert.deepEqual([few.a.value, few.b.value, few.b.points, few.b.done], [3, null, 1, true]);
  assert.deepEqual(kept(60), { place: 2, completed: false, cards: {} });
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

test('a chart is titled in the language of the page, by the parts of its title', () => {
  globalThis.document = /** @type {any} */ ({ documentElement: { lang: 'de' } });
  flTranslate('de', { 'Mean loss': 'Verlust', 'at most {count}': 'bis {count}', steps: 'Schritte',
    '{name}, mean of {count} {units}': '{name}, Mittel über {count} {units}',
    '{0}, the best of query {1}, falls from {2}': '{0} von „{1}“ fällt von {2}' });
  const titles = ['Mean loss (at most 2,000), mean of 1,500 steps', 'Mean loss', 'Another (1 to 9)'];
  assert.deepEqual(titles.map(flNamed), ['Verlust (bis 2.000), Mittel über 1.500 Schritte', 'Verlust', 'Another (1 to 9)']);
  assert.equal(flMark('d12, the best of query top 3 of R, falls from 0.5'), 'd12 von „top 3 of R“ fällt von 0,5');
  assert.equal(flMark('it loses 3'), 'it loses 3');
  delete globalThis.document;
});
