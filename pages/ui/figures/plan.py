"""Cuts a figure into works that run anywhere and in any order, and joins what they found."""

import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import datasets
from datasets.base import DATA_SEED
from datasets.spec import Spec
from learners.base import Array
from learners.spec import RunSpec
from learners.sweep.batch import compute
from learners.sweep.sampled_run import SampledRun
from pages.ui.figures.figure import Figure, Group, Groups, Metrics, Over, Panel, Series, Size, Steps
from pages.ui.figures.result import Drawn, Result


@dataclass(frozen=True)
class Computation:
    """One data seed of a panel whose curves a function makes; it runs as a batch of a sweep does.

    function : its module and its name.
    """

    number: int
    panel: str
    function: tuple[str, str]
    seed: int
    size: Size
    steps: int = 1
    runs: int = 1


@compute.register(Computation)
def computed(work: Computation, tick: Callable[[int], bool] = lambda steps: False) -> Any:
    if tick(0):
        return None
    began = time.thread_time()
    function = getattr(importlib.import_module(work.function[0]), work.function[1])
    curves = {name: (tuple(x), np.asarray(y, dtype=float)) for name, (x, y) in function(work.seed, work.size).items()}
    tick(1)
    return {"curves": curves, "seconds": time.thread_time() - began}


Work = SampledRun | Computation


@dataclass(frozen=True)
class Place:
    """Where a value belongs: a series of a panel, a data seed, and a point of the x axis or, for a curve, None.

    work : number of the work that finds it. metric : of the trial. A function that makes the curves of a panel finds
    all of its series; `series` and `metric` are empty then.
    """

    panel: str
    series: str
    seed: int
    point: int | None
    work: int
    metric: str


@dataclass
class FigurePlan:
    """The works of a figure at a scale, and where what they find belongs."""

    figure: Figure
    scale: str
    works: list[Work] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def gather(self, found: Mapping[int, Any]) -> Result:
        """Return the result of what has been found so far, by the number of the work.

        A seed of a series without any value is left out; a point that is still missing is NaN.
        """
        panels: dict[str, dict[str, Drawn]] = {}
        for panel in self.figure.panels:
            panels[panel.id] = dict(self._series(panel, found))
        seconds = round(sum(float(np.sum(part["seconds"])) for part in found.values()), 1)
        return Result(panels, self.scale, seconds=seconds)

    def _series(self, panel: Panel, found: Mapping[int, Any]) -> Iterator[tuple[str, Drawn]]:
        size = panel.size(self.scale)
        if panel.computed is not None:
            parts = [found[p.work]["curves"] for p in self.places if p.panel == panel.id and p.work in found]
            for series in panel.series if parts else ():
                if unknown := set(parts[0]) ^ {s.name for s in panel.series}:
                    raise ValueError(f"{panel.computed.__name__} and the panel {panel.id} disagree on {min(unknown)!r}")
                yield series.name, Drawn(parts[0][series.name][0], np.stack([p[series.name][1] for p in parts]))
            return
        x = places_of(panel, size)
        for series in panel.series:
            mine = [p for p in self.places if p.panel == panel.id and p.series == series.name]
            y = np.full((size.seeds, len(x)), np.nan)
            for place in mine:
                if place.work in found:
                    values = _mean(found[place.work][place.metric])
                    y[place.seed, slice(None) if place.point is None else place.point] = (
                        values if place.point is None and len(values) == len(x) else values[-1]
                    )
            known = y[np.isfinite(y).any(axis=1)]
            if len(known):
                drawn = known if panel.drawn is None else panel.drawn(_numbers(x), known)
                yield series.name, Drawn(x, drawn)


