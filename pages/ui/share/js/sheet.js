// Texts to copy, and a QR code that can fill the screen.

import { flElement } from '../../draw/js/library.js';

// Without https a browser has no clipboard for scripts; what is selected can still be copied.
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand('copy');
  }
}

function textField([label, text], said) {
  const given = { readonly: '', rows: 3, spellcheck: 'false', 'aria-label': label };
  const field = flElement('textarea.fl-share-text', given);
  field.value = text;
  field.addEventListener('focus', () => field.select());
  const button = flElement('button.fl-share-button', { type: 'button' }, `Copy ${label.toLowerCase()}`);
  button.addEventListener('click', async () => {
    said.textContent = await copy(field) ? `${label} copied.` : 'Select the text and copy it.';
  });
  return flElement('div.fl-share-field', {}, field, button);
}

// The SVG comes from the server, which has drawn it; nothing else is ever parsed.
function drawing(code) {
  const made = document.createElement('template');
  made.innerHTML = code;
  return made.content.firstElementChild;
}

function screen(code, words) {
  const close = flElement('button.fl-share-button', { type: 'button' }, 'Close');
  const full = flElement('div.fl-share-full', {}, drawing(code), flElement('p', {}, words), close);
  const made = flElement('dialog.fl-share-screen', { 'aria-label': 'QR code of the link' }, full);
  close.addEventListener('click', () => made.close());
  made.addEventListener('keydown', event => event.stopPropagation());  // Escape closes this, not what lies below
  made.addEventListener('close', () => {
    if (document.fullscreenElement === full) document.exitFullscreen();
  });
  full.addEventListener('fullscreenchange', () => {
    if (!document.fullscreenElement) made.close();
  });
  return made;
}

function picture(code, words) {
  const shown = screen(code, words);
  const button = flElement('button.fl-share-button', { type: 'button' }, 'Fill the screen');
  button.addEventListener('click', () => {
    shown.showModal();
    shown.firstChild.requestFullscreen?.().catch(() => {});  // a phone may refuse; it fills the window then
  });
  const small = drawing(code);
  small.setAttribute('role', 'img');
  small.setAttribute('aria-label', 'QR code of the link');
  shown.addEventListener('close', () => setTimeout(() => button.focus(), 250));  // once the screen is left
  return flElement('div.fl-share-code', {}, small, button, shown);
}

export default function (component) {
  const root = component.parentElement.querySelector('.fl-share'), { texts, code, words } = component.data;
  const now = JSON.stringify([texts, code, words]);
  if (root.now === now) return;
  root.now = now;
  const said = flElement('p.fl-share-said', { 'aria-live': 'polite' });
  const fields = flElement('div.fl-share-fields', {}, ...texts.map(pair => textField(pair, said)), said);
  root.replaceChildren(...code ? [picture(code, words)] : [], fields);
}
