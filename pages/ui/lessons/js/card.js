// The view of one card. It is made when the card is opened; `show` then writes only what has changed.

import { flCount, flElement } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';
import { flHtml } from './asks.js';
import { flAsks } from './pad.js';

export class Card {
  back; lock; look; next; play; restart; resume; skip;  // buttons

  // act : what the person may do, see `Lesson`.
  constructor(root, lesson, index, act) {
    const card = this.card = lesson.cards[index], count = lesson.cards.length, last = index === count - 1;
    const button = (name, words, how = '') => {
      const made = flElement(`button.fl-c-button${how}`, { type: 'button', 'data-do': name }, words);
      made.addEventListener('click', () => { if (made.getAttribute('aria-disabled') !== 'true') act[name](); });
      return (this[name] = made);
    };
    const place = flSay('Card {number} of {count}', { number: index + 1, count });
    this.heading = flElement('h2', { tabindex: -1, id: 'fl-card-title' },
      flElement('span.fl-unseen', {}, `${place}: `), card.title);
    const bars = lesson.cards.map((_, i) => flElement(i <= index ? 'i.fl-c-past' : 'i'));
    const head = flElement('div.fl-c-head', {},
      flElement('span.fl-c-place', { 'aria-hidden': 'true' }, place),
      flElement('span.fl-c-progress', { 'aria-hidden': 'true' }, ...bars),
      button('resume', ''), button('restart', flSay('Start over')));
    const text = flHtml('div.fl-c-text', card.text);
    this.point = button('look', flSay('Show me where'), card.point?.startsWith('setting:') ? '.fl-c-below' : '');
    this.asked = flElement('div.fl-c-asked');
    this.run = flElement('div.fl-c-run', {}, button('play', '', '.fl-c-strong'), flElement('span.fl-c-small'));
    this.outcome = flElement('div.fl-c-outcome', { tabindex: -1 });
    this.class = flElement('div.fl-c-tally');
    this.final = flElement('div.fl-c-final');
    if (last) this.final.append(...this._final(lesson, act.link));
    this.joining = flElement('input', { type: 'checkbox', role: 'switch' });
    this.joining.addEventListener('change', () => act.join(this.joining.checked));
    this.code = flElement('span', {});
    const told = flSay('Only how often each answer was given is counted, without names, in the memory of this server.');
    this.join = flElement('label.fl-c-join', { title: told }, this.joining, this.code);
    this.hint = flElement('p.fl-c-small.fl-c-hint', { id: 'fl-card-hint' });
    const foot = this.foot = flElement('div.fl-c-foot', {}, button('back', flSay('Back')),
      button('skip', flSay('Skip')),
      last ? '' : button('next', flSay('Next'), '.fl-c-strong'));
    const all = act.link('lessons');
    if (last && all) foot.append(flElement('a.fl-c-button', { href: all }, flSay('All lessons')));
    this.said = flElement('div.fl-unseen', { 'aria-live': 'polite' });
    this.main = flElement('article.fl-card', { 'aria-labelledby': 'fl-card-title', lang: lesson.lang }, head, this.join,
      this.heading, text, this.point, this.asked, this.run, this.outcome, this.class, this.final, this.hint, foot,
      this.said);
    this.back.hidden = index === 0;
    if (card.ask) this._ask(card, act, button);
    root.replaceChildren(this.main);
  }

  // The question as a plain text.
  get question() {
    return this.fields?.firstChild.textContent.trim() ?? '';
  }

  _ask(card, act, button) {
    const kind = flAsks[card.ask.kind];
    const question = flHtml('legend', card.ask.question);
    question.id = `fl-question-${card.id}`;
    this.ask = new kind(card, () => act.changed(), act);
    this.fields = flElement('fieldset', {}, question, this.ask.main);
    this.asked.append(this.fields, button('lock',
      flSay(this.ask.draws ? 'Lock my curve' : 'Lock my answer'), '.fl-c-strong'));
  }

