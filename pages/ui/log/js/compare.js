// Two runs beside each other: in their lab, with the older one pinned, or as a table.

import { address, make, short, size, when } from './row.js';
import { spoken } from './sheet.js';

// The settings of a run as `vs` of a link holds them (pages/ui/lab/pins.py reads them).
function pin(entry) {
  const escaped = words => words.replaceAll('%', '%25').replaceAll('~', '%7E') || '%00';
  return Object.entries(entry.settings).flat().map(escaped).join('~') || 'defaults';
}

export const inTheLab = (older, newer) => address(newer, { vs: pin(older) });

export function table(older, newer) {
  const rows = [];
  const row = (name, ...values) => rows.push(make('tr', {}, make('th', { scope: 'row' }, name),
    ...values.map(value => make('td', {}, value))));
  const section = name => rows.push(make('tr', {}, make('th', { colspan: 3, scope: 'rowgroup' }, name)));
  const both = [older, newer];
  row('When', ...both.map(e => when(e.last)));
  row('Size', ...both.map(size));
  row('Note', ...both.map(e => e.note || '–'));
  section('Differences from the run before');
  row('', ...both.map(e => e.differences.map(spoken).join(' · ') || '–'));
  section('Settings other than the defaults');
  for (const key of new Set(both.flatMap(e => Object.keys(e.settings)))) {
    row(newer.names[key] ?? older.names[key] ?? key, ...both.map(e => e.settings[key] ?? 'default'));
  }
  for (const learner of new Set(both.flatMap(e => [...e.learners, ...e.finals.map(f => f.learner)]))) {
    section(learner);
    for (const title of new Set(both.flatMap(e => e.finals.filter(f => f.learner === learner).map(f => f.title)))) {
      row(title, ...both.map(e => {
        const found = e.finals.find(f => f.learner === learner && f.title === title);
        return found ? short(found.value) : '–';
      }));
    }
  }
  return make('table', {}, make('caption', {}, 'Two runs side by side, the older one on the left'),
    make('thead', {}, make('tr', {}, make('td'), ...both.map(e => make('th', { scope: 'col' }, e.title)))),
    make('tbody', {}, ...rows));
}
