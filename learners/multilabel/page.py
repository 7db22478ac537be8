"""What the compiled rules of multilabel learners see of one step of one replicate, and the signatures of the rules.

A learner has two rules. The first presents; it ranks the labels and returns how many of them to show. The second learns
from what is heard. Neither sees more than its `Page`.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
from numba import types

from learners.base import Array
from learners.compiled import compiled


class Page(NamedTuple):
    """One step of one replicate. K labels, d features, M matrices, at most m labels can be shown.

    t : number of the step, from 1. x : (d,) features of the example. draws : random numbers of the step, as the
    learner's `draws` returns them. numbers : parameters of the learner, as its `numbers` lists them. a, constant, cap :
    parameters of the loss and the largest number of labels to show, at most m.

    The state of the learner, which it changes in place: w (K, d), and Ainv (M, d, d), or (M, 1, d) if the matrices are
    diagonal. From presenting to learning it keeps margin, w·x, and delta, Δ̂, (K,), V = A⁻¹x (M, d) and q = x·A⁻¹x (M,).

    What it shows: probability (K,), the scores p̂; estimate (K,), without confidence; width (K,), ε, or empty for a
    learner without; order (m,), the first labels by falling score. What it hears: heard (K,), 1 for right, −1 for wrong
    and 0 for unknown.
    """

    t: int
    x: Array
    draws: Array
    numbers: Array
    a: float
    constant: bool
    cap: int
    w: Array
    Ainv: Array
    V: Array
    q: Array
    margin: Array
    delta: Array
    probability: Array
    estimate: Array
    width: Array
    order: Array
    heard: Array


class Pages(NamedTuple):
    """The arrays of the pages of all replicates, each with the axis of the replicates in front."""

    numbers: Array
    a: Array
    constant: bool
    cap: Array
    w: Array
    Ainv: Array
    V: Array
    q: Array
    margin: Array
    delta: Array
    probability: Array
    estimate: Array
    width: Array
    order: Array
    heard: Array
    size: Array  # (R,) number of labels shown


@compiled
def page_of(pages: Pages, r: int, t: int, x: Array, draws: Array) -> Page:
    """Return the page of replicate r."""
    p = pages
    return Page(
        t, x, draws, p.numbers[r], p.a[r], p.constant, p.cap[r], p.w[r], p.Ainv[r], p.V[r], p.q[r], p.margin[r],
        p.delta[r], p.probability[r], p.estimate[r], p.width[r], p.order[r], p.heard[r],
    )  # fmt: skip


_i, _b = numba.int64, numba.boolean
_f1, _f2, _f3, _f4 = (types.Array(numba.float64, n, "C") for n in (1, 2, 3, 4))
_i1, _i2 = (types.Array(_i, n, "C") for n in (1, 2))

PAGE = types.NamedTuple(  # type: ignore[attr-defined]
    (_i, _f1, _f1, _f1, numba.float64, _b, _i, _f2, _f3, _f2, _f1, _f1, _f1, _f1, _f1, _f1, _i1, _f1), Page
)
PAGES = types.NamedTuple(  # type: ignore[attr-defined]
    (_f2, _f1, _b, _i1, _f3, _f4, _f3, _f2, _f2, _f2, _f2, _f2, _f2, _i2, _f2, _i1), Pages
)
PRESENT = _i(PAGE)
LEARN = types.void(PAGE)


@compiled
def forget(page: Page) -> None:
    """Learn nothing."""
