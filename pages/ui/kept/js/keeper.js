// Stores the run that was kept last, once, and says so in a corner of the page for a moment.

import { flElement } from '../../draw/js/library.js';
import { toRuns } from './row.js';
import { keep, own } from './store.js';

const STAYS = 6000;  // ms

export default function (component) {
  const { entry, number } = component.data ?? {};
  if (!entry || own.kept === number) return;
  own.kept = number;
  const done = keep(entry);
  const words = own.problem || (done ? '' : 'This run could not be kept.') || (entry.reached === null ? 'Kept.' :
    `Kept with the values after ${entry.unit} ${entry.reached.toLocaleString()}, since the run is still computed. ` +
    'Keep it again once it is complete.');
  const said = flElement('p.fl-kept-said', { role: 'status' }, `${words} `, toRuns('Kept runs'));
  component.parentElement.querySelector('.fl-keeper').replaceChildren(said);
  setTimeout(() => said.remove(), own.problem ? 2 * STAYS : STAYS);
}
