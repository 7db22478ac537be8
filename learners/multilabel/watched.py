"""The notes of one replicate in the steps of a block, while somebody watches it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled
from learners.vectors import product

COLUMNS = ("row", "shown", "right", "true", "was", "now", "width")  # of a step, see `Seen.columns`


class Seen(NamedTuple):
    """The notes of one replicate in B steps, as compiled loops write them; B is 0 while nobody watches.

    replicate : its number, −1 while nobody watches. shown : (B, K) the labels shown in their order, then −1. right :
    (B, K) whether each of them is right. true : (B, K) the true labels by number, then −1. was, now : (B, K) the scores
    w·x of the labels before and after the step, 0 without weights. width : (B, K) the widths ε, 0 without.
    """

    replicate: int
    shown: Array
    right: Array
    true: Array
    was: Array
    now: Array
    width: Array

    @classmethod
    def of(cls, steps: int, labels: int, replicate: int) -> Seen:
        """Return room for some steps."""
        shown, true = np.full((2, steps, labels), -1, dtype=np.int32)
        scores = np.zeros((3, steps, labels), dtype=np.float32)
        return cls(replicate, shown, np.zeros((steps, labels), dtype=np.int8), true, *scores)

    def columns(self, rows: Array) -> dict[str, Array]:
        """Return the columns of steps on these examples (B, R), each with a row for every step."""
        steps = len(rows)
        return {
            "row": rows[:, self.replicate], "shown": self.shown[:steps], "right": self.right[:steps],
            "true": self.true[:steps], "was": self.was[:steps], "now": self.now[:steps], "width": self.width[:steps],
        }  # fmt: skip


NOBODY = Seen.of(steps=0, labels=0, replicate=-1)


@compiled
def note_labels(seen: Seen, b: int, order: Array, size: int, truth: Array) -> None:
    """Write step b of the replicate that is watched. order : labels, the first `size` of them shown. truth : (K,)."""
    for j in range(size):
        seen.shown[b, j], seen.right[b, j] = order[j], truth[order[j]]
    held = 0
    for k in range(len(truth)):
        if truth[k]:
            seen.true[b, held] = k
            held += 1


@compiled
def note_scores(seen: Seen, b: int, x: Array, before: Array, after: Array, width: Array) -> None:
    """Write the scores of step b by the weights (K d,) before and after it, and the widths (K,), or (0,)."""
    d = len(x)
    for k in range(seen.was.shape[1]):
        seen.was[b, k] = product(x, before[k * d : (k + 1) * d])
        seen.now[b, k] = product(x, after[k * d : (k + 1) * d])
        if len(width):
            seen.width[b, k] = width[k]
