// Plays a recording without a server. The page has unpacked it: its payload, and the inspector's account of the marked
// steps.

import { flElement } from '../../draw/js/library.js';
import { flLone } from './lone.js';
import { flInScheme } from './scheme.js';
import { flTell } from './stories.js';

{
  const recording = /** @type {any} */ (globalThis).flRecording;
  const { colors } = document.getElementById('fl-recording').dataset;
  const root = document.querySelector('.fl-player') ?? document.body.appendChild(flElement('div'));
  const story = flElement('div.fl-story'), tell = t => flTell(story, recording, t);
  if (recording.stories.length) root.after(story);
  const player = flLone(root, { rest: tell });
  recording.payload = flInScheme(recording.payload, JSON.parse(colors));
  player.update(recording.payload);
  if (player.t === 0) tell(0);
}
