"""Steps in which few positions count, cut down to the documents in those, so that measuring stays cheap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from learners.base import Array
from learners.ranking.base import Shown
from learners.ranking.world import measures
from learners.ranking.world.stock import Stock


@dataclass(frozen=True)
class Seen:
    """The truth about the 3·s documents in the s slots of the rankings shown, improved and predicted.

    utility, grades : (R, 3 s). best, ideal : (R,) utility and DCG of the best ranking of the documents offered.
    highest : (R,) highest grade of the documents offered.
    """

    utility: Array
    grades: Array
    best: Array
    ideal: Array
    highest: Array

    def rank(self, in_order: Array) -> Array:
        """Return the rank in the s slots of the first document with the highest grade, s + 1 if it is in none, (R,)."""
        s = in_order.shape[-1] // 3
        found = in_order[..., :s] == self.highest[..., None]
        rank: Array = np.where(found.any(axis=-1), found.argmax(axis=-1), s) + 1
        return rank


def cut(
    stock: Stock, shown: Shown, improved: Array, gamma: Array, slots: int, cutoff: int
) -> tuple[Shown, Array, Seen]:
    """Return the rankings of a step, renumbered to the documents in their slots, and the truth about those.

    New document j stands in slot j of the ranking shown, s + j in slot j of the improved, 2 s + j of the predicted one.
    """
    same = shown.predicted is shown.ranking
    documents = np.concatenate([y[:, :slots] for y in (shown.ranking, improved, shown.predicted)], axis=1)
    rows = np.arange(len(documents))[:, None]
    there = stock.offered[rows, documents]
    new_shown, new_improved, new_predicted = _numbers(slots, len(documents))
    utility, grades = stock.best(slots, cutoff)
    scores = None if shown.scores is None else np.where(there, shown.scores[rows, documents], 0.0)
    seen = Seen(
        np.where(there, stock.utility[rows, documents], 0.0),
        stock.grades[rows, documents],
        (utility * gamma[:slots]).sum(axis=1),
        measures.dcg(grades, cutoff),
        grades[:, 0],
    )
    predicted = new_shown if same else new_predicted
    return replace(shown, ranking=new_shown, predicted=predicted, scores=scores, pairs=None), new_improved, seen


@lru_cache(maxsize=64)
def _numbers(slots: int, replicates: int) -> list[Array]:
    """Return the three rankings (R, 3 s) of the new numbers, which are the same at every step."""
    new = np.arange(3 * slots)
    return [np.broadcast_to(np.roll(new, -k * slots), (replicates, 3 * slots)) for k in range(3)]
