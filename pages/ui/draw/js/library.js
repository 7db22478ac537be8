// Shared by every part of the player: loading plotly.js, making elements and signs, writing numbers.

import { flLanguage, flSay } from './texts.js';

export const flShared = (globalThis.__feedbackLab ??= {});

export function flBase() {  // the app may be served below a path
  const own = /** @type {HTMLScriptElement | null} */ (document.querySelector('script[src*="static/js/"]'));
  return own ? own.src.split('static/js/')[0] : document.baseURI;
}

// Returns plotly.js, which is fetched once for the whole page.
export function loadPlotly(url) {
  if (globalThis.Plotly?.react) return Promise.resolve(globalThis.Plotly);
  if (!url && !flShared.loading) return Promise.reject(new Error('plotly.js could not be loaded'));  // nor is it within
  return (flShared.loading ??= new Promise((done, failed) => {
    const tag = document.createElement('script');
    tag.src = new URL(url, flBase()).href;
    tag.onload = () => done(globalThis.Plotly);
    tag.onerror = () => { flShared.loading = null; failed(new Error('plotly.js could not be loaded')); };
    document.head.appendChild(tag);
  }));
}

// flElement('button.fl-button', { title: 'Play', onclick: function }, child or text, …)
export function flElement(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter(child => child !== null));
  return made;
}

// flDrawing(24, 24, { path: { d: '…' } }) returns an SVG that screen readers pass over.
export function flDrawing(width, height, shapes) {
  const space = 'http://www.w3.org/2000/svg', made = document.createElementNS(space, 'svg');
  const set = (node, attributes) => Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
  set(made, { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
  for (const [tag, attributes] of Object.entries(shapes)) {
    const node = document.createElementNS(space, tag);
    set(node, attributes);
    made.append(node);
  }
  return made;
}

const flIcons = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M6 5h4.2v14H6zM13.8 5H18v14h-4.2z',
  step: 'M5 5.5v13l9-6.5zM16 5.5h3v13h-3z',
  back: 'M19 5.5v13L10 12zM5 5.5h3v13H5z',
  next: 'M2.5 12L7 7.5l4.5 4.5L7 16.5zM14 6.8L15.6 5.2 22.4 12l-6.8 6.8L14 17.2 19.2 12z',
  previous: 'M21.5 12L17 7.5 12.5 12l4.5 4.5zM10 6.8L8.4 5.2 1.6 12l6.8 6.8L10 17.2 4.8 12z',
  reset: 'M12.5 4.5a7.5 7.5 0 1 1-7.3 9.2l2-.5a5.4 5.4 0 1 0 5.3-6.6v3.7L6.7 5.6 12.5 1z',
  sound: 'M3 9h4l5-5v16l-5-5H3zM15 8.5a5 5 0 0 1 0 7l1.4 1.4a7 7 0 0 0 0-9.8z',
  slower: 'M5 10.9h14v2.2H5z',
  faster: 'M10.9 5h2.2v5.9H19v2.2h-5.9V19h-2.2v-5.9H5v-2.2h5.9z',
};

// Signs of events, in a square of 12.
export const flSigns = {
  up: 'M6 1.5l5 9H1z',
  down: 'M6 10.5l-5-9h10z',
  star: 'M6 .5l1.6 3.7 4 .3-3 2.6.9 3.9L6 8.9 2.5 11l.9-3.9-3-2.6 4-.3z',
  dot: 'M6 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8z',
  stop: 'M2 2h8v8H2z',
  cycle: 'M6 1.2a4.8 4.8 0 1 1-4.6 6.2l1.9-.6A2.8 2.8 0 1 0 6 3.2V5L2.6 2.2 6-.5z',
  person: 'M6 .6a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM1.2 11.4V10a4 4 0 0 1 4-3.6h1.6a4 4 0 0 1 4 3.6v1.4z',
};

export function flIcon(name) {
  return flDrawing(24, 24, { path: { d: flIcons[name], fill: 'currentColor' } });
}

export function flSign(name, color) {
  const made = flDrawing(12, 12, { path: { d: flSigns[name] ?? flSigns.dot, fill: color } });
  made.classList.add('fl-sign');
  return made;
}

// The dash of the kept run with this number, of its curves and in the legend.
export function flDashOf(number) {
  return ['', '1.5 3', '7 3', '7 3 1.5 3'][number % 4];
}

// How the language writes numbers.
export function flLocale() {
  return flLanguage() === 'en' ? 'en-US' : flLanguage();
}

// 12345 becomes 12,345, or 12.345 in German
export function flCount(number) {
  return Math.round(number).toLocaleString(flLocale());
}

// Puts a comma in place of the decimal point where the language has one.
export function flComma(text) {
  return flLanguage() === 'en' ? text : text.replace('.', ',');
}

// Writes a number in a format of Python: '.3g', '.2f', '.0%', ',d'.
export function flNumber(value, format = '.3g') {
  if (value === null || value === undefined || Number.isNaN(value)) return flSay('no value');
  if (!Number.isFinite(value)) return flSay(value > 0 ? 'infinite' : 'minus infinite');
  const [, written, kind] = /\.(\d+)([gf%e])/.exec(format) ?? [null, '3', /d/.test(format) ? 'd' : 'g'];
  const digits = Number(written);
  if (kind === 'd') return flCount(value);
  if (kind === '%') return `${flComma((100 * value).toFixed(digits))} %`;
  if (kind === 'f') return flComma(value.toFixed(digits));
  if (kind === 'e') return flComma(value.toExponential(digits));
  if (Math.abs(value) >= 10 ** digits) return flCount(Math.round(value));  // large numbers are written out
  return flComma(String(Number(value.toPrecision(Math.max(1, digits)))).replace('-', '−'));
}

// Whether what a run will show stands there as a preview: before it is played, and where nobody is to guess it first.
export function flPreview({ t, playing, guided, payload }) {
  return t === 0 && !playing && !guided && payload?.preview === true;
}

function flReloaded() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  return entry?.type === 'reload';
}

// Step and speed in the address of the page. Every other part of it stays as it is.
export const flAddress = {
  read() {
    const link = new URLSearchParams(location.search), t = link.get('t');
    const left = this.left();
    return { t: left ?? (/^\d+$/.test(t ?? '') ? Number(t) : null), speed: link.get('speed') };
  },

  // parts: { t: 412 or null for none, … }
  write(parts) {
    const kept = location.search.slice(1).split('&').filter(part => part && !(part.split('=')[0] in parts));
    const set = Object.entries(parts).filter(([, value]) => value !== null).map(([key, value]) => `${key}=${value}`);
    const search = [...kept, ...set].join('&');
    if (search === location.search.slice(1)) return;
    try {
      history.replaceState(history.state, '', location.pathname + (search && '?' + search) + location.hash);
    } catch { /* a page opened from a disk may not change its address */ }
  },

  // The address knows a step only at rest. A page reloaded while it plays comes back to where it was.
  leave(t) {
    try { sessionStorage.setItem('fl-left', JSON.stringify({ page: location.pathname, t })); } catch { /* forbidden */ }
  },

  left() {
    try {
      const { page, t } = JSON.parse(sessionStorage.getItem('fl-left') ?? '{}');
      sessionStorage.removeItem('fl-left');
      return flReloaded() && page === location.pathname ? t : null;
    } catch { return null; }
  },
};
