"""Self-training: a tree that takes its own sure answers for labels."""

import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer, real
from learners.base import Array, Line
from learners.boosting.cart import single
from learners.boosting.semi_supervised.reference import Reference
from learners.boosting.weak import criterion_field


@dataclass(kw_only=True)
class SelfTraining(Reference):
    """scikit-learn's SelfTrainingClassifier around a decision tree (Yarowsky 1995).

    >>> from learners.boosting.semi_supervised.base import Training
    >>> learner = SelfTraining(depth=1)
    >>> examples = Training(np.array([[0.0], [9.0], [1.0], [8.0]]), np.array([1, 0, -1, -1]), 2)
    >>> learner.reset(examples, np.random.default_rng(0))
    >>> learner.round().targets
    array([1, 0, 1, 0])
    """

    id: ClassVar[str] = "self-training"
    title: ClassVar[str] = "Self-training"
    summary: ClassVar[str] = (
        "Trains a tree on the labelled examples, takes what it is sure of for true, trains again, and so on. Whatever "
        "it gets wrong at first, it never corrects."
    )
    finds: ClassVar[str] = "a tree was trained again and again on its own sure answers"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§2.3.2 (named there; not in its experiments)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "predict",
            r"In the first round, repeat: train a tree on the examples that have a label or a pseudo-label;",
            "It trains a tree on all examples that have a label or a pseudo-label.",
        ),
        Line(
            "predict",
            r"give each other example its class as pseudo-label where the tree's share of it is above $\theta$",
            "Where the tree is sure, by a share above θ, its answer becomes a pseudo-label.",
        ),
        Line(
            "update",
            r"until none is added; predict with the last tree; later rounds add nothing",
            "This goes on until no pseudo-label is added.",
        ),
    )

    depth: int = integer(
        2, 1, 20,
        help="Levels of questions of the tree. With more its leaves are purer, so that it is surer of itself. Try 5.",
    )  # fmt: skip
    threshold: float = real(
        0.75, 0, 0.99, step=0.05, symbol="θ",
        help="Share of one class in a leaf above which the tree is believed. Try .4, with which it believes nearly "
        "all.",
    )  # fmt: skip
    criterion: str = criterion_field()

    def fit(self) -> None:
        from sklearn.semi_supervised import SelfTrainingClassifier
        from sklearn.tree import DecisionTreeClassifier

        seed = int(self.rng.integers(2**31 - 1))
        tree = DecisionTreeClassifier(criterion=self.criterion, max_depth=int(self.depth), random_state=seed)
        rounds = len(self.problem.labels)  # each of them labels an example at least, or is the last
        self.model = SelfTrainingClassifier(tree, threshold=float(self.threshold), max_iter=rounds)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that all examples have a label
            self.model.fit(single(self.problem.features), self.problem.labels)
        self.believed = np.asarray(self.model.transduction_)

    def classify(self, features: Array) -> Array:
        return np.asarray(self.model.predict(single(features)))
