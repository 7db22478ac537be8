"""Another future of a run: what would have come if one thing in one step of one replicate had been different."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from learners import Simulation
from learners.what_if import Question
from pages.ui.play.job import Job
from pages.ui.play.recording import Recording
from pages.ui.race.charts import ChartSpec, View, drawn_curves
from pages.ui.race.moment import Moment


class Future(Job):
    """A fork of one learner of a recording, computed up to the end of the run.

    recording : it has taken step `t`. slot : the learner. replicate : the one in which something is different.
    """

    def __init__(self, recording: Recording, slot: int, t: int, replicate: int, question: Question) -> None:
        super().__init__()
        self.recording, self.slot, self.t, self.replicate, self.question = recording, slot, t, replicate, question
        self.simulation: Simulation | None = None

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

    def drawn(self, charts: Sequence[ChartSpec], view: View) -> list[dict[str, Any]]:
        """Return the curves of the replicate from step `t` on, as it would have been and as it was.

        They are those of the charts with curves, at the steps that these have.
        """
        if self.simulation is None:
            return []  # no lock is held here: histories may be read while they grow
        was = self.recording.simulations[self.slot]
        found = []
        for id, words, simulation in (("was", "as it was", was), ("if", self.question.title, self.simulation)):
            curves = {chart.id: self._curves(chart, simulation, view) for chart in charts if chart.metric is not None}
            label = f"Replicate {self.replicate + 1} from {view.unit} {self.t:,}: {words}"
            key = f"{self.slot} {self.t} {self.replicate} {self.question.id} {id}"
            found.append({
                "id": key, "label": label, "from": self.t, "slot": self.slot, "was": id == "was",
                "charts": curves,
            })  # fmt: skip
        return found

    def _curves(self, chart: ChartSpec, simulation: Simulation, view: View) -> list[dict[str, Any]]:
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
