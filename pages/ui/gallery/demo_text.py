"""The demo of a link, above the page that it opens."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.ui.form.form import Form
from pages.ui.form.links import COMMON
from pages.ui.form.settings import Settings
from pages.ui.gallery.demos import Demo
from pages.ui.plain import plain


def show(demo: Demo, settings: Settings, ask: Callable[[Form], Any]) -> None:
    """Write above a page what the demo of its link is about, and what has been changed since.

    Call it after the settings are written. ask : asks for all settings of the page.
    """
    st.info(f"**{demo.title}{'' if demo.title.endswith('?') else '.'}** {demo.text}", icon=":material/play_circle:")
    if titles := [settings.titles[key] for key in changed(settings, demo, ask)]:
        with st.container(horizontal=True, vertical_alignment="center", key=f"{settings.page}-demo"):
            st.caption(plain(f"Settings that differ from the demo: {' · '.join(titles)}."), width="content")
            link = demo.link | settings.sticky_query
            st.page_link(demo.page, label="Back to the demo", icon=":material/undo:", query_params=link)


def changed(settings: Settings, demo: Demo, ask: Callable[[Form], Any]) -> list[str]:
    """Return the keys of the settings with widgets that are not as the demo has them, in the order of the page."""

    def read() -> dict[str, Any]:
        form = Form(demo.settings)
        ask(form)
        return {key: form.value(parameter, key) for key, parameter in form.known.items()}

    theirs: dict[str, Any] = settings.kept(demo.id, read)
    common = {parameter.name for parameter in COMMON}
    return [
        key
        for key in settings.titles
        if key not in common and (key not in theirs or settings.values[key] != theirs[key])
    ]
