// The pure parts of the scripts: numbers, places on curves, keyframes, packed arrays, the pace of a run.

import assert from 'node:assert/strict';
import test from 'node:test';

import { flCount, flNumber } from '../../pages/ui/draw/js/library.js';
import { flLanguage, flSay, flTranslate, flUnits } from '../../pages/ui/draw/js/texts.js';
import { ChangeScale, flCell, flDifference, flWeight } from '../../pages/ui/play/js/change.js';
import flAddress from '../../pages/ui/form/js/address.js';
import { isTrackingKey } from '../../pages/ui/form/js/tracking.js';
import { Keyframes, flMerge } from '../../pages/ui/play/js/keyframes.js';
import { flPace } from '../../pages/ui/play/js/pace.js';
import { flArray } from '../../pages/ui/play/js/packed.js';
import { flAllowed, flBounded } from '../../pages/ui/recordings/js/allowed.js';
import { flBefore, flScale, flSpread } from '../../pages/ui/play/js/plot.js';
import { flPitch, flReach, flTicksOf } from '../../pages/ui/play/js/sound.js';
import { SceneSteps } from '../../pages/ui/play/js/scene_steps.js';

const packed = (kind, values) => ({ dtype: kind.name, bdata: Buffer.from(kind.made.from(values).buffer).toString('base64') });
const u1 = { name: 'u1', made: Uint8Array }, f4 = { name: 'f4', made: Float32Array };

test('numbers are written in formats of Python', () => {
  const cases = [[0.80512, '.3g', '0.805'], [12345.6, '.3g', '12,346'], [1e-7, '.3g', '1e−7'], [0.5, '.0%', '50 %'],
    [3.1278, '.2f', '3.13'], [1234, ',d', '1,234'], [0, '.3g', '0'], [null, '.3g', 'no value'],
    [NaN, '.3g', 'no value'], [Infinity, '.3g', 'infinite'], [-Infinity, 'd', 'minus infinite']];
  for (const [value, format, text] of cases) assert.equal(flNumber(value, format), text);
  assert.equal(flNumber(0.123456), '0.123', 'three digits where no format is given');
  assert.equal(flCount(1234567.6), '1,234,568');
});

test('settings are written into the address of their own page alone, which others may have left', () => {
  const data = { link: 'noise=0.4', kept: ['t'], page: 'semi_supervised' }, written = [];
  globalThis.history = { state: 7, replaceState: (...given) => written.push(given) };
  for (const pathname of ['/lab/semi_supervised', '/semi_supervised/', '/lab/', '/stability']) {
    globalThis.location = { pathname, search: '?t=3&seed=1&utm_id=x', hash: '#a' };
    flAddress({ data });
  }
  delete globalThis.location;
  delete globalThis.history;
  assert.deepEqual(written, ['/lab/semi_supervised', '/semi_supervised/'].map(path =>
    [7, '', `${path}?noise=0.4&t=3&utm_id=x#a`]));
});

test('texts and numbers are in the language of the address, where it has a translation', () => {
  flTranslate('xx', { 'Go to {unit}': 'Zu {unit}', step: 'Schritt', steps: 'Schritte' });
  flTranslate('de', { 'no value': 'kein Wert' });
  const within = (search, act) => {
    globalThis.location = { search };
    try { return act(); } finally { delete globalThis.location; }
  };
  assert.equal(flSay('Go to {unit}', flUnits('step')), 'Go to step');
  assert.equal(within('?t=3&lang=xx', () => flSay('Go to {unit}', flUnits('step'))), 'Zu Schritt');
  assert.equal(within('?lang=xx', () => flSay('{count} of {all}', { count: 1, all: '{count}' })), '1 of {count}');
  assert.deepEqual(within('?lang=xx', () => flUnits('step').Units), 'Schritte');
  assert.deepEqual(['', '?lang=fr', '?lang=toString', '?lang='].map(search => within(search, flLanguage)),
    ['en', 'en', 'en', 'en']);
  const numbers = () => [flNumber(0.5, '.2f'), flNumber(-0.125), flNumber(12345.6), flNumber(0.5, '.1%'), flNumber(null)];
  assert.deepEqual(within('?lang=de', numbers), ['0,50', '−0,125', '12.346', '50,0 %', 'kein Wert']);
  assert.deepEqual(numbers(), ['0.50', '−0.125', '12,346', '50.0 %', 'no value']);
});

test('a pitch rises by two octaves from the lowest value to the highest', () => {
  const reach = flReach([0, null, 4, NaN, 2]);
  assert.deepEqual([reach.low, reach.high], [0, 4]);
  assert.deepEqual([0, 2, 4, 9, -9].map(value => flPitch(value, reach)), [220, 440, 880, 880, 220]);
  assert.deepEqual([null, NaN].map(value => flPitch(value, reach)), [null, null], 'silence');
  assert.equal(flPitch(3, flReach([])), null, 'nothing is known yet');
  assert.equal(flPitch(5, flReach([5, 5])), 440, 'what never changes lies in the middle');
  const log = flReach([0, 1, 10, 100], true);
  assert.deepEqual([1, 10, 100].map(value => Math.round(flPitch(value, log))), [220, 440, 880]);
  assert.equal(flPitch(0, log), null);
});

