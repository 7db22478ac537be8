// Connects cards that a click marks to the app. The marks are kept in the browser and sent as a whole, so that no fast
// click is lost. What the server says counts again once the last click is a second old.

import { flCards } from './marks.js';

export default function (component) {
  const grid = component.parentElement.querySelector('.fl-cards');
  flCards(grid, component.data, places => component.setTriggerValue('judged', places.join(',') || 'none'));
}
