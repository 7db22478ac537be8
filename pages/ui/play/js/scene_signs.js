// The signs of the scene, and the name of a learner above what it did.

import { flDrawing, flElement, flSigns } from '../../draw/js/library.js';

export const flSceneSigns = {
  star: flSigns.star,
  click: 'M3 .8l7.2 5.4-3.2.5 1.9 3.5-1.6.9-1.9-3.5L3 10z',
  cross: 'M2.2 1L6 4.8 9.8 1 11 2.2 7.2 6 11 9.8 9.8 11 6 7.2 2.2 11 1 9.8 4.8 6 1 2.2z',
  ring: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1zm0 1.9a3.1 3.1 0 1 0 0 6.2 3.1 3.1 0 0 0 0-6.2z',
  tick: 'M1 6.4l1.5-1.5 2.4 2.4 4.7-5.2L11 3.5l-6 6.8z',
  up: 'M6 2l4.5 7h-9z',
  dot: flSigns.dot,
  dice: 'M1 1h10v10H1zM3 3v1.8h1.8V3zm4.2 0v1.8H9V3zM5.1 5.1v1.8h1.8V5.1zM3 7.2V9h1.8V7.2zm4.2 0V9H9V7.2z',
};

export function flSceneSign(name) {
  const made = flDrawing(12, 12, {
    path: { d: flSceneSigns[name] ?? '', fill: 'currentColor', 'fill-rule': 'evenodd' },
  });
  made.classList.add('fl-s-sign');
  return made;
}

// The name of a learner above what it did, with its colour; short, as at the ends of the curves.
export function flSceneHead({ label, short, color }) {
  const line = { x1: 0, x2: 14, y1: 5, y2: 5, stroke: color, 'stroke-width': 4 };
  return flElement('div.fl-s-who', { title: label }, flDrawing(14, 10, { line }),
    flElement('span', {}, short || label));
}
