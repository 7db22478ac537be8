// Folds the drawer of a phone once a page is chosen, and leads to the settings in it.

const NARROW = matchMedia('(max-width: 768px)');
const OPENS = 5000;  // ms after a choice within which Streamlit may open the drawer again
const part = name => document.querySelector(`[data-testid=${name}]`);
const closed = () => Boolean(part('stExpandSidebarButton'));  // it is there only then
const own = globalThis.__feedbackLabMenu ??= {};

function close() {
  clearInterval(own.closing);
  const end = performance.now() + OPENS;
  const look = () => {
    if (performance.now() > end) clearInterval(own.closing);
    else if (NARROW.matches && !closed()) part('stSidebarCollapseButton')?.querySelector('button')?.click();
  };
  own.closing = setInterval(look, 100);
}

function pressed(event) {
  if (event.target.closest?.('[data-testid=stSidebarNavLink]')) close();
  else if (event.target.closest?.('[data-testid=stExpandSidebarButton]')) clearInterval(own.closing);
}

function open() {
  clearInterval(own.closing);
  const drawer = part('stExpandSidebarButton'), settings = part('stSidebarUserContent');
  (drawer?.querySelector('button') ?? drawer)?.click();
  for (const wait of [50, 500]) setTimeout(() => settings.scrollIntoView({ block: 'start' }), wait);  // it slides in
  settings.tabIndex = -1;
  settings.focus({ preventScroll: true });
}

if (own.pressed) removeEventListener('click', own.pressed, true);
else close();  // it may have been open when the page before was left
own.pressed = pressed;
addEventListener('click', own.pressed, true);
export default function (component) {
  component.parentElement.querySelector('.fl-to-settings').onclick = open;
}
