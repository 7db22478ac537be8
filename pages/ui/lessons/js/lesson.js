// Plays a lesson: one card at a time asks, waits for the answer, lets the run play, compares and explains.
// document.js says what it is given, and to what it is connected.

import { flAddress, flCount, flNumber, flShared } from '../../draw/js/library.js';
import { flSay, flUnits } from '../../draw/js/texts.js';
import { Answers } from './answers.js';
import { Card } from './card.js';
import './document.js';
import { Hand } from './hand.js';
import { Pointer } from './pointer.js';
import { Sight } from './sight.js';

const FL_NUDGE = 1000;  // ms until the server is asked again for a number that it reads from the run

export class Lesson {
  /** @param {HTMLElement} root @param {import('./document.js').Host} host */
  constructor(root, host) {
    this.root = root;
    this.host = host;
    this.index = 0;
    this.sent = null;
    this.ready = false;
    this.arranged = false;
    this.playing = false;
    this.joined = false;
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.pointer = new Pointer(root, () => this.calm.matches);
    this.leaving = new AbortController();
    const { signal } = this.leaving, on = (name, act) => addEventListener(name, act, { signal });
    on('fl-moved', ({ detail }) => this._moved(detail));
    on('fl-event', () => this._did('event'));
    on('fl-scaled', () => this.data && this._over());
    root.addEventListener('keydown', event => this._key(event), { signal });
    this.sight = new Sight(root, () => this.calm.matches, () => this._return());
  }

  /** @param {import('./document.js').Given} data */
  update(data) {
    const fresh = data.lesson.id !== this.data?.lesson.id;
    this.data = data;
    if (fresh) {
      this.answers = new Answers(data.lesson, this.host.store);
      this.left = this.answers.place;  // where the person was when the lesson was opened before
      this.sent = null;
      const t = new URLSearchParams(location.search).get('t');
      this.opened = /^\d+$/.test(t ?? '') ? Number(t) : null;  // the step of a link that has just been opened
      this._open(data.card);
    } else if (this.sent === data.card) this.sent = null;  // the server has followed
    else if (this.sent === null && data.card !== this.index) this._open(data.card);
    this._sync();
  }

  get lesson() { return this.data.lesson; }
  get card() { return this.lesson.cards[this.index]; }
  get kept() { return this.answers.of(this.card); }
  get player() { return flShared.player?.payload && !flShared.player.gone ? flShared.player : null; }
  get locked() { return !this.card.ask || this.kept.value !== null; }

  // The step up to which the card plays.
  get goal() {
    const { card: { play, t }, player } = this, end = player?.payload.steps ?? Infinity;
    return Math.min(play ? play.to ?? end : t ?? end, end);
  }

  // Where it halts by itself; at the end it does so without being told.
  get stop() {
    const { to } = this.card.play ?? {}, { player } = this;
    return to === null || to === undefined || to >= (player?.payload.steps ?? Infinity) ? Infinity : to;
  }

  get done() {
    const { card, kept } = this, { done = 'read' } = card;
    if (card.ask && !(this.locked && kept.played)) return false;
    if (done === 'read' || done === 'answered') return true;
    return done === 'reached' ? kept.played : kept.done;
  }

  // ---- going from card to card

  _open(index, focus = false) {
    this._close();
    this.index = Math.min(Math.max(0, index), this.lesson.cards.length - 1);
    this.ready = false;
    this.arranged = false;
    this.playing = false;
    this.arrived = false;
    this.compared = null;
    this.asked = null;
    const act = Object.fromEntries(['lock', 'play', 'skip', 'next', 'back', 'restart', 'resume', 'look', 'changed']
      .map(name => [name, () => this[`_${name}`]()]));
    this.view = new Card(this.root, this.lesson, this.index, { ...act, say: words => this.view.say(words),
      calm: () => this.calm.matches, beside: () => this._beside, link: href => this.host.link(href),
      join: on => { this.joined = on; this._show(); } });
    if (this.card.hand) this.hand = new Hand(this.root, { clicked: clicked => this._clicked(clicked) });
    flAddress.write({ card: this.index ? this.index + 1 : null });
    if (focus) {
      this.answers.stand(this.index);
      this.left = this.index;
      this.view.heading.focus({ preventScroll: true });
      if (this._beside) this.sight.rise();
      else this.sight.reveal(this.view.main);
    }
  }

