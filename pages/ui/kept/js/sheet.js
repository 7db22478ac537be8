// Kept runs as files: a CSV file with a row for each learner of each run, and a file that another browser imports.

import { address, learnersOf, settingsWords } from './row.js';
import { checked, own, put } from './store.js';

// A text that begins like a formula is told to be text, so that no spreadsheet computes it. Numbers stay numbers.
function cell(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  let words = String(value ?? '');
  if (/^\s*[=+\-@\t\r]/.test(words)) words = "'" + words;
  return /[",\r\n;']/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}

export function sheet(entries) {
  const titles = [...new Set(entries.flatMap(e => e.finals.map(f => f.title)))];
  const head = ['kept', 'lab', 'learner', 'data', 'user', 'steps', 'unit', 'replicates', 'seed', 'settings', 'in words',
    'tags', 'link', ...titles.flatMap(title => [title, `${title} ±`])];
  const rows = entries.flatMap(entry => {
    const learners = learnersOf(entry);
    const settings = Object.entries(entry.settings).map(([key, value]) => `${key}=${value}`).join(' ');
    return (learners.length ? learners : ['']).map(learner => [
      new Date(entry.last).toISOString(), entry.title, learner, entry.data, entry.user, entry.steps, entry.unit,
      entry.replicates, entry.seed, settings, settingsWords(entry), entry.tags.join(', '), address(entry),
      ...titles.flatMap(title => {
        const found = entry.finals.find(f => f.learner === learner && f.title === title);
        return [found?.value ?? '', found?.half ?? ''];
      }),
    ]);
  });
  return '\ufeff' + [head, ...rows].map(row => row.map(cell).join(',') + '\r\n').join('');
}

export const exported = entries => JSON.stringify({ 'feedback-lab': 'kept runs', runs: entries }, null, 1);

// Stores the runs of a file that `exported` wrote. Returns a sentence on what came of it.
export function imported(words, name) {
  let raw = null;
  try { raw = JSON.parse(words)?.runs; } catch { /* said below */ }
  const runs = Array.isArray(raw) ? raw.map(checked).filter(Boolean) : [];
  if (!runs.length) {
    return `“${name}” holds no kept runs. Choose a file that “Export” of this page has made.` +
      (/\.flab$/i.test(name) ? ' A recording is opened below, under “Open a recording”.' : '');
  }
  const done = runs.filter(entry => put(entry, true)).length, bad = raw.length - runs.length;
  return `${done.toLocaleString()} of ${raw.length.toLocaleString()} runs are imported.` +
    (bad ? ` ${bad.toLocaleString()} could not be read as runs.` : '') + (own.problem ? ` ${own.problem}` : '');
}

export function download(words, name, type) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([words], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
