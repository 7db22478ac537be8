"""What the compiled rules of learners and users see of one search, and the signatures of these rules.

A rule handles one step of one replicate. The arrays of a page are rows of arrays (R, n), which the block of steps
reuses from step to step. A learner's rules receive a `Page`; only a user's rule also receives what is `Hidden`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
from numba import types

from learners.base import Array

NOTHING, CLICKS, RANKING = range(3)  # what a user answers with


class Page(NamedTuple):
    """One search of one replicate.

    t : number of the step, from 1. size : number of documents offered. slots : places of the list. gamma : (n,)
    discounts, 0 for positions that do not count. offered : (n,) bool, and order : (n,) a permutation with the offered
    documents first; both empty unless documents are used up. numbers : the learner's parameters, as its class lists
    them. memory : (m,) its own numbers, kept from step to step. draws : its random numbers of this step.

    scores : (n,) w · x of each document. u : (m, d) directions that the learner tries, of length 1. each : (n, m) u · x
    of each document. tried : (n,) u · x of the last of them; when it learns from preferences, how hard these pull each
    document up. predicted, shown : (n,) rankings. partner : (n,) the position paired with each position. marks : (n,)
    bool by position, such as those of swapped pairs or of a team. clicks : (n,) bool by position, and answer : (n,) a
    ranking, as far as the learner hears them. improved : (n,) the feedback ranking. key, place : (n,) room for
    computations.
    """

    t: int
    size: int
    slots: int
    gamma: Array
    offered: Array
    order: Array
    numbers: Array
    memory: Array
    draws: Array
    scores: Array
    tried: Array
    each: Array
    u: Array
    predicted: Array
    shown: Array
    partner: Array
    marks: Array
    clicks: Array
    answer: Array
    improved: Array
    key: Array
    place: Array


class Hidden(NamedTuple):
    """What only the user knows and does.

    numbers : the user's parameters, as its class lists them. noise : its random numbers of this step. grades, utility :
    (n,) of each document, −1 and −∞ for documents not offered. clicks, answer : as in `Page`; the rule writes them.
    judged : (n,) by position, 1 judged relevant, 0 irrelevant, −1 not looked at.
    """

    numbers: Array
    noise: Array
    grades: Array
    utility: Array
    clicks: Array
    answer: Array
    judged: Array


_f, _i, _b, _s = numba.float64[::1], numba.int64[::1], numba.boolean[::1], numba.int8[::1]
_m = numba.float64[:, ::1]
_named: Any = types.NamedTuple  # type: ignore[attr-defined]
PAGE = _named(
    (types.int64, types.int64, types.int64, _f, _b, _i, _f, _f, _f, _f, _f, _m, _m, _i, _i, _i, _b, _b, _i, _i, _f, _i),
    Page,
)
HIDDEN = _named((_f, _f, _f, _f, _b, _i, _s), Hidden)

# A rule to present writes `page.shown`, with pairs and marks if there are any, and returns the swap probability.
PRESENT = types.float64(PAGE)
# A rule to learn changes the state w (s, d), whose first row are the weights that score documents.
# delta : (d,) φ(x, ȳ) − φ(x, y), or Σ_i c_i x_i if preferences pull document i by c_i. change : w·φ(x, ȳ) − w·φ(x, y).
# heard : NOTHING, CLICKS or RANKING.
LEARN = types.void(PAGE, _m, _f, types.float64, types.int64)
# A user's rule writes `hidden.clicks` or `hidden.answer`, and `hidden.judged`, and returns which.
RESPOND = types.int64(PAGE, HIDDEN)
