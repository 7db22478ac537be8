// All runs as a CSV file: a row for each learner of each run, a column for each final value.

// A text that begins like a formula is told to be text, so that no spreadsheet computes it. Numbers stay numbers.
function cell(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  let words = String(value ?? '');
  if (/^\s*[=+\-@\t\r]/.test(words)) words = "'" + words;
  return /[",\r\n;']/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}

export const spoken = d => `${d.title} ${d.then} → ${d.now}`;

export function sheet(entries, address) {
  const titles = [...new Set(entries.flatMap(e => e.finals.map(f => f.title)))];
  const head = ['last run', 'lab', 'learner', 'steps', 'unit', 'replicates', 'times run', 'differences', 'settings',
    'note', 'link', ...titles];
  const rows = entries.flatMap(entry => {
    const learners = [...new Set([...entry.learners, ...entry.finals.map(f => f.learner)])];
    const settings = Object.entries(entry.settings).map(([key, value]) => `${key}=${value}`).join(' ');
    return (learners.length ? learners : ['']).map(learner => [
      new Date(entry.last).toISOString(), entry.title, learner, entry.steps, entry.unit, entry.replicates,
      entry.times, entry.differences.map(spoken).join('; '), settings, entry.note, address(entry),
      ...titles.map(title => entry.finals.find(f => f.learner === learner && f.title === title)?.value ?? ''),
    ]);
  });
  return '\ufeff' + [head, ...rows].map(row => row.map(cell).join(',') + '\r\n').join('');
}

export function download(words, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([words], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
