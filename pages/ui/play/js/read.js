// Reads the files of an edition, which a page names by addresses relative to itself. Where the page was opened from a
// disk nothing can be fetched: there a script beside the file, whose name has `.js` in addition, puts the file in base
// 64 into `flFiles`, under its address. The same happens where a server gives the file to nobody.

import { flElement } from '../../draw/js/library.js';
import { flBytes } from './packed.js';

/** @param {string} address @returns {Promise<string>} what the file holds, unpacked */
export async function flReadText(address) {
  const disk = location.protocol === 'file:';
  const bytes = await (disk ? flRegistered(address) : flFetched(address).catch(() => flRegistered(address)));
  const plain = new Blob([bytes]).stream(), packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return new Response(packed ? plain.pipeThrough(new DecompressionStream('gzip')) : plain).text();
}

async function flFetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the answer was ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function flRegistered(address) {
  const all = (/** @type {any} */ (globalThis).flFiles ??= {});
  if (!all[address]) await new Promise((done, failed) => {
    const tag = flElement('script', { src: `${address}.js` });
    tag.addEventListener('load', done);
    tag.addEventListener('error', () => failed(new Error('it is not there')));
    document.head.append(tag);
  });
  return flBytes(all[address]);
}
