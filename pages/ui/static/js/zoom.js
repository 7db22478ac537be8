// A panel of a figure as large as the window, of which the wheel, a drag and the keys + − 0 and arrows show a part.

import { flElement } from '../../draw/js/library.js';

const FL_ZOOM = 1.4, FL_LARGEST = 20;  // times larger, at each press and at most

/**
 * The part of a picture that is seen once it is `by` times as large around a place, and has been moved.
 *
 * @param {{ x: number, y: number, width: number, height: number }} whole
 * @param {{ x: number, y: number, width: number, height: number }} seen
 * @param {number} by @param {number[]} at shares of what is seen, across and down @param {number[]} move in such shares
 */
export function flSeen(whole, seen, by, at = [.5, .5], move = [0, 0]) {
  const width = Math.min(whole.width, Math.max(whole.width / FL_LARGEST, seen.width / by));
  const height = width * whole.height / whole.width;
  const within = (place, low, high) => Math.min(Math.max(place, low), Math.max(low, high));
  const x = seen.x + at[0] * (seen.width - width) - move[0] * width;
  const y = seen.y + at[1] * (seen.height - height) - move[1] * height;
  return { width, height, x: within(x, whole.x, whole.x + whole.width - width),
    y: within(y, whole.y, whole.y + whole.height - height) };
}

/** @param {SVGSVGElement} drawn */
function flOpen(drawn) {
  const { x, y, width, height } = drawn.viewBox.baseVal, whole = { x, y, width, height };
  const picture = /** @type {SVGSVGElement} */ (drawn.cloneNode(true));
  let seen = whole;
  const show = now => {
    seen = now;
    picture.setAttribute('viewBox', `${seen.x} ${seen.y} ${seen.width} ${seen.height}`);
  };
  const zoom = (by, at = undefined, move = undefined) => show(flSeen(whole, seen, by, at, move));
  const button = (words, label, onclick) => (
    flElement('button', { type: 'button', 'aria-label': label, onclick }, words));
  const buttons = flElement('p', {}, button('+', 'Larger', () => zoom(FL_ZOOM)),
    button('−', 'Smaller', () => zoom(1 / FL_ZOOM)), button('Whole', 'Whole', () => show(whole)),
    button('Close', 'Close', () => dialog.close()));
  const label = drawn.querySelector('title')?.textContent ?? 'Panel';
  const dialog = /** @type {HTMLDialogElement} */ (
    flElement('dialog.fl-large', { 'aria-label': label }, buttons, picture));
  const share = ({ clientX, clientY }) => {
    const { left, top, width: wide, height: high } = picture.getBoundingClientRect();
    return [(clientX - left) / wide, (clientY - top) / high];
  };
  picture.addEventListener('wheel', event => {
    event.preventDefault();
    zoom(FL_ZOOM ** (-Math.sign(event.deltaY) / 2), share(event));
  }, { passive: false });
  picture.addEventListener('pointerdown', event => picture.setPointerCapture(event.pointerId));
  picture.addEventListener('pointermove', event => {
    const { width: wide, height: high } = picture.getBoundingClientRect();
    if (event.buttons) zoom(1, [.5, .5], [event.movementX / wide, event.movementY / high]);
  });
  dialog.addEventListener('keydown', event => {
    const moves = { ArrowLeft: [.2, 0], ArrowRight: [-.2, 0], ArrowUp: [0, .2], ArrowDown: [0, -.2] };
    if (event.key === '+' || event.key === '-') zoom(event.key === '+' ? FL_ZOOM : 1 / FL_ZOOM);
    else if (event.key === '0') show(whole);
    else if (moves[event.key]) zoom(1, [.5, .5], moves[event.key]);
    else return;
    event.preventDefault();
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.querySelector('.fl-one').append(dialog);  // whose colours it takes
  dialog.showModal();
}

/** Makes each panel of a figure a button that enlarges it. @param {Element} sheet */
export function flZooms(sheet) {
  for (const drawn of /** @type {NodeListOf<SVGSVGElement>} */ (sheet.querySelectorAll('.fl-panels > svg'))) {
    const label = `Enlarge: ${drawn.querySelector('title')?.textContent ?? 'the panel'}`;
    const button = flElement('button.fl-enlarge', { type: 'button', 'aria-label': label, title: 'Enlarge' });
    button.addEventListener('click', () => flOpen(drawn));
    drawn.replaceWith(button);
    button.append(drawn);
  }
}
