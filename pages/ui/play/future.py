"""Another future of a run: what would have come if one thing in one step of one replicate had been different."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from learners import Simulation
from learners.metric import Metric
from learners.run.consequence import consequence
from learners.what_if import Question
from pages.ui.jobs.job import Sliced
from pages.ui.play.recording import Recording
from pages.ui.race.charts import ChartSpec, ChartView, drawn_curves
from pages.ui.race.moment import Moment


class Future(Sliced):
    """A fork of one learner of a recording, computed up to the end of the run.

    recording : it has taken step `t`. slot : the learner. replicate : the one in which something is different.
    """

    def __init__(self, recording: Recording, slot: int, t: int, replicate: int, question: Question) -> None:
        super().__init__()
        self.recording, self.slot, self.t, self.replicate, self.question = recording, slot, t, replicate, question
        self.simulation: Simulation | None = None
        self._answers: dict[tuple[str, Metric | None], str] = {}

    @property
    def complete(self) -> bool:
        """Whether the end of the run is reached."""
        return bool(self.failed) or (self.simulation is not None and self.simulation.t >= self.recording.setup.steps)

    def advance(self, seconds: float) -> None:
        """Compute for about `seconds`."""
        stop = time.perf_counter() + seconds
        try:
            if self.simulation is None:
                self.simulation = self.recording.simulations[self.slot].fork(at=self.t, change=self.question.change)
            left = self.recording.setup.steps - self.simulation.t
            if left:
                self.simulation.advance(steps=left, seconds=max(0.001, stop - time.perf_counter()))
        except ValueError as error:
            self.failed = str(error)
        self.bytes = self.simulation.bytes if self.simulation is not None else 0

    def answer(self, kind: str, metric: Metric | None) -> str:
        """Return what came of it in words, "" as long as the run or this future is computed.

        kind : id of the event at which it was asked, or "". metric : of the last sentence.
        """
        if self.failed:
            return f"It broke off. {self.failed}"
        if self.simulation is None or not (self.complete and self.recording.complete):
            return ""
        was = self.recording.simulations[self.slot]
        if was.history.steps != self.simulation.history.steps:
            return f"The run broke off. {self.recording.failed}"
        asked = kind, metric
        if asked not in self._answers:
            self._answers[asked] = consequence(
                was, self.simulation, self.question, self.t, self.replicate, kind, metric
            )
        return self._answers[asked]

    def drawn(self, charts: Sequence[ChartSpec], view: ChartView) -> list[dict[str, Any]]:
        """Return the curves of the replicate from step `t` on, as it would have been and as it was.

        They are those of the charts with curves, at the steps that these have.
        """
        if self.simulation is None:
            return []  # no lock is held here: histories may be read while they grow
        was = self.recording.simulations[self.slot]
        found = []
        would = f"as it would have been {self.question.without}"
        for id, words, simulation in (("was", "as it was", was), ("if", would, self.simulation)):
            curves = {chart.id: self._curves(chart, simulation, view) for chart in charts if chart.metric is not None}
            label = f"replicate {self.replicate + 1} {words}" if self.recording.setup.replicates > 1 else words
            key = f"{self.slot} {self.t} {self.replicate} {self.question.id} {id}"
            found.append({
                "id": key, "label": label, "from": self.t, "slot": self.slot, "was": id == "was",
                "charts": curves,
            })  # fmt: skip
        return found

    def _curves(self, chart: ChartSpec, simulation: Simulation, view: ChartView) -> list[dict[str, Any]]:
        setup = self.recording.setup
        alone = Moment(replace(setup, learners=(setup.learners[self.slot],)), simulation.history.steps, [simulation])
        assert chart.metric is not None
        found = []
        for curve in drawn_curves(chart.metric, alone, view, setup.steps):
            rows = np.flatnonzero(curve.x >= self.t - 1)
            if not (curve.bound or curve.faint) and len(rows):
                values = np.ascontiguousarray(curve.values[rows, self.replicate], dtype=np.float32)
                found.append({"x": np.ascontiguousarray(curve.x[rows]), "y": values})
        return found