  _close() {
    this.pointer.clear();
    this.view?.ask?.leave?.();
    this.hand?.leave();
    this.hand = null;
    clearTimeout(this.nudging);
    const { player } = this;
    if (!player) return;
    flWait(player, false);
    player.root.classList.remove('fl-veiled');
    player.until = Infinity;
    if (player.playing) player.pause();
  }

  _go(index) {
    this._open(index, true);
    this.sent = this.index;
    this.host.card(this.index);
    this._sync();
  }

  _next() { this._go(this.index + 1); }
  _skip() { this._go(this.index + 1); }
  _back() { this._go(this.index - 1); }
  _resume() { this._go(this.left); }

  // Asks once more before it forgets the answers.
  _restart() {
    const { restart } = this.view;
    if (!restart.dataset.sure) {
      restart.dataset.sure = 'yes';
      restart.textContent = flSay('Forget my answers?');
      this.view.say(flSay('Press again to forget your answers and start over.'));
      return;
    }
    this.answers.forget();
    this._go(0);
  }

  // ---- what the card wants

  // Follows what the server and the player have become.
  _sync() {
    if (!this.data) return;
    const { player, data } = this;
    const here = data.card === this.index;
    this.ready = here && Boolean(player) && player.payload.run === data.run;
    if (this.ready && !this.arranged) this._arrange(player);
    if (here && data.run === null && !this.arranged) {  // a card without a player
      this.arranged = true;
      this.pointer.point(this.card.point);
    }
    if (here && this._changedAndPlayed) this._did(this.card.done);
    if (here && this.hand) this._hand(data.hand);
    if (this.locked && !this.card.play && this.card.ask && !this.kept.played) {
      this.answers.change(this.card, { played: true });  // nothing to play: it is explained at once
    }
    this._over();
    this._show();
    this._nudge();
  }

  // The lists of this card, as far as the person has clicked: in this browser they may be further than the host knows.
  _hand(now) {
    const { clicks } = this.kept, wanted = JSON.stringify(clicks);
    this.hand.stand(document.querySelector('.fl-hand'));
    const { tree, hand: { href } } = this.card, app = tree === undefined ? '' : this.host.link(href);
    if (tree === null) { this.hand.lead(app); return; }
    this.hand.app = app;
    const here = now && JSON.stringify({ lists: now.lists, then: now.then }) === wanted;
    if (here) this.hand.show(now);
    else if (this.asked !== wanted) {
      this.asked = wanted;
      this.host.hand(clicks);
    }
    if (here && now.lists.length >= now.of) this._did('clicked');
  }

  _clicked(clicks) {
    this.answers.change(this.card, { clicks });
    this._sync();
  }

  // Whether the person has changed the setting for which the card waits, and has seen what comes of it.
  get _changedAndPlayed() {
    const { card, data, player } = this, [what, key] = (card.done ?? '').split(':');
    if (what !== 'changed' || !data.changed?.includes(key)) return false;
    return !card.play || (this.ready && player.t >= this.goal);
  }

  // Sets the player to where the card begins, or to what came out if it was played before.
  _arrange(player) {
    const { card, kept, goal } = this;
    this.arranged = player.guided = true;
    if (player.playing) player.pause();
    // where a card plays or asks, events show when the playhead has come to them, unless the card points at them
    const veiled = Boolean(card.play || card.ask) && !/^(event|timeline)/.test(card.point ?? '');
    player.root.classList.toggle('fl-veiled', veiled);
    const begin = card.t ?? (card.play && (card.ask || player.t >= goal) ? 0 : null);
    if (card.play?.speed && player.payload.speeds.includes(card.play.speed)) player.setSpeed(card.play.speed);
    // a link opens at its step, unless that would show what a question asks
    const opened = this.locked ? this.opened : null;
    this.opened = null;
    player.go(opened ?? (kept.played && card.play ? goal : begin ?? player.t));
    this._arm(player);
    const over = card.ask?.kind === 'curve' ? `chart:${card.ask.chart}` : null;
    this.pointer.point(card.point ?? over, player.payload.page, card.play?.to ?? card.t ?? player.t);
  }

