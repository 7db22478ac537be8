"""How navigation and settings are reached: the order of the Tab key, and on a phone the menu and a way to settings."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.ui.modules import joined


def order_tabs() -> None:
    """Let the navigation come before the settings, of which a lab has forty. app.py calls this before it runs a page.

    Streamlit writes the sidebar first, although the navigation stands on top. A script joins the ends of these parts
    for the Tab key; within each part the browser's own order stays. Where no sidebar is open, it does nothing.
    """
    _tabs(key="unseen-tab-order", data={})


_tabs = st.components.v2.component(
    "feedback_lab_tab_order", js=joined(Path(__file__).parent / "js" / "tabs.js"), isolate_styles=False
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
    js=joined(Path(__file__).parent / "js" / "menu.js"),
    isolate_styles=False,
)
