"""Plans the runs of a comparison, one of each learner for each data seed, and gathers what they found.

The unit that counts is the data seed, as in the figures: seed i draws the data anew (`data_seed`), and with them their
order and the noise (`seed`). All learners meet the same, which makes the values of a seed a pair. Replicates of a seed
share its data, so they are no units; their mean is the value of the seed. Where the data are not drawn, a seed is an
order of the same data with its noise, and what is found holds for these data alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

import datasets
from datasets import own_code
from datasets.base import DATA_SEED
from datasets.parameters import whole
from learners.base import Array
from learners.catalogue import learner_classes
from learners.grid import GridSpec, varying
from learners.metric import Metric
from learners.spec import RunSpec
from learners.sweep.plan import Batch
from learners.sweep.setup import parts_of

if TYPE_CHECKING:
    import pandas as pd

LAST_SEED = 2**31 - 1
MOST_LEARNERS, MOST_SEEDS = 12, 1000


@dataclass(frozen=True)
class Unit:
    """A kind of independent observation. drawn : whether each draws its data anew.

    >>> Unit(drawn=True).of(20)
    '20 data seeds'
    """

    drawn: bool

    def of(self, number: int) -> str:
        """Return a number of units in words."""
        return f"{number} {'data seed' if self.drawn else 'seed'}{'s' * (number != 1)}"

    @property
    def words(self) -> str:
        """A unit, explained in a sentence."""
        if self.drawn:
            return (
                "Each seed draws the data anew, with their order and the noise; all learners meet the same. Replicates "
                "of a seed share its data, so they count as one: their mean."
            )
        return (
            "The data are the same in every run: a seed is another order of them with other noise, so what is found "
            "holds for these data and not for others like them. Replicates of a seed count as one: their mean."
        )


def unit_of(run: RunSpec) -> Unit:
    """Return what counts in a comparison of the learners of a run."""
    return Unit(datasets.classes()[run.dataset.id].drawn())


def rivals(spec: RunSpec | GridSpec) -> RunSpec:
    """Return the run whose learners are compared; those of a sweep are its learner with each choice of values.

    Raises
    ------
    ValueError : with a sentence, where there is nothing to compare, or too much.

    >>> from datasets.spec import Spec
    >>> from learners.grid import Grid
    >>> run, gamma = RunSpec((Spec("banditron"),), Spec("synsep")), learner_classes()["banditron"].parameter("gamma")
    >>> [x.values for x in rivals(GridSpec(run, (Grid(gamma, 0.1, 0.2, 2),))).learners]
    [{'gamma': 0.1}, {'gamma': 0.2}]
    """
    if isinstance(spec, GridSpec):
        run, owned = spec.run, varying(spec.learner, spec.run.dataset, spec.run.user)
        for grid in spec.grids:
            if owned[grid.name][0] is not learner_classes()[spec.learner.id]:
                raise ValueError(
                    f"a comparison is between learners in one world, and {grid.name} belongs to the world; vary a "
                    "parameter of the learner, or race several learners"
                )
        points = itertools.product(*spec.over.values())
        spec = replace(run, learners=tuple(spec.learner.given(dict(zip(spec.over, p, strict=True))) for p in points))
    if spec.comparison is not None:
        raise ValueError("a comparison by interleaving has a test of its own, which counts clicks")
    if not 2 <= len(spec.learners) <= MOST_LEARNERS:
        raise ValueError(f"a comparison needs 2 to {MOST_LEARNERS} learners, got {len(spec.learners)}")
    if len(set(spec.learners)) < len(spec.learners):
        raise ValueError("two of the learners are the same, with the same parameters; there is nothing to compare")
    return replace(spec, answers=())  # of a person, to one order of one data set


def metric_of(run: RunSpec, id: str | None = None) -> Metric:
    """Return the metric by which learners are compared: one in which lower or higher is better, by default the first.

    Raises
    ------
    ValueError : for a metric that the family does not have, or in which neither is better.
    """
    able = {metric.id: metric for metric in run.family.metrics if metric.better}
    if id is None:
        return next(iter(able.values()))
    if id not in able:
        raise ValueError(
            f"a comparison needs a metric in which one value is better: {', '.join(able)}; got {id[:60]!r}"
        )
    return able[id]


def planned(run: RunSpec, seeds: int, metrics: Iterable[str] | None = None) -> list[Batch]:
    """Return the runs of a comparison as batches of a sweep, seed by seed and in each learner by learner.

    Seed 0 is the run as it is described.

    >>> from datasets.spec import Spec
    >>> run = RunSpec((Spec("banditron"), Spec("gaptron")), Spec("synsep"), seed=5)
    >>> [(b.run.ids, b.run.seed, b.run.dataset.values) for b in planned(run, 2)][2:]
    [(['banditron'], 6, {'data_seed': 1}), (['gaptron'], 6, {'data_seed': 1})]
    """
    drawn, kept = unit_of(run).drawn, None if metrics is None else tuple(metrics)
    for learner in run.learners:
        made, user, data = parts_of(replace(run, learners=(learner,)))
        if reason := made.unfit(data, user):
            raise ValueError(reason)
    first = data.params.get(DATA_SEED, 0)
    batches: list[Batch] = []
    for i in range(whole("seeds", seeds, low=1, high=MOST_SEEDS)):
        dataset = run.dataset.given({DATA_SEED: (first + i) % (LAST_SEED + 1)}) if drawn else run.dataset
        for learner in run.learners:
            one = replace(run, learners=(learner,), dataset=dataset, seed=run.seed + i)
            own = own_code.sources(spec.id for spec in (learner, dataset, run.user) if spec)
            place = len(batches)
            batches.append(Batch(place, one, (), (), (), ((),), (place,), kept, sources=own))
    return batches


def values(run: RunSpec, metric: str, found: Mapping[int, pd.DataFrame]) -> dict[str, Array]:
    """Return the values of a metric by the names of the learners, (seeds,), of the seeds that all learners have ended.

    found : the rows of the batches that have ended, by their numbers. Learners that are the same but for their
    parameters, as in a sweep, are called by these alone.
    """
    k, names = len(run.learners), run.shorts()
    parts = [name.partition(", ") for name in names]
    if len({title for title, _, _ in parts}) == 1 and all(rest for _, _, rest in parts):
        names = [rest for _, _, rest in parts]
    seeds = sorted({number // k for number in found})
    whole_seeds = [seed for seed in seeds if all(seed * k + i in found for i in range(k))]
    table = np.array([[_mean(found[seed * k + i], metric) for seed in whole_seeds] for i in range(k)])
    return dict(zip(names, table.reshape(k, len(whole_seeds)), strict=True))


def _mean(rows: pd.DataFrame, metric: str) -> float:
    """Return the mean over the replicates that have a value; NaN if none has."""
    known = rows.value[rows.metric == metric].dropna()
    return float(known.mean()) if len(known) else float("nan")
