"""A block of steps of a classification learner in one call of compiled code, without the interpreter lock.

A learner's two compiled rules, `present` and `update`, take one step of one replicate: they receive the example x, a
`Vector`, and read and write a `Turn`. They are arguments of the loops below, which are compiled once for all learners.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, NamedTuple

import numba
import numpy as np
from numba import types

from learners.base import Array
from learners.classification.linear import Rows, Vector, add, best_of, blank, fetch, read, score, squared
from learners.compiled import compiled, ready
from learners.compiled.record import kind_of, view
from learners.rule import Kind
from learners.vectors import finite, prefetch

SOON, LATER = 2, 4  # steps ahead, in which memory far away has time to come
NOBODY = -1  # what a learner hears in place of the true label if it only hears right or wrong


class Turn(NamedTuple):
    """The state of one replicate and what happens in its step; with replicates (R) in front, those of all.

    W : (d, K) weights. theta : (d, K) parameters behind the weights, or W itself. numbers : the
    parameters that its rules name. kept : numbers that change from step to step. draws : uniform random numbers.

    `present` writes: scores (K,); predicted, label : (r,) ŷ and ỹ, in general one label; gamma : (1,) γ_t; explored :
    (1,) whether ỹ was drawn at random. `update` reads right : (r,) whether each label played is the true one, and
    heard : (1,) the true label if the learner may hear it, else `NOBODY`. It writes moved, factor : (2,) labels, and
    what times x was added to θ, and finite : (1,) whether θ and W still are.
    """

    W: Annotated[Array, "d K"]
    theta: Annotated[Array, "d K"]
    numbers: Annotated[Array, "p"]
    kept: Annotated[Array, "m"]
    draws: Annotated[Array, "c"]
    scores: Annotated[Array, "K"]
    predicted: Annotated[Array, "int64 r"]
    label: Annotated[Array, "int64 r"]
    gamma: Annotated[Array, "1"]
    explored: Annotated[Array, "bool 1"]
    right: Annotated[Array, "bool r"]
    heard: Annotated[Array, "int64 1"]
    moved: Annotated[Array, "int64 2"]
    factor: Annotated[Array, "2"]
    finite: Annotated[Array, "bool 1"]


turn_of = view(Turn)


class Notes(NamedTuple):
    """The notes of each of B steps. label, predicted : (B, R, r). gamma, explored, change : (B, R).

    `change` is the norm of what was added to the weights, or to the parameters θ behind them.
    """

    label: Array
    predicted: Array
    gamma: Array
    explored: Array
    change: Array

    @classmethod
    def empty(cls, steps: int, replicates: int, shown: int) -> Notes:
        """Return room for the notes of B steps."""
        labels = np.empty((2, steps, replicates, shown), dtype=np.int16)
        gamma, change = np.empty((2, steps, replicates))
        return cls(labels[0], labels[1], gamma, np.empty((steps, replicates), dtype=bool), change)


RULE = Kind(types.void(kind_of(Vector), kind_of(Turn)), holder=1)


class Person(NamedTuple):
    """A person who answers the first replicate in the first step of a block, in place of the truth.

    approved : (K,) bool, the labels that are called right; (0,) if nobody answers. told : the label that a learner with
    full information is told.
    """

    approved: Array
    told: int


NO_PERSON = Person(np.zeros(0, dtype=bool), NOBODY)


class Seen(NamedTuple):
    """The scores of one replicate in B steps; B is 0 while nobody watches.

    replicate : its number, −1 while nobody watches. behind : whether they are by θ, not by the weights that follow from
    it. was, now : (B, K) the scores of the labels for the example of the step, before and after it.
    """

    replicate: int
    behind: bool
    was: Array
    now: Array

    @classmethod
    def of(cls, steps: int, labels: int, replicate: int, behind: bool) -> Seen:
        """Return room for some steps."""
        return cls(replicate, behind, *np.zeros((2, steps, labels), dtype=np.float32))


UNSEEN = Seen.of(0, 0, -1, behind=False)


def play(
    rules: tuple[Any, Any], rows: Rows, order: Array, labels: Array, hears: bool, draws: Array, turns: Turn,
    notes: Notes, seen: Seen, person: Person = NO_PERSON,
) -> int:  # fmt: skip
    """Take B steps, and return how many of them left the weights finite (then the turns are of the step after).

    rules : `present` and `update`, ready. order : (B, R) the example of each step. labels : (N,) the true ones. hears :
    whether the learner is told them. draws : (B, n, R). turns : the state, and in the end the latest step of each
    replicate. notes, seen : written. person : who answers in place of the truth.
    """
    arguments = rows, order, labels, hears, draws, turns, notes, seen, person, blank(turns.W.shape[1])
    good: int = _bound(_play, 2, *map(numba.typeof, arguments))(*rules, *arguments)
    return good


def apply(rule: Any, rows: Rows, turns: Turn) -> None:
    """Let one rule, which is ready, take its part of a step, on example r for replicate r."""
    arguments = rows, turns, blank(turns.W.shape[1])
    _bound(_apply, 1, *map(numba.typeof, arguments))(rule, *arguments)


@cache
def _bound(function: Any, rules: int, *kinds: Any) -> Any:
    """Return a loop over rules, compiled for data of these types."""
    return ready(compiled(function), (*[types.FunctionType(RULE.signature)] * rules, *kinds))


def _play(
    present: Any, update: Any, rows: Rows, order: Array, labels: Array, hears: bool, draws: Array, turns: Turn,
    notes: Notes, seen: Seen, person: Person, room: Vector,
) -> int:  # fmt: skip
    good = len(order)
    for r in range(order.shape[1]):
        turn = turn_of(turns, r)
        for t in range(good):
            n = order[t, r]
            x = read(rows, n, room)
            if t + LATER < len(order):
                fetch(rows, order[t + SOON, r], order[t + LATER, r])
                prefetch(labels, order[t + LATER, r])
            for i in range(draws.shape[1]):
                turn.draws[i] = draws[t, i, r]
            present(x, turn)
            if not finite(turn.scores):
                good = t
                break
            answered = r == 0 and t == 0 and len(person.approved) > 0
            for i in range(len(turn.label)):
                turn.right[i] = person.approved[turn.label[i]] if answered else turn.label[i] == labels[n]
                notes.label[t, r, i], notes.predicted[t, r, i] = turn.label[i], turn.predicted[i]
            notes.gamma[t, r], notes.explored[t, r] = turn.gamma[0], turn.explored[0]
            if hears:
                turn.heard[0] = person.told if answered else labels[n]
            turn.finite[0] = True
            turn.factor[0] = turn.factor[1] = 0.0
            turn.moved[0] = turn.moved[1] = 0
            if r == seen.replicate:
                score(x, turn.theta if seen.behind else turn.W, seen.was[t])
            update(x, turn)
            if r == seen.replicate:
                score(x, turn.theta if seen.behind else turn.W, seen.now[t])
            notes.change[t, r] = moved_by(x, turn)
            if not turn.finite[0]:
                good = t
                break
    return good


@compiled
def moved_by(x: Vector, turn: Turn) -> float:
    """Return the norm of what the moves of a step have added to θ, for one label or two."""
    a, b = turn.factor[0], turn.factor[1]
    square = (a + b) ** 2 if turn.moved[0] == turn.moved[1] else a**2 + b**2
    return np.sqrt(square * squared(x)) if square > 0.0 else 0.0


def _apply(rule: Any, rows: Rows, turns: Turn, room: Vector) -> None:
    for r in range(len(turns.W)):
        rule(read(rows, r, room), turn_of(turns, r))


# ---- what rules are made of


@compiled
def predict(x: Vector, turn: Turn) -> None:
    """Set the scores W x."""
    score(x, turn.W, turn.scores)


@compiled
def answer(turn: Turn) -> None:
    """Play ŷ, the first label with the highest score."""
    turn.predicted[0] = turn.label[0] = best_of(turn.scores)
    turn.gamma[0], turn.explored[0] = 0.0, False


@compiled
def following(scores: Array, label: int) -> int:
    """Return the label that comes after another in the order of falling scores, the first of ties."""
    found, limit = -1, scores[label]
    for k in range(len(scores)):
        after = scores[k] < limit or (scores[k] == limit and k > label)
        if after and (found < 0 or scores[k] > scores[found]):
            found = k
    return found if found >= 0 else label


@compiled
def explore(turn: Turn, gamma: float) -> None:
    """Play ŷ, or a random label: draw ỹ from P(r) = (1 − γ)[r = ŷ] + γ/K."""
    answer(turn)
    turn.gamma[0], turn.explored[0] = gamma, turn.draws[0] < gamma
    if turn.explored[0]:
        turn.label[0] = int(turn.draws[1] * len(turn.scores))


@compiled
def probability(turn: Turn) -> float:
    """Return P(ỹ), the probability of the label played, whether or not it was predicted."""
    share = turn.gamma[0] / len(turn.scores)
    p: float = 1 - turn.gamma[0] + share if turn.label[0] == turn.predicted[0] else share
    return p


@compiled
def move(x: Vector, turn: Turn, i: int, label: int, factor: float) -> None:
    """Add factor · x to θ of a label, as the first or second move of the step (i = 0 or 1)."""
    turn.finite[0] &= add(x, turn.theta, label, factor)
    turn.moved[i], turn.factor[i] = label, factor
