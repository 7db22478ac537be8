"""The arrays of one step of a batch, which blocks of steps reuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from learners.base import Array
from learners.random import EACH

OF_DOCUMENTS = frozenset((
    "scores", "tried", "each", "predicted", "shown", "partner", "marks", "heard_clicks", "heard_answer", "improved",
    "key", "place", "grades", "utility", "clicks", "answer", "judged", "rows",
))  # fmt: skip  # the fields with a column for each document or place


class Work(NamedTuple):
    """Arrays for one step of R replicates; after a block of steps they hold the latest step.

    Most fields are those of `Page` and `Hidden` with a first axis of R. `wanted` are the user's numbers, and `heard_…`
    what the learner gets of the user's clicks or answer. rows : (R, n) the documents' rows of the stored features.
    delta, before, moved : (R, d) φ(x, ȳ) − φ(x, y), the weights before the latest step, and by how much they moved in
    it. p : (R,) the swap probability. on_page : (R,) positions on the results page. left, there : (R,) number and
    (R, n or 0) bool of the documents offered in the latest step.
    """

    offered: Array
    order: Array
    numbers: Array
    memory: Array
    scores: Array
    tried: Array
    each: Array
    u: Array
    predicted: Array
    shown: Array
    partner: Array
    marks: Array
    heard_clicks: Array
    heard_answer: Array
    improved: Array
    key: Array
    place: Array
    wanted: Array
    grades: Array
    utility: Array
    clicks: Array
    answer: Array
    judged: Array
    rows: Array
    delta: Array
    before: Array
    moved: Array
    p: Array
    on_page: Array
    left: Array
    there: Array

    @classmethod
    def of(cls, n: int, d: int, numbers: Array, memory: Array, wanted: Array, tries: int = 1) -> Work:
        """Return arrays for n documents and d features.

        numbers, memory : (R, ·) the learner's. wanted : (R, ·) the user's numbers. tries : directions that the learner
        tries at a time.
        """
        R = len(numbers)

        def reals(m: int) -> Array:
            return np.zeros((R, m))

        def flags(m: int) -> Array:
            return np.zeros((R, m), dtype=np.bool_)

        def documents(m: int = n) -> Array:
            return np.tile(np.arange(m, dtype=np.int64), (R, 1))

        return cls(
            offered=flags(0), order=documents(0), numbers=numbers, memory=memory, scores=reals(n), tried=reals(n),
            each=np.zeros((R, n, tries)), u=np.zeros((R, max(tries, 1), d)), predicted=documents(),
            shown=documents(), partner=documents(), marks=flags(n), heard_clicks=flags(n), heard_answer=documents(),
            improved=documents(), key=reals(n), place=documents(), wanted=wanted, grades=reals(n), utility=reals(n),
            clicks=flags(n), answer=documents(), judged=np.full((R, n), -1, dtype=np.int8), rows=documents(),
            delta=reals(d), before=reals(d), moved=reals(d), p=np.zeros(R),
            on_page=np.full(R, n), left=np.full(R, n), there=flags(0),
        )  # fmt: skip

    def cut(self, n: int) -> Work:
        """Return a copy for the first n documents."""
        parts = zip(self._fields, self, strict=True)
        return Work(*(a[:, :n].copy() if name in OF_DOCUMENTS else a.copy() for name, a in parts))


def rows_of(draw: Callable[..., Array], steps: int, width: int) -> Array:
    """Draw `width` random numbers for each of some steps and each replicate, (steps, R, width).

    draw : a method of `Stream`. The numbers are those of as many draws for single steps.
    """
    return draw((EACH, width))[None] if steps == 1 else draw((steps, EACH, width))