test('the events passed are ticks, three at most and one after the other', () => {
  const events = [{ t: 3 }, { t: 5 }, { t: 5 }, { t: 6 }, { t: 7 }, { t: 20 }];
  assert.deepEqual([[0, 2], [3, 4], [7, 20]].map(([from, to]) => flTicksOf(events, from, to).length), [0, 0, 1]);
  const [first, second, ...rest] = flTicksOf(events, 2, 7);
  assert.ok(first === 0 && second > 0 && rest.length === 1 && rest[0] > second);
});

test('keys of others are told from ours', () => {
  assert.deepEqual(['utm_source', 'EMBED', 'ref', 'noise', 't', 'refine'].map(isTrackingKey),
    [true, true, true, false, false, false]);
});

test('the last point at or before a step is found, and gaps are passed over', () => {
  const line = { x: [1, 5, 9, 13], y: [0.1, 0.2, null, 0.4] };
  assert.deepEqual([0, 1, 4.9, 5, 10, 13, 99].map(t => flBefore(line, t)), [-1, 0, 0, 1, 1, 3, 3]);
  assert.equal(flBefore({ x: [], y: [] }, 3), -1);
});

test('a scale turns values into pixels and back, upwards and by logarithms', () => {
  const across = flScale({ type: 'linear', _length: 200, _offset: 7, range: [0, 100] });
  assert.deepEqual([across.place(25), across.value(50), across.start], [50, 25, 7]);
  const down = flScale({ type: 'log', _length: 100, _offset: 0, range: [0, 2] }, true);
  assert.deepEqual([1, 10, 100].map(down.place), [100, 50, 0]);
  assert.equal(down.place(0), Infinity, 'no logarithm: far below');
  assert.ok(Number.isNaN(down.place(null)));
});

test('names that would overlap make room for one another, within the height', () => {
  const spread = downs => flSpread(downs.map(down => ({ down, height: 10 })), 100);
  assert.deepEqual(spread([20, 60]), [19, 59], 'far apart, they stand where they want to be');
  const [a, b, c] = spread([50, 52, 51]);
  assert.deepEqual([b - a, c - b], [10, 10]);
  assert.deepEqual(spread([500, 600]), [80, 90], 'at the bottom');
  assert.deepEqual(spread([-50]), [0], 'at the top');
});

test('a frame shares what did not change with the one before it', () => {
  const frames = new Keyframes(), first = { data: [{ z: 1 }, { z: 2 }], layout: { height: 3 } };
  frames.merge({ first: 0, at: [0, 10, 20], frames: [[[[], first]], null, [[['data', 1, 'z'], 5]]] }, 'a', 'run');
  assert.deepEqual([-1, 0, 9, 10, 25].map(t => frames.index(t)), [0, 0, 0, 1, 2]);
  assert.equal(frames.state(1), frames.state(0));
  assert.deepEqual(frames.state(2).data, [{ z: 1 }, { z: 5 }]);
  assert.equal(frames.state(2).layout, first.layout);
  assert.equal(first.data[1].z, 2, 'nothing is written into');
  frames.merge({ first: 2, at: [20, 30], frames: [null, null] }, 'a', 'run');
  assert.deepEqual(frames.at, [0, 10, 20, 30], 'what is here already is left out');
  frames.merge({ first: 9, at: [90], frames: [null] }, 'a', 'run');
  assert.equal(frames.count, 4, 'nothing is taken where some are missing');
  frames.merge({ first: 0, at: [0], frames: [[[[], {}]]] }, 'b', 'run');
  assert.equal(frames.count, 1, 'drawn otherwise: all anew');
});

test('texts that repeat are written out for Plotly', () => {
  const whole = Keyframes.whole({ name: { texts: ['a', 'b'], which: packed(u1, [1, 0, 1]) }, z: [[1], null] });
  assert.deepEqual(whole, { name: ['b', 'a', 'b'], z: [[1], null] });
});

test('keyframes of a payload come behind those that are here', () => {
  const here = new Map(), sent = (first, at) => ({ charts: [
    { id: 'a', frames: { first, at, frames: at.map(t => `f${t}`) } }, { id: 'curves' }] });
  assert.deepEqual(flMerge(here, sent(0, [0, 5]), false), new Set());
  const more = sent(2, [9]);
  flMerge(here, more, false);
  assert.deepEqual(more.charts[0].frames, { first: 0, at: [0, 5, 9], frames: ['f0', 'f5', 'f9'] });
  const late = sent(7, [40]);
  assert.deepEqual(flMerge(here, late, false), new Set(['a']));
  assert.deepEqual(late.charts[0].frames.at, [0, 5, 9], 'what is here stays');
  const again = sent(0, [0]);
  flMerge(here, again, true);
  assert.deepEqual(again.charts[0].frames.at, [0], 'drawn otherwise, from the first on');
});

