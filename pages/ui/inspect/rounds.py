"""What the inspectors of the three boosting families share."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from learners import Simulation
from learners.metric import Metric
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import note, summary
from pages.ui.inspect.base import Inspector

MOST = 12  # rows that are listed


def sentence(text: str) -> str:
    """Return a reason as a sentence, safe in HTML."""
    return html.escape(text[:1].upper() + text[1:].rstrip(".") + ".")


class RoundInspector(Inspector):
    """The account of one round of boosting. `names` are titles of those details of a round that are numbers."""

    names: ClassVar[dict[str, str]] = {}
    error = "weighted error ε"  # what the learner's error is called

    def __init__(self, simulation: Simulation, replicate: int, look: Look) -> None:
        super().__init__(simulation, replicate, look)
        self.world = simulation.environment
        self.problem, self.round = self.world.problems[replicate], self.step.rounds[replicate]
        self.details = self.round.details

    def observe(self) -> str:
        """Return what the weak learner is given."""
        return ""

    def predict(self) -> str:
        """Return what the weak learner has found."""
        return ""

    def feedback(self) -> str:
        """Return how good that is and how much of it is added."""
        if self.round.stopped:
            return note(f"<b>Nothing is added.</b> {sentence(self.round.stopped)}")
        parts = [] if np.isnan(self.round.error) else [f"{self.error} = <b>{self.round.error:.4g}</b>"]
        parts.append(f"step size α = <b>{self.round.step:.4g}</b>")
        numbers = {title: self.details.get(name) for name, title in self.names.items()}
        return note(" · ".join([*parts, *(f"{t} = {v:.4g}" for t, v in numbers.items() if isinstance(v, int | float))]))

    def update(self) -> str:
        """Return the objective after the round, and its bound."""
        values = self.round.values
        reported = [metric for metric in self.simulation.environment.reported if metric.id in values and metric.short]
        found = [f"{metric.short} {values[metric.id]:.5g}" for metric in reported]
        return note(" · ".join(found)) if found else ""

    def value(self, metric: Metric) -> float:
        """Return a metric of this replicate after the round."""
        return float(self.simulation.history[metric.id][-1, self.r])

    def after_round(self, parts: Iterable[str]) -> str:
        """Return what the round has brought, and why the learner has stopped if it has."""
        end = f" The learner has stopped. {sentence(self.round.stopped)}" if self.round.stopped else ""
        return summary(f"After round {self.step.t}", parts, f".{end}")
