// The first page: a ranking that moves, the lessons, the demos, and a field that finds any of them and every figure.

import { flElement } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';
import { flGallery } from '../../home/js/cards.js';
import { Moving } from '../../home/js/moving.js';
import { flStarts } from '../../lessons/shelf/js/starts.js';

/**
 * Those of some entries that have every word that is looked for.
 *
 * @param {{ kind: string, title: string, text: string, href: string, words: string }[]} entries with words in small
 *   letters
 * @param {string} wanted
 */
export function flFound(entries, wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length ? entries.filter(entry => words.every(word => entry.words.includes(word))) : [];
}

export function flOpenHome({ moving, lessons, demos, entries }) {
  const place = name => document.querySelector(`.fl-home-${name}`);
  const open = href => { location.href = href; };
  if (moving) new Moving(place('moving'), moving);
  document.querySelector('.fl-starts').replaceChildren(...flStarts(lessons, open));
  if (demos.length) flGallery(place('gallery'), demos, open);
  const field = /** @type {HTMLInputElement} */ (document.getElementById('fl-find'));
  const found = document.querySelector('.fl-found'), said = document.querySelector('.fl-found-said');
  const all = entries.map(entry => ({ ...entry, words: `${entry.kind} ${entry.title} ${entry.text}`.toLowerCase() }));
  const look = () => {
    const some = flFound(all, field.value), asked = field.value.trim() !== '';
    document.body.classList.toggle('fl-finding', asked);
    said.textContent = !asked ? '' : flSay(some.length === 1 ? 'One page' : '{count} pages', { count: some.length });
    found.replaceChildren(...some.map(({ kind, title, text, href }) => flElement('li', {},
      flElement('a', { href }, flElement('small', {}, kind), ' ', flElement('b', {}, title)),
      flElement('p', {}, text))));
  };
  field.addEventListener('input', look);
  look();
}
