"""The base of all step inspectors."""

import html
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from learners import Simulation
from learners.base import PHASES, Line
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import STYLE, formula_line, reason
from pages.ui.plain import NOTHING, Html, Markdown, plain
from pages.ui.race.change import StepChange
from pages.ui.race.moment import Moment


class Part(NamedTuple):
    """A part of an account: HTML, or a line of the algorithm with its number.

    line : Markdown with LaTeX between dollar signs. words : the line in plain words.
    """

    text: Html = NOTHING
    number: int = 0
    line: Markdown = NOTHING
    words: str = ""


class Inspector:
    """The account of one step of one replicate, first in words and then line by line of the learner's algorithm.

    simulation : one with exactly as many steps taken as the step has, such as `simulation.fork(at=t + 1)`.

    A method named after a phase (see learners.base.PHASES) returns HTML on what happened in it, "" for nothing to say.
    It begins with a sentence in words.

    Raises
    ------
    ValueError : before the first step.
    """

    change: ClassVar[StepChange | None] = None  # what `changed` records, for labs whose steps nobody watches

    def __init__(self, simulation: Simulation, replicate: int, look: Look) -> None:
        self.simulation, self.r, self.look = simulation, replicate, look
        self.learner, self.data, self.step = simulation.learner, simulation.dataset, self.latest(simulation)
        if self.step is None:
            raise ValueError("an inspector needs a simulation that has taken a step, got one at step 0")

    @staticmethod
    def latest(simulation: Simulation) -> Any:
        """Return the record of the latest step, or None before the first."""
        return simulation.last

    @classmethod
    def changed(cls, moment: Moment) -> dict[str, Any]:
        """Return what the latest step of each learner changed in the first run, as a keyframe of `change`."""
        raise NotImplementedError

    @property
    def by_hand(self) -> bool:
        """Whether a person answered this step of this replicate."""
        answers = self.simulation.answers
        return bool(answers) and self.r == 0 and self.step.t in answers

    def why(self) -> str:
        """Return two to four sentences on what happened in the step, why, and what follows, as plain text."""
        raise NotImplementedError

    def told(self) -> Html:
        """Return the same sentences as HTML."""
        return Html(html.escape(self.why()).replace(" = ", "&nbsp;=&nbsp;"))

    def start(self) -> Html:
        """Return what to say of lines that run once, before the first step."""
        return NOTHING

    def after(self) -> Html:
        """Return what to say of lines that run after the last step."""
        return NOTHING

    def outcome(self) -> Html:
        """Return what the step has cost or brought."""
        return NOTHING

    @classmethod
    def phases(cls) -> tuple[str, ...]:
        """Return the phases that this inspector knows."""
        return tuple(phase for phase in PHASES if hasattr(cls, phase))

    def lines(self) -> tuple[Line, ...]:
        """Return the lines of the algorithm."""
        found: tuple[Line, ...] = self.learner.lines
        return found

    def parts(self) -> list[Part]:
        """Return the account: what happened in words, then the algorithm, with what happened in each phase below it.

        Raises
        ------
        ValueError : where a line has a phase that this inspector does not know.
        """
        lines = self.lines()
        found = [Part(reason(self.told()))]
        for number, line in enumerate(lines, start=1):
            found.append(Part(number=number, line=Markdown(line.text), words=self.learner.words(line)))
            if line.phase not in self.phases():
                raise ValueError(f"phase of line {number} must be one of {', '.join(self.phases())}, got {line.phase}")
            last = number == len(lines) or lines[number].phase != line.phase
            told: Callable[[], Html] = getattr(self, line.phase)
            if last and (text := told()):
                found.append(Part(text))
        if text := self.outcome():
            found.append(Part(text))
        return found

    def html(self) -> Html:
        """Return the account as HTML that needs no network; `pages.ui.draw.markup.CSS` goes with it."""
        parts = (
            formula_line(part.number, part.words, part.line) if part.number else part.text for part in self.parts()
        )
        return f'<div class="fl-account">{"".join(parts)}</div>'

    @classmethod
    def show(cls, simulation: Simulation, replicate: int, look: Look) -> None:
        """Write the account on a page; lines by Streamlit's Markdown, since `st.html` takes formulas out of HTML."""
        import streamlit as st  # which a recording of the account does not need

        if simulation.last is None:
            st.caption("No step has been taken yet.")
            return
        st.html(STYLE)
        for part in cls(simulation, replicate, look).parts():
            if part.number:
                st.markdown(f":gray-badge[line {part.number}] {plain(part.words)}\n\n{part.line}")
            else:
                st.html(part.text)
