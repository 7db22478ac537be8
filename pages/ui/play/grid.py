"""The runs at all stops of a knob, computed in the background, so that the browser can show them while a hand turns it.

The stops next to the value of the run come first. Where the setting is a number that each replicate can have for
itself, the stops of a part run as one simulation on the axis of the replicates; others run one after another. Only the
curves are kept, and they are those of the run with that value, to the bit.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.spec import Spec
from learners.base import Learner
from learners.run.history import History
from learners.spec import RunSpec
from learners.sweep.points import Points
from pages.ui.draw.charts import Look
from pages.ui.jobs.job import Sliced
from pages.ui.play.payload import charts, packed
from pages.ui.play.recording import Recording
from pages.ui.race import limits
from pages.ui.race.charts import ChartSpec, ChartView
from pages.ui.race.knob import Turning
from pages.ui.race.limits import kept, recorded
from pages.ui.race.moment import Moment

SECONDS = 40.0  # of one core that the stops of a knob may take, judged by the run itself
RUNS = 220  # replicates of a simulation of several stops
BYTES = 120e6  # that the histories of such a simulation may take
FIRST_STOPS = 2  # stops that are computed before the rest, as one simulation


@dataclass(frozen=True)
class Ended:
    """The part of a finished simulation that charts read."""

    learner: Learner
    history: History
    data: Any

    @property
    def dataset(self) -> Any:
        """The data on which it ran."""
        return self.data

    @property
    def replicates(self) -> int:
        """The number of replicates."""
        return self.history.replicates


class KnobGrid(Sliced):
    """Computes the curves of a run at the stops of a knob.

    Parameters
    ----------
    recording : the run itself, which comes first. turning : the knob.
    specs, view, look : the charts that are drawn. load : returns the data of a spec.

    Attributes
    ----------
    found : the stops that are ready, in the order in which they came: the number of the stop, and its charts.
    left_out : how many stops are not computed, since a run takes too long or breaks off.
    """

    background = True  # what people wait for comes before it

    def __init__(
        self, recording: Recording, turning: Turning, specs: Sequence[ChartSpec], view: ChartView,
        look: Look, load: Callable[[Spec], Any],
    ) -> None:  # fmt: skip
        super().__init__()
        self.turning = turning
        self.found: list[tuple[int, list[dict[str, Any]]]] = []
        self.left_out = 0
        self._drawn = [spec for spec in specs if spec.metric is not None], view, look
        self._load = load
        self._recording: Recording | None = recording  # until all is computed
        self._parts: list[list[int]] | None = None  # stops that are computed together
        self._running: list[tuple[int, Any]] = []  # learners by number, with their simulations of the first part
        self._runs: list[RunSpec] = []  # those of its stops

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to compute."""
        return bool(self.failed) or self._recording is None

    @property
    def ready(self) -> bool:
        """Whether it can begin: the run comes first."""
        return self._recording is not None and self._recording.complete

    def advance(self, seconds: float) -> None:
        """Compute for about `seconds`."""
        recording, stop = self._recording, time.perf_counter() + seconds
        if recording is None or not recording.complete:
            return
        if self._parts is None:
            self._runs = [recording.setup]
            if not recording.failed:
                self._draw(recording, self.turning.nearest()[:1])  # it is there already
            self._parts = self._plan(recording)
        while self._parts:
            try:
                if not self._running:
                    self._start(recording, self._parts[0])
                for _, simulation in self._running:
                    while simulation.t < recording.setup.steps:
                        left = stop - time.perf_counter()
                        if left <= 0:
                            return
                        simulation.advance(steps=recording.setup.steps - simulation.t, seconds=left)
                self._draw(recording, self._parts.pop(0))
            except ValueError:  # a learner does not take a value, or its weights overflow with it
                part = self._parts.pop(0)
                self.left_out += len(part) == 1
                self._parts = [[number] for number in part if len(part) > 1] + self._parts
            self._running = []
            self._weigh()
        self._recording = None
        self._weigh()

    def _plan(self, recording: Recording) -> list[list[int]]:
        """Return the stops that are computed together, part by part, without that of the run."""
        run, order = recording.setup, self.turning.nearest()[1:]
        if recording.failed:
            return []
        most = max(FIRST_STOPS, int(SECONDS / max(recording.worked, 1e-3)))
        self.left_out = max(0, len(order) - most)
        order = order[:most]
        if not self._together(run):
            return [[number] for number in order]
        held = sum(simulation.history.bytes for simulation in recording.simulations)
        size = max(1, min(RUNS // run.replicates, int(BYTES / max(held, 1))))
        first, rest = order[: min(FIRST_STOPS, size)], order[FIRST_STOPS:] if size >= FIRST_STOPS else order[size:]
        parts = np.array_split(rest, math.ceil(len(rest) / size)) if rest else []
        return [first, *(part.tolist() for part in parts)] if first else []

    def _together(self, run: RunSpec) -> bool:
        """Return whether the stops can stand side by side on the axis of the replicates."""
        alone = run.comparison is not None or run.answers or run.family.rounds or self.turning.of == "dataset"
        return not alone and self.turning.parameter.per_replicate

    def _slots(self, run: RunSpec) -> list[int]:
        """Return the learners that the knob concerns, by their numbers."""
        return [self.turning.slot] if self.turning.slot is not None else list(range(len(run.learners)))

    def _start(self, recording: Recording, part: Sequence[int]) -> None:
        run, turning = recording.setup, self.turning
        values = [turning.values[number] for number in part]
        self._runs = [turning.given(run, value) for value in values]
        if len(part) == 1:
            (one,) = self._runs
            data = recording.data
            if turning.of == "dataset":
                limits.check(one)
                data = self._load(one.dataset)
                limits.check_step(one, data)
            given = kept(one) | {"megabytes": 0}
            self._running = [(slot, one.simulation(slot, data, **given)) for slot in self._slots(run)]
            return
        each = run.given(turning.of, {turning.parameter.name: np.repeat(values, run.replicates)}, turning.slot or 0)
        for slot in self._slots(run):
            self._running.append((slot, Points.of(each, slot, recording.data, len(part), recorded(run))))

    def _draw(self, recording: Recording, part: Sequence[int]) -> None:
        specs, view, look = self._drawn
        for place, (number, run) in enumerate(zip(part, self._runs, strict=True)):
            ended: list[Any] = list(recording.simulations)
            for slot, simulation in self._running:
                history = simulation.history_of(place) if isinstance(simulation, Points) else simulation.history
                ended[slot] = Ended(run.made()[slot], history, simulation.dataset)
            moment = Moment(run, run.steps, ended)
            self.found.append((number, [turned(c, self.turning.slot) for c in charts(moment, specs, view, look)]))

    def _weigh(self) -> None:
        shown = (line for _, drawn in self.found for chart in drawn for line in chart["lines"])
        running = sum(simulation.bytes for _, simulation in self._running)
        self.bytes = running + sum(len(text or "") for line in shown for text in line["points"])


def face(knob: Turning, owner: str, run: RunSpec, look: Look, locked: bool = False) -> dict[str, Any]:
    """Return a knob as the browser draws it. owner : the name of its learner, where that must be told."""
    parameter, values = knob.parameter, knob.values
    return {
        "key": knob.key, "label": knob.label, "of": owner, "symbol": parameter.symbol,
        "texts": [f"{v:g}" for v in values],
        "value": values.index(knob.value), "help": parameter.help, "locked": locked,
        "home": values.index(knob.home) if knob.home in values else None,
        "color": None if knob.slot is None else look.raced(run.ids).colors[knob.slot % 4],
    }  # fmt: skip


def turned(chart: dict[str, Any], slot: int | None = None) -> dict[str, Any]:
    """Return of a chart what changes with a knob: its lines, and the range of its y axis.

    The points of a line are its x and its y, and if it has a band, the x of its upper edge (null where it has those of
    the line) and the y along both edges.

    slot : the number of the learner whose knob it is; the lines of the others stay as they are.
    """
    data, found = chart["data"], []
    for line in chart["lines"]:
        if slot is not None and line["slot"] != slot:
            continue
        x, y = (data[line["trace"]][axis] for axis in "xy")
        points: list[str | None] = [packed(x), packed(y)]
        if line["band"] is not None:
            across, around = (data[line["band"]][axis] for axis in "xy")
            upper = across[: len(across) // 2]
            points += [None if np.array_equal(upper, x) else packed(upper), packed(around)]
        key = {name: line[name] for name in ("slot", "faint", "bound", "steps")}
        found.append(key | {"points": points})
    return {"id": chart["id"], "slot": slot, "lines": found, "range": chart["layout"]["yaxis"].get("range")}
