"""The record that the compiled rules of multilabel learners see of one step, and the signatures of the rules.

A learner has two rules. The first presents; it ranks the labels and returns how many of them to show. The second learns
from what is heard. Neither sees more than its `Page`.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numba
from numba import types

from learners.base import Array
from learners.compiled import compiled
from learners.compiled.record import GIVEN, kind_of, view
from learners.rule import Kind


class Page(NamedTuple):
    """One step of one replicate; with replicates (R) in front, what all of them keep.

    Shapes: K labels, d features, M matrices, at most m labels can be shown.

    t : number of the step, from 1. x : (d,) features of the example. draws : random numbers of the step, as the
    learner's `draws` returns them. numbers : the parameters that its rules name. a, constant, cap : parameters of the
    loss and the largest number of labels to show, at most m.

    The state of the learner, which it changes in place: w (K, d), and Ainv (M, d, d), or (M, 1, d) if the matrices are
    diagonal. From presenting to learning it keeps margin, w·x, and delta, Δ̂, (K,), V = A⁻¹x (M, d) and q = x·A⁻¹x (M,).

    Shown: probability (K,), the scores p̂; estimate (K,), without confidence; width (K,), ε, or empty for a
    learner without; order (m,), the first labels by falling score. Heard: heard (K,), 1 for right, −1 for wrong
    and 0 for unknown. size : how many labels it showed last.
    """

    t: Annotated[int, GIVEN]
    x: Annotated[Array, "d", GIVEN]
    draws: Annotated[Array, "p", GIVEN]
    numbers: Annotated[Array, "p"]
    a: Annotated[Any, "float64"]
    constant: Annotated[Any, "bool"]
    cap: Annotated[Any, "int64"]
    w: Annotated[Array, "K d"]
    Ainv: Annotated[Array, "M d d"]
    V: Annotated[Array, "M d"]
    q: Annotated[Array, "M"]
    margin: Annotated[Array, "K"]
    delta: Annotated[Array, "K"]
    probability: Annotated[Array, "K"]
    estimate: Annotated[Array, "K"]
    width: Annotated[Array, "E"]
    order: Annotated[Array, "int64 m"]
    heard: Annotated[Array, "K"]
    size: Annotated[Any, "int64"]


page_of = view(Page)
PRESENT = Kind(numba.int64(kind_of(Page)))
LEARN = Kind(types.void(kind_of(Page)))


@compiled
def forget(page: Page) -> None:
    """Learn nothing."""
