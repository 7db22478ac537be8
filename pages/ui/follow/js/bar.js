// The bar at the foot of the window that says who leads and who follows, and the link as a poster.

import { flElement } from '../../draw/js/library.js';

const FL_COLORS = ['--st-text-color', '--st-background-color', '--st-secondary-background-color', '--st-border-color',
  '--st-primary-color', '--st-font'];

// An SVG as an address of a picture, which must name its language.
const flPicture = svg => 'data:image/svg+xml,' +
  encodeURIComponent(svg.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" '));

export class FollowBar {
  constructor() {
    this.words = flElement('span.fl-follow-words', { role: 'status' });
    this.acts = flElement('span.fl-follow-acts');
    this.root = flElement('div.fl-follow-bar', { role: 'region', 'aria-label': 'Class', hidden: '' },
      flElement('span.fl-follow-sign', { 'aria-hidden': 'true' }), this.words, this.acts);
    document.body.append(this.root);  // above the sidebar, and on every page
    new ResizeObserver(() => {  // what else stands at the foot of the window stands above it
      const { documentElement: whole } = document, height = this.root.offsetHeight;
      whole.style.setProperty('--fl-foot', `${height}px`);
      whole.classList.toggle('fl-footed', height > 0);
    }).observe(this.root);
  }

  // Takes over the colours of the theme, which Streamlit gives to its own elements only.
  dress(element) {
    const style = getComputedStyle(element);
    for (const name of FL_COLORS) this.root.style.setProperty(name, style.getPropertyValue(name));
  }

  // kind : "live" or "away". words : parts of a sentence; one that is the code of a class is written large.
  show(kind, words, acts) {
    const now = JSON.stringify([kind, words, acts.map(([label]) => label)]);
    this.does = acts.map(([, act]) => act);
    if (now === this.now) return;
    this.now = now;
    this.root.hidden = false;
    this.root.dataset.kind = kind;
    const bold = (part, i) => words.length > 2 && i === 1 ? flElement('b', {}, part) : part;
    this.words.replaceChildren(...words.map(bold));
    this.acts.replaceChildren(...acts.map(([label], i) => {
      const button = flElement('button', { type: 'button' }, label);
      button.addEventListener('click', () => this.does[i]());
      return button;
    }));
  }

  hide() {
    this.now = '';
    this.root.hidden = true;
  }

  // Shows code, link and QR code over the whole window, for the wall.
  poster(code, link, qr) {
    const close = flElement('button', { type: 'button' }, 'Close');
    const made = flElement('dialog.fl-follow-poster', { 'aria-label': `The link of the class ${code}` });
    const picture = qr && flElement('img', { alt: '', src: flPicture(qr) });
    made.append(flElement('p', {}, 'Open this link to follow the class'), ...picture ? [picture] : [],
      flElement('strong', {}, code), flElement('code', {}, link), close);
    close.addEventListener('click', () => made.close());
    made.addEventListener('click', event => { if (event.target === made) made.close(); });
    made.addEventListener('close', () => made.remove());
    this.root.append(made);
    made.showModal();
  }
}
