"""The questions "what if" that a person can ask of a step, and the other futures that answer them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from learners import Simulation
from learners.run.events import events_of
from learners.run.pieces import whole
from learners.run.what_if import questions
from pages.ui.play.future import Future
from pages.ui.play.once import once
from pages.ui.play.recording import Recording
from pages.ui.play.store import STORE
from pages.ui.settings import plain

MOST = 3  # other futures that are drawn at once


@dataclass(frozen=True)
class Asked:
    """A question that was asked of a step of a run."""

    run: str
    slot: int
    t: int
    replicate: int
    id: str

    def future(self, recording: Recording) -> Future | None:
        """Return the other future, which is computed in the background, or None if the question cannot be asked."""

        def make() -> Future:
            simulation = recording.simulations[self.slot]
            asked = once(whole(partial(questions, simulation, self.t, self.replicate)))
            question = next(q for q in asked if q.id == self.id)
            return Future(recording, self.slot, self.t, self.replicate, question)

        try:
            return STORE.open(self, make)
        except (StopIteration, ValueError):  # not computed up to this step yet
            return None


def asked(lab: str, recording: Recording) -> list[Asked]:
    """Return what was asked of this run, the latest last."""
    found: list[Asked] = st.session_state.get(f"{lab}:asked", [])
    return [question for question in found if question.run == recording.name]


def _steps(simulation: Simulation, t: int, replicate: int) -> list[int]:
    """Return the steps of which something can be asked at step t: those that brought its events, and itself."""
    causes = {found.cause for found in events_of(simulation, replicate) if found.t == t and found.cause}
    return sorted(causes | {t})


def offer(lab: str, recording: Recording, slot: int, t: int, replicate: int) -> None:
    """Draw a button for each question that can be asked of a step, and what was asked before."""
    before = asked(lab, recording)

    def ask(question: Asked) -> None:
        st.session_state[f"{lab}:asked"] = [*(q for q in before if q != question), question][-MOST:]

    def forget(question: Asked) -> None:
        st.session_state[f"{lab}:asked"] = [q for q in before if q != question]

    simulation = recording.simulations[slot]
    with st.container(horizontal=True, key=f"{lab}-what-if"):
        for at in _steps(simulation, t, replicate):
            asks = once(whole(partial(questions, simulation, at, replicate)))
            for number, question in enumerate(asks):
                one = Asked(recording.name, slot, at, replicate, question.id)
                words = question.title if at == t else f"Step {at:,}, which brought this: {question.title}"
                st.button(
                    plain(words), help=question.help, icon=":material/alt_route:", key=f"{lab}:if:{t - at}:{number}",
                    on_click=ask, args=(one,), disabled=one in before,
                )  # fmt: skip
    for number, one in enumerate(before):
        future = one.future(recording)
        if future is None:
            continue
        with st.container(horizontal=True, vertical_alignment="center", key=f"{lab}-future-{number}"):
            words = f"{future.question.title} Thin lines from step {one.t:,} on in the charts show replicate "
            words += f"{one.replicate + 1} as it would have been (solid) and as it was (dotted)."
            st.caption(plain(words + (f" It broke off. {future.failed}" if future.failed else "")), width="content")
            st.button(
                "Remove", icon=":material/close:", type="tertiary", key=f"{lab}:forget:{number}", on_click=forget,
                args=(one,), help="Remove the thin lines",
            )  # fmt: skip
