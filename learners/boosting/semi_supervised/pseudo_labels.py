"""Pseudo-labels on gradient boosting, more of them in every pass (Lee 2013; Cascante-Bonilla et al. 2021)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import integer, real
from learners.base import Array, Line
from learners.boosting.cart import single
from learners.boosting.semi_supervised.reference import Reference
from learners.threads import one_thread


@dataclass(kw_only=True)
class PseudoLabels(Reference):
    """Trains scikit-learn's histogram gradient boosting anew in each pass, on labels and on its surest own answers.

    The first pass uses the labelled examples alone. In pass j the share j Δ of the others with the largest probability
    of their class get that class as pseudo-label, and the model is trained again from the start, until all of them have
    one. It can so correct early mistakes, which self-training cannot.

    Source: [L13], with the schedule of [CTQO21] §3, who choose Δ = 20 %; there with neural networks.

    >>> from learners.boosting.semi_supervised.base import Training
    >>> learner = PseudoLabels(smallest=1)
    >>> examples = Training(np.array([[0.0], [9.0], [1.0], [8.0]]), np.array([1, 0, -1, -1]), 2)
    >>> learner.reset(examples, np.random.default_rng(0))
    >>> learner.round().targets
    array([1, 0, 1, 0])
    """

    id: ClassVar[str] = "pseudo-labels"
    title: ClassVar[str] = "Pseudo-labels (gradient boosting)"
    short: ClassVar[str] = "Pseudo-labels"
    summary: ClassVar[str] = (
        "Trains a modern classifier, gradient boosting, on the labels, lets it label what it is surest of, and trains "
        "it anew on both, with more pseudo-labels in every pass. Simple, and hard to beat where the classifier is good "
        "from the start."
    )
    finds: ClassVar[str] = "gradient boosting was trained anew in each pass, with more of its own answers as labels"
    paper: ClassVar[str] = "CTQO21"
    works: ClassVar[Mapping[str, str]] = {
        "L13": "Lee. Pseudo-Label: The Simple and Efficient Semi-Supervised Learning Method for Deep Neural "
        "Networks. ICML Workshop on Challenges in Representation Learning, 2013.",
        "CTQO21": "Cascante-Bonilla, Tan, Qi & Ordonez. Curriculum Labeling: Revisiting Pseudo-Labeling for Semi-"
        "Supervised Learning. AAAI 2021.",
    }
    section: ClassVar[str] = "§3; pseudo-labels by [L13]"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Train a classifier on the labelled examples",
            "Gradient boosting is trained on the labelled examples alone.",
        ),
        Line(
            "predict",
            r"In the first round, for the shares $\Delta, 2\Delta, \dots, 1$: give that share of the other examples, "
            r"those with the largest $\max_k p_k(x)$, their class as pseudo-label;",
            "The examples of which it is surest, by its probability p, get its answer as pseudo-label; more of them "
            "in each pass.",
        ),
        Line(
            "update",
            r"train a new classifier on labels and pseudo-labels; predict with the last one; later rounds add nothing",
            "A new model is trained on all labels, from the start, so that an early mistake need not stay.",
        ),
    )

    step: float = real(
        0.2, 0.05, 1, step=0.05, symbol="Δ",
        help="Share of the examples by which the pseudo-labels grow in each pass. 1 labels all at once.",
    )  # fmt: skip
    trees: int = integer(20, 1, 100, help="Rounds of gradient boosting in each pass, a tree for each class in each.")
    smallest: int = integer(
        2, 1, 100, help="Examples that a leaf holds at least. With few labels it must be small. Try 1 or 5."
    )

    def fit(self) -> None:
        given = self.problem.labels
        x = single(self.problem.features)
        self.believed = given.copy()
        seed = int(self.rng.integers(2**31 - 1))
        self.model = self._trained(x, seed)
        others = np.flatnonzero(given < 0)
        passes = int(np.ceil(1 / float(self.step) - 1e-9))
        for number in range(1, passes + 1):
            if self.model is None or not len(others):
                break
            chances = self._chances(x[others])
            sure = chances.max(axis=1)
            count = int(np.ceil(min(number * float(self.step), 1.0) * len(others) - 1e-9))
            chosen = np.argsort(-sure, kind="stable")[:count]
            self.believed = given.copy()
            self.believed[others[chosen]] = self.model.classes_[chances[chosen].argmax(axis=1)]
            self.model = self._trained(x, seed)

    def _trained(self, x: Array, seed: int) -> Any:
        """Return a model of the labels and pseudo-labels, or None where there is only one class."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        rows = np.flatnonzero(self.believed >= 0)
        if len(np.unique(self.believed[rows])) < 2:
            return None
        model = HistGradientBoostingClassifier(
            max_iter=int(self.trees), max_leaf_nodes=15, min_samples_leaf=int(self.smallest), early_stopping=False,
            random_state=seed,
        )  # fmt: skip
        with one_thread():
            return model.fit(x[rows], self.believed[rows])

    def _chances(self, x: Array) -> Array:
        with one_thread():
            return np.asarray(self.model.predict_proba(x))

    def classify(self, features: Array) -> Array:
        if self.model is None:
            return np.full(len(features), self.believed[self.labelled[0]])
        with one_thread():
            return np.asarray(self.model.predict(single(features)))
