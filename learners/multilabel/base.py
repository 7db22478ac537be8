"""The base of the multilabel learners, which labels they show, what they hear, and what mistakes cost.

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
_DIGITS = 12  # smaller differences count as ties, so that ties do not depend on the order of a summation


class Context(NamedTuple):
    """What a learner sees before it shows labels: the features (R, d) of each replicate's example."""

    features: Array


class Shown(NamedTuple):
    """What a learner shows, and how it chose it.

    order : (R, K) labels by falling score. size : (R,) how many labels are shown, from the first. probability : (R, K)
    p̂, the score of each label. estimate : (R, K) the probability without the confidence term. width : (R, K) ε, by how
    much the margin was raised because of uncertainty, or None.
    """

    order: Array
    size: Array
    probability: Array
    estimate: Array
    width: Array | None = None


class Feedback(NamedTuple):
    """What a learner hears about each label.

    right : (R, K) bool, shown and right, or None for learners that hear nothing. labels : (R, K) bool, the whole label
    set for learners with full information, None for all others.
    """

    right: Array | None = None
    labels: Array | None = None


@dataclass(kw_only=True)
class MultilabelLearner(Learner):
    """Base of the multilabel learners, which receive x, show an ordered set Ŷ, hear which labels are right, and update.

    This is the protocol of [G] §2.
    """

    family: ClassVar[str] = "multilabel"
    # "shown", which of the labels shown are right, "labels", all labels that are right, or "nothing"
    hears: ClassVar[str] = "shown"

    a: float = real(
        0.5, 0, 1, symbol="a", step=0.05,
        help="Cost of a right label that is not shown; a wrong label that is shown costs 1 − a. Near 1 it pays to "
        "show many labels, near 0 few.",
    )  # fmt: skip
    costs: str = choice(
        "decreasing", COSTS, symbol="c",
        help="Decreasing: a wrong label costs more the higher it is ranked, (s − j + 1)/s at rank j of s. Constant: 1 "
        "at every rank, so that with a = 0.5 the loss is half the Hamming loss.",
    )  # fmt: skip
    size: int = integer(
        10, 1, 1000, symbol="S", help="The largest number of labels it may show at once. Try 2, 5 and 20."
    )

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        """Forget everything learned. `rng` is the stream of random numbers of the learner (or a plain generator)."""
        self.rng, self.replicates = Stream.of(rng, replicates), replicates
        self.features, self.classes = shape.features, shape.classes

    def memory(self, shape: Shape, replicates: int) -> int:
        return 0  # learners that learn nothing keep nothing

    def present(self, context: Context) -> Shown:
        """Choose the labels to show."""
        raise NotImplementedError

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> None:
        """Learn from the feedback on what `present` has just shown; the default learns nothing."""

    def choose(self, probability: Array) -> tuple[Array, Array]:
        """Return labels by falling probability (R, K), and how many to show (R,); [G] Fig. 1, step 3."""
        order = np.argsort(-probability, axis=1, kind="stable")
        ranked = np.take_along_axis(probability, order[:, : int(np.max(self.size))], axis=1)
        return order, best_size(ranked, self.a, self.costs, self.size)


def rounded(probability: Array) -> Array:
    """Round probabilities to twelve digits, so that those that differ only by the order of a summation tie."""
    return np.round(probability, _DIGITS)


def cost(position: Array, size: Array, costs: str) -> Array:
    """Return c(j, s) of [G] §2 and §5 for the positions j = 0, 1, … of s labels, and 0 beyond them.

    >>> cost(np.arange(4), np.array([3]), "decreasing").round(3)
    array([1.   , 0.667, 0.333, 0.   ])
    """
    inside = position < size
    if costs == "constant":
        return inside.astype(float)
    return np.where(inside, (size - position) / np.maximum(size, 1), 0.0)


def objective(ranked: Array, a: float | Array, costs: str) -> Array:
    """Return the expected cost of showing the first s = 0 … m labels, (R, 1 + m), from their probabilities (R, m).

    It is (1 − a) Σ_j c(j, s)(1 − p_(j)) − a Σ_j p_(j), [G] Eq. 3, which leaves out a Σ_i p_i, the same for every s.
    """
    a = column(a)
    wrong = np.cumsum(1 - ranked, axis=1)
    if costs == "decreasing":  # Σ_{j ≤ s} (s − j + 1)/s q_j = Σ_{m ≤ s} (q_1 + … + q_m) / s
        wrong = np.cumsum(wrong, axis=1) / np.arange(1.0, ranked.shape[1] + 1)
    found = np.zeros((ranked.shape[0], ranked.shape[1] + 1))
    found[:, 1:] = (1 - a) * wrong - a * np.cumsum(ranked, axis=1)
    return found


def best_size(ranked: Array, a: float | Array, costs: str, cap: int | Array) -> Array:
    """Return the size s ≤ cap (R,) whose prefix has the least expected cost, the smallest of ties ([G] Lemma 1).

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
    """Return ℓ_{a,c} of [G] §2, a |Y \\ Ŷ| + (1 − a) Σ_{i ∈ Ŷ \\ Y} c(j_i, |Ŷ|), of shape (…,).

    truth : (…, K) bool, Y. order : (…, m) labels, the first `size` (…,) of which are Ŷ. a : a number or (R,).

    In the paper's example, with K = 10 and labels counted from 1, Ŷ = (4, 3, 6) and Y = {1, 3, 8} cost
    2a + (1 − a)(3/3 + 1/3).

    >>> truth = np.isin(np.arange(1, 11), [1, 3, 8])
    >>> round(float(loss(truth, np.array([4, 3, 6]) - 1, np.array(3), 0.5, "decreasing")), 4)
    1.6667
    """
    position, size = np.arange(order.shape[-1]), np.asarray(size)[..., None]
    right = np.take_along_axis(truth, order, axis=-1)
    missed = truth.sum(axis=-1) - (right & (position < size)).sum(axis=-1)
    wrong = (cost(position, size, costs) * ~right).sum(axis=-1)
    return np.asarray(a * missed + (1 - a) * wrong)
