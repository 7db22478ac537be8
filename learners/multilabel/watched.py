"""The notes of one replicate in the steps of a block, while somebody watches it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled import compiled

COLUMNS = ("row", "shown", "right", "true")  # of a step, see `Seen.columns`


class Seen(NamedTuple):
    """The notes of one replicate in B steps, as compiled loops write them; B is 0 while nobody watches.

    replicate : its number, −1 while nobody watches. shown : (B, K) the labels shown in their order, then −1. right :
    (B, K) whether each of them is right. true : (B, K) the true labels by number, then −1.
    """

    replicate: int
    shown: Array
    right: Array
    true: Array

    @classmethod
    def of(cls, steps: int, labels: int, replicate: int) -> Seen:
        """Return room for some steps."""
        shown, true = np.full((2, steps, labels), -1, dtype=np.int32)
        return cls(replicate, shown, np.zeros((steps, labels), dtype=np.int8), true)

    def columns(self, rows: Array) -> dict[str, Array]:
        """Return the columns of steps on these examples (B, R), each with a row for every step."""
        steps = len(rows)
        return {
            "row": rows[:, self.replicate], "shown": self.shown[:steps], "right": self.right[:steps],
            "true": self.true[:steps],
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
