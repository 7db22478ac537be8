// Points at the one thing on the page of which a card speaks: a ring around it, and a scroll to it where that does not
// take the card out of sight. What is pointed at may appear later, or be drawn anew: the ring follows it.

const FL_LOOK = 400;  // ms between two looks whether it is still there
const FL_LOOKS = 4;  // the first ones, at which it is brought into sight: the page may still be made
const FL_RING = 8;  // px that the ring takes around it

const flPlaces = {
  scene: () => '.fl-scene',
  timeline: () => '.fl-timeline',
  inspector: (_, page) => `.st-key-${page}-inspect, .fl-story`,
  table: (_, page) => `.st-key-${page}-numbers`,
  chart: id => `section[data-chart="${id}"]`,
  setting: key =>
    `[data-setting="${key}"], [class*="st-key-"][class$="-${key}"], [class*="st-key-"][class*="-${key} "]`,
  event: id => `.fl-mark[data-kinds~="${id}"]`,
};

export class Pointer {
  // root : the card. calm : function that says whether to move without motion.
  constructor(root, calm) {
    this.root = root;
    this.calm = calm;
    this.element = null;
  }

  // target : 'timeline', 'chart:regret', 'event:lost', …; near : the step near which an event is looked for.
  point(target, page, near = 0) {
    this.clear();
    if (!target) return;
    const [kind, ...rest] = target.split(':');
    const selector = flPlaces[kind]?.(CSS.escape(rest.join(':')), CSS.escape(page ?? ''));
    if (!selector) return;
    const look = () => this._look(selector, near);
    look();
    this.timer = setInterval(look, FL_LOOK);
  }

  clear() {
    clearInterval(this.timer);
    this.element?.classList.remove('fl-pointed');
    this.element = null;
    this.seen = 0;
  }

  // Brings it into sight.
  show() {
    if (this.element) flBring(this.element, this.calm());
  }

  _look(selector, near) {
    const found = [...document.querySelectorAll(selector)].filter(element => !this.root.contains(element));
    const far = element => Math.abs(Number(element.dataset.t ?? near) - near);
    const element = found.sort((a, b) => far(a) - far(b))[0] ?? null;
    if (this.element !== element) this.element?.classList.remove('fl-pointed');
    this.element = element;
    element?.classList.add('fl-pointed');
    if (!element || this.seen >= FL_LOOKS) return;
    this.seen += 1;
    if (this.beside && !this._inSight(element)) this.show();
  }

  // Whether the card stands beside what it points at, so that a scroll to it leaves the card in sight.
  get beside() {
    const own = this.root.getBoundingClientRect(), other = this.element?.getBoundingClientRect();
    return Boolean(other) && (other.left >= own.right - 1 || other.right <= own.left + 1);
  }

  _inSight(element) {
    const { top, bottom } = element.getBoundingClientRect(), highest = flCovered(element);
    const tall = bottom - top > innerHeight - highest;
    return top >= highest && (tall ? top < innerHeight / 2 : bottom <= innerHeight);
  }
}

// How much of the window's top is covered by what stays there: the app's header, and the player's bar.
function flCovered(element) {
  const bar = document.querySelector('.fl-bar');
  return 60 + (bar && !bar.contains(element) ? bar.offsetHeight : 0);
}

// Scrolls a thing into sight, with the ring around it, below what covers the top of the window; no further than it
// must, unless `block` says otherwise.
export function flBring(element, calm, block = element.offsetHeight > innerHeight / 2 ? 'start' : 'nearest') {
  element.style.scrollMargin = `${flCovered(element) + FL_RING}px 0 ${FL_RING}px`;
  element.scrollIntoView({ block, behavior: calm ? 'auto' : 'smooth' });
}
