"""The questions "what if" that a person can ask of a step, the other futures that answer them, and the answers.

The event under the playhead offers its question in the player; the inspector offers all questions of its step.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from learners import Simulation
from learners.metric import Metric
from learners.run.events import events_of
from learners.run.pieces import whole
from learners.run.what_if import questions
from pages.ui.component import component
from pages.ui.jobs.once import once
from pages.ui.jobs.queue import QUEUE
from pages.ui.plain import plain, visible
from pages.ui.play.future import Future
from pages.ui.play.recording import Recording

MOST_FUTURES = 3  # other futures that are drawn at once
MOST_LETTERS = 60  # of the id of a kind of event that a browser sends


@dataclass(frozen=True)
class Asked:
    """A question that was asked of a step of a run."""

    run: str
    slot: int
    t: int
    replicate: int
    id: str

    @property
    def key(self) -> str:
        """A text that tells it from the others of its run."""
        return f"{self.slot} {self.t} {self.replicate} {self.id}"

    def future(self, recording: Recording) -> Future | None:
        """Return the other future, which is computed in the background, or None if the question cannot be asked."""

        def make() -> Future:
            simulation = recording.simulations[self.slot]
            asked = once(whole(partial(questions, simulation, self.t, self.replicate)))
            question = next(q for q in asked if q.id == self.id)
            return Future(recording, self.slot, self.t, self.replicate, question)

        try:
            return QUEUE.open(self, make)
        except (StopIteration, ValueError):  # not computed up to this step yet
            return None


def _all(lab: str) -> dict[Asked, str]:
    """Return what was asked in a lab, the latest last, each with the kind of event at which it was asked."""
    found: dict[Asked, str] = st.session_state.setdefault(f"{lab}:asked", {})
    return found


def _ask(lab: str, question: Asked, kind: str = "") -> None:
    found = _all(lab)
    found.pop(question, None)
    found[question] = kind
    for old in [other for other in found if other.run != question.run] + [*found][:-MOST_FUTURES]:
        found.pop(old, None)


def heard(lab: str, recording: Recording, sent: Any) -> None:
    """Take in what the player's buttons have sent: a question that is asked, or no longer."""
    if not isinstance(sent, dict) or sent.get("run") != recording.name:
        return
    numbers = [n for name in ("slot", "t", "replicate") if isinstance(n := sent.get(name), int)]
    id, kind = sent.get("id"), sent.get("kind")
    if not (len(numbers) == 3 and 0 <= numbers[0] < len(recording.simulations)):
        return
    if not (isinstance(id, str) and isinstance(kind, str) and len(kind) < MOST_LETTERS):
        return
    slot, t, replicate = numbers
    question = Asked(recording.name, slot, t, replicate, id)
    if sent.get("forget"):
        _all(lab).pop(question, None)
    elif question.future(recording) is not None:
        _ask(lab, question, kind)


def answers(lab: str, recording: Recording, metric: Metric | None) -> list[tuple[Future, dict[str, Any]]]:
    """Return the other futures of a run with what the player says of each.

    It is the question, and the answer once it is known. metric : whose value at the end of both runs is told.
    """
    found = []
    for one, kind in _all(lab).items():
        if one.run != recording.name or (future := one.future(recording)) is None:
            continue
        sent = {"slot": one.slot, "t": one.t, "replicate": one.replicate, "id": one.id, "kind": kind}
        told = {"key": one.key, "asked": sent, "question": visible(future.question.title)}
        told["answer"] = visible(future.answer(kind, metric))
        found.append((future, told))
    return found


def at_event(recording: Recording, events: Sequence[Mapping[str, Any]], t: int) -> list[dict[str, Any]]:
    """Return for each marked event of step t the first question that can be asked of the step that brought it."""
    found = []
    for event in (event for event in events if event["t"] == t and not event.get("common")):
        simulation = recording.simulations[event["slot"]]
        for at in sorted({event.get("cause", t), t}):
            if asked := once(whole(partial(questions, simulation, at, event["replicate"]))):
                one = {name: event[name] for name in ("slot", "replicate", "kind")} | {"t": at, "id": asked[0].id}
                found.append({"asked": one, "question": visible(asked[0].title), "help": asked[0].help})
                break
    return found


def tell(lab: str, recording: Recording, events: Sequence[Mapping[str, Any]], t: int) -> None:
    """Tell the player what can be asked of the events of the step at which the playhead rests."""
    data = {"run": recording.name, "t": t, "offers": at_event(recording, events, t) if 0 < t <= recording.t else []}
    _offers(key=f"unseen-{lab}-offers", data=data)


_offers = component("offers", Path(__file__).parent / "js" / "offers.js", html="")


def _steps(simulation: Simulation, t: int, replicate: int) -> list[int]:
    """Return the steps of which something can be asked at step t: those that brought its events, and itself."""
    causes = {found.cause for found in events_of(simulation, replicate) if found.t == t and found.cause}
    return sorted(causes | {t})


def offer(lab: str, recording: Recording, slot: int, t: int, replicate: int) -> None:
    """Draw a button for each question that can be asked of a step. The player tells the answers."""
    simulation, before = recording.simulations[slot], _all(lab)
    with st.container(horizontal=True, key=f"{lab}-what-if"):
        for at in _steps(simulation, t, replicate):
            asks = once(whole(partial(questions, simulation, at, replicate)))
            for number, question in enumerate(asks):
                one = Asked(recording.name, slot, at, replicate, question.id)
                words = question.title if at == t else f"Step {at:,}, which brought this: {question.title}"
                st.button(
                    plain(words), help=question.help, icon=":material/alt_route:", key=f"{lab}:if:{t - at}:{number}",
                    on_click=_ask, args=(lab, one), disabled=one in before,
                )  # fmt: skip
