// Plays a recording without a server. The page holds the payload, with the inspector's texts of the marked steps.

import './scheme.js';
import { flElement } from '../../draw/js/library.js';
import { Player } from './player.js';

{
  const payload = JSON.parse(document.getElementById('fl-payload').textContent);
  const root = document.querySelector('.fl-player') ?? document.body.appendChild(flElement('div'));
  const stories = new Map((payload.stories ?? []).map(({ t, html }) => [t, html]));
  const story = flElement('div.fl-story');
  if (stories.size) root.after(story);
  const tell = t => {
    const none = `This file keeps the inspector of the marked ${payload.unit}s. N and P go from one to the next.`;
    if (stories.has(t)) story.innerHTML = stories.get(t);
    else story.replaceChildren(flElement('p', {}, none));
  };
  root.classList.add('fl-alone');
  const player = new Player(root, { alone: true, rest: tell, more() {}, speed() {}, film() {} });
  player.update(payload);
  if (player.t === 0) tell(0);
}
