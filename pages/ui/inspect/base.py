"""What all step inspectors share."""

from __future__ import annotations

from typing import Any

import streamlit as st

from learners import Simulation
from learners.base import PHASES
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import STYLE


class Inspector:
    """The account of one step of one replicate, line by line of the learner's algorithm.

    A method named after a phase (see learners.base.PHASES) returns HTML on what happened in it, "" for nothing to say.
    """

    def __init__(self, simulation: Simulation, replicate: int, look: Look) -> None:
        self.simulation, self.r, self.look = simulation, replicate, look
        self.learner, self.data, self.step = simulation.learner, simulation.dataset, self.latest(simulation)

    @staticmethod
    def latest(simulation: Simulation) -> Any:
        """Return the record of the latest step, or None before the first."""
        return simulation.last

    def start(self) -> str:
        """Return what to say of lines that run once, before the first step."""
        return ""

    def after(self) -> str:
        """Return what to say of lines that run after the last step."""
        return ""

    def outcome(self) -> str:
        """Return what the step has cost or brought."""
        return ""

    @classmethod
    def phases(cls) -> tuple[str, ...]:
        """Return the phases that this inspector knows."""
        return tuple(phase for phase in PHASES if hasattr(cls, phase))

    @classmethod
    def show(cls, simulation: Simulation, replicate: int, look: Look) -> None:
        """Write the learner's algorithm, and what happened below the last line of each phase.

        Raises
        ------
        ValueError : where a line has a phase that this inspector does not know.
        """
        if simulation.last is None:
            st.caption("No step has been taken yet.")
            return
        account, lines = cls(simulation, replicate, look), simulation.learner.lines
        st.html(STYLE)
        for number, line in enumerate(lines, start=1):
            st.markdown(f":gray-badge[line {number}] {line.text}")
            if line.phase not in cls.phases():
                raise ValueError(f"phase of line {number} must be one of {', '.join(cls.phases())}, got {line.phase}")
            last = number == len(lines) or lines[number].phase != line.phase
            if last and (text := getattr(account, line.phase)()):
                st.html(text)
        st.html(account.outcome())
