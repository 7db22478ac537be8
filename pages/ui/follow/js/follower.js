// A student's page: it goes where the teacher's is, and plays what the teacher's plays, until the student leaves.

import { flAddress } from '../../draw/js/library.js';
import { flPlace } from './place.js';
import { FollowWire } from './wire.js';

export const FL_TICK = 100;  // ms between two looks at one's own page
const FL_LATE = 3000;  // ms until a missing teacher is spoken of
const FL_DRIFT = 0.4;  // seconds of playing by which two pages may differ
const FL_LED = '[data-testid=stSidebarUserContent], .st-key-settings-bar, .fl-bar, .fl-film, ' +
  '[data-testid=stHeader] nav, [class*="-tries"]';

export class Follower {
  constructor(data, bar, act) {
    this.data = data;
    this.bar = bar;
    this.act = act;
    this.view = null;
    this.notes = '{}';
    this.away = false;
    this.ended = false;
    this.there = null;
    this.tried = '';
    const show = () => this.tick();
    this.wire = new FollowWire(data.code, { join: true }, message => this._hear(message), show);
    this.looking = setInterval(show, FL_TICK);
    this.tick();
  }

  get live() { return Boolean(this.wire?.open && this.view && !this.away && !this.ended); }

  _hear(message) {
    if (message.ended) { this.ended = true; this.wire.close(); }
    if ('away' in message) {
      this.away = message.away;
      this.since = performance.now();
    }
    if (message.notes) this.notes = JSON.stringify(message.notes);
    if (message.view) {
      this.view = message.view;
      this.heard = performance.now() - 1000 * message.age;
      this.fresh = true;
    }
    this.tick();
  }

  tick() {
    if (this.gone) return;
    this._lead(this.live);
    if (this.live) {
      this._go();
      this._steer(flPlace.player);
      if (!new URLSearchParams(location.search).has('follow')) flAddress.write({ follow: this.data.code });
    }
    this.show();
  }

  // While the teacher leads, these do nothing.
  _lead(on) {
    const { player } = flPlace;
    if (player) player.led = on;
    if (!on && !this.led) return;
    this.led = on;
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(FL_LED))) {
      if (part.inert !== on) part.inert = on || Boolean(part === player?.bar && player.waits);
    }
  }

  // Goes to the teacher's page and settings.
  _go() {
    const { data, notes, view: { page, link } } = this;
    const now = JSON.stringify([page, link, notes]);
    if (now === this.there) return;
    const first = this.there === null, here = flPlace.link([...data.own, ...data.played]);
    this.there = now;
    if (first && notes === '{}' && page === flPlace.page && flPlace.same(link, here)) return;
    this.act('moved', () => {
      const t = Math.floor(this.view.t);
      if (this.view.page === flPlace.page) flPlace.settle(this.view.link, data.own, { t, follow: data.code });
      return { t };
    });
  }

  // Lets the player do what the teacher's does.
  _steer(player) {
    const { view } = this;
    if (!player || view.page !== flPlace.page) return;
    player.slow = view.slow;
    if (player.strip && player.strip.replicate !== view.single && player.strip.film) player.strip.choose(view.single);
    if (player.speed !== view.speed && player.payload.speeds.includes(view.speed)) player.setSpeed(view.speed);
    if (view.playing) this._play(player);
    else this._rest(player);
    this.fresh = false;
  }

  _play(player) {
    const { view } = this, rate = view.speed === 'max' ? Infinity : Number(view.speed);
    if (this.fresh && Number.isFinite(rate)) {
      const late = (performance.now() - this.heard) / 1000, t = view.t + (view.slow ? 0 : late * rate);
      if (Math.abs(player.t - t) > Math.max(2, FL_DRIFT * rate)) player.seek(t);
    }
    if (!player.playing && (this.fresh || !player._ended())) player.play();
  }

  // Goes to the teacher's step, once for each state of one's own run.
  _rest(player) {
    const { payload } = player, t = Math.min(this.view.t, payload.steps), here = Math.floor(player.goal ?? player.t);
    if (player.playing) player.pause();
    if (here === t) return;
    const now = [t, here, payload.run, payload.opened, payload.reached].join();
    if (now === this.tried) return;
    this.tried = now;
    player.go(t);
  }

  show() {
    const { code, problem } = this.data, { state, words } = this.wire ?? {}, say = (kind, ...parts) =>
      this.bar.show(kind, parts, [[this.live || state !== 'closed' ? 'Leave' : 'Close', () => this._leave()]]);
    if (problem) say('away', problem, ' This page is yours.');
    else if (this.ended) say('away', `The teacher has ended the class ${code}. What you see stays, and all is yours.`);
    else if (state === 'refused') say('away', words, ' This page is yours. It follows as soon as it can.');
    else if (state === 'lost') say('away', navigator.onLine ? 'The server does not answer.' : 'The network is cut off.',
      ' What you see stays. This page follows again as soon as it can.');
    else if (this.away && performance.now() - this.since > FL_LATE) say('away',
      `The teacher of the class ${code} is gone. What you see stays, and all is yours until the teacher is back.`);
    else if (this.view) say('live', 'You follow the class ', code, '.');
    else say('away', `Looking for the class ${code} …`);
  }

  _leave() {
    const { code } = this.data;
    this.destroy();
    flAddress.write({ follow: null });
    this.act('left', code);
  }

  destroy() {
    this.gone = true;
    clearInterval(this.looking);
    this.wire.close();
    this._lead(false);
  }
}
