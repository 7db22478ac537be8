// A teacher's page: it looks at itself, and tells the class when it shows something else.

import { flCount } from '../../draw/js/library.js';
import { flPlace } from './place.js';
import { FollowWire } from './wire.js';

const FL_LOOK = 50, FL_BEAT = 1000;  // ms between two looks; between two messages while the run plays
const FL_KEPT = 'fl-lead';

export class Leader {
  constructor(data, bar, act) {
    this.data = data;
    this.bar = bar;
    this.act = act;
    this.people = 0;
    this.sent = '';
    this.at = 0;
    this.taken = false;
    this._keep();
    this._join();
    this.looking = setInterval(() => this._look(), FL_LOOK);
  }

  // The window keeps the secret, so that it can lead on when it is loaded anew, or the server is.
  _keep() {
    const { secret, link, code } = this.data;
    try {
      sessionStorage.setItem(FL_KEPT, JSON.stringify({ secret, link, code }));
    } catch { /* forbidden: a page loaded anew begins a new class */ }
  }

  static forget() {
    try { sessionStorage.removeItem(FL_KEPT); } catch { /* nothing is kept */ }
  }

  static kept() {
    try { return JSON.parse(sessionStorage.getItem(FL_KEPT)); } catch { return null; }
  }

  _join() {
    this.taken = false;
    this.sent = '';
    const show = () => this.show();
    this.wire = new FollowWire(this.data.code, { lead: this.data.secret }, message => this._hear(message), show);
    this.show();
  }

  _hear(message) {
    if ('people' in message) this.people = message.people;
    if (message.taken) { this.taken = true; this.wire.close(); }
    if (message.ended) { Leader.forget(); this.wire.close(); }
    this.show();
  }

  // The view of this page.
  _view() {
    const { player } = flPlace, playing = Boolean(player?.playing && !player.held), t = player?.goal ?? player?.t ?? 0;
    return {
      page: flPlace.page, link: flPlace.link([...this.data.own, ...this.data.played]), t: playing ? t : Math.floor(t),
      playing, speed: player?.speed ?? 'max', slow: Boolean(player?.slow), single: player?.strip?.replicate ?? null,
    };
  }

  _look() {
    if (!this.wire.open) { this.sent = ''; return; }
    const view = this._view(), now = performance.now();
    const mark = JSON.stringify(view.playing ? { ...view, t: null } : view);
    if (mark === this.sent && !(view.playing && now - this.at > FL_BEAT)) return;
    this.sent = mark;
    this.at = now;
    this.wire.send({ view });
  }

  show() {
    const { code, link, qr } = this.data, { state, words } = this.wire ?? {}, several = this.people !== 1;
    const stop = ['Stop leading', () => { Leader.forget(); this.act('stop', true); }];
    if (this.taken) this.bar.show('away', [`You lead the class ${code} in another window now.`],
      [['Lead here', () => this._join()]]);
    else if (state === 'open') this.bar.show('live',
      ['You lead the class ', code, `. ${this.people ? flCount(this.people) : 'Nobody'} follow${several && this.people
        ? '' : 's'}${this.people ? '' : ' yet'}.`], [['Show the link', () => this.bar.poster(code, link, qr)], stop]);
    else if (state === 'refused') this.bar.show('away', [words], [stop]);
    else if (state === 'lost') this.bar.show('away',
      ['The server does not answer. Your class keeps what it sees, and follows again as soon as it does.'], [stop]);
    else this.bar.show('away', [`Beginning the class ${code} …`], [stop]);
  }

  destroy() {
    clearInterval(this.looking);
    this.wire.close();
  }
}
