"""The base of the inspectors of the three boosting families."""

from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from learners import Simulation
from learners.base import Array
from learners.metric import Metric
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import note, summary
from pages.ui.plain import NOTHING, Html, for_html, visible
from pages.ui.race.change import StepChange, largest
from pages.ui.race.inspector import Inspector
from pages.ui.race.moment import Moment
from pages.ui.race.words import count, joined, number, sentence

MOST_ROWS = 12  # rows that are listed


class RoundInspector(Inspector):
    """The account of one round of boosting. `names` are titles of those details of a round that are numbers."""

    change = StepChange(
        "What the round changed",
        "The rows of the training set whose weights change most for the next round of the first run: their shares of "
        "all weight in percent, before the round (outline) and after it (filled), with the change. The next weak "
        "learner cares most for what is heavy. α is how much the model that was added in this round counts.",
        names="row",
        number="α",
    )
    names: ClassVar[dict[str, str]] = {}
    kind = "document"  # what a row of the problem is
    error: Html = Html("weighted error ε")  # what the learner's error is called

    def __init__(self, simulation: Simulation, replicate: int, look: Look) -> None:
        super().__init__(simulation, replicate, look)
        self.world = simulation.environment
        self.problem, self.round = self.world.problems[replicate], self.step.rounds[replicate]
        self.details = self.round.details

    def why(self) -> str:
        if self.round.stopped:
            t, stays = self.step.t, "and what it predicts stays as it was"
            return f"Nothing was added in round {t}, {stays}. The reason: {sentence(self.round.stopped)}"
        if not self.learner.boosts:
            return joined([f"In this first round {self.weak()}.", "Nothing is added later.", self.brought()])
        if end := self.world.learners[self.r].end:
            return joined([sentence(self.weak()), f"It is the last round. {end}", self.brought()])
        return joined([sentence(self.weak()), sentence(self.vote()), self.heavier(), self.brought()])

    @classmethod
    def changed(cls, moment: Moment) -> dict[str, Any]:
        if not moment.t:
            return {"slots": [{} for _ in moment.simulations]}
        return {"slots": [cls(simulation, 0, Look())._changed() for simulation in moment.simulations]}

    def _changed(self) -> dict[str, Any]:
        """Return the rows whose weights change most, in percent, as the columns of one step (see `StepChange`)."""
        none: dict[str, Any] = {"id": [], "was": [], "by": [], "names": []}
        if self.round.stopped:
            return none | {"note": "Nothing is added any more."}
        if not self.learner.boosts:
            return none | {"note": "This learner adds one model, in the first round."}
        found = none | {"number": [float(self.round.step)]}
        shares = self._shares()
        if shares is None:
            return found | {"note": "It keeps no weights of rows."}
        was, now = shares
        ids = [int(i) for i in largest(was[None], now[None])[0] if i >= 0]
        return found | {
            "id": ids, "was": [round(float(was[i]), 4) for i in ids],
            "by": [round(float(now[i] - was[i]), 4) for i in ids], "names": [visible(self.tag(i)) for i in ids],
        }  # fmt: skip

    def _shares(self) -> tuple[Array, Array] | None:
        """Return the shares (n,) of the rows in all weight, in percent, in this round and for the next, if known."""
        old, new = self.round.weights, self.world.learners[self.r].next_weights()
        if old is None or new is None or not np.abs(old).sum() or not np.abs(new).sum():
            return None
        return 100 * old / np.abs(old).sum(), 100 * new / np.abs(new).sum()

    def weak(self) -> str:
        """Return what the weak learner has found, as a clause."""
        raise NotImplementedError

    def vote(self) -> str:
        """Return how much of it is added and why, as a clause."""
        return f"it was added with the step size α = {number(self.round.step)}"

    def row(self, i: int) -> str:
        """Return what a row of the problem is called."""
        raise NotImplementedError

    def tag(self, i: int) -> str:
        """Return what a row of the problem is called where there is little room."""
        return self.row(i)

    def brought(self) -> str:
        """Return what became better or worse, as a sentence."""
        raise NotImplementedError

    def compared(self, metric: Metric, what: str, format: str) -> str:
        """Return a metric before and after the round, as a sentence."""
        values = self.simulation.history[metric.id][-2:, self.r]
        if np.isnan(values[-1]):
            return ""
        now = f"{values[-1]:{format}}".replace("-", "−")
        if len(values) < 2 or np.isnan(values[0]):
            return f"{what} is now {now}."
        was = f"{values[0]:{format}}".replace("-", "−")
        return f"{what} stays at {now}." if was == now else f"{what} is now {now} after {was}."

    def heavier(self) -> str:
        """Return which rows gain weight for the next round, as a sentence, "" if none or unknown."""
        old, new = self.round.weights, self.world.learners[self.r].next_weights()
        if old is None or new is None or not old.sum() or not new.sum():
            return ""
        old, new = old / old.sum(), new / new.sum()
        gained = new > old * (1 + 1e-9) + 1e-15
        if not gained.any():
            return "No weight changes for the next round."
        i = int(np.argmax(new - old))
        most = f"from {number(100 * old[i])}% to {number(100 * new[i])}% of the weight"
        n = int(gained.sum())
        gain = f"{count(n, self.kind)} gain{'s' * (n == 1)} weight"
        return f"For the next round, {gain}, most of all {self.row(i)}, {most}."

    def observe(self) -> Html:
        """Return what the weak learner is given."""
        return NOTHING

    def predict(self) -> Html:
        """Return what the weak learner has found."""
        return NOTHING

    def feedback(self) -> Html:
        """Return how good that is and how much of it is added."""
        if self.round.stopped:
            return note(f"<b>Nothing is added.</b> {for_html(sentence(self.round.stopped))}")
        found = [] if np.isnan(self.round.error) else [f"{self.error} = <b>{self.round.error:.4g}</b>"]
        found.append(f"step size α = <b>{self.round.step:.4g}</b>")
        numbers = {title: self.details.get(name) for name, title in self.names.items()}
        found += [Html(f"{for_html(t)} = {v:.4g}") for t, v in numbers.items() if isinstance(v, int | float)]
        return note(f"{for_html(sentence(self.vote()))} {' · '.join(found)}")

    def update(self) -> Html:
        """Return the objective after the round, and its bound."""
        values = self.round.values
        reported = [metric for metric in self.simulation.environment.reported if metric.id in values and metric.short]
        found = [f"{for_html(metric.short)} {values[metric.id]:.5g}" for metric in reported]
        return note(f"After it, {' · '.join(found)}.") if found else NOTHING

    def value(self, metric: Metric) -> float:
        """Return a metric of this replicate after the round."""
        return float(self.simulation.history[metric.id][-1, self.r])

    def after_round(self, parts: Iterable[Html]) -> Html:
        """Return what the round has brought, and why the learner has stopped if it has."""
        end = f" The learner has stopped. {for_html(sentence(self.round.stopped))}" if self.round.stopped else ""
        return summary(f"After round {int(self.step.t)}", parts, f".{end}")
