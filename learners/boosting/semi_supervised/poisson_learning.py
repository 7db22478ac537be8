"""Poisson learning: labels as sources and sinks on a graph of neighbours (Calder, Cook, Thorpe & Slepčev 2020)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import integer
from learners.base import Array, Line
from learners.boosting.cart import single
from learners.boosting.semi_supervised.reference import Reference
from learners.boosting.semi_supervised.similarity import scale_of

SHARPNESS = 4.0  # of the similarities, as in the paper
LEAST, MOST = 50, 1_000  # iterations; the most are only needed where the graph falls into parts


@dataclass(kw_only=True)
class PoissonLearning(Reference):
    """Moves u towards L u = Σ_j (y_j − ȳ) δ_j on the graph of the k nearest neighbours, L its Laplacian.

    The right side pours in at the labelled examples what they say beyond the mean of all labels. Label spreading holds
    the labels fast instead, so that with very few of them its answer is flat everywhere else. The similarity of two
    neighbours is exp(−4 ‖x − x′‖² / r²), with r the distance of the k-th neighbour, added in both directions. The
    paper's correction for class sizes that are known is left out, since they are not known here. Rows that do not train
    get the class of their neighbours among those that do, by the same similarities. A class without any label is never
    predicted.

    Source: [CCTS20] Algorithm 1, whose iteration ends when a random walk has forgotten where it began. u can then still
    be far from the solution, while the largest of its classes, which is predicted, is mostly the same.

    >>> from learners.boosting.semi_supervised.base import Training
    >>> learner = PoissonLearning(neighbours=1)
    >>> examples = Training(np.array([[0.0], [9.0], [1.0], [8.0]]), np.array([1, 0, -1, -1]), 2)
    >>> learner.reset(examples, np.random.default_rng(0))
    >>> learner.round().answers
    array([1, 0, 1, 0])
    """

    id: ClassVar[str] = "poisson-learning"
    title: ClassVar[str] = "Poisson learning"
    short: ClassVar[str] = "Poisson"
    summary: ClassVar[str] = (
        "Treats labelled examples as sources and sinks of their class on a graph of neighbours, and lets it flow for "
        "as long as a random walk takes to mix. Made for one or two labels a class, where label spreading fails."
    )
    finds: ClassVar[str] = "the labels flowed from their examples over the graph until a random walk had mixed"
    paper: ClassVar[str] = "CCTS20"
    works: ClassVar[Mapping[str, str]] = {
        "CCTS20": "Calder, Cook, Thorpe & Slepčev. Poisson Learning: Graph Based Semi-Supervised Learning at Very Low "
        "Label Rates. ICML 2020."
    }
    section: ClassVar[str] = "Algorithm 1"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"$W_{ij} = e^{-4 \|x_i - x_j\|^2 / r_i^2} + e^{-4 \|x_i - x_j\|^2 / r_j^2}$ for neighbours, "
            r"$D$ the sums by row, $L = D - W$",
            "W says how similar two neighbours are. L is the Laplacian of this graph.",
        ),
        Line(
            "observe",
            r"$b_i \leftarrow y_i - \bar y$ for labelled examples, 0 for others",
            "Each label y is a source of its class, less the mean of all labels, so that as much flows in as out.",
        ),
        Line(
            "predict",
            r"In the first round, repeat $u \leftarrow u + D^{-1} (b - L u)$ until a random walk has mixed",
            "The classes u flow over the graph from neighbour to neighbour.",
        ),
        Line(
            "update",
            r"Predict $\mathrm{argmax}_k u_{ik}$; later rounds add nothing",
            "The class with the largest u is predicted.",
        ),
    )

    neighbours: int = integer(
        10, 1, 50, symbol="k", help="How many of the nearest examples are neighbours. Try 20 where classes overlap."
    )  # fmt: skip

    def fit(self) -> None:
        x, y = self.problem.features, self.problem.labels
        self.scale = scale_of(x)
        self.points = single(x / self.scale)
        self.known = np.unique(y[self.labelled])  # (c,) classes with a label
        self.u = solve(self.graph(), sources(y, self.known))
        self.believed = np.where(y >= 0, y, self.known[self.u.argmax(axis=1)])

    def graph(self) -> Any:
        """Return the similarities, a symmetric sparse (n, n) matrix."""
        from scipy.sparse import csr_array

        n = len(self.points)
        near, similarity = self._near(self.points, own=True)
        rows = np.repeat(np.arange(n), near.shape[1])
        one = csr_array((similarity.ravel(), (rows, near.ravel())), shape=(n, n))
        return (one + one.T).tocsr()

    def _near(self, points: Array, own: bool) -> tuple[Array, Array]:
        """Return the nearest training rows (n, k) of points, and how similar they are. own : not a row itself."""
        from sklearn.neighbors import NearestNeighbors

        n = len(self.points)
        k = min(int(self.neighbours), n - own)
        if k == 0:
            return np.zeros((len(points), 0), dtype=int), np.zeros((len(points), 0))
        model = NearestNeighbors(n_neighbors=k).fit(self.points)
        far, near = model.kneighbors(None if own else points)
        reach = far[:, -1:]
        share = np.divide(far, reach, out=np.zeros(far.shape), where=reach > 0)
        return near, np.exp(-SHARPNESS * share**2)

    def classify(self, features: Array) -> Array:
        near, similarity = self._near(single(features / self.scale), own=False)
        votes = np.einsum("nk,nkc->nc", similarity, self.u[near])
        trained = {row.tobytes(): i for i, row in enumerate(self.points)}
        own = [trained.get(row.tobytes(), -1) for row in single(features / self.scale)]
        for i, place in enumerate(own):
            if place >= 0:
                votes[i] = self.u[place]
        answers: Array = self.known[votes.argmax(axis=1)]
        return answers


def sources(labels: Array, known: Array) -> Array:
    """Return b (n, c): for each labelled row its class less the mean of all labels, 0 for others.

    labels : (n,) classes, −1 for none. known : (c,) the classes that occur.

    >>> sources(np.array([2, -1, 0]), np.array([0, 2]))
    array([[-0.5,  0.5],
           [ 0. ,  0. ],
           [ 0.5, -0.5]])
    """
    given = (labels[:, None] == known[None, :]).astype(float)
    b: Array = np.where(labels[:, None] >= 0, given - given[labels >= 0].mean(axis=0), 0.0)
    return b


def solve(weights: Any, b: Array) -> Array:
    """Return u (n, c) of the paper's iteration on a graph with symmetric weights (n, n) and sources b (n, c).

    It ends when a random walk from the labelled rows is within 1 / n of its limit, after 50 steps at least and 1,000
    at most. A row without neighbours keeps 0.
    """
    n = len(b)
    degree = np.asarray(weights.sum(axis=1)).ravel()
    inverse = np.divide(1.0, degree, out=np.zeros(n), where=degree > 0)
    walk = (np.abs(b).sum(axis=1) > 0) / max((np.abs(b).sum(axis=1) > 0).sum(), 1)
    limit = degree / max(degree.sum(), 1e-300)
    u = np.zeros_like(b)
    for step in range(MOST):
        u = u + inverse[:, None] * (b - degree[:, None] * u + weights @ u)
        walk = weights @ (inverse * walk)
        if step + 1 >= LEAST and np.abs(walk - limit).max() <= 1 / n:
            break
    return u