  // While a question is open nothing plays; then the run plays up to where the card wants it.
  _arm(player) {
    flWait(player, Boolean(this.card.play) && !this.locked);
    player.until = this.locked && !this.kept.played ? this.stop : Infinity;
  }

  // Lays the drawn curve over its chart.
  _over() {
    if (this.ready) this.view.ask?.sync?.(this.player, this.kept.value);
  }

  _changed() {
    this._show();
  }

  _lock() {
    const { card, view, data } = this, value = view.ask?.draft ?? null;
    if (value === null) { view.say(view.ask.wanting); return; }
    this.answers.change(card, { value });
    if (this.joined && data.code && card.ask.kind !== 'curve') this.host.answer({ card: card.id, value });
    view.say(flSay('Your answer is locked.'));
    if (this.player && this.ready) this._arm(this.player);
    this._sync();
    if (card.play) view.play.focus({ preventScroll: true });
  }

  _play() {
    const { player, card, goal } = this;
    if (!player || !this.ready || !this.locked) return;
    if (player.t >= goal) player.seek(card.t ?? 0);
    player.until = this.stop;
    this.playing = true;
    player.play();
    if (!this._beside) this._down(player);
    this._show();
  }

  get _beside() {
    return this.sight.beside(this.player?.root);
  }

  // On a narrow page what plays lies below the card.
  _down(player) {
    const chart = this.card.ask?.chart, grid = player.root.querySelector('.fl-grid');
    const place = this.pointer.element ?? (chart && grid?.querySelector(`[data-chart="${CSS.escape(chart)}"]`))
      ?? player.root.querySelector('.fl-scene') ?? grid;
    if (place) this.sight.reveal(place, true);
  }

  _look() {
    this.pointer.show();
  }

  _moved({ t, state, played, run }) {
    if (!this.data) return;
    if (!this.ready) { this._sync(); return; }  // which moves the playhead to where the card begins
    if (run !== this.player?.payload.run) return;
    const { card } = this;
    this.playing = false;
    if (state === 'paused' && played) this._did('paused');
    if ((card.play || card.done === 'reached') && this.locked && !this.kept.played && this.goal <= t) {
      this.answers.change(card, { played: true });
      this.arrived = true;
    }
    this._sync();
  }

  // The person has done what a card may wait for.
  _did(what) {
    if (!this.data || this.card.done !== what || this.kept.done) return;
    this.answers.change(this.card, { done: true });
    this._show();
    this.view.say(flSay('You can go on to the next card.'));
  }

  // The number that came out is known only to the server, which may still compute.
  _nudge() {
    clearTimeout(this.nudging);
    const { card, kept, data } = this;
    const wanted = card.found ? kept.done : card.ask?.kind === 'number' && kept.played;
    if (!wanted || Number.isFinite(data.truths?.[card.id])) return;
    this.nudging = setTimeout(() => {
      if (!document.hidden) this.host.card(this.index);
      this._nudge();
    }, FL_NUDGE);
  }

  // ---- what is seen

