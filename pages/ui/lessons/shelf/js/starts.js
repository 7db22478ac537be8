// Cards that are links as a whole: those of the lessons, and what else the home page makes of such.

import { flElement } from '../../../draw/js/library.js';

// A link that Streamlit opens without loading the app anew; with a key held, the browser opens it as usual.
export function flLink(name, entry, open, ...children) {
  const link = flElement(`a.${name}`, {}, ...children);
  link.href = entry.href;
  link.addEventListener('click', event => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(entry.key);
  });
  return link;
}

export const flLength = entry => `${entry.level} · ${entry.minutes} min`;

// The lead is HTML that the server has made.
export function flStarts(starts, open) {
  return starts.map(start => {
    const text = flElement('span.fl-start-text');
    text.innerHTML = start.text;
    return flElement('li', {}, flLink('fl-start', start, open,
      flElement('span.fl-start-number', {}, String(start.number)), flElement('span.fl-start-name', {}, start.title),
      text, flElement('span.fl-start-length', {}, flLength(start))));
  });
}