test('packed arrays are read in their types', () => {
  assert.deepEqual([...flArray(packed(u1, [0, 255]))], [0, 255]);
  assert.deepEqual([...flArray(packed(f4, [0.5, -2]))], [0.5, -2]);
});

test('the steps of a scene are joined in the parts in which they come', () => {
  const steps = new SceneSteps(), column = values => [{ row: values }];
  steps.merge({ name: 's', first: 0, at: [1, 2], slots: column([[7], [8]]), now: null });
  steps.merge({ name: 's', first: 1, at: [2, 4], slots: column([[0], [9]]), now: null });
  assert.deepEqual([1, 2, 3, 4].map(t => [steps.at(t).step, ...steps.at(t).slots[0].row]),
    [[1, 7], [2, 8], [2, 8], [4, 9]]);
  assert.equal(steps.at(0), null);
  steps.merge({ name: 's', first: 9, at: [20], slots: column([[1]]), now: null });
  assert.ok(steps.gap);
  assert.equal(steps.count, 3);
  steps.merge({ name: 'other', first: 0, at: [1], slots: column([[1]]), now: null });
  assert.equal(steps.count, 1);
});

test('cells that are as in the step before, and columns that are those of the first learner, do not travel', () => {
  const steps = new SceneSteps(), doc = { width: 2, fresh: [0b11000110], values: [3, 4, 5, 6] };
  steps.merge({ name: 's', first: 0, at: [1, 2, 3, 4], slots: [{ doc }, { doc: 0 }], now: null });
  for (const slot of [0, 1]) {
    assert.deepEqual([1, 2, 3, 4].map(t => [...steps.at(t).slots[slot].doc]), [[3, 4], [3, 4], [3, 5], [6, 5]]);
  }
});

test('a run moves at its speed, and ten times as slowly near events', () => {
  const player = { speed: '100', slow: false, events: { list: [{ t: 60 }] }, t: 0, limit: 500 };
  assert.equal(flPace(player, 0.5), 50);
  assert.equal(flPace({ ...player, speed: 'max' }, 0.5), 500);
  const slow = { ...player, slow: true };  // 5 steps before and after the event
  assert.equal(flPace(slow, 0.5), 50);
  assert.ok(Math.abs(flPace(slow, 0.55 + 0.5) - 60) < 1e-9, '55 steps fast, 5 slowly');
  assert.ok(Math.abs(flPace(slow, 0.55 + 1 + 0.1) - 75) < 1e-9);
});

test('a change is written with its sign, and a weight with its number', () => {
  assert.deepEqual([0.25, -0.5, 0, -3e-6].map(flDifference),
    ['+0.25', '−0.5', '=', '−3e−6']);
  assert.deepEqual([flWeight(0), flWeight(119)], ['w₁', 'w₁₂₀']);
  const about = { cells: 'd{j} lead|d{i} − d{j}/d{j}, d{i} n', width: 3 };
  assert.deepEqual([0, 2, 4, 9].map(id => flCell(about, id)), ['d1 lead', 'd3 lead', 'd1 − d2', 'd1, d3 n']);
  const network = { cells: 'U{i},{j};b{i};v{i}', width: 4 };
  assert.deepEqual([1, 6, 11].map(id => flCell(network, id)), ['U1,2', 'b2', 'v3']);
});

test('the scale of a picture holds all that it has met, and 0', () => {
  const scale = new ChangeScale();
  assert.equal(scale.at(0), 50, 'nothing yet');
  scale.meet([1, 3]);
  assert.deepEqual([0, 1.5, 3, 9].map(number => scale.at(number)), [0, 50, 100, 100]);
  scale.meet([-3]);
  assert.ok(scale.at(0) > 50 && scale.at(0) < 52 && scale.at(-3) === 0, 'it gives up a little of the largest');
});

test('a link opens recordings of its own origin, and of hosts that are allowed over TLS', () => {
  const here = 'http://lab.example.org:8501/runs?url=x', hosts = ['data.example.org'];
  const allowed = url => flAllowed(url, hosts, here);
  assert.equal(allowed('app/static/a.flab'), 'http://lab.example.org:8501/app/static/a.flab');
  assert.equal(allowed('https://data.example.org/a.flab'), 'https://data.example.org/a.flab');
  for (const url of ['http://data.example.org/a.flab', 'https://data.example.org:444/a.flab', 'https://example.org/a',
    'https://me:secret@data.example.org/a', '//data.example.org.evil.example/a', 'http://lab.example.org/a',
    'javascript:alert(1)', 'data:text/plain,a', 'file:///etc/passwd', 'http://[::1', 'blob:http://lab.example.org/a']) {
    assert.equal(allowed(url), '', url);
  }
});

test('a stream is read up to a size', async () => {
  const parts = [[1, 2], [3], [4, 5]];
  const stream = () => new Response(new Uint8Array(parts.flat())).body;
  assert.deepEqual([...await flBounded(stream(), 5)], [1, 2, 3, 4, 5]);
  assert.equal(await flBounded(stream(), 4), null);
});
