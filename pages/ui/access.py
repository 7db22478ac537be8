"""Ways to navigation and settings: the order of the Tab key, and on a phone the menu and a button to settings."""

from pathlib import Path

from pages.ui.component import component

_FOLDER = Path(__file__).parent / "js"


def order_tabs() -> None:
    """Let the navigation come before the settings, of which a lab has forty. app.py calls this before it runs a page.

    Streamlit writes the sidebar first, although the navigation stands on top. A script joins the ends of these parts
    for the Tab key; within each part the browser's own order stays. Where no sidebar is open, it does nothing.
    """
    _tabs(key="unseen-tab-order", data={})


_tabs = component("tab_order", _FOLDER / "tabs.js", html="")


def fold_menu() -> None:
    """Close the menu of a phone once a page is chosen, and lead to the settings below it. app.py calls this.

    There Streamlit keeps navigation and settings in one drawer, which covers three quarters of the page, stays open
    after a choice and is open again when the next page is loaded. A script closes it, unless the person has opened it,
    and a button at the top opens it at the settings of a page that has some.
    """
    _menu(key="unseen-menu", data={})


_menu = component(
    "menu",
    _FOLDER / "menu.js",
    _FOLDER / "menu.css",
    html='<button class="fl-to-settings" type="button">Settings</button>',
)
