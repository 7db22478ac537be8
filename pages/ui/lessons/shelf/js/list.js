// The component of the list of lessons.

import { flStarts } from './starts.js';

export default function (component) {
  const { data, parentElement } = component, list = parentElement.querySelector('.fl-starts');
  const now = JSON.stringify(data);
  list.component = component;  // its functions belong to the latest call
  if (list.drawn === now) return;
  list.drawn = now;
  list.replaceChildren(...flStarts(data.starts, key => list.component.setTriggerValue('open', key)));
}
