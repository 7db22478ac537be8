// Brings what a card speaks of into sight, and on a narrow page the card again.

import { flElement } from '../../draw/js/library.js';
import { flSay } from '../../draw/js/texts.js';

const FL_HEAD = 60;  // pixels below the bar at the top of the page

export class Sight {
  // root : the card. calm : function that says whether to move without motion. back : the person wants to see the card.
  constructor(root, calm, back) {
    this.root = root;
    this.calm = calm;
    this.pill = flElement('button.fl-pill', { type: 'button', hidden: '' }, flSay('Back to the card'));
    this.pill.addEventListener('click', back);
    document.body.append(this.pill);
    this.watch = new IntersectionObserver(([seen]) => {
      this.pill.hidden = seen.intersectionRatio > 0.25 || !root.isConnected;
    }, { threshold: [0, 0.25], rootMargin: `-${FL_HEAD}px 0px 0px` });
    this.watch.observe(root);
  }

  get motion() {
    return /** @type {ScrollBehavior} */ (this.calm() ? 'auto' : 'smooth');
  }

  // Whether something stands beside the card, not below it.
  beside(element) {
    const own = this.root.getBoundingClientRect(), other = element?.getBoundingClientRect();
    return Boolean(other) && (other.left >= own.right || other.right <= own.left);
  }

  // Brings what came out into sight, down to the button that goes on where there is room for both.
  conclude({ outcome, foot }) {
    const height = foot.getBoundingClientRect().bottom - outcome.getBoundingClientRect().top;
    (height < innerHeight - 120 ? foot : outcome).scrollIntoView({ block: 'nearest', behavior: this.motion });
  }

  // Goes to the top of the page and of the card, from where the pointer goes on to what is out of sight.
  rise() {
    for (let place = this.root; place; place = place.parentElement) if (place.scrollTop) place.scrollTop = 0;
  }

  // atOnce : where the page above may grow meanwhile.
  reveal(element, atOnce = false) {
    const { top, bottom } = element.getBoundingClientRect();
    if (top < FL_HEAD || (bottom > innerHeight && top > innerHeight / 3)) {
      element.scrollIntoView({ block: 'start', behavior: atOnce ? 'auto' : this.motion });
    }
  }

  // Goes to a part of the card.
  come(place) {
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: 'center', behavior: this.motion });
  }

  destroy() {
    this.watch.disconnect();
    this.pill.remove();
  }
}
