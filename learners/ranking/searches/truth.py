"""The truth about the queries of a run: what each user wants, and the best that a ranking can reach."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from datasets.ranking import RankingData
from learners.base import Array
from learners.ranking.searches import measures
from learners.ranking.step.features import Features
from learners.vectors import writable


class World(NamedTuple):
    """The truth behind the data, for R replicates, as compiled loops read it. Learners never see it.

    x : the features. starts : (Q + 1,) and rows : (M,) the candidates of each query as in `RankingData`; rows is empty
    if they are consecutive. lengths : (Q,) numbers of candidates. grades, utility : (K, N) of the stored documents.
    gamma : (n,) position discounts of the longest query, 0 for positions that do not count. slots : places of a list.
    cutoff : the depth of NDCG, 5, or the number of positions that count if that is smaller. task : (R,) what the user
    of each replicate wants. best_utility, ideal_dcg : (K, Q) of the best ranking of each query, for the K tasks in
    use. deep, ideal_deep : the same as cutoff and ideal_dcg, with a depth of 10.
    """

    x: Features
    starts: Array
    rows: Array
    lengths: Array
    grades: Array
    utility: Array
    gamma: Array
    slots: int
    cutoff: int
    task: Array
    best_utility: Array
    ideal_dcg: Array
    deep: int
    ideal_deep: Array

    @classmethod
    def of(cls, data: RankingData, turn: Array) -> World:
        """Return the truth. turn : (R,) the turn of each replicate, from 0, in which the tasks are dealt out."""
        task = np.asarray(turn % data.tasks, dtype=np.int64)
        cutoff, deep = (k if data.slots is None else min(k, data.slots) for k in (5, 10))
        best, ideal, ideal_deep = best_rankings(data, int(task.max()) + 1, (cutoff, deep))
        rows = np.empty(0, dtype=np.int64) if data.rows is None else data.rows
        return cls(
            Features.of(data.features), writable(data.starts, np.int64), writable(rows, np.int64),
            writable(data.lengths, np.int64), writable(data.grades, np.float64),
            writable(data.utility, np.float64), writable(data.gamma, np.float64),
            data.on_page, cutoff, task, best, ideal, deep, ideal_deep,
        )  # fmt: skip


def best_rankings(data: RankingData, tasks: int, cutoffs: tuple[int, ...]) -> list[Array]:
    """Return the utility and the DCG at each cutoff of the best ranking of each query, each (tasks, Q)."""
    best, *ideals = (np.empty((tasks, data.queries)) for _ in range(1 + len(cutoffs)))
    size = max(1, (1 << 20) // data.longest)
    for a in range(0, data.queries, size):
        queries = np.arange(a, min(a + size, data.queries))
        documents = data.candidates(queries)
        beyond = np.arange(documents.shape[1]) >= data.lengths[queries][:, None]
        for task in range(tasks):
            utility = -np.sort(-np.where(beyond, -np.inf, data.utility[task, documents]), axis=1)
            grades = -np.sort(-np.where(beyond, -1.0, data.grades[task, documents]), axis=1)
            finite = np.where(np.isfinite(utility), utility, 0.0)
            best[task, queries] = (finite * data.gamma[: documents.shape[1]]).sum(axis=1)
            for ideal, cutoff in zip(ideals, cutoffs, strict=True):
                ideal[task, queries] = measures.dcg(grades, cutoff)
    return [best, *ideals]
