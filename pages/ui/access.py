"""The order in which the Tab key walks through a page: the navigation, the settings, then what they set."""

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
