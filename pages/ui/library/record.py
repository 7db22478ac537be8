"""The document of simulations that have run in a script, without a server or a page."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from datasets.parameters import Declared, shown
from datasets.spec import Spec
from learners import Simulation
from learners.base import Learner
from learners.catalogue import families
from learners.family import Family
from learners.interleaving import Comparison
from learners.interleaving import metrics as compared
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.families import face_of
from pages.ui.play import payload
from pages.ui.play.recording import Recording
from pages.ui.race.charts import ChartSpec, ChartView
from pages.ui.race.face import Face
from pages.ui.recordings import made
from pages.ui.recordings.document import MOST_LEARNERS, Document

LONG = 1e9  # seconds


@dataclass(frozen=True)
class Ran(RunSpec):
    """The setup of simulations that have run, whose learners need not be in the catalogue."""

    instances: tuple[Learner, ...] = ()

    @property
    def family(self) -> Family:
        return families()[self.instances[0].family]

    def made(self) -> tuple[Learner, ...]:
        return self.instances


def document_of(
    simulations: Simulation | Sequence[Simulation], title: str = "", charts: Sequence[str] | None = None,
    replicate: int = 0, window: int | None = None, values: int = payload.ALL_VALUES, figures: bool = True,
) -> Document:  # fmt: skip
    """Return the document of a run, or of several that were run beside each other, as far as they have come.

    charts : ids of metrics and pictures, without which they are those of the family's lab. replicate : whose steps are
    shown. window : steps over which values of single steps are averaged. values : most of single steps that are kept.
    figures : whether, of charts that nobody named, those are kept that are pictures; one that is the scene is kept.

    For pictures, and for the scene, the run is taken once more from its start.

    Raises
    ------
    ValueError : for simulations that have taken no step, or do not belong together.
    """
    runs: list[Any] = list(simulations) if isinstance(simulations, list | tuple) else [simulations]
    _check(runs)
    first, look = runs[0], Look()
    setup = _setup(runs)
    title = title or f"{' · '.join(setup.shorts())} on {setup.dataset.id}"
    face = face_of(first.learner.family, isinstance(first, Comparison))
    specs = _charts(runs, face, charts, figures)
    name = hashlib.sha256(repr((setup, title)).encode()).hexdigest()[:16]
    recording = Recording(name, setup, first.dataset, ran=runs)
    wide = 1 if setup.replicates == 1 else 25 if setup.steps <= 1000 else 250
    view = ChartView(window=wide if window is None else window, unit=recording.unit)
    pictures = face.drawn(specs, look)
    again = Recording(name, setup, first.dataset, pictures, ran=[run.fork(at=1) for run in runs] if pictures else runs)
    again.advance(LONG)
    spec = None if any(_has_no_spec(run) for run in runs) else RunSpec(
        setup.learners, setup.dataset, setup.user, setup.replicates, setup.steps, setup.seed, setup.comparison,
        setup.answers,
    )  # fmt: skip
    return made.document(
        recording, specs, view, look, face, setup.family.page.removesuffix(".py").rpartition("/")[2], title, spec,
        replicate, values, pictured=again,
    )  # fmt: skip


def _charts(runs: Sequence[Any], face: Face, ids: Sequence[str] | None, figures: bool) -> list[ChartSpec]:
    """Return the charts with these ids of which the runs have anything; without ids those of the lab.

    Raises
    ------
    ValueError : for an id that is neither of a metric of the run nor of a picture.
    """
    first = runs[0]
    metrics = (*families()[first.learner.family].metrics, *(compared.METRICS if isinstance(first, Comparison) else ()))
    every = {m.id: ChartSpec(m.id, m.label, m.help, m, remark=m.remark) for m in metrics}
    every |= {chart.id: chart for chart in face.pictures}
    if ids is not None:
        if unknown := [id for id in ids if id not in every]:
            raise ValueError(f"charts must be among {', '.join(every)}, got {shown(unknown[0])}")
        found = [every[id] for id in ids]
    else:
        adapts = any(run.learner.adapts for run in runs)
        usual = [every[chart if isinstance(chart, str) else chart.id] for chart in face.shown]
        found = [
            chart for chart in usual
            if chart.tells(first.dataset, adapts) and (figures or chart.metric is not None or chart.id == face.scene)
        ]  # fmt: skip
    there = [chart for chart in found if not chart.metric or any(chart.metric.id in run.history for run in runs)]
    return [chart.titled_for(first.dataset) for chart in there]


def _check(runs: Sequence[Any]) -> None:
    if not runs or not all(isinstance(run, Simulation) for run in runs):
        raise ValueError(f"only a simulation, or a list of several, can be recorded, got {shown(runs)}")
    if len(runs) > MOST_LEARNERS:
        raise ValueError(f"at most {MOST_LEARNERS} simulations are recorded beside each other, got {len(runs)}")
    first = runs[0]
    if not min(run.t for run in runs):
        raise ValueError("a simulation that is recorded must have taken a step; advance it first")
    for run in runs[1:]:
        same = run.learner.family == first.learner.family and type(run) is type(first)
        if not same or (run.replicates, run.t) != (first.replicates, first.t):
            raise ValueError("simulations that are recorded together need the same family, replicates and steps")


def _has_no_spec(run: Simulation) -> bool:
    """Return whether a `RunSpec` cannot say how a run came about: a fork, or weights for a fixed ranker."""
    weights = isinstance(run, Comparison) and not isinstance(run.settings["fixed"], str)
    return weights or any(change.approved is None for change in run.changes)


def _setup(runs: Sequence[Simulation]) -> Ran:
    first = runs[0]
    data, user = first.dataset, first.user
    learners = tuple(run.learner for run in runs)
    settings = first.settings if isinstance(first, Comparison) else None
    comparison = tuple(settings.items()) if settings and isinstance(settings["fixed"], str) else None
    return Ran(
        tuple(Spec.of(learner) for learner in learners), Spec(data.id, tuple(data.params.items())),
        Spec.of(user) if isinstance(user, Declared) else None, first.replicates, min(run.t for run in runs), first.seed,
        comparison, tuple(first.answers.items()), learners,
    )  # fmt: skip
