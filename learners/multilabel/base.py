"""The base of the multilabel learners, which labels they show, what they hear, and what mistakes cost.

Shapes: R replicates, d features, K labels. Labels are integers from 0 to K − 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from datasets.parameters import choice, integer, real
from learners.base import Array, Learner, Shape
from learners.compiled.record import room
from learners.multilabel import kernel
from learners.multilabel.page import LEARN, PRESENT, Page
from learners.multilabel.sets import best_size
from learners.random import Source, Stream
from learners.rule import BoundRule, bind, call

COSTS = ("decreasing", "constant")


class Context(NamedTuple):
    """The input of a step: the features (R, d) of each replicate's example."""

    features: Array


class Shown(NamedTuple):
    """The labels that a learner shows, and how it chose them.

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
    """The feedback on each label.

    right : (R, K) bool, shown and right, or None for learners that hear nothing. labels : (R, K) bool, the whole label
    set for learners with full information, None for all others.
    """

    right: Array | None = None
    labels: Array | None = None


@dataclass(kw_only=True)
class MultilabelLearner(Learner):
    """Base of the multilabel learners, which receive x, show an ordered set Ŷ, hear which labels are right, and update.

    This is the protocol of [G] §2. A learner has two compiled `rules` for one step of one replicate, to present and to
    learn (see `learners.multilabel.page`), with which a simulation runs blocks of steps. Or it defines `present` and
    `update` in Python, and a simulation takes its steps one by one.
    """

    family: ClassVar[str] = "multilabel"
    says: ClassVar[Mapping[str, str]] = {
        "start": (
            "The weights w of every label i are 0, and the matrix A, which says what has been seen, is the identity."
        ),
        "observe": "An example x arrives, described by d features and of length 1.",
        "feedback": (
            "It shows the set Ŷ and hears which of these labels are right. s is 1 for a right label, −1 for a wrong "
            "one, and 0 for one of which it hears nothing."
        ),
        "update": (
            "The matrix of each label it has heard about notes that x was seen. The weights of the label move towards "
            "the answer s, and the farther, the less was known about x."
        ),
    }
    # "shown", which of the labels shown are right, "labels", all labels that are right, or "nothing"
    hears: ClassVar[str] = "shown"
    rules: ClassVar[tuple[Any, Any] | None] = None
    linear: ClassVar[bool] = False  # whether it has weights w
    has_width: ClassVar[bool] = False  # whether it has an ε, by which it raises margins because of uncertainty
    draws_margins: ClassVar[bool] = False  # whether ε is the standard deviation of margins that it draws instead

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
        self.t = 1  # number of the next step
        R, K = replicates, self.classes
        self.w: Array = np.zeros((R, K if self.linear else 0, self.features))
        self._room: dict[str, Array] = {
            **{name: np.zeros((R, K)) for name in ("margin", "delta", "probability", "estimate", "heard")},
            "width": np.zeros((R, K if self.has_width else 0)),
            "order": np.zeros((R, self.most), dtype=np.int64),
            "size": np.zeros(R, dtype=np.int64),
        }

    def memory(self, shape: Shape, replicates: int) -> int:
        return 8 * replicates * shape.classes * shape.features * self.linear  # who learns nothing keeps nothing

    @property
    def weights(self) -> Array | None:
        return self.w if self.linear else None

    @property
    def most(self) -> int:
        """The largest number of labels that any replicate may show, m."""
        return min(int(np.max(self.size)), self.classes)

    @property
    def bound(self) -> BoundRule:
        """Its rules, as loops take them."""
        if self.rules is None:
            raise NotImplementedError(f"{type(self).__name__} needs rules, or a method present of its own")
        return bind((PRESENT, LEARN), self.rules)

    def state(self) -> dict[str, Array]:
        """Return what the rules change in place: w (R, K, d), Ainv (R, M, n, d), and V (R, M, d) and q (R, M)."""
        return {"w": self.w}

    def draws(self, steps: int) -> Array:
        """Draw the random numbers of some steps, (steps, R, n), which the rules find in `page.draws`."""
        return np.zeros((steps, self.replicates, 0))

    def pages(self) -> Page:
        """Return the arrays in which the rules work."""
        R = self.replicates
        if self._room["order"].shape[1] != self.most:  # the parameter has changed
            self._room["order"] = np.zeros((R, self.most), dtype=np.int64)
        own = {
            "numbers": self.bound.numbers(self, R) if self.rules else np.zeros((R, 0)),
            "a": np.broadcast_to(np.asarray(self.a, dtype=float), R).copy(),
            "constant": np.full(R, self.costs == "constant"),
            "cap": np.minimum(np.broadcast_to(self.size, R), self.classes).astype(np.int64),
        }
        return room(Page, R, own | self.state() | self._room, M=0, d=self.features)

    def present(self, context: Context) -> Shown:
        """Choose the labels to show. By default this is the first of the `rules`."""
        features = np.array(context.features, dtype=float)
        call(kernel.present_all, self.bound.ready[:1], self.pages(), self.t, features, self.draws(1)[0])
        return self.shown()

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> None:
        """Learn from the feedback on what `present` has just shown. By default this is the second of the `rules`."""
        if self.rules is not None:
            features = np.array(context.features, dtype=float)
            call(kernel.learn_all, self.bound.ready[1:], self.pages(), self.t, features, self._heard(shown, feedback))
        self.t += 1

    def shown(self) -> Shown:
        """Return what the rules have shown last."""
        probability, estimate, width = (self._room[name].copy() for name in ("probability", "estimate", "width"))
        order = np.argsort(-probability, axis=1, kind="stable")
        return Shown(order, self._room["size"].copy(), probability, estimate, width if self.has_width else None)

    def pages_of(self, shown: Shown) -> Page:
        """Return the pages on which this is shown.

        Raises
        ------
        ValueError : if more labels are shown than may be.
        """
        if (shown.size > np.minimum(self.size, self.classes)).any():
            raise ValueError(f"{self.id} must show at most size = {self.size} labels, got {int(shown.size.max())}")
        return self.pages()._replace(
            probability=np.array(shown.probability, dtype=float),
            width=np.zeros((self.replicates, 0)) if shown.width is None else np.array(shown.width, dtype=float),
            order=np.array(shown.order[:, : self.most], dtype=np.int64),
            size=np.array(shown.size, dtype=np.int64),
        )

    def _heard(self, shown: Shown, feedback: Feedback) -> Array:
        """Return s (R, K), 1 for right, −1 for wrong, 0 for unknown ([G] Fig. 1, step 4)."""
        if feedback.labels is not None:
            return np.where(feedback.labels, 1.0, -1.0)
        heard = np.zeros((self.replicates, self.classes))
        if feedback.right is not None:
            np.put_along_axis(heard, shown.order, np.where(np.arange(self.classes) < shown.size[:, None], -1.0, 0.0), 1)
            heard[feedback.right] = 1.0
        return heard

    def choose(self, probability: Array) -> tuple[Array, Array]:
        """Return labels by falling probability (R, K), and how many to show (R,); [G] Fig. 1, step 3."""
        order = np.argsort(-probability, axis=1, kind="stable")
        a, caps = np.broadcast_to(self.a, len(order)), np.broadcast_to(self.size, len(order))
        constant, K = self.costs == "constant", probability.shape[1]
        each = zip(probability, order, a, caps, strict=True)
        return order, np.array([best_size(p, o, float(c), constant, min(int(S), K)) for p, o, c, S in each])
