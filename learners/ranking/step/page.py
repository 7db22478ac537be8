"""The records that the compiled rules of learners and users see of one search, and the signatures of these rules.

A rule handles one step of one replicate. The arrays of a page are rows of arrays (R, n), which the block of steps
reuses from step to step. A learner's rules receive a `Page`; only a user's rule also receives what is `Hidden`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from numba import types

from learners.base import Array
from learners.compiled.record import GIVEN, kind_of, view
from learners.rule import Kind

NOTHING, CLICKS, RANKING = range(3)  # what a user answers with


class Page(NamedTuple):
    """One search of one replicate; with replicates (R) in front, what all of them keep.

    t : number of the step, from 1. size : number of documents offered. slots : places of the list. on_page : those of
    them on the results page; nobody sees what stands below. gamma : (n,) discounts of positions, 0 for those that do
    not count. offered : (n,) bool, and order : (n,) a permutation with the offered documents first; both empty unless
    documents are used up. numbers : the parameters that the learner's rules name. memory : (m,) its own numbers,
    kept from step to step. draws : its random numbers of this step.

    scores : (n,) w · x of each document. u : (m, d) directions that the learner tries, of length 1. each : (n, m) u · x
    of each document. tried : (n,) u · x of the last of them; when it learns from preferences, how hard these pull each
    document up. predicted, shown : (n,) rankings. partner : (n,) the position paired with each position. marks : (n,)
    bool by position, such as those of swapped pairs or of a team. clicks : (n,) bool by position, and answer : (n,) a
    ranking, as far as the learner hears them. improved : (n,) the feedback ranking. key, place : (n,) room for
    computations. x : (n, d) the documents' features, copied for learners that read them; else (0, d).
    """

    t: Annotated[int, GIVEN]
    size: Annotated[int, GIVEN]
    slots: Annotated[int, GIVEN]
    on_page: Annotated[int, GIVEN]
    gamma: Annotated[Array, "n", GIVEN]
    offered: Annotated[Array, "bool o"]
    order: Annotated[Array, "int64 o"]
    numbers: Annotated[Array, "p"]
    memory: Annotated[Array, "m"]
    draws: Annotated[Array, "c", GIVEN]
    scores: Annotated[Array, "n"]
    tried: Annotated[Array, "n"]
    each: Annotated[Array, "n tries"]
    u: Annotated[Array, "directions d"]
    predicted: Annotated[Array, "int64 n"]
    shown: Annotated[Array, "int64 n"]
    partner: Annotated[Array, "int64 n"]
    marks: Annotated[Array, "bool n"]
    clicks: Annotated[Array, "bool n"]
    answer: Annotated[Array, "int64 n"]
    improved: Annotated[Array, "int64 n"]
    key: Annotated[Array, "n"]
    place: Annotated[Array, "int64 n"]
    x: Annotated[Array, "read d"]


class Hidden(NamedTuple):
    """The knowledge and the actions of the user, hidden from the learner.

    numbers : the parameters that the user's rule names. noise : its random numbers of this step. grades, utility :
    (n,) of each document, −1 and −∞ for documents not offered. clicks, answer : as in `Page`; the rule writes them.
    judged : (n,) by position, 1 judged relevant, 0 irrelevant, −1 not looked at.
    """

    numbers: Annotated[Array, "p"]
    noise: Annotated[Array, "c", GIVEN]
    grades: Annotated[Array, "n"]
    utility: Annotated[Array, "n"]
    clicks: Annotated[Array, "bool n"]
    answer: Annotated[Array, "int64 n"]
    judged: Annotated[Array, "int8 n"]


page_of = view(Page, cut="n")
hidden_of = view(Hidden, cut="n")
_page, _hidden, _w, _d = kind_of(Page), kind_of(Hidden), types.float64[:, ::1], types.float64[::1]

# A rule to present writes `page.shown`, with pairs and marks if there are any, and returns the swap probability.
PRESENT = Kind(types.float64(_page))
# A rule to learn changes the state w (s, d), whose first row are the weights that score documents.
# delta : (d,) φ(x, ȳ) − φ(x, y), or Σ_i c_i x_i if preferences pull document i by c_i. change : w·φ(x, ȳ) − w·φ(x, y).
# heard : NOTHING, CLICKS or RANKING.
LEARN = Kind(types.void(_page, _w, _d, types.float64, types.int64))
# A user's rule writes `hidden.clicks` or `hidden.answer`, and `hidden.judged`, and returns which.
RESPOND = Kind(types.int64(_page, _hidden), holder=1)
