"""The button "Be the user" of a lab, and the panel in which a person then answers a few steps of the run.

The answers become a setting of the lab, so that the link and the file hold them, and the run is computed with them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice, takewhile
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import datasets
from datasets.spec import Spec
from learners.spec import RunSpec
from learners.wording import listed
from pages.ui.answer import panel
from pages.ui.answer.person import Answerer, Clicker, Guesses
from pages.ui.files.sharing import load_data
from pages.ui.form.settings import Settings
from pages.ui.lab.stage import put, rest_of
from pages.ui.plain import Markdown, plain
from pages.ui.race.answers import ANSWERS, LAST_STEP, MOST_ANSWERS, Answers
from pages.ui.race.world import REPLICATES

STEPS = 5  # that a person is asked to answer


@dataclass
class PersonTurn:
    """The turn of a person at a run. steps : how many the person is asked to answer."""

    setup: RunSpec
    person: Answerer
    steps: int

    @property
    def number(self) -> int:
        """The number of the step that is asked, from 1."""
        return len(self.person.answers) + 1


@dataclass(frozen=True)
class Failed:
    """A reason for which a person could not answer a step of a run."""

    setup: RunSpec
    why: str


@dataclass(frozen=True)
class AnswerPlace:
    """The place at which a person can become the user.

    id, page : of the lab, and its file. what : the "documents" or "labels" that a person approves of, or "" in a lab
    in which nobody can answer. settings : of the lab. offered : ids of its data sets.
    """

    id: str
    page: str
    what: str
    settings: Settings
    offered: tuple[str, ...]

    def show(self, setup: RunSpec, beside: DeltaGenerator) -> bool:
        """Draw the button `beside` the title, or the panel. Return whether a person answers, in place of the player."""
        if not self.what or self.settings.hides("question"):
            return False
        turn = self._turn
        if isinstance(turn, tuple) and turn[0] == setup:  # the button was pressed
            with st.spinner("Going to the step …"):
                turn = self._started(*turn)
        if isinstance(turn, PersonTurn) and turn.setup == setup:
            st.fragment(self._ask)(turn)
            return True
        if not self._judged(setup.dataset):
            self._explain(setup.dataset, beside)
            return False
        full = len(setup.answers) >= MOST_ANSWERS
        help = f"{MOST_ANSWERS} steps are answered, which is the limit. Forget them first." if full else (
            "Answer the next five steps after the playhead yourself. After them the run goes on as before."
        )  # fmt: skip
        beside.button(
            "Be the user", icon=":material/person_raised_hand:", key=f"{self.id}:be", help=help, disabled=full,
            on_click=self._begin, args=(setup,),
        )  # fmt: skip
        if setup.answers:
            st.caption(f"A person answered {_listed(setup.answers)} in place of {_other(setup)}.")
        if isinstance(turn, Failed) and turn.setup == setup:
            st.error(plain(turn.why), icon=":material/block:")
        return False

    def _judged(self, dataset: Spec) -> bool:
        """Return whether a person can judge these data. The content of a file is known once it is read."""
        if datasets.classes()[dataset.id].judged_by:
            return True
        return "path" in dataset.values and panel.can_judge(load_data(dataset), self.what)

    @property
    def _key(self) -> str:
        return f"{self.id}:turn"

    @property
    def _turn(self) -> Any:
        return st.session_state.get(self._key)

    def _keep(self, turn: PersonTurn | Failed | tuple[RunSpec, list[int]] | None) -> None:
        """Keep whose turn it is, or why it is not. A pair is a turn to begin."""
        st.session_state[self._key] = turn

    def _started(self, setup: RunSpec, steps: list[int]) -> PersonTurn | Failed:
        """Return the turn of a person who answers these steps."""
        kind, learners = (Clicker, setup.learners[:1]) if self.what == "documents" else (Guesses, setup.learners)
        turn: PersonTurn | Failed
        try:
            turn = PersonTurn(setup, kind(setup, learners, load_data(setup.dataset), steps[0]), len(steps))
        except ValueError as error:  # weights overflow
            turn = Failed(setup, str(error))
        self._keep(turn)
        return turn

    # ---- what the person presses

    def _begin(self, setup: RunSpec) -> None:
        most = min(STEPS, MOST_ANSWERS - len(setup.answers))
        after = list(islice(_free(setup, rest_of(self.id) + 1), most))
        steps = after or list(islice(_free(setup, 1), most))
        self._keep((setup, steps) if steps else None)

    def _next(self, turn: PersonTurn) -> None:
        try:
            turn.person.choose(turn.person.marked)
        except ValueError as error:
            self._keep(Failed(turn.setup, str(error)))
            return
        if turn.number > turn.steps:
            self._finish(turn)

    def _finish(self, turn: PersonTurn) -> None:
        """Make the answers a setting, and put the playhead at the first of them."""
        self._keep(None)
        if not turn.person.answers:
            return
        self.settings.set(ANSWERS, dict(turn.setup.answers) | turn.person.answers)
        self.settings.set(REPLICATES, 1)
        put(self.id, min(turn.person.answers))

    # ---- what is drawn

    def _ask(self, turn: PersonTurn) -> None:
        """Draw the step that is asked. It is a fragment, and ends in a run of the whole page."""
        if self._turn is not turn:
            st.rerun()
        person, last = turn.person, turn.number == turn.steps
        pair = isinstance(person, Clicker) and person.compares
        noun = Markdown("Pair" if pair else "List" if self.what == "documents" else "Example")
        with st.container(border=True, key=f"{self.id}-answer"):
            key = f"{self.id}:answer:{person.t}"
            head = Markdown(
                f"**You are the user. {noun} {int(turn.number)} of {int(turn.steps)}** (step {person.t:,})."
            )
            panel.question(person, key, head)
            with st.container(horizontal=True):
                st.button(
                    "Done" if last else f"Next {noun.lower()}", type="primary", key=f"{key}:next",
                    icon=":material/done:" if last else ":material/arrow_forward:", on_click=self._next, args=(turn,),
                )  # fmt: skip
                help = "Keep the answers so far, and let the run go on." if turn.number > 1 else "Answer nothing."
                st.button(
                    "Stop here", type="tertiary", key=f"{key}:enough", help=help, on_click=self._finish, args=(turn,)
                )
            if turn.setup.replicates > 1:
                st.caption(
                    f"There are {int(turn.setup.replicates)} replicates side by side. You cannot answer for all of "
                    "them, so the run goes on with one."
                )

    def _explain(self, now: Spec, beside: DeltaGenerator) -> None:
        """Offer in place of the button the data that a person can judge, with links to this lab on them."""
        with beside.popover("Be the user", icon=":material/person_raised_hand:", type="tertiary"):
            st.markdown("These data are nothing but numbers, which nobody can judge by looking. On these you can:")
            for id in self.offered:
                kind = datasets.classes()[id]
                if kind.judged_by and _there(kind):
                    st.page_link(self.page, label=f"{kind.title} ({kind.judged_by})", query_params=self._on(kind, now))

    def _on(self, kind: type[datasets.Dataset], now: Spec) -> dict[str, str]:
        """Return the query of this lab on other data, without answers and without what belongs to the present data."""
        gone = {ANSWERS.name, *now.values}
        return {key: text for key, text in self.settings.link.items() if key not in gone} | {"dataset": kind.id}


def _there(kind: type[datasets.Dataset]) -> bool:
    """Return whether a data set can be opened as it is, without a file or a download."""
    try:
        kind().size()
    except ValueError:
        return False
    return True


def _free(setup: RunSpec, first: int) -> Iterator[int]:
    """Yield the steps of a run from `first` on that nobody has answered yet."""
    answered, last = dict(setup.answers), min(setup.steps, LAST_STEP)
    return (t for t in takewhile(lambda t: t <= last, count(first)) if t not in answered)


def _other(setup: RunSpec) -> Markdown:
    return Markdown("the truth" if setup.user is None else "the simulated user")


def _listed(answers: Answers) -> Markdown:
    """Return the steps answered, in words.

    >>> _listed(((1, ()), (2, (4,)), (3, ()), (9, ())))
    'steps 1 to 3 and 9'
    """
    runs: list[list[int]] = []
    for t, _ in answers:
        if runs and runs[-1][-1] == t - 1:
            runs[-1].append(t)
        else:
            runs.append([t])
    parts = [f"{run[0]:,}" if len(run) == 1 else f"{run[0]:,} to {run[-1]:,}" for run in runs]
    return Markdown(f"step{'s' * (len(answers) != 1)} {listed(parts)}")
