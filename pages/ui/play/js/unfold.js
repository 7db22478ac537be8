// Opens recordings: their arrays stand behind their JSON as bytes (pages/ui/recordings/folding.py). Here they are again
// the texts in base 64 that the player reads.

import { flStream } from './unpack.js';

/** @param {Uint8Array<ArrayBuffer>} packed a recording, or the runs at the stops of a knob @returns {Promise<any>} */
export async function flOpened(packed) {
  return flUnfolded(new Uint8Array(await flStream(packed).arrayBuffer()));
}

/** @param {Uint8Array} plain */
export function flUnfolded(plain) {
  const end = plain.indexOf(0), text = new TextDecoder().decode(end < 0 ? plain : plain.subarray(0, end));
  if (end < 0) return JSON.parse(text);
  const rest = plain.subarray(end + 1), known = new Map();
  return JSON.parse(text, (_, value) => {
    if (typeof value !== 'string' || value[0] !== '=') return value;
    if (value[1] === '=') return value.slice(1);
    if (!known.has(value)) known.set(value, flBase64(rest, value.slice(1).split(' ').map(Number)));
    return known.get(value);
  });
}

// The bytes of an array in base 64. They lie so that the first ones of all numbers come first.
/** @param {Uint8Array} rest @param {number[]} place */
function flBase64(rest, [width, start, size]) {
  const bytes = new Uint8Array(size), count = size / width, letters = [];
  for (let k = 0; k < width; k += 1) {
    for (let i = 0; i < count; i += 1) bytes[i * width + k] = rest[start + k * count + i];
  }
  for (let i = 0; i < size; i += 0x8000) letters.push(String.fromCharCode(...bytes.subarray(i, i + 0x8000)));
  return btoa(letters.join(''));
}
