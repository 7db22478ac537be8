"""The nearest neighbour classifier, a reference that is hard to beat."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import integer
from learners.base import Array, Line
from learners.boosting.cart import single
from learners.boosting.semi_supervised.reference import Reference
from learners.boosting.semi_supervised.similarity import scale_of


@dataclass(kw_only=True)
class NearestNeighbour(Reference):
    """Predict the class that most of the k nearest labelled rows have, by Euclidean distance (scikit-learn).

    >>> from learners.boosting.semi_supervised.base import Training
    >>> learner = NearestNeighbour()
    >>> learner.reset(Training(np.array([[0.0], [1.0], [9.0]]), np.array([1, 0, -1]), 2), np.random.default_rng(0))
    >>> learner.round().answers
    array([1, 0, 0])
    """

    id: ClassVar[str] = "nearest-neighbour"
    title: ClassVar[str] = "Nearest neighbour"
    short: ClassVar[str] = "Nearest neighbour"
    needs: ClassVar[str] = "a few labels; ignores examples without"
    summary: ClassVar[str] = (
        "Gives each example the class of the labelled example nearest to it. It ignores all others, "
        "and is still the one to beat where distances mean something."
    )
    finds: ClassVar[str] = "each example gets the class of its nearest labelled neighbours"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "(a reference, not in the dissertation)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "predict",
            r"For each $x$ find the $k$ labelled examples with the least $\|x - x_i\|$",
            "It looks for the labelled examples that are nearest to x.",
        ),
        Line(
            "update",
            r"Predict the class that most of them have; later rounds add nothing",
            "They vote. It is the yardstick for those that boost.",
        ),
    )

    neighbours: int = integer(
        1, 1, 50, symbol="k",
        help="Labelled examples that are asked. Try 3; with few labels of each class, more soon asks the wrong ones.",
    )  # fmt: skip

    def fit(self) -> None:
        from sklearn.neighbors import KNeighborsClassifier

        self.model = KNeighborsClassifier(min(int(self.neighbours), len(self.labelled)))
        self.scale = scale_of(self.problem.features)
        self.model.fit(single(self.problem.features[self.labelled] / self.scale), self.problem.labels[self.labelled])

    def classify(self, features: Array) -> Array:
        return np.asarray(self.model.predict(single(features / self.scale)))
