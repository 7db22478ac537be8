"""Plays a series in the player of the labs, which asks for nothing more: all of it is sent at once."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from learners.run.pieces import Pieces
from pages.ui.draw import plotly_js
from pages.ui.draw.charts import Look
from pages.ui.jobs.once import once
from pages.ui.lessons.series import SeriesRun, recorded
from pages.ui.play import payload, player

HEARD = ("rest", "ask", "more", "speed", "film", "knob")  # what the player may send


def made(run: SeriesRun, look: Look) -> dict[str, Any]:
    """Return the payload of a series, which the threads of the queue compute where nobody has asked for it before."""

    def work() -> Pieces[dict[str, Any]]:
        yield
        return recorded(run, look).payload

    with st.spinner("The numbers are computed …"):
        return once(work())


def show(id: str, made: Mapping[str, Any], speed: str, present: bool) -> None:
    """Draw the player. id : of the page, which also shows runs of labs in it."""
    sent = {
        **made, "script": plotly_js.url(), "page": id, "preview": False, "present": present, "fit": present,
        "speed": speed, "usual_speed": speed, "opened": st.session_state.get(f"{id}:opened", 0),
    }  # fmt: skip
    player.show(f"{id}:player", payload.encoded(sent), **dict.fromkeys(HEARD, lambda: None))
