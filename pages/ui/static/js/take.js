// Buttons that save a file of the edition as it is for other programs: recordings packed, as `.flab`, others unpacked.

import { flElement } from '../../draw/js/library.js';
import { flRead } from '../../play/js/read.js';
import { flUnpacked } from '../../play/js/unpack.js';

/** @param {DOMStringMap} of a button */
async function flTake({ take, file }) {
  const packed = await flRead(file);
  const href = URL.createObjectURL(new Blob([take.endsWith('.flab') ? packed : await flUnpacked(packed)]));
  flElement('a', { href, download: take }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export function flTakes() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-take]'))) {
    button.addEventListener('click', () => flTake(button.dataset).catch(error => {
      button.after(flElement('span', { role: 'alert' }, `The file could not be read (${error.message}).`));
    }));
  }
}
