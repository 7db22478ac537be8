// The runs that this browser keeps, one entry of localStorage each, so that two windows that write at the same time
// do not overwrite each other, and one entry that cannot be read does not spoil the others.
//
// An entry: { id, page (last part of the address), title, query, run, unit, steps, replicates, learners: [labels],
// finals: [{ learner, chart, title, value }], settings: { key: text }, names: { key: title of the setting },
// reached: the step at which the person paused, or null if it was played to its end, about: data, user and seed,
// differences: [{ title, then, now }], first, last (ms), times, note }.

const PREFIX = 'feedback-lab:run:';
const MOST_RUNS = 200;

export const own = (globalThis.__feedbackLabRuns ??= { memory: new Map(), problem: '' });

const text = (value, most = 200) => (typeof value === 'string' ? value.slice(0, most) : '');
export const number = value => (Number.isFinite(value) ? value : null);
const array = value => (Array.isArray(value) ? value : []);
export const object = value => (value && typeof value === 'object' && !Array.isArray(value) ? value : {});

const texts = (value, most) => Object.fromEntries(Object.entries(object(value)).slice(0, 100)
  .map(([key, words]) => [text(key, 80), text(words, most)]));

// Returns an entry with every part of the right type, or null if it is none.
export function checked(raw) {
  const entry = object(raw);
  if (!text(entry.run, 4000) || !/^[\w-]*$/.test(entry.page ?? '?') || !Number.isFinite(entry.last)) return null;
  return {
    id: `${PREFIX}${entry.page}:${entry.run}`, page: entry.page, title: text(entry.title) || entry.page,
    query: text(entry.query, 8000), run: text(entry.run, 4000), unit: text(entry.unit, 20) || 'step',
    steps: number(entry.steps), replicates: number(entry.replicates),
    learners: array(entry.learners).slice(0, 8).map(label => text(label)),
    finals: array(entry.finals).slice(0, 200).map(object).map(f => ({
      learner: text(f.learner), chart: text(f.chart), title: text(f.title), value: number(f.value) }))
      .filter(f => f.title),
    reached: number(entry.reached), about: text(entry.about, 400),
    settings: texts(entry.settings, 1000), names: texts(entry.names, 200),
    differences: array(entry.differences).slice(0, 100).map(object).map(d => ({
      title: text(d.title), then: text(d.then), now: text(d.now) })).filter(d => d.title),
    first: Number.isFinite(entry.first) ? entry.first : entry.last, last: entry.last,
    times: Math.max(1, Math.round(number(entry.times) ?? 1)), note: text(entry.note, 2000),
  };
}

// Runs an action on localStorage; returns its result, or `otherwise` if the browser refuses.
function stored(action, otherwise) {
  try { return action(globalThis.localStorage); } catch { return otherwise; }
}

const keys = () => stored(s => Object.keys(s).filter(key => key.startsWith(PREFIX)), []);

export function read(id) {
  if (own.memory.has(id)) return own.memory.get(id);
  try { return checked(JSON.parse(stored(s => s.getItem(id), null))); } catch { return null; }
}

// Returns { entries: latest first, broken: keys that hold no entry }.
export function all() {
  const entries = [], broken = [];
  for (const id of new Set([...keys(), ...own.memory.keys()])) {
    const entry = read(id);
    if (entry && entry.id === id) entries.push(entry); else broken.push(id);
  }
  entries.sort((a, b) => b.last - a.last);
  return { entries, broken };
}

export const told = () => globalThis.dispatchEvent(new CustomEvent('fl-runs'));

// Keeps an entry. If the browser has no room, the oldest go; if it keeps nothing at all, the page remembers it.
export function put(entry) {
  const wanted = JSON.stringify(entry);
  const tried = () => stored(s => { s.setItem(entry.id, wanted); return true; }, false);
  let kept = tried();
  const older = kept ? [] : all().entries.filter(e => e.id !== entry.id && !own.memory.has(e.id)).reverse();
  const dropped = [];
  while (!kept && older.length) {
    dropped.push(older.shift());
    remove(dropped.at(-1).id, true);
    kept = tried();
  }
  if (kept) {
    own.memory.delete(entry.id);
    own.problem = dropped.length
      ? `The storage of this browser is full. The oldest runs (${dropped.length}) made room for the latest.` : '';
  } else {
    for (const lost of dropped) own.memory.set(lost.id, lost);
    own.memory.set(entry.id, entry);
    own.problem = 'This browser keeps nothing for this page, since its storage is blocked or full. ' +
      'Runs stay here until the page is loaded anew.';
  }
  const extra = all().entries.slice(MOST_RUNS);
  for (const old of extra) remove(old.id, true);
  told();
}

export function remove(id, quiet = false) {
  own.memory.delete(id);
  stored(s => s.removeItem(id));
  if (!quiet) told();
}

// Changes some fields of an entry as it is stored now, which another window may have changed meanwhile.
export function change(id, fields) {
  const entry = read(id);
  if (entry) put({ ...entry, ...fields });
}

// The settings of a query that make the run what it is; `named` maps the keys that count to title and default.
export function counted(query, named) {
  const found = [...new URLSearchParams(query)];
  const drawing = ['t', 'speed', 'vs'];
  const known = Object.keys(named).length > 0;
  return Object.fromEntries(found.filter(([key]) => (known ? Object.hasOwn(named, key) : !drawing.includes(key))));
}
