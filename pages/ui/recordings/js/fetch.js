// Fetches the recording that a link names, in the browser of the person who opened it and with what that person may
// see; the server fetches nothing. It reads the file and refuses what is none.

import { flAllowed, flBounded } from './allowed.js';

// The file in base 64, or why there is none.
async function flFetch(url, hosts, most) {
  const address = flAllowed(url, hosts, location.href);
  if (!address) return { problem: 'host' };
  try {
    const how = /** @type {RequestInit} */ ({ credentials: 'same-origin', redirect: 'error' });
    const answer = await fetch(address, { ...how, referrerPolicy: 'no-referrer' });
    if (!answer.ok) return { problem: 'absent', status: answer.status };
    const bytes = await flBounded(answer.body, most);
    if (!bytes) return { problem: 'large' };
    let text = '';
    for (let i = 0; i < bytes.length; i += 32_768) text += String.fromCharCode(...bytes.subarray(i, i + 32_768));
    return { file: btoa(text) };
  } catch {
    return { problem: 'network' };
  }
}

export default function (component) {
  const place = component.parentElement.querySelector('.fl-fetch'), { url, hosts, most } = component.data;
  if (!place || place.asked === url) return;
  place.asked = url;
  flFetch(url, hosts, most).then(found => component.setTriggerValue('got', { url, ...found }));
}
