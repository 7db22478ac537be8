// Reads the files of an edition, which a page names by addresses relative to itself. Each is a script that holds the
// bytes of a packed file in a text, a character of windows-1252 for each (pages/ui/static/store.py). A page fetches the
// script and takes the bytes out, so that it does not matter what character set a server names. A page from a disk may
// fetch nothing, nor may one in a frame without an origin: there the script runs.

import { flUnpacked } from './unpack.js';

const FL_BEFORE = 'document.currentScript.packed="', FL_AFTER = '";\n';
const FL_ESCAPED = { 110: 10, 114: 13 };  // n and r after \ stand for a new line and a return, \ and " for themselves

/** @param {string} address @returns {Promise<string>} what the file holds, unpacked */
export async function flReadText(address) {
  return flUnpacked(await flRead(address));
}

/** @param {string} address @returns {Promise<Uint8Array<ArrayBuffer>>} the packed file */
export function flRead(address) {
  return location.protocol === 'file:' ? flRan(address) : flFetched(address).catch(() => flRan(address));
}

// Runs code that has been unpacked.
export function flRun(code) {
  const tag = document.createElement('script');
  tag.textContent = code;
  document.head.append(tag);
}

/** @param {Uint8Array} script @returns {Uint8Array<ArrayBuffer>} the bytes that it holds */
export function flTakenOut(script) {
  const bytes = new Uint8Array(script.length), end = script.length - FL_AFTER.length;
  let size = 0;
  for (let i = FL_BEFORE.length; i < end; i += 1) {
    const escaped = script[i] === 0x5c;
    if (escaped) i += 1;
    bytes[size] = (escaped && FL_ESCAPED[script[i]]) || script[i];
    size += 1;
  }
  return bytes.slice(0, size);
}

async function flFetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the answer was ${answer.status}`);
  const script = new Uint8Array(await answer.arrayBuffer());
  const begins = String.fromCharCode(...script.subarray(0, FL_BEFORE.length));
  if (begins !== FL_BEFORE) throw new Error('the answer was something else');
  return flTakenOut(script);
}

async function flRan(address) {
  const tag = document.createElement('script');
  Object.assign(tag, { src: address, charset: 'windows-1252' });
  await new Promise((done, failed) => {
    tag.addEventListener('load', done);
    tag.addEventListener('error', () => failed(new Error('it is not there')));
    document.head.append(tag);
  });
  tag.remove();
  return flBytesOf(/** @type {any} */ (tag).packed);
}

function flBytesOf(text) {
  const all = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const byte = new Map(Array.from(all, (letter, i) => [letter, i]));
  return Uint8Array.from(text, letter => byte.get(letter));
}
