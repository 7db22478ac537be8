"""How navigation and settings are reached: the order of the Tab key, and on a phone the menu and a way to settings."""

from __future__ import annotations

import streamlit as st


def order_tabs() -> None:
    """Let the navigation come before the settings, of which a lab has forty. app.py calls this before it runs a page.

    Streamlit writes the sidebar first, although the navigation stands on top. A script joins the ends of these parts
    for the Tab key; within each part the browser's own order stays. Where no sidebar is open, it does nothing.
    """
    _tabs(key="unseen-tab-order", data={})


_tabs = st.components.v2.component(
    "feedback_lab_tab_order",
    js="""
const STOPS = 'a[href], button, input, select, textarea, summary, [tabindex]';

const stops = area => [...area?.querySelectorAll(STOPS) ?? []].filter(element => element.tabIndex >= 0 &&
  !element.disabled && !element.closest('[inert]') && element.checkVisibility({ visibilityProperty: true }));

// Pairs of neighbours that are none in the page: skip link, navigation, settings, main part.
function joints() {
  const part = name => document.querySelector(`[data-testid=${name}]`);
  const skip = part('stSkipToContent'), main = part('stMain');
  const pages = stops(part('stHeader')), settings = stops(document.querySelector('[data-testid=stSidebar]'));
  if (!skip || !main || !pages.length || !settings.length) return [];
  return [[skip, pages[0]], [pages.at(-1), settings[0]], [settings.at(-1), main]];
}

function tab(event) {
  if (event.key !== 'Tab' || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const [from, to] = event.shiftKey ? [1, 0] : [0, 1];
  const joint = joints().find(pair => pair[from] === document.activeElement);
  if (!joint) return;
  event.preventDefault();
  joint[to].focus();
}

const own = globalThis.__feedbackLabTabs ??= {};
if (own.tab) removeEventListener('keydown', own.tab);
own.tab = tab;
addEventListener('keydown', own.tab);
export default function () {}
""",
    isolate_styles=False,
)


def fold_menu() -> None:
    """On a phone, close the menu once a page is chosen, and lead to the settings below it. app.py calls this.

    There Streamlit keeps navigation and settings in one drawer, which covers three quarters of the page, stays open
    after a choice and is open again when the next page is loaded. A script closes it, unless the person has opened it,
    and a button at the top opens it at the settings of a page that has some.
    """
    _menu(key="unseen-menu", data={})


_menu = st.components.v2.component(
    "feedback_lab_menu",
    html='<button class="fl-to-settings" type="button">Settings</button>',
    css="""
.fl-to-settings { display: none; }
@media (max-width: 768px) {
  body:has([data-testid=stExpandSidebarButton]):has([data-testid=stSidebarUserContent] :is(input, button))
    .fl-to-settings { display: inline-flex; align-items: center; gap: .4rem; position: fixed; top: .5rem; left: 3.6rem;
    z-index: 999991; height: 44px; padding: 0 .8rem; font: inherit; font-size: .95rem; cursor: pointer;
    color: var(--st-text-color, #1B1F24); background: var(--st-background-color, #FFFFFF);
    border: 1px solid var(--st-border-color, #D9DEE5); border-radius: .5rem; }
  .fl-to-settings::before { content: "tune" / ""; font: 1.25rem/1 "Material Symbols Rounded"; }
  .fl-to-settings:focus-visible { outline: 2px solid var(--st-primary-color, #0072B2); outline-offset: 2px; }
}
""",
    js="""
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
""",
    isolate_styles=False,
)
