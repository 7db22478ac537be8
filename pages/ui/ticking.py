"""Parts of a page that are drawn again and again while something in them is under way."""

from collections.abc import Callable

import streamlit as st

TICK = 0.5  # seconds between two drawings


def ticking(key: str, draw: Callable[[], bool]) -> None:
    """Draw a part of a page, again every TICK seconds while it is busy, and the whole page when that changes.

    key : of the part in the session. draw : draws it, and returns whether it is busy.
    """

    def drawn() -> None:
        busy = draw()
        if busy != st.session_state.get(key, False):
            st.session_state[key] = busy
            st.rerun()  # registers the fragment again, with or without its interval

    st.fragment(drawn, run_every=TICK if st.session_state.get(key, False) else None)()
