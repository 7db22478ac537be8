// Listens for finished runs and keeps them. One listener serves the window, whatever page it shows.

import { all, checked, counted, number, object, own, put, read } from './store.js';

export const pageOfAddress = () => location.pathname.split('/').filter(Boolean).at(-1) ?? '';

const titleOf = (key, named) => named[key]?.[0] ?? key.replaceAll('_', ' ');

function differ(before, now, named) {
  const known = Object.keys(named).length > 0;  // else all that either has counts
  const keys = [...new Set([...Object.keys(named), ...Object.keys(now), ...(known ? [] : Object.keys(before))])];
  const value = (settings, key) => settings[key] ?? named[key]?.[1] ?? 'default';
  return keys.filter(key => value(before, key) !== value(now, key)).map(key => ({
    title: titleOf(key, named), then: value(before, key), now: value(now, key) }));
}

function finished(detail, reached = null) {
  const page = pageOfAddress(), now = Date.now();
  const named = object(own.named?.page === page ? own.named.settings : {});
  const query = typeof detail.query === 'string' ? detail.query : location.search;
  const settings = counted(query, named);
  const names = Object.fromEntries(Object.keys(settings).map(key => [key, titleOf(key, named)]));
  const about = own.named?.page === page ? own.named.about : '';
  const entry = checked({ ...detail, page, query, settings, names, about, reached, last: now, first: now, times: 1 });
  if (!entry) return;
  const same = read(entry.id);
  if (same && reached !== null && (same.reached === null || same.reached > reached)) return;  // it went further before
  if (same) { put({ ...entry, first: same.first, times: same.times + (same.reached === null), note: same.note,
    differences: same.differences }); return; }
  const before = all().entries.find(other => other.page === page);
  if (before) entry.differences = differ(before.settings, entry.settings, named);
  put(entry);
}

if (own.listener) for (const name of ['fl-finished', 'fl-paused']) globalThis.removeEventListener(name, own.listener);
own.listener = ({ type, detail }) => finished(object(detail), type === 'fl-paused' ? number(detail?.reached) : null);
for (const name of ['fl-finished', 'fl-paused']) globalThis.addEventListener(name, own.listener);
