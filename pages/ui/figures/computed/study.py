"""Measures how much there is to win in the study of [S] §7: the best linear ranker against the one tuned by hand."""

from functools import cache
from typing import Any

import numpy as np

from datasets.spec import Spec
from learners.base import Array
from learners.interleaving import metrics
from learners.interleaving.crowd import SETTLED, crowd
from learners.metric import Metric
from learners.sweep.batch import load
from pages.ui.figures.figure import Curves, Size

DATASET = "function-search"
QUERIES, DOCUMENTS = 500, 50
NOISES = {"0": 0.0, "0.05": 0.05, "0.2": 0.2, "0.4": 0.4}  # by the names that the charts give them
BIAS, RELEVANT_FROM = 0.5, 1  # of the people who search, see `PositionBiased`
BEST = "best linear ranker"


def best_ratio(seed: int, size: Size) -> Curves:
    """Return for each noise the wins divided by losses of the weights w* that are fitted to all grades."""
    return {BEST: (tuple(NOISES), _ends(seed, size.steps, metrics.WIN_RATIO))}


def best_advantage(seed: int, size: Size) -> Curves:
    """Return for each noise the mean true utility that a search gains with w* over the ranker tuned by hand."""
    return {BEST: (tuple(NOISES), _ends(seed, size.steps, metrics.ADVANTAGE))}


def _ends(seed: int, steps: int, metric: Metric) -> Array:
    return np.array([_run(seed, steps, noise)[metric.id][-1, 0] for noise in NOISES.values()])


@cache
def _run(seed: int, steps: int, noise: float) -> Any:
    """Return the history of a crowd whose every second search compares w*, which stays as it is."""
    described = {"queries": QUERIES, "documents": DOCUMENTS, "data_seed": seed}
    data = load(Spec(DATASET, tuple(sorted(described.items()))))
    found = crowd(data, {SETTLED: data.weights[0]}, 2 * steps, noise, BIAS, seed, RELEVANT_FROM)
    return {metric.id: found[SETTLED].history[metric.id][-1:] for metric in (metrics.WIN_RATIO, metrics.ADVANTAGE)}