def plan(figure: Figure, scale: str = "page") -> FigurePlan:
    """Return the works of a figure at a scale; runs that are the same for several curves are made once.

    Raises
    ------
    ValueError : for a scale that does not exist.
    """
    found = FigurePlan(figure, scale)
    made: dict[SampledRun, int] = {}  # number of each trial, by what it is without number and metrics
    metrics: dict[int, list[str]] = {}
    for panel in figure.panels:
        size = panel.size(scale)
        for seed in range(size.seeds):
            if panel.computed is not None:
                named = panel.computed.__module__, panel.computed.__qualname__
                found.places.append(Place(panel.id, "", seed, None, len(found.works), ""))
                found.works.append(Computation(len(found.works), panel.id, named, seed, size))
                continue
            for series in panel.series:
                for point, wanted, trial in _trials(panel, series, size, seed):
                    number = made.setdefault(trial, len(found.works))
                    if number == len(found.works):
                        found.works.append(trial)
                    known = metrics.setdefault(number, [])
                    known += [metric for metric in (wanted,) if metric not in known]
                    found.places.append(Place(panel.id, series.name, seed, point, number, wanted))
    found.works = [
        replace(work, number=number, metrics=tuple(metrics[number])) if isinstance(work, SampledRun) else work
        for number, work in enumerate(found.works)
    ]
    return found


def amount(figure: Figure, scale: str) -> int:
    """Return the steps of single runs that a figure takes at a scale."""
    made = {panel.id: panel.size(scale) for panel in figure.panels if panel.computed is not None}
    found = sum(work.steps * work.runs for work in plan(figure, scale).works if isinstance(work, SampledRun))
    return found + sum(size.steps * size.seeds * size.replicates for size in made.values())


def places_of(panel: Panel, size: Size) -> tuple[Any, ...]:
    """Return the places of a panel on its x axis, numbers or names."""
    if isinstance(panel.x, Steps):
        return panel.x.at(size.steps)
    if isinstance(panel.x, Over):
        return panel.x.values
    if isinstance(panel.x, Metrics):
        return tuple(place for place, _ in panel.x.metrics)
    return tuple(group.name for group in panel.x.groups)


def _trials(panel: Panel, series: Series, size: Size, seed: int) -> Iterator[tuple[int | None, str, SampledRun]]:
    """Yield for a series and a seed the point on the x axis, None for a whole curve, its metric, and the trial."""
    metric, x = series.metric or panel.metric, panel.x
    if isinstance(x, Steps):
        yield None, metric, trial(panel, series, size, seed, at=x.at(size.steps))
    elif isinstance(x, Metrics):
        for point, (_, id) in enumerate(x.metrics):
            yield point, id, trial(panel, series, size, seed)
    elif isinstance(x, Groups):
        for point, group in enumerate(x.groups):
            yield point, metric, trial(panel, series, size, seed, group=group)
    elif x.only and series.name not in x.only:
        yield None, metric, trial(panel, series, size, seed)
    else:
        for point, value in enumerate(x.values):
            yield point, metric, trial(panel, series, size, seed, varied=(x.owner, x.name, value))


def trial(
    panel: Panel, series: Series, size: Size, seed: int, at: tuple[int, ...] = (), group: Group | None = None,
    varied: tuple[str, str, Any] | None = None,
) -> SampledRun:  # fmt: skip
    """Return the trial of a series with one data seed, without number and metrics.

    varied : owner, name and value of the parameter on the x axis.
    """
    group = group or Group("")
    id = group.dataset or panel.dataset
    drawn = {DATA_SEED: seed} if datasets.classes()[id].drawn() else {}
    parts: dict[str, dict[str, Any]] = {
        "learner": dict(series.params),
        "dataset": {**drawn, **({} if group.dataset else panel.data), **size.data, **group.data, **series.data},
        "user": {**({} if series.user or group.user else panel.asks), **group.asks, **series.asks},
    }
    if varied is not None:
        parts[varied[0]][varied[1]] = varied[2]
    user = series.user or group.user or panel.user
    run = RunSpec(
        (Spec(series.learner, tuple(parts["learner"].items())),),
        Spec(id, tuple(parts["dataset"].items())),
        Spec(user, tuple(parts["user"].items())) if user else None,
        size.replicates,
        size.steps if not group.steps else max(1, round(group.steps * size.steps / panel.page.steps)),
        seed,
        None if panel.comparison is None else tuple(sorted(panel.comparison.items())),
    )
    return SampledRun(0, run, at=at)


def _mean(values: Array) -> Array:
    """Return the mean over the replicates that have a value, (points,)."""
    known = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        mean: Array = np.where(known, values, 0).sum(axis=1) / known.sum(axis=1)
    return mean


def _numbers(x: tuple[Any, ...]) -> Array:
    return Drawn(x, np.empty((0, len(x)))).numbers
