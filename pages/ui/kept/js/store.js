// The runs that this browser keeps, one entry of localStorage each, so that two windows that write at the same time
// do not overwrite each other, and one entry that cannot be read does not spoil the others.
//
// An entry: { id, page (last part of the address), title, query, run, unit, steps, replicates, seed, data, user,
// learners: [labels], finals: [{ learner, metric, title, value, half, at }], settings: { key: text }, names: { key:
// title of the setting }, over: [what a sweep varies], curve (of a sweep), reached: the step to which it was computed,
// or null for its end, tags: [texts], last (ms) }. The server makes it (pages/ui/kept/run.py). The run log of earlier
// versions wrote `about` for data, user and seed, `note` for the tags, and `chart` for the metric.

const PREFIX = 'feedback-lab:run:';
const MOST_RUNS = 500;
const FULL = `${MOST_RUNS} runs are kept, which is the limit. Delete some of them first.`;
const BLOCKED = 'This browser keeps nothing for this page, since its storage is blocked or full. ' +
  'Runs stay here until the page is loaded anew.';

export const own = (globalThis.__feedbackLabRuns ??= { memory: new Map(), problem: '' });

const text = (value, most = 200) => (typeof value === 'string' ? value.slice(0, most) : '');
const number = value => (Number.isFinite(value) ? value : null);
const array = value => (Array.isArray(value) ? value : []);
const object = value => (value && typeof value === 'object' && !Array.isArray(value) ? value : {});

const texts = (value, most) => Object.fromEntries(Object.entries(object(value)).slice(0, 100)
  .map(([key, words]) => [text(key, 80), text(words, most)]));

export const tagsOf = words => [...new Set(words.split(',').map(tag => tag.trim()).filter(Boolean))];

// Returns an entry with every part of the right type, or null if it is none.
export function checked(raw) {
  const entry = object(raw);
  if (!text(entry.run, 4000) || !/^[\w-]*$/.test(entry.page ?? '?') || !Number.isFinite(entry.last)) return null;
  const about = text(entry.about, 400).split(' · '), seed = /^seed (\d+)$/.exec(about.at(-1));
  return {
    id: `${PREFIX}${entry.page}:${text(entry.run, 4000)}`, page: entry.page, title: text(entry.title) || entry.page,
    query: text(entry.query, 8000), run: text(entry.run, 4000), unit: text(entry.unit, 20) || 'step',
    steps: number(entry.steps), replicates: number(entry.replicates),
    seed: number(entry.seed) ?? (seed ? Number(seed[1]) : null),
    data: text(entry.data) || about[0], user: text(entry.user) || about.slice(1, -1).join(' · '),
    learners: array(entry.learners).slice(0, 8).map(label => text(label)),
    finals: array(entry.finals).slice(0, 200).map(object).map(f => ({
      learner: text(f.learner), metric: text(f.metric) || text(f.chart), title: text(f.title), value: number(f.value),
      half: number(f.half), at: text(f.at) })).filter(f => f.title),
    settings: texts(entry.settings, 4000), names: texts(entry.names, 200),
    over: array(entry.over).slice(0, 2).map(words => text(words)),
    curve: object(entry.curve), reached: number(entry.reached),
    tags: entry.note ? [text(entry.note, 2000)]
      : array(entry.tags).slice(0, 50).map(t => text(t, 2000)).filter(Boolean),
    last: entry.last,
  };
}

// The settings of a run as `vs` of a link holds them (pages/ui/kept/run.py reads them).
export function textOf({ settings }) {
  const escaped = words => words.replaceAll('%', '%25').replaceAll('~', '%7E') || '%00';
  return Object.entries(settings).flat().map(escaped).join('~') || 'defaults';
}

// The same for all runs of the same settings, in whatever order these were written.
export const sameness = ({ settings }) => JSON.stringify(Object.entries(settings).sort());

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

// Calls `draw` whenever the store changes, in this window or in another. Returns what Streamlit calls when a component
// goes, which may be drawn anew at once.
export function listen(root, draw) {
  const names = ['fl-runs', 'storage'], heard = () => { if (root.isConnected) draw(); };
  for (const name of names) globalThis.addEventListener(name, heard);
  return () => setTimeout(() => {
    if (!root.isConnected) for (const name of names) globalThis.removeEventListener(name, heard);
  }, 1000);
}

// Stores an entry, and says in `own.problem` why it does not. Where the browser refuses, the page remembers it.
export function put(entry, quiet = false) {
  const full = read(entry.id) === null && all().entries.length >= MOST_RUNS;
  const done = !full && stored(s => { s.setItem(entry.id, JSON.stringify(entry)); return true; }, false);
  if (done) own.memory.delete(entry.id);
  else if (!full) own.memory.set(entry.id, entry);
  own.problem = full ? FULL : done ? '' : BLOCKED;
  if (!quiet) told();
  return !full;
}

// Keeps a run that the server made. One of the same settings is the same run, whose tags stay.
export function keep(raw) {
  const entry = checked({ ...object(raw), last: Date.now() });
  if (!entry) return false;
  for (const other of all().entries.filter(e => e.page === entry.page && sameness(e) === sameness(entry))) {
    entry.tags = [...new Set([...other.tags, ...entry.tags])];
    if (other.id !== entry.id) remove(other.id, true);
  }
  return put(entry);
}

export function remove(id, quiet = false) {
  own.memory.delete(id);
  stored(s => s.removeItem(id));
  if (!quiet) told();
}

// Changes some fields of an entry as it is stored now, which another window may have changed meanwhile.
export function change(id, fields, quiet = false) {
  const entry = read(id);
  if (entry) put({ ...entry, ...fields }, quiet);
}
