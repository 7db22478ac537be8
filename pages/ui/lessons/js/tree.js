// The searches of a person where nothing computes: a small tree of lists that were recorded, of which the person's
// clicks choose the branch. pages/ui/lessons/tree.py records it.

import './document.js';

// How clicks count, as the number of a branch: 0 where at least half of them are what one looks for, 1 for others, 2
// for none. faces : the list, best first; places : from 1.
export function flBranch(faces, places) {
  const clicked = places.filter(place => faces[place - 1]);
  if (!clicked.length) return 2;
  return clicked.filter(place => faces[place - 1].grade > 0).length * 2 >= clicked.length ? 0 : 1;
}

/**
 * Where a person stands.
 *
 * @param {any} tree @param {import('./document.js').Clicked} clicked
 * @returns {import('./document.js').Searches}
 */
export function flWalk(tree, { lists, then }) {
  const { of, more, wanted, counts, chart } = tree, faces = rows => rows.map(row => tree.faces[row]);
  const branches = [];
  for (const places of lists) branches.push(flBranch(faces(tree.lists[branches.join('')]), places));
  const path = branches.join(''), here = { lists, then, of, more, wanted, counts };
  if (lists.length < of) return { ...here, list: faces(tree.lists[path]), first: null };
  const end = tree.ends[path], first = { before: faces(tree.lists['']), after: faces(then ? end.later : end.after) };
  if (!then) return { ...here, list: null, first };
  const data = chart && [{ ...chart.trace, x: chart.x, y: end.y }];
  return { ...here, list: null, first, map: end.map, chart: chart && { ...chart, data } };
}
