// Opens what gzip has packed.

/** @param {Uint8Array<ArrayBuffer>} packed */
export function flStream(packed) {
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
}

/** @param {Uint8Array<ArrayBuffer>} packed @returns {Promise<string>} */
export function flUnpacked(packed) {
  return flStream(packed).text();
}
