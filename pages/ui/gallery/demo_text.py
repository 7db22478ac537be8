"""The demo of a link, above the page that it opens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.ui.gallery.demos import DEMOS, NAME, Demo
from pages.ui.links import COMMON
from pages.ui.settings import Settings, plain


def show(settings: Settings) -> bool:
    """Write above a page what the demo of its link is about, and what has been changed since.

    Call it after the settings are written. Return whether there is a demo.
    """
    demo = next((demo for demo in DEMOS if demo.id == settings.values.get(NAME)), None)
    if demo is None:
        return False
    st.info(f"**{demo.title}{'' if demo.title.endswith('?') else '.'}** {demo.text}", icon=":material/play_circle:")
    if titles := [settings.titles[key] for key in changed(settings, demo)]:
        with st.container(horizontal=True, vertical_alignment="center", key=f"{settings.page}-demo"):
            st.caption(plain(f"Settings that differ from the demo: {' · '.join(titles)}."), width="content")
            link = demo.link | settings.stays
            st.page_link(demo.page, label="Back to the demo", icon=":material/undo:", query_params=link)
    return True


def changed(settings: Settings, demo: Demo) -> list[str]:
    """Return the keys of the settings with widgets that are not as the demo has them, in the order of the page."""

    def of(link: Mapping[str, str]) -> dict[str, Any]:
        return {key: p.parse(link[key]) if key in link else p.default for key, p in settings.schema(link).items()}

    mine, theirs = of(settings.link), of(demo.settings)
    common = {parameter.name for parameter in COMMON}
    return [key for key in settings.titles if key not in common and (key not in theirs or mine[key] != theirs[key])]
