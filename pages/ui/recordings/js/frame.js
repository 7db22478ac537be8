// Plays a recording in a frame of its own, which has no origin: whatever stands in the file reaches nothing but the
// frame, and the frame's page allows no address but that of plotly.js.

import { flBase, flElement } from '../../draw/js/library.js';

const flWords = new TextDecoder();

export default function (component) {
  const place = component.parentElement.querySelector('.fl-recording'), { data } = component;
  if (!place || !data || place.shown === data) return;
  place.shown = data;
  const page = typeof data === 'string' ? data : flWords.decode(data);
  const frame = flElement('iframe', { sandbox: 'allow-scripts', title: 'The recording', allowfullscreen: '' });
  frame.srcdoc = page.replaceAll('{base}', flBase());
  place.replaceChildren(frame);
}
