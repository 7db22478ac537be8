// The targets that a link may name: a file of the app's own origin, or of a host that the operator allows, over TLS.

/** @param {string} url @param {string[]} hosts @param {string} here @returns {string} the address, '' for a refusal */
export function flAllowed(url, hosts, here) {
  let address;
  try {
    address = new URL(url, here);
  } catch {
    return '';
  }
  if (address.username || address.password) return '';
  if (address.origin === new URL(here).origin) return address.href;
  return address.protocol === 'https:' && hosts.includes(address.host) ? address.href : '';
}

/** All bytes of a stream, or null where there are more than `most`, of which the rest is not read.
 * @param {ReadableStream<Uint8Array>} stream @param {number} most */
export async function flBounded(stream, most) {
  const parts = [], reader = stream.getReader();
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      return null;
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
