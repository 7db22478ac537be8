// The cards of the home page: the gallery with its filter, and the parts.

import { flLength, flLink, flMake } from '../../lessons/shelf/js/starts.js';

export class Gallery {
  constructor(place, demos, open) {
    this.cards = demos.map(demo => ({ demo, item: this._card(demo, open) }));
    this.wanted = { group: '', level: '' };
    this.choices = {};
    this.count = flMake('p', 'fl-home-count');
    this.count.setAttribute('role', 'status');
    this.filter = flMake('div', 'fl-home-filter', this._choice('group', 'Topic', 'All topics', demos),
      this._choice('level', 'Level', 'All levels', demos), this.count);
    this.more = flMake('button', 'fl-home-more', `All ${demos.length} demos`);
    this.more.type = 'button';
    this.more.addEventListener('click', () => this._showAll());
    place.replaceChildren(this.filter, flMake('ul', 'fl-home-cards', ...this.cards.map(card => card.item)), this.more);
    this.filter.hidden = true;
    this._filter();
  }

  _card(demo, open) {
    const picture = flMake('span', 'fl-home-picture');
    picture.innerHTML = demo.picture;  // made by this project
    picture.setAttribute('aria-hidden', 'true');
    const id = `fl-home-${demo.id}`, name = flMake('span', 'fl-home-name', demo.title);
    const length = flMake('span', 'fl-home-length', flLength(demo)), text = flMake('span', 'fl-home-about', demo.text);
    const card = flLink('fl-home-card', demo, open, picture, flMake('span', 'fl-home-title', name, length), text);
    [name.id, length.id, text.id] = [`${id}-name`, `${id}-length`, `${id}-about`];
    card.setAttribute('aria-labelledby', `${name.id} ${length.id}`);
    card.setAttribute('aria-describedby', text.id);
    return flMake('li', '', card);
  }

  _choice(key, label, all, demos) {
    const values = ['', ...new Set(demos.map(demo => demo[key]))];
    const buttons = values.map(value => {
      const button = flMake('button', '', value || all);
      button.type = 'button';
      button.addEventListener('click', () => {
        this.wanted[key] = value;
        this._filter();
      });
      return button;
    });
    const group = flMake('div', 'fl-home-choice', ...buttons);
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', label);
    this.choices[key] = { values, buttons };
    return group;
  }

  // At first there are a few demos. All of them come with the filter, and what comes next has the focus.
  _showAll() {
    this.filter.hidden = false;
    this.more.remove();
    this._filter();
    this.cards.find(({ demo }) => !demo.first)?.item.firstChild.focus();
  }

  _filter() {
    let shown = 0;
    for (const { demo, item } of this.cards) {
      const unwanted = Object.entries(this.wanted).some(([key, value]) => value && demo[key] !== value);
      item.hidden = (this.filter.hidden && !demo.first) || unwanted;
      shown += Number(!item.hidden);
    }
    for (const [key, { values, buttons }] of Object.entries(this.choices)) {
      buttons.forEach((button, i) => button.setAttribute('aria-pressed', values[i] === this.wanted[key]));
    }
    const count = `${shown} demo${shown === 1 ? '' : 's'}`;
    this.count.textContent = shown ? count : 'No demo is both. Choose another level.';
  }
}

export function flParts(parts, open) {
  return parts.map(part => flMake('li', '', flLink('', part, open, part.title), part.text ? ` ${part.text}` : ''));
}
