// The component of the home page. It is drawn once; the page never changes while it is open.

import { isTrackingKey } from '../../form/js/tracking.js';
import { flStarts } from '../../lessons/shelf/js/starts.js';
import { flGallery } from './cards.js';
import { Moving } from './moving.js';

export default function (component) {
  const { data, parentElement } = component, root = parentElement.querySelector('.fl-home');
  const now = JSON.stringify(data);
  here.component = component;
  if (root.dataset.drawn === String(now.length) && here.now === now) return here.leave;
  here.now = now;
  root.dataset.drawn = now.length;
  const open = key => here.component.setTriggerValue('open', key);
  const place = name => root.querySelector(`.fl-home-${name}`);
  here.moving?.destroy();
  here.moving = new Moving(place('moving'), data.moving);
  root.querySelector('.fl-starts').replaceChildren(...flStarts(data.starts, open));
  flGallery(place('gallery'), data.demos, open);
  flTidyAddress();
  here.leave = () => here.moving?.destroy();
  return here.leave;
}

const here = {};

// The query of the page that was opened from here stays in this page's address; it is of no use on the way back.
function flTidyAddress() {
  const query = new URLSearchParams(location.search);
  for (const key of [...query.keys()]) if (!isTrackingKey(key)) query.delete(key);
  const text = query.size ? `?${query}` : '';
  if (text !== location.search) history.replaceState(history.state, '', location.pathname + text + location.hash);
}
