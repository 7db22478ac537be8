// Figures as HTML from the server; a click on one opens it, and a link to one of them scrolls to it.

import { tilesOf } from './tiles.js';

export default function (component) {
  const { html, dark, full, large } = component.data, root = component.parentElement.querySelector('.fl-sheet');
  if (!root) return;
  Object.assign(root.dataset, { dark, full });
  root.classList.toggle('fl-large', large);
  if (root.__html !== html) {
    const opened = new Set([...root.querySelectorAll('details[open]')].map(flPlace));
    root.innerHTML = root.__html = html;
    root.querySelectorAll('details').forEach(one => { if (opened.has(flPlace(one))) one.open = true; });
    tilesOf(root);
    const wanted = location.hash.slice(1) && root.querySelector(`#${CSS.escape(location.hash.slice(1))}`);
    if (wanted) requestAnimationFrame(() => wanted.scrollIntoView({ block: 'start' }));
  }
  root.onclick = event => {
    const link = event.target.closest('a[data-open]');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    component.setTriggerValue('open', link.dataset.open);
  };
  // on paper every rule is shown
  root.__print ??= ['beforeprint', 'afterprint'].map(name => addEventListener(name, () => {
    if (root.isConnected) root.querySelectorAll('details').forEach(one => { one.open = name === 'beforeprint'; });
  }));
}

// Where a part that opens stands: its figure and its number there.
function flPlace(details) {
  const within = details.closest('article, .fl-sheet');
  return `${within.id} ${[...within.querySelectorAll('details')].indexOf(details)}`;
}
