"""The beginning of leading a class, in the dialog that shares a page."""

import streamlit as st

from pages.ui.follow import session
from pages.ui.follow.view import code_of, new_secret
from pages.ui.plain import plain

STAYS_OPEN = "share:stays-open"  # the dialog, over the next run of the page


def link() -> str:
    """Return the link for the class that this session leads, or ""."""
    return str(session.state()["link"]) if session.leads() else ""


def offer(base: str = "") -> None:
    """Draw how to lead a class, or that this page leads one already.

    base : the address of this page under which pupils reach it, without settings; "" for the one in this browser.
    """
    st.markdown("**Lead a class**")
    if code := session.follows():
        st.caption(f"This page follows the class {plain(code)}. Leave it before you lead one yourself.")
        return
    if code := session.leads():
        st.caption(f"You lead the class {plain(code)}. Who opens its link above sees what your page shows.")
        if st.button("Stop leading", icon=":material/stop_circle:", key="follow:stop"):
            session.stop()
            stay_open()
        return
    st.caption(
        "Your class opens one link. Then their pages go where yours is: the page, its settings and the playhead, until "
        "they leave or you stop. This server keeps it in its memory only, without names."
    )
    if st.button("Lead a class", icon=":material/podium:", key="follow:lead"):
        _begin(base or (st.context.url or "").split("?")[0])


def stay_open() -> None:
    """Run the page again, and keep the dialog open over it."""
    st.session_state[STAYS_OPEN] = True
    st.rerun()


def _begin(base: str) -> None:
    secret = new_secret()
    try:
        session.lead(secret, f"{base}?follow={code_of(secret)}")
    except ValueError as error:
        st.error(plain(str(error)), icon=":material/block:")
    else:
        stay_open()
