// Writes the settings of a page into its address, and keeps what the browser and others have put there.

import { isTrackingKey } from './tracking.js';

export default function (component) {
  const { link, kept } = component.data, now = new URLSearchParams(location.search);
  const wanted = new URLSearchParams(link);
  for (const key of kept) if (now.has(key)) wanted.set(key, now.get(key));
  for (const [key, text] of now) if (isTrackingKey(key)) wanted.append(key, text);
  const text = wanted.size ? '?' + wanted : '';
  if (text !== location.search) {
    history.replaceState(history.state, '', location.pathname + text + location.hash);
  }
}