  // Links from here.
  _final(lesson, link) {
    const made = ({ text, href }) => {
      const there = flHtml('a', text);
      there.setAttribute('href', link(href));
      return flElement('li', {}, there);
    };
    const { free } = lesson, next = (lesson.next ?? []).filter(({ href }) => link(href)).map(made);
    const whole = free && link(free) ? [flElement('a.fl-c-button', { href: link(free) },
      flSay('Open the whole lab'))] : [];
    const list = [flElement('h3', {}, flSay(next.length > 1 ? 'Things to try' : 'To try')),
      flElement('ul', {}, ...next)];
    return [...(next.length ? list : []), ...whole];
  }

  // now : { value, draft, locked, played, playing, ready, done, hint, play, points, any, resume, compared, bars,
  // found, code, join }
  show(now) {
    const focus = document.activeElement, held = this.main.contains(focus);
    this._write(this.hint, now.done || !this.next ? '' : now.hint);
    if (this.next) this._able(this.next, now.done);
    this.next?.classList.toggle('fl-c-strong', now.done);
    this.skip.hidden = now.done || !this.next;
    this.restart.hidden = !now.any;
    this._write(this.resume, now.resume ? flSay('Go on at card {number}', { number: now.resume + 1 }) : '');
    this.resume.hidden = !now.resume;
    this.point.hidden = !now.points;
    this.run.hidden = !now.play;
    this._write(this.play, now.play);
    this._able(this.play, now.ready && !now.playing);
    this.play.classList.toggle('fl-c-strong', !now.played);
    this._write(this.run.lastChild, now.play && !now.ready ? flSay('The run is made ready …') : '');
    if (this.ask) {
      if (now.locked && !this.locked) this.ask.lock(now.value);
      this.locked = now.locked;
      this.lock.hidden = now.locked;
      this._able(this.lock, now.draft !== null);
    }
    this._outcome(now);
    this._tally(now);
    this.join.hidden = !now.code;
    this._write(this.code, flSay('Count my predictions in the class {code}', { code: now.code }));
    this.joining.checked = now.join;
    // what had the focus may be gone: it goes on to what is next
    const next = now.play && !now.played ? this.play : this.outcome;
    if (held && !focus.checkVisibility()) next.focus({ preventScroll: true });
  }

  _outcome({ compared, played, locked, found }) {
    if (found !== (this.found ?? '')) this.outcome.replaceChildren(flHtml('div.fl-c-text', this.found = found));
    if (!this.card.ask || !locked || !played) return;
    if (compared && !this.compared) {
      this.compared = true;
      this.outcome.prepend(flElement('h3', {}, compared.words), ...compared.parts);
    }
    if (!this.explained) this.outcome.append(flHtml('div.fl-c-text', this.card.ask.after));
    this.explained = true;
  }

  _tally({ bars }) {
    const now = JSON.stringify(bars);
    if (now === this.tallied) return;
    this.tallied = now;
    const all = bars.reduce((sum, { count }) => sum + count, 0), most = Math.max(1, ...bars.map(({ count }) => count));
    const row = ({ label, count }) => {
      const bar = flElement('i', { 'aria-hidden': 'true' });
      bar.style.setProperty('--fl-share', count / most);
      return flElement('li', {}, flElement('span', {}, label), bar, flElement('b', {}, flCount(count)));
    };
    this.class.replaceChildren(...(bars.length ? [flElement('h3', {}, flSay(all === 1
      ? 'What the class expected ({count} answer)' : 'What the class expected ({count} answers)',
      { count: flCount(all) })),
    flElement('ul', {}, ...bars.map(row))] : []));
  }

  say(words) {
    this.said.textContent = words;
  }

  _able(button, on) {
    button.setAttribute('aria-disabled', !on);
    if (button === this.next) button.setAttribute('aria-describedby', 'fl-card-hint');
  }

  _write(place, words) {
    if (place.textContent !== words) place.textContent = words;
  }
}
