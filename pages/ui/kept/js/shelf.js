// The kept runs of one lab in a small list, in which a tick shows a run behind the present one.

import { flElement } from '../../draw/js/library.js';
import { address, spoken, toRuns, when } from './row.js';
import { all, listen, own, sameness, textOf } from './store.js';

// The differences from a kept run to the present one, in words; `named` has title and default of each setting.
function differences(then, now, named) {
  const value = (settings, key) => settings[key] ?? named[key]?.[1] ?? 'default';
  return Object.keys({ ...named, ...then }).filter(key => value(then, key) !== value(now, key)).map(key => spoken({
    title: named[key]?.[0] ?? key.replaceAll('_', ' '), then: value(then, key), now: value(now, key) }));
}

class Shelf {
  constructor(root) {
    this.component = null;
    this.said = flElement('p.fl-kept-small', { role: 'status' });
    this.list = flElement('ul');
    root.replaceChildren(this.said, this.list, toRuns('All kept runs: compare, tag, take away'));
  }

  draw() {
    const { page, behind, now, settings, most } = this.component.data;
    const stored = all().entries.filter(entry => entry.page === page)
      .map(entry => ({ ...entry, text: behind.find(b => sameness(b) === sameness(entry))?.text ?? textOf(entry) }));
    const linked = behind.filter(({ text }) => !stored.some(entry => entry.text === text));
    const ticked = new Set(behind.map(({ text }) => text));
    const rows = [...linked, ...stored].map(entry => {
      const differs = differences(entry.settings, now, settings).join(' · ') || 'The run that you see.';
      const words = [differs, ...(entry.tags ?? [])].join(' · ');
      const box = flElement('input', { type: 'checkbox', checked: ticked.has(entry.text) ? '' : null });
      box.addEventListener('change', () => this.tick(entry, box));
      const open = entry.id ? flElement('a', { href: address(entry), title: when(entry.last) }, 'Open') : null;
      return flElement('li', {}, flElement('label', {}, box, flElement('span', {}, words)), open);
    });
    this.rows = [...linked, ...stored];
    this.shown = ticked;
    this.most = most;
    this.list.replaceChildren(...rows);
    this.say(own.problem || (rows.length ? 'Tick runs to see their curves behind the present one.' :
      'Nothing is kept here yet. “Keep” stores the run that you see; change a setting, and compare.'));
  }

  tick(entry, box) {
    if (box.checked && this.shown.size >= this.most) {
      box.checked = false;
      this.say(`At most ${this.most} runs are shown behind another. Untick one first.`);
      return;
    }
    if (box.checked) this.shown.add(entry.text); else this.shown.delete(entry.text);
    this.component.setTriggerValue('behind', this.rows.filter(({ text }) => this.shown.has(text)));
  }

  say(words) { this.said.textContent = words; }
}

export default function (component) {
  const root = component.parentElement.querySelector('.fl-kept');
  if (!root) return;
  const fresh = !root.__shelf;
  const shelf = root.__shelf ??= new Shelf(root);
  shelf.component = component;
  shelf.draw();
  if (fresh) return listen(root, () => shelf.draw());
}