  _show() {
    const { card, kept, data, view, player, locked } = this, { played } = kept, value = locked ? kept.value : null;
    const compared = card.ask && locked && played ? this.compared ??= view.ask.compare(value, data.truths?.[card.id],
      player, this.goal) : null;
    const tally = locked && card.ask && this.joined && data.tally?.[card.id];
    view.show({
      value, locked: Boolean(card.ask) && locked, played, playing: this.playing, ready: this.ready, done: this.done,
      draft: view.ask?.draft ?? null, hint: this._hint(), play: card.play && locked ? this._playWords(played) : '',
      points: Boolean(card.point), any: this.answers.any, resume: !this.index && this.left > 0 ? this.left : 0,
      compared, bars: tally ? view.ask.tally(tally) : [], found: this._found, code: data.code ?? '', join: this.joined,
    });
    this._report(compared);
    if (this.arrived && (compared || !card.ask)) {
      this.arrived = false;
      if (this._beside) this.sight.conclude(view);
      view.say([compared?.spoken, view.outcome.textContent.slice(compared?.words.length ?? 0),
        this.done ? flSay('You can go on to the next card.') : ''].filter(Boolean).join(' '));
    }
  }

  // Tells a course of an answer once, when it has been compared with what came out, and of the end once.
  _report(compared) {
    const { card, kept, answers, host } = this;
    if (compared && kept.points === null) {
      const { points, response } = compared, { kind } = card.ask;
      answers.change(card, { points });
      const { question } = this.view;
      host.report({ kind: 'answered', card: card.id, ask: kind, question, value: kept.value, response,
        right: points === 1, points });
    }
    if (this.index + 1 < this.lesson.cards.length || !this.done || answers.completed) return;
    answers.complete();
    host.report({ kind: 'completed', ...answers.score });
  }

  // The card's words on the run as the person has set it, in HTML.
  get _found() {
    const { card, kept, data } = this, value = data.truths?.[card.id];
    if (!card.found || !kept.done || !Number.isFinite(value)) return '';
    return card.found.replace('{}', flNumber(value, '.4g'));
  }

  _playWords(played) {
    const { player, playing, stop } = this, { unit } = flUnits(player?.payload.unit ?? 'step');
    const to = { unit, t: stop === Infinity ? '' : flCount(this.goal) };
    if (playing) return flSay(stop === Infinity ? 'Playing to the end …' : 'Playing to {unit} {t} …', to);
    if (played) return flSay(stop === Infinity ? 'Play again to the end' : 'Play again to {unit} {t}', to);
    return flSay(stop === Infinity ? 'Play to the end' : 'Play to {unit} {t}', to);
  }

  // The tasks that are left.
  _hint() {
    const { card, kept } = this, left = card.hand ? card.hand.queries - kept.clicks.lists.length : 0;
    if (card.ask && !this.locked) return flSay('Answer first. Then you see what happens.');
    if (card.ask && !this.kept.played) return flSay('Play it, and see what comes out.');
    return {
      reached: flSay('Play it to go on.'), paused: flSay('Play, and pause the run, to go on.'),
      event: flSay('Jump to a marked event to go on: press N, or the button “Next event”.'),
      clicked: left === 1 ? flSay('Judge one more query to go on.')
        : left > 0 ? flSay('Judge {left} more queries to go on.', { left }) : '',
    }[card.done] ?? flSay(card.play ? 'Change the setting, and play it, to go on.' : 'Change the setting to go on.');
  }

  _return() {
    this.sight.come(this.kept.played && this.card.ask ? this.view.outcome : this.view.heading);
  }

  // On the heading, Enter does what is next, and the arrow keys turn the cards.
  _key(event) {
    const { view } = this;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== view.heading && event.target !== view.outcome) return;
    const usable = button => button?.checkVisibility() && button.getAttribute('aria-disabled') !== 'true';
    const onward = [view.lock, this.kept.played ? null : view.play, view.next];
    const wanted = { Enter: onward, ArrowRight: [view.next], ArrowLeft: [view.back] }[event.key];
    if (!wanted) return;
    event.preventDefault();
    wanted.find(usable)?.click();
  }

  destroy() {
    this._close();
    this.leaving.abort();
    this.sight.destroy();
  }
}

// While a lesson waits for an answer, the controls of the player do nothing.
function flWait(player, on) {
  player.waits = player.bar.inert = on;
  player.root.classList.toggle('fl-waits', on);
}
