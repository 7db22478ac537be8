"""The arrays of one step of a batch, which blocks of steps reuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from learners.base import Array
from learners.compiled.record import copied, room
from learners.random import EACH
from learners.ranking.step.page import Hidden, Page


class Work(NamedTuple):
    """Arrays for one step of R replicates; after a block of steps they hold the latest step.

    page, hidden : of all replicates. rows : (R, n) the documents' rows of the stored features. delta, before, moved :
    (R, d) φ(x, ȳ) − φ(x, y), the weights before the latest step, and by how much they moved in it. p : (R,) the swap
    probability. on_page : (R,) positions on the results page. left, there : (R,) number and (R, n or 0) bool of the
    documents offered in the latest step.
    """

    page: Page
    hidden: Hidden
    rows: Array
    delta: Array
    before: Array
    moved: Array
    p: Array
    on_page: Array
    left: Array
    there: Array

    @classmethod
    def of(
        cls, n: int, d: int, replicates: int, numbers: Array | None = None, memory: Array | None = None, tries: int = 1,
        read: bool = False,
    ) -> Work:  # fmt: skip
        """Return arrays for n documents and d features.

        numbers, memory : (R, ·) the learner's. tries : directions that the learner tries at a time. read : whether it
        reads the features of documents.
        """
        R = replicates
        own = {name: values for name, values in (("numbers", numbers), ("memory", memory)) if values is not None}
        page = room(Page, R, own, n=n, d=d, o=0, p=0, m=0, tries=tries, directions=max(tries, 1), read=n * read)
        hidden = room(Hidden, R, n=n, p=0)
        each = np.tile(np.arange(n, dtype=np.int64), (R, 1))
        for ranking in (
            page.predicted,
            page.shown,
            page.partner,
            page.answer,
            page.improved,
            page.place,
            hidden.answer,
        ):
            ranking[:] = each
        hidden.judged[:] = -1
        delta, before, moved = np.zeros((3, R, d))
        there = np.zeros((R, 0), dtype=np.bool_)
        return cls(page, hidden, each, delta, before, moved, np.zeros(R), np.full(R, n), np.full(R, n), there)

    def of_learner(self, numbers: Array, memory: Array) -> Work:
        """Return the same with these numbers and this memory of the learner."""
        return self._replace(page=self.page._replace(numbers=numbers, memory=memory))

    def of_user(self, numbers: Array) -> Work:
        """Return the same with these numbers of the user."""
        return self._replace(hidden=self.hidden._replace(numbers=numbers))

    def cut(self, n: int) -> Work:
        """Return a copy for the first n documents."""
        rest = (part.copy() for part in self[3:])
        return Work(copied(self.page, n=n), copied(self.hidden, n=n), self.rows[:, :n].copy(), *rest)


def rows_of(draw: Callable[..., Array], steps: int, width: int) -> Array:
    """Draw `width` random numbers for each of some steps and each replicate, (steps, R, width).

    draw : a method of `Stream`. The numbers are those of as many draws for single steps.
    """
    return draw((EACH, width))[None] if steps == 1 else draw((steps, EACH, width))
