"""Labels that spread over a graph of neighbours (Zhou et al. 2004): a reference of the manifold kind."""

import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import choice, integer, real
from learners.base import Array, Line
from learners.boosting.cart import single
from learners.boosting.semi_supervised.base import Training
from learners.boosting.semi_supervised.reference import Reference
from learners.boosting.semi_supervised.similarity import Similarity, scale_of

MOST = 4_000  # rows of the gaussian kernel, whose similarities of all pairs are held several times
ROUNDS = 30  # in which labels spread, at most


@dataclass(kw_only=True)
class LabelSpreading(Reference):
    """scikit-learn's LabelSpreading: repeat P ← a S P + (1 − a) Y, S the normalised graph, Y the labels.

    The gaussian kernel has the width that MCSSB has: a share of the range of the distances. Rows that do not train
    get the class of their neighbours among those that do.

    Raises
    ------
    ValueError : from `reset`, for the gaussian kernel on more than 4,000 training rows.

    >>> learner = LabelSpreading(kernel="gaussian")
    >>> examples = Training(np.array([[0.0], [9.0], [1.0], [8.0]]), np.array([1, 0, -1, -1]), 2)
    >>> learner.reset(examples, np.random.default_rng(0))
    >>> learner.round().answers
    array([1, 0, 1, 0])
    """

    id: ClassVar[str] = "label-spreading"
    title: ClassVar[str] = "Label spreading"
    summary: ClassVar[str] = (
        "Lets the labels flow from neighbour to neighbour over all examples until they settle. No boosting, no trees: "
        "what the similarity alone is good for."
    )
    finds: ClassVar[str] = "the labels spread from neighbour to neighbour until they settled"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§2.2, reference 34 (local and global consistency; not in its experiments)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"$Y_{ik} = \mathbf{1}[y_i = k]$ for labelled examples, 0 for others; $P = Y$",
            "P says how much each example belongs to each class. At first only labelled examples belong anywhere.",
        ),
        Line(
            "observe",
            r"$S = D^{-1/2} W D^{-1/2}$, with $W$ the similarities and $D$ their sums by row",
            "S says how similar any two examples are, scaled by how many neighbours they have.",
        ),
        Line(
            "predict",
            r"In the first round, repeat $P \leftarrow a S P + (1 - a) Y$ until it settles",
            "Each example takes over a share a of what its neighbours believe, and keeps the rest of what its label "
            "says.",
        ),
        Line(
            "update",
            r"Predict $\mathrm{argmax}_k P_{ik}$; later rounds add nothing",
            "The class to which an example belongs most is predicted.",
        ),
    )

    kernel: str = choice(
        "neighbours", ("neighbours", "gaussian"),
        help="What joins two examples: being among the nearest, or closeness by a Gaussian of all pairs.",
    )  # fmt: skip
    neighbours: int = integer(
        7, 1, 50, symbol="k", when=("kernel", "neighbours"),
        help="How many of the nearest examples are neighbours, the example itself among them. Try 15.",
    )  # fmt: skip
    width: float = real(
        0.05, 0.001, 2, step=0.01, symbol="σ", when=("kernel", "gaussian"),
        help="Width of the Gaussian, as a share of the range of the distances. Try .15, the width of MCSSB.",
    )  # fmt: skip
    mixing: float = real(
        0.2, 0.01, 0.99, step=0.01, symbol="a",
        help="How much an example follows its neighbours rather than the label it was given. Try .9.",
    )  # fmt: skip

    def reset(self, problem: Training, rng: np.random.Generator) -> None:
        n = len(problem.labels)
        if self.kernel == "gaussian" and n > MOST:
            raise ValueError(
                f"label-spreading with the gaussian kernel takes at most {MOST:,} training rows, got {n:,}: lower "
                "training, or choose kernel = neighbours"
            )
        super().reset(problem, rng)

    def fit(self) -> None:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.semi_supervised import LabelSpreading as Model

        x, y = self.problem.features, self.problem.labels
        self.scale = scale_of(x)
        if self.kernel == "gaussian":
            sigma = Similarity.width_of(x, float(self.width))
            gamma = 0.5 / sigma**2 if sigma > 0 else 0.0
            self.model = Model(kernel="rbf", gamma=gamma, alpha=float(self.mixing), max_iter=ROUNDS)
        else:
            near = min(int(self.neighbours), len(y))
            self.model = Model(kernel="knn", n_neighbors=near, alpha=float(self.mixing), max_iter=ROUNDS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.model.fit(single(x / self.scale), y)
        self.believed = np.where(y >= 0, y, self.model.transduction_)

    def classify(self, features: Array) -> Array:
        with np.errstate(invalid="ignore"):  # an example that no label has reached: the lowest class
            return np.asarray(self.model.predict(single(features / self.scale)))
