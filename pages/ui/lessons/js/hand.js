// A card on which the person is the user: lists to click, the simulated user that goes on, and what came out.

import { flCards } from '../../answer/js/marks.js';
import { flCount, flElement } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';
import { flAxes } from '../../play/js/axes.js';
import { flHtml } from './asks.js';
import './document.js';

// The topic that a person looks for, in HTML. The topics of digits are called in the language of the page; names stay.
export function flWanted({ of, what: told }) {
  const what = told.replace(/^<em>digit (\d)<\/em>$/, (_, digit) => `<em>${flSay('digit {digit}', { digit })}</em>`);
  return { user: flSay('You stand in for {what}.', { what }), topic: flSay('You look for {what}.', { what }),
    query: flSay('Your query is {what}.', { what }) }[of] ?? '';
}
const flSearchCount = number => flSay(number === 1 ? '1 search' : '{number} searches', { number: flCount(number) });
const flClickCount = number => flSay(number === 1 ? '1 click' : '{number} clicks', { number: flCount(number) });

const flColors = ['text-color', 'background-color', 'primary-color', 'border-color'].map(name => `--st-${name}`);

export class Hand {
  // root : the card, which knows the colours of the page. act : { clicked({ lists, then }) }
  constructor(root, act) {
    this.root = root;
    this.act = act;
    this.app = '';  // address where the app does this card, if this is not the app
    this.main = flElement('section.fl-searches', { 'aria-label': flSay('You are the user') });
    this.shown = '';
    addEventListener('resize', this.redraw = () => this._curve());
  }

  // Stands in a place of the page, which may be made anew.
  stand(place) {
    if (place && this.main.parentElement !== place) place.replaceChildren(this.main);
    const colors = getComputedStyle(this.root);
    for (const name of flColors) this.main.style.setProperty(name, colors.getPropertyValue(name));
  }

  // Where nothing was recorded, the card can be done elsewhere. href : '' for nowhere.
  lead(href) {
    const there = href ? flElement('a.fl-c-button.fl-c-strong', { href }, flSay('Do it on the server'))
      : flElement('p', {}, flSay(
        'This card needs the app, which computes what your clicks teach. You can go on without it.'));
    if (!this.main.children.length) this.main.append(there);
  }

  /** @param {import('./document.js').Searches | null} now */
  show(now) {
    const text = JSON.stringify(now);
    if (text === this.shown) return;
    this.shown = text;
    const held = this.main.contains(document.activeElement);
    this.now = now;
    this.plot = null;
    this.main.setAttribute('aria-busy', String(!now));
    if (!now) {
      this.main.replaceChildren(flElement('p.fl-s-small', {}, flSay('The lists are made ready …')));
      return;
    }
    const { lists, then } = now, parts = now.list ? this._ask(now) : then ? this._told(now) : this._answered(now);
    const there = this.app && flElement('a', { href: this.app }, flSay('In the app every click counts.'));
    if (now.counts) parts.push(flElement('p.fl-s-small', {}, [flSay('This page has no server.'),
      flSay('Three ways to click were recorded for each list: all that you look for, others, and nothing.'),
      flSay('Your clicks count as the first if at least half of them are what you look for.'), ''].join(' '), there));
    if (lists.length) {
      parts.push(flElement('p.fl-s-tools', {},
        this._button(flSay(then ? 'Undo the searches of the simulated user' : 'Undo the last list'), 'undo',
          () => this._go(then ? lists : lists.slice(0, -1), false)),
        this._button(flSay('Begin anew'), 'anew', () => this._go([], false))));
    }
    this.main.replaceChildren(...parts);
    this._curve();
    if (held) this.heading.focus({ preventScroll: true });
  }

  _go(lists, then) {
    this.main.setAttribute('aria-busy', 'true');
    for (const button of this.main.querySelectorAll('button')) button.setAttribute('aria-disabled', 'true');
    this.act.clicked({ lists, then });
  }

