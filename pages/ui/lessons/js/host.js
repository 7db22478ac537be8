// Connects a lesson to the app. The component is called again with each change of its data; its lesson stays.

import '../../draw/js/terms.js';
import { Lesson } from './lesson.js';

const flLessons = new WeakMap();

function flBegin(root) {
  const here = { component: null };
  here.lesson = new Lesson(root, {
    card: index => here.component.setTriggerValue('card', index),
    answer: given => here.component.setTriggerValue('answer', given),
  });
  root.lesson = here.lesson;  // for tests, and for the curious at the console
  flLessons.set(root, here);
  return here;
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
