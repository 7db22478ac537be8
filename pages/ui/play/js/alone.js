// Plays a recording without a server. The page has unpacked it: its payload, and the inspector's account of the marked
// steps, whose HTML this project has made, or has read strictly (pages/ui/recordings/texts.py).

import './scheme.js';
import { flAxes } from './axes.js';
import { flElement } from '../../draw/js/library.js';
import { Player } from './player.js';

{
  const { payload, stories } = /** @type {any} */ (globalThis).flRecording;
  const root = document.querySelector('.fl-player') ?? document.body.appendChild(flElement('div'));
  const story = flElement('div.fl-story');
  if (stories.length) root.after(story);
  const told = ({ title, html }) => {
    const account = flElement('div');
    account.innerHTML = html;
    return [flElement('h2', {}, title), account];
  };
  const tell = t => {
    const none = `This file keeps the inspector of the marked ${payload.unit}s. N and P go from one to the next.`;
    const here = stories.filter(story => story.t === t);
    story.replaceChildren(...here.length ? here.flatMap(told) : [flElement('p', {}, none)]);
  };
  root.classList.add('fl-alone');
  const library = /** @type {any} */ (globalThis).Plotly ? null : flAxes;
  const player = new Player(root, { alone: true, library, rest: tell, more() {}, speed() {}, film() {} });
  player.update(payload);
  if (player.t === 0) tell(0);
}
