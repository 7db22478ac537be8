"""Multilabel learners: what they are shown, which labels they show, what they are told, and what a mistake costs.

Shapes: R replicates, d features, K labels. Labels are integers from 0 to K − 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from datasets.parameters import choice, integer, real
from learners.base import Array, Learner, Shape, column
from learners.random import Source, Stream

COSTS = ("decreasing", "constant")
_DIGITS = 12  # what differs less counts as equal, so that ties do not hang on the order of a summation


class Context(NamedTuple):
    """What a learner sees before it shows labels: features (R, d), the example of each replicate."""

    features: Array


class Shown(NamedTuple):
    """What a learner shows, and how it came about.

    order : (R, K) labels by falling score. size : (R,) how many of them are shown: the first ones. probability : (R, K)
    p̂, the score, by label. estimate : (R, K) the probability without the confidence term. width : (R, K) ε, how much
    the margin was raised for want of knowledge, or None.
    """

    order: Array
    size: Array
    probability: Array
    estimate: Array
    width: Array | None = None


class Feedback(NamedTuple):
    """What a learner is told, by label.

    right : (R, K) bool, shown and right; None for learners that hear nothing. labels : (R, K) bool, the whole label
    set, for learners with full information only; None for all others.
    """

    right: Array | None = None
    labels: Array | None = None


@dataclass(kw_only=True)
class MultilabelLearner(Learner):
    """The template of [G] §2: receive x, show an ordered set Ŷ of labels, hear which of them are right, update."""

    family: ClassVar[str] = "multilabel"
    # "shown", which of the labels shown are right; "labels", all that are right; or "nothing"
    hears: ClassVar[str] = "shown"

    a: float = real(
        0.5, 0, 1, symbol="a", step=0.05,
        help="What a right label costs that is not shown; a wrong one that is shown costs 1 − a. Near 1 it pays to show "
        "many labels, near 0 few.",
    )  # fmt: skip
    costs: str = choice(
        "decreasing", COSTS, symbol="c",
        help="Decreasing: a wrong label costs more the higher it stands, (s − j + 1)/s at place j of s. Constant: 1 "
        "everywhere, so that with a = 0.5 the loss is half the Hamming loss.",
    )  # fmt: skip
    size: int = integer(10, 1, 1000, symbol="S", help="The most labels it may show at once. Try 2, 5 and 20.")

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        """Forget everything; `rng` is the learner's own stream of random numbers (or a plain generator, for one)."""
        self.rng, self.replicates = Stream.of(rng, replicates), replicates
        self.features, self.classes = shape.features, shape.classes

    def memory(self, shape: Shape, replicates: int) -> int:
        return 0  # those that learn nothing hold nothing

    def present(self, context: Context) -> Shown:
        """The labels to show."""
        raise NotImplementedError

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> None:
        """Learn from the feedback on what was shown in the step before; a learner need not."""

    def choose(self, probability: Array) -> tuple[Array, Array]:
        """(R, K) labels by falling probability, and (R,) how many to show: [G] Fig. 1, step 3."""
        order = np.argsort(-probability, axis=1, kind="stable")
        ranked = np.take_along_axis(probability, order[:, : int(np.max(self.size))], axis=1)
        return order, best_size(ranked, self.a, self.costs, self.size)


def rounded(probability: Array) -> Array:
    """Probabilities to twelve digits: what is equal but for the order of a summation is equal then."""
    return np.round(probability, _DIGITS)


def cost(position: Array, size: Array, costs: str) -> Array:
    """c(j, s) of [G] §2 and §5 for the places j = 0, 1, … of s labels; 0 beyond them.

    >>> cost(np.arange(4), np.array([3]), "decreasing").round(3)
    array([1.   , 0.667, 0.333, 0.   ])
    """
    inside = position < size
    if costs == "constant":
        return inside.astype(float)
    return np.where(inside, (size - position) / np.maximum(size, 1), 0.0)


def objective(ranked: Array, a: float | Array, costs: str) -> Array:
    """(R, 1 + m) what showing the first s = 0 … m labels is expected to cost, from their probabilities (R, m).

    (1 − a) Σ_j c(j, s)(1 − p_(j)) − a Σ_j p_(j): [G] Eq. 3, which leaves out a Σ_i p_i, the same for every s.
    """
    a = column(a)
    wrong = np.cumsum(1 - ranked, axis=1)
    if costs == "decreasing":  # Σ_{j ≤ s} (s − j + 1)/s q_j = Σ_{m ≤ s} (q_1 + … + q_m) / s
        wrong = np.cumsum(wrong, axis=1) / np.arange(1.0, ranked.shape[1] + 1)
    found = np.zeros((ranked.shape[0], ranked.shape[1] + 1))
    found[:, 1:] = (1 - a) * wrong - a * np.cumsum(ranked, axis=1)
    return found


def best_size(ranked: Array, a: float | Array, costs: str, cap: int | Array) -> Array:
    """(R,) the size s ≤ cap whose prefix is expected to cost least, the smallest of equal ones ([G] Lemma 1).

    ranked : (R, m) the largest probabilities, falling.

    >>> best_size(np.array([[0.9, 0.6, 0.1]]), 0.5, "constant", cap=3)
    array([2])
    """
    found = np.round(objective(ranked, a, costs), _DIGITS)
    if isinstance(cap, np.ndarray):
        found = np.where(np.arange(found.shape[1]) <= cap[:, None], found, np.inf)
    else:
        found = found[:, : cap + 1]
    return np.asarray(found.argmin(axis=1))


def loss(truth: Array, order: Array, size: Array, a: float | Array, costs: str) -> Array:
    """ℓ_{a,c} of [G] §2 for sets of labels shown: a |Y \\ Ŷ| + (1 − a) Σ_{i ∈ Ŷ \\ Y} c(j_i, |Ŷ|), of shape (…,).

    truth : (…, K) bool, Y. order : (…, m) labels, the first `size` (…,) of which are Ŷ. a : a number or (R,).

    The paper's example, K = 10, labels counted from 1: Ŷ = (4, 3, 6), Y = {1, 3, 8} costs 2a + (1 − a)(3/3 + 1/3).

    >>> truth = np.isin(np.arange(1, 11), [1, 3, 8])
    >>> round(float(loss(truth, np.array([4, 3, 6]) - 1, np.array(3), 0.5, "decreasing")), 4)
    1.6667
    """
    position, size = np.arange(order.shape[-1]), np.asarray(size)[..., None]
    right = np.take_along_axis(truth, order, axis=-1)
    missed = truth.sum(axis=-1) - (right & (position < size)).sum(axis=-1)
    wrong = (cost(position, size, costs) * ~right).sum(axis=-1)
    return np.asarray(a * missed + (1 - a) * wrong)
