// Connects a player to the app. The component is called again with each payload; its player stays.

import { flLanguage } from '../../draw/js/texts.js';
import { Player } from './player.js';

const flPlayers = new WeakMap(), flDecoder = new TextDecoder();

function flOpen(root) {
  const here = { component: null, data: null, language: flLanguage() };
  const run = () => here.player.payload.run;
  here.player = new Player(root, {
    rest: t => here.component.setStateValue('rest', { run: run(), t }),
    more: frames => here.component.setTriggerValue('more', { run: run(), frames }),
    speed: id => here.component.setStateValue('speed', id),
    ask: asked => here.component.setTriggerValue('ask', { run: run(), ...asked }),
    knob: turned => here.component.setTriggerValue('knob', { run: run(), ...turned }),
    film: () => here.component.setTriggerValue('film', true),
  });
  root.player = here.player;  // for tests, and for the curious at the console
  flPlayers.set(root, here);
  return here;
}

export default function (component) {
  const root = component.parentElement.querySelector('.fl-player');
  if (!root) return;
  const before = flPlayers.get(root), kept = before?.language === flLanguage();
  if (!kept) before?.player.destroy();
  const here = kept ? before : flOpen(root), { data } = component;
  here.component = component;  // its functions belong to the latest call
  if (data && data !== here.data) {
    here.data = data;
    here.player.update(JSON.parse(typeof data === 'string' ? data : flDecoder.decode(data)));
  }
  return () => setTimeout(() => {  // only once it is really gone, and after the last hover event
    if (root.isConnected) return;
    here.player.destroy();
    flPlayers.delete(root);
  }, 1000);
}
