// Connects a lesson to the app. The component is called again with each change of its data; its lesson stays.

import { flBase } from '../../draw/js/library.js';
import '../../draw/js/terms.js';
import { flStore } from './document.js';
import { Lesson } from './lesson.js';

const flLessons = new WeakMap();

function flBegin(root) {
  const here = { component: null };
  here.lesson = new Lesson(root, {
    card: index => here.component.setTriggerValue('card', index),
    answer: given => here.component.setTriggerValue('answer', given),
    hand: clicked => here.component.setTriggerValue('hand', clicked),
    link: flLink,
    store: flStore,
    report: told => dispatchEvent(new CustomEvent('fl-lesson', { detail: told })),
  });
  root.lesson = here.lesson;  // for tests, and for the curious at the console
  flLessons.set(root, here);
  return here;
}

// A link within the app, which may be served below a path. An embedded app stays embedded, and lessons their language.
function flLink(href) {
  const url = new URL(href, flBase());
  for (const [key, text] of new URLSearchParams(location.search)) {
    if (/^embed(_options)?$/i.test(key) || (key === 'lang' && href === 'lessons')) url.searchParams.append(key, text);
  }
  return url.href;
}

export default function (component) {
  const root = component.parentElement.querySelector('.fl-lesson');
  if (!root) return;
  const here = flLessons.get(root) ?? flBegin(root);
  here.component = component;  // its functions belong to the latest call
  if (component.data) here.lesson.update(component.data);
  return () => setTimeout(() => {  // only once it is really gone
    if (root.isConnected) return;
    here.lesson.destroy();
    flLessons.delete(root);
  }, 1000);
}
