// Writes the settings of a page into its address, and keeps what the browser and others have put there. What comes
// after a person has gone back from the page is not written into the address of another.

import { isTrackingKey } from './tracking.js';

export default function (component) {
  const { link, kept, page } = component.data, now = new URLSearchParams(location.search);
  if (location.pathname.split('/').findLast(Boolean) !== page) return;
  const wanted = new URLSearchParams(link);
  for (const key of kept) if (now.has(key)) wanted.set(key, now.get(key));
  for (const [key, text] of now) if (isTrackingKey(key)) wanted.append(key, text);
  const text = wanted.size ? '?' + wanted : '';
  if (text !== location.search) {
    history.replaceState(history.state, '', location.pathname + text + location.hash);
  }
}
