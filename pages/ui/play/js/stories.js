// The inspector's words on the marked steps of a recording, where no server tells it. Its HTML this project has
// made, or has read strictly (pages/ui/recordings/texts.py).

import { flElement } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';

/** @param {HTMLElement} place @param {{ payload: any, stories: any[] }} recording @param {number} t */
export function flTell(place, { payload, stories }, t) {
  const told = ({ title, html }) => {
    const account = flElement('div');
    account.innerHTML = html;
    return [flElement('h2', {}, title), account];
  };
  const none = flSay('This file keeps the inspector of the marked {units}. N and P go from one to the next.',
    flUnits(payload.unit));
  const here = stories.filter(story => story.t === t);
  place.replaceChildren(...here.length ? here.flatMap(told) : [flElement('p', {}, none)]);
}
