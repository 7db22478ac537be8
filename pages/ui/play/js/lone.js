// A player of recordings, without a server. Where the page has no plotly.js within, axes.js draws curves.

import { flAxes } from './axes.js';
import { Player } from './player.js';

/** @param {HTMLElement} root @param {Partial<import('./protocol.js').Host>} act */
export function flLone(root, act) {
  root.classList.add('fl-alone');
  const library = /** @type {any} */ (globalThis).Plotly ? null : flAxes;
  return new Player(root, { alone: true, library, rest() {}, more() {}, speed() {}, film() {}, ...act });
}
