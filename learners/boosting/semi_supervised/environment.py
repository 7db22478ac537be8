"""Run a semi-supervised learner on a data set of classes: who trains, who has a label, what is predicted."""

from typing import ClassVar

import numpy as np

from learners.base import Array
from learners.boosting.cart import single
from learners.boosting.environment import BoostingEnvironment, require_dense
from learners.boosting.semi_supervised import metrics
from learners.boosting.semi_supervised.base import Training
from learners.boosting.semi_supervised.places import extent_of, plane
from learners.metric import Metric
from learners.random import EACH, Stream

MOST_ROWS = 10_000  # training rows: the similarities of all their pairs are summed in every round
GRID = 60  # points on each side of the grid on which `region` is known


class SemiSupervisedEnvironment(BoostingEnvironment):
    """Let each replicate train on rows of its own, few of which have a label, and test on the others.

    Of N rows a share `training` trains, n of them, and of these a share `labelled` has a label: at least K, or n where
    n < K. Both are parameters of the data (.2 and .05 where it has none). The rows are drawn at random; so are those
    with a label, but first one of each class that is among the training rows: where two in a hundred have a label, a
    class would often have no label, and no learner can name a class that it has never met.

    problems : list of R `Training`, the labelled rows first. rows : (R, n) the training rows' numbers in the data.
    tests : (R, N − n) those of the others. scores : (R, N, K) sum of the votes for every row of the data.
    region : (GRID, GRID) the class that run 0 predicts on a grid over the plane, `region[i, j]` at the i-th value of
    the second and the j-th of the first feature, or None where d is not 2. extent : (x0, x1, y0, y1) of that grid.

    Metrics: the share of rows whose predicted class is right, among the labelled rows (accuracy-train), the training
    rows without label (accuracy-unlabelled; NaN if there are none) and the test rows (accuracy-test).

    Raises
    ------
    ValueError : for sparse features, fewer than 4 rows, and more than 10,000 training rows.

    >>> from learners import Simulation
    >>> sim = Simulation("adaboost", "digits", replicates=2)
    >>> sim.advance(steps=1)
    >>> sim.environment.rows.shape, sim.environment.tests.shape, sim.environment.scores.shape
    ((2, 359), (2, 1438), (2, 1797, 10))
    """

    shared: ClassVar[tuple[str, ...]] = ("rows", "tests", "_single", "_grid")
    reported: ClassVar[tuple[Metric, ...]] = metrics.REPORTED
    weak_error: ClassVar[Metric] = metrics.WEAK_ERROR

    def prepare(self, order: Stream, person: Stream) -> list[Training]:
        data, R = self.data, self.replicates
        require_dense(data, "semi-supervised learners need")
        N, K = data.examples, data.classes
        if N < 4:
            raise ValueError(f"semi-supervised learners need at least 4 examples, but {data.id} has {N}")
        n = data.training_rows
        if n > MOST_ROWS:
            raise ValueError(
                f"training on {n:,} of the {N:,} examples of {data.id} is too much, at most {MOST_ROWS:,} are allowed: "
                f"lower training to {np.floor(1e4 * MOST_ROWS / N) / 1e4:g}"
            )
        labelled = data.labelled_rows
        shuffled = np.argsort(order.random((EACH, N)), axis=1, kind="stable")  # (R, N)
        self.rows = np.stack([labelled_first(shuffled[r, :n], data.labels, labelled) for r in range(R)])
        self.tests = np.sort(shuffled[:, n:], axis=1)
        self.labelled = labelled
        self.scores: Array = np.zeros((R, N, K))
        self._right: Array = np.zeros((R, N), dtype=bool)  # whether the row's class is predicted
        self._single = single(np.asarray(data.features))
        self._places: dict[int, Array] = {}
        self.region: Array | None = None
        self.extent: tuple[float, float, float, float] | None = None
        if data.dimension == 2:
            self.extent = extent_of(data.features)
            x0, x1, y0, y1 = self.extent
            x, y = np.meshgrid(np.linspace(x0, x1, GRID), np.linspace(y0, y1, GRID))
            self._grid = single(np.stack([x.ravel(), y.ravel()], axis=1))
            self._votes: Array = np.zeros((GRID * GRID, K))
        problems = []
        for rows in self.rows:
            labels = data.labels[rows].copy()
            labels[labelled:] = -1
            problems.append(Training(np.asarray(data.features[rows], dtype=float), labels, K))
        return problems

    def tally(self, moved: list[int]) -> None:
        scores, right = self.scores.copy(), self._right.copy()
        for r in moved:
            scores[r] += self.learners[r].vote(self._single)
            right[r] = scores[r].argmax(axis=1) == self.data.labels
        self.scores, self._right = scores, right
        train = np.take_along_axis(right, self.rows, axis=1)
        test, without = np.take_along_axis(right, self.tests, axis=1), train[:, self.labelled :]
        self._accuracy = (
            train[:, : self.labelled].mean(axis=1),
            without.mean(axis=1) if without.size else np.full(self.replicates, np.nan),
            test.mean(axis=1),
        )
        if self.extent is not None and 0 in moved:
            self._votes = self._votes + self.learners[0].vote(self._grid)
            self.region = self._votes.argmax(axis=1).reshape(GRID, GRID)

    def predicted(self, r: int) -> Array:
        """Return the class (N,) that replicate r now predicts for each row of the data; of equal votes the lowest."""
        found: Array = self.scores[r].argmax(axis=1)
        return found

    def places(self, r: int) -> Array:
        """Return where to draw the training rows of replicate r, (n, 2): see `places.plane`."""
        if r not in self._places:
            self._places[r] = plane(self.problems[r].features)
        return self._places[r]

    def metrics(self) -> dict[Metric, Array]:
        train, without, test = self._accuracy
        return {metrics.ACCURACY_TRAIN: train, metrics.ACCURACY_UNLABELLED: without, metrics.ACCURACY_TEST: test}


def labelled_first(rows: Array, labels: Array, labelled: int) -> Array:
    """Return the shuffled training rows (n,), those to be labelled first: one of each class, then as they come.

    rows : (n,) row numbers in random order. labels : (N,) classes of all rows. labelled : how many get a label; with
    fewer than there are classes among the rows, some classes go without.

    >>> labelled_first(np.array([4, 2, 0, 3]), np.array([0, 1, 1, 0, 1]), labelled=2)
    array([4, 0, 2, 3])
    """
    of_each = np.sort(np.unique(labels[rows], return_index=True)[1])[:labelled]
    others = np.setdiff1d(np.arange(len(rows)), of_each)
    more = labelled - len(of_each)
    first = np.sort(np.concatenate([of_each, others[:more]]))
    found: Array = rows[np.concatenate([first, others[more:]])]
    return found
