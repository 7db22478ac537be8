"""The final values of a kept run: of each learner and metric the mean over the replicates with its 95 % interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from learners.base import Array
from learners.grid import GridSpec
from learners.metric import Metric
from learners.spec import learner_of
from pages.ui.kept.run import Final
from pages.ui.race.moment import Moment

if TYPE_CHECKING:
    import pandas as pd

MOST_VALUES = 20_000  # of the curves of a sweep, about 200 kB in the browser


def interval(values: Array) -> tuple[float, float | None] | None:
    """Return the mean of the values that are known, and half the width of its 95 % interval (Student's t).

    >>> mean, half = interval(np.array([1.0, 3.0, np.nan]))
    >>> mean, round(half, 6), interval(np.array([2.0])), interval(np.array([np.nan]))
    (2.0, 12.706205, (2.0, None), None)
    """
    known = values[np.isfinite(values)]
    if not known.size:
        return None
    mean, n = float(known.mean()), known.size
    return mean, float(stdtrit(n - 1, 0.975) * known.std(ddof=1) / np.sqrt(n)) if n > 1 else None


def of_run(moment: Moment, metrics: Sequence[Metric]) -> tuple[Final, ...]:
    """Return the final values of a run, or those after its last step so far, as a sweep takes them."""
    return tuple(
        Final(label, metric.id, metric.label, *found)
        for label, simulation in zip(moment.setup.labels(), moment.simulations, strict=True)
        for metric in metrics
        if moment.t and metric.id in simulation.history
        and (found := interval(simulation.history.final(metric.id))) is not None
    )  # fmt: skip


def of_sweep(spec: GridSpec, table: pd.DataFrame) -> tuple[Final, ...]:
    """Return the best mean of each metric of which one can be better, and where it lies."""
    return tuple(_best(spec, table))


def _best(spec: GridSpec, table: pd.DataFrame) -> Iterator[Final]:
    made, names = learner_of(spec.learner), list(spec.over)
    label = ", ".join(filter(None, (made.title, made.describe(without=names))))  # `at` tells what varies
    for id, rows in table.groupby("metric", sort=False):
        metric = spec.run.family.by_id.get(str(id))
        points = {point: interval(part.value.to_numpy(float)) for point, part in rows.groupby(names)}
        known = {point: found for point, found in points.items() if found is not None}
        if metric is None or not known:
            continue
        best = metric.best([mean for mean, _ in known.values()])
        if best is not None:
            point, (mean, half) = list(known.items())[best]
            at = ", ".join(f"{name.replace('_', ' ')} = {value:g}" for name, value in zip(names, point, strict=True))
            yield Final(label, metric.id, metric.label, mean, half, at)


def curve_of(spec: GridSpec, table: pd.DataFrame) -> dict[str, list[list[float | None]]]:
    """Return the values of a sweep, (points × replicates) by metric, the last parameter moving fastest.

    Of one that is too long these are the first metrics.
    """
    found: dict[str, list[list[float | None]]] = {}
    left = MOST_VALUES
    for id, rows in table.groupby("metric", sort=False):
        left -= len(rows)
        if left < 0:
            break
        of = {point: part.value for point, part in rows.groupby(list(spec.over))}  # none where it was cancelled before
        points = [of.get(point, ()) for point in product(*spec.over.values())]
        found[str(id)] = [[float(f"{v:.6g}") if np.isfinite(v) else None for v in point] for point in points]
    return found


def table_of(spec: GridSpec, curve: Mapping[str, list[list[float | None]]]) -> pd.DataFrame:
    """Return the table of which `curve_of` made a curve, with as many digits as that has."""
    import pandas as pd

    rows = [
        (*point, r, id, np.nan if v is None else v)
        for id, points in curve.items()
        for point, values in zip(product(*spec.over.values()), points, strict=False)
        for r, v in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=[*spec.over, "replicate", "metric", "value"])
