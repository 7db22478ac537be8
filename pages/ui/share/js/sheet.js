// Texts to copy, and a QR code that can fill the screen.

function element(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.'), made = document.createElement(tag);
  made.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

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
  const field = element('textarea.fl-share-text', { readonly: '', rows: 3, spellcheck: 'false', 'aria-label': label });
  field.value = text;
  field.addEventListener('focus', () => field.select());
  const button = element('button.fl-share-button', { type: 'button' }, `Copy ${label.toLowerCase()}`);
  button.addEventListener('click', async () => {
    said.textContent = await copy(field) ? `${label} copied.` : 'Select the text and copy it.';
  });
  return element('div.fl-share-field', {}, field, button);
}

// The SVG comes from the server, which has drawn it; nothing else is ever parsed.
function drawing(code) {
  const made = document.createElement('template');
  made.innerHTML = code;
  return made.content.firstElementChild;
}

function screen(code, words) {
  const close = element('button.fl-share-button', { type: 'button' }, 'Close');
  const full = element('div.fl-share-full', {}, drawing(code), element('p', {}, words), close);
  const made = element('dialog.fl-share-screen', { 'aria-label': 'QR code of the link' }, full);
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
  const button = element('button.fl-share-button', { type: 'button' }, 'Fill the screen');
  button.addEventListener('click', () => {
    shown.showModal();
    shown.firstChild.requestFullscreen?.().catch(() => {});  // a phone may refuse; it fills the window then
  });
  const small = drawing(code);
  small.setAttribute('role', 'img');
  small.setAttribute('aria-label', 'QR code of the link');
  shown.addEventListener('close', () => setTimeout(() => button.focus(), 250));  // once the screen is left
  return element('div.fl-share-code', {}, small, button, shown);
}

export default function (component) {
  const root = component.parentElement.querySelector('.fl-share'), { texts, code, words } = component.data;
  const now = JSON.stringify([texts, code, words]);
  if (root.now === now) return;
  root.now = now;
  const said = element('p.fl-share-said', { 'aria-live': 'polite' });
  const fields = element('div.fl-share-fields', {}, ...texts.map(pair => textField(pair, said)), said);
  root.replaceChildren(...code ? [picture(code, words)] : [], fields);
}
