// plotly.js for a page of an edition, which reads it once a recording has pictures. Curves do not wait for it.

import { flShared } from '../../draw/js/library.js';
import { flReadText, flRun } from './read.js';

/** @param {string | undefined} address of plotly.js, '' where it is not there @param {any} payload */
export function flPictures(address, { charts }) {
  if (!address || !charts.some(({ kind }) => kind === 'figure')) return;
  flShared.loading ??= flReadText(address).then(code => {
    flRun(code);
    return /** @type {any} */ (globalThis).Plotly;
  });
  flShared.loading.catch(() => { flShared.loading = null; });  // the picture that waits says so
}