  _button(words, name, act, how = '') {
    const made = flElement(`button.fl-c-button${how}`, { type: 'button', 'data-hand': name }, words);
    made.addEventListener('click', () => { if (made.getAttribute('aria-disabled') !== 'true') act(); });
    made.addEventListener('keydown', event => event.stopPropagation());  // Space is a click here, not Play
    return made;
  }

  _heading(...parts) {
    return (this.heading = flElement('p.fl-s-task', { tabindex: '-1' }, ...parts));
  }

  _ask({ list, lists, of, wanted }) {
    const number = lists.length + 1, last = number === of, grid = flElement('div.fl-cards', { role: 'group',
      'aria-label': flSay('List {number} of {of}', { number, of }) });
    let marks = [];
    flCards(grid, { cards: list.map((face, i) => ({ ...face, place: i + 1, chosen: false })), mark: flSay('clicked'),
      what: flSay('rank') }, places => { marks = places; });
    const next = this._button(flSay(last ? 'Done' : 'Next list'), 'next', () => this._go([...lists, marks], false),
      '.fl-c-strong');
    return [this._heading(
      flElement('strong', {}, flSay('You are the user. Search {number} of {of}.', { number, of })), ' ',
      flHtml('span', wanted ? flWanted(wanted) : ''), ' ',
      flSay('Read the list from the top and click what you would open. Then ask for the next list.')), grid, next];
  }

  _clicks({ lists }) {
    return lists.reduce((sum, places) => sum + places.length, 0);
  }

  _answered(now) {
    const { lists, more } = now;
    return [this._heading([
      flSay('You answered {searches} with {clicks}.', { searches: flSearchCount(lists.length),
        clicks: flClickCount(this._clicks(now)) }),
      flSay('Below is your first list, before and after.'),
      flSay('Now let the simulated user answer the next searches.')].join(' ')),
      this._button(flSay('Let {more} more run', { more: flCount(more) }), 'then', () => this._go(lists, true),
        '.fl-c-strong'),
      ...this._compared(now, flSay('The same documents after your searches'))];
  }

  _told(now) {
    const { lists, more, chart, map } = now;
    const all = { searches: flSearchCount(lists.length + more) }, own = { searches: flSearchCount(lists.length) };
    const parts = [this._heading(flSay('You answered the first {searches}, and the simulated user the next {more}.',
      { ...own, more: flCount(more) })), ...this._compared(now, flSay('The same documents after {searches}', all))];
    if (chart) {
      this.plot = flElement('div.fl-plot', { role: 'figure', 'aria-label': chart.title });
      this.plot.style.height = `${chart.layout.height}px`;
      parts.push(flElement('h3.fl-s-title', {}, chart.title), this.plot,
        flElement('p.fl-s-small', {}, flSay('Searches 1 to {own} were yours.', { own: flCount(lists.length) })));
    }
    const caption = flSay('what the learner has found out');
    if (map) parts.push(flElement('div.fl-maps', {}, flElement('figure', {}, flElement('img', { src: map.image,
      alt: caption }), caption)));
    return parts;
  }

  _compared({ first }, now) {
    if (!first) return [];
    return [[flSay('Your first list, as it was shown'), first.before], [now, first.after]]
      .flatMap(([words, list]) => [flElement('p.fl-s-small', {}, words), this._strip(list)]);
  }

  _strip(list) {
    const made = list.map(({ image, label, grade }, i) => {
      const face = image ? flElement('img', { alt: '', src: image }) : flElement('b', {}, label);
      const card = flElement(grade > 0 ? 'div.fl-doc.shaded' : 'div.fl-doc', { title: grade > 0
        ? flSay('what you look for') : null }, flElement('small', {}, String(i + 1)), face);
      card.style.setProperty('--share', `${Math.round(55 * (grade ?? 0))}%`);
      return card;
    });
    return flElement('div.fl-strip', {}, ...made);
  }

  _curve() {
    if (!this.plot?.isConnected) return;
    const { data, layout } = this.now.chart;
    if (this.plot.heard) flAxes.react(this.plot, data, layout);
    else flAxes.newPlot(this.plot, data, layout);
  }

  leave() {
    removeEventListener('resize', this.redraw);
    this.main.remove();
  }
}
