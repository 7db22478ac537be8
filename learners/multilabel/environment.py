"""The environment of the multilabel learners, which holds the label sets and decides who hears what."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.multilabel import MultilabelData
from datasets.parameters import named
from learners.base import Array, Shape, permutations
from learners.environment import Diverged, Order, Watchable
from learners.metric import Metric
from learners.multilabel import kernel, metrics
from learners.multilabel.algebra import distance
from learners.multilabel.base import Context, Feedback, MultilabelLearner, Shown
from learners.multilabel.sets import loss
from learners.multilabel.watched import COLUMNS, NOBODY, Seen, note_labels, note_scores
from learners.random import EACH, Seeds
from learners.rule import call, written_by_hand
from learners.vectors import writable


@dataclass(frozen=True)
class Step:
    """The latest step, for the inspector; the first axis of every array is the replicate.

    t : number of the step, from 1. row : (R,) row of the example. features : (R, d). shown : what was shown, with
    estimates and widths. truth : (R, K) bool, Y. right : (R, K) bool, shown and right. loss : (R,) cost of the step.
    probabilities : (R, K) the true probabilities, or None if no model is known. bayes : the Bayes set Y* under the
    learner's cap, as labels in order (R, K) and size (R,), or None.
    """

    t: int
    row: Array
    features: Array
    shown: Shown
    truth: Array
    right: Array
    loss: Array
    probabilities: Array | None
    bayes: tuple[Array, Array] | None


HEARS = {"nothing": kernel.NOTHING, "shown": kernel.SHOWN, "labels": kernel.LABELS}
MEASURED = {
    metrics.LOSS: kernel.LOSS,
    metrics.HAMMING_LOSS: kernel.HAMMING,
    metrics.RANKING_LOSS: kernel.RANKING,
    metrics.CUMULATIVE_REGRET: kernel.REGRET,
    metrics.SHOWN_SIZE: kernel.SIZE,
    metrics.WIDTH: kernel.WIDTH,
    metrics.WEIGHT_CHANGE: kernel.CHANGE,
}
HUGE = 1e100  # of a feature; up to this, weights grow far too slowly to overflow
BYTES, NANOSECONDS = 16_000_000, 30_000_000  # of the random numbers of a block, and of its steps


class MultilabelEnvironment(Watchable):
    """Runs one multilabel learner on R replicates, each with its own order of the examples.

    Where the label probabilities are known, an example gets new labels at every visit. The draws do not depend on what
    is shown, so learners raced on one seed meet the same labels. The steps of a learner with compiled rules are taken
    in blocks without the interpreter lock, those of a learner with methods of its own one by one.

    Metrics: loss, hamming-loss and ranking-loss are running means of ℓ_{a,c} with the learner's own a and c, of
    |Y \\ Ŷ| + |Ŷ \\ Y| (a number of labels), and of ℓ_{rank,t} / S ([G] §4), where S ≤ K is the learner's cap.
    cumulative-regret is the sum of E[ℓ(Ŷ)] − E[ℓ(Y*)], with Y* the best set under the same cap ([G] §2, Lemma 1).
    """

    watched: ClassVar[tuple[str, ...]] = COLUMNS

    def __init__(
        self, data: MultilabelData, user: None, learner: MultilabelLearner, replicates: int, seeds: Seeds
    ) -> None:
        self.data, self.learner, self.replicates = data, learner, replicates
        order, world, own, _ = seeds.spawn(4)  # the same four streams as in every family
        self.order = Order(data.examples, order)
        self.world = world
        self.t = 0
        self._totals = np.zeros((4, replicates))
        self._row: Array = np.zeros(replicates, dtype=np.int64)  # of the latest step
        self._truth = np.zeros((replicates, data.classes), dtype=bool)
        self._shown: Shown | None = None  # in the latest step, by a learner with methods of its own
        self._sound = True  # whether all weights are finite numbers
        self._huge = bool(max(data.features.max(), -data.features.min()) > HUGE)
        learner.reset(Shape.of_examples(data), replicates, own)

    def changed(self) -> None:
        """Do nothing: the parameters of the learner are read anew for each block."""

    @property
    def by_hand(self) -> bool:
        """Whether the learner presents or updates by methods of its own, and not by its rules."""
        return written_by_hand(self.learner, MultilabelLearner)

    @property
    def block(self) -> int:
        """The most steps that are worth taking at once; they take about 30 ms and keep at most 16 MB.

        With features so large that weights may overflow it is one, so that all replicates end at the same step.
        """
        if self._huge:
            return 1
        K, d = self.data.classes, self.data.dimension
        work = 1000 + 40 * K + self.learner.memory(Shape(d, classes=K), 1) / 16  # about, in ns of a step and replicate
        fitting = min(NANOSECONDS / work, BYTES / (16 * K + 48)) / self.replicates
        return max(1, int(fitting))

    def run(self, steps: int) -> dict[Metric, Array]:
        """Take steps and return the metrics after each, (steps, R), or after fewer if weights overflow.

        Raises
        ------
        Diverged : if they did so before.
        """
        if not self._sound:
            raise Diverged(self.learner.id, self.t, "choose data with smaller features")
        learner = self.learner
        world = self._world(steps)
        found = np.empty((len(MEASURED), steps, self.replicates))
        seen = Seen.of(steps, self.data.classes, self.watching) if self.watching >= 0 else NOBODY
        if self.by_hand:
            done = self._steps_by_hand(world, found, seen)
        else:
            pages = learner.pages()
            flat = pages.w.reshape(self.replicates, pages.w[0].size)  # not copied
            done, sound = call(
                kernel.run, learner.bound.ready, HEARS[learner.hears], world, pages, learner.draws(steps),
                self.t + 1, self._totals, found, flat, np.empty(flat.shape[1]), seen,
            )  # fmt: skip
            self._sound, self._shown = bool(sound), None
            learner.t += done
        self.t += done
        self._row = world.rows[done - 1]
        if self.watching >= 0:
            self.keep(seen.columns(world.rows[:done]))
        return {metric: found[i, :done] for metric, i in MEASURED.items()}

    def _world(self, steps: int) -> kernel.World:
        """Return what some steps meet. New labels are drawn where their probabilities are known."""
        data, R, K = self.data, self.replicates, self.data.classes
        u, loss = data.model or (np.empty((0, data.dimension)), "")
        known = data.model is not None
        noise = self.world.random((steps, EACH, K)) if known else np.empty((steps, R, 0))
        return kernel.World(
            rows=self.order.take(steps), features=writable(data.features), labels=writable(data.labels),
            u=np.array(u, dtype=float), logistic=loss == "logistic", noise=noise, truth=self._truth,
            p=np.empty((R, K if known else 0)), best=np.empty((R, self.learner.most), dtype=np.int64),
        )  # fmt: skip

    def _steps_by_hand(self, world: kernel.World, found: Array, seen: Seen) -> int:
        """Take the steps of a learner with methods of its own; return how many."""
        learner, hears, truth = self.learner, self.learner.hears, self._truth
        steps = len(world.rows)
        for b in range(steps):
            kernel.draw(world, b)
            context = Context(self.data.features.take(world.rows[b], axis=0))
            shown = learner.present(context)
            if not isinstance(shown, Shown):
                raise ValueError(f"{learner.id} must return a Shown from present, got {named(shown)}")
            permutations(shown.order, self.replicates, self.data.classes, f"{learner.id} must order each label once")
            before = None if learner.weights is None else np.array(learner.weights)
            right = truth & _inside(shown)
            labels = truth.copy() if hears == "labels" else None
            learner.update(context, shown, Feedback(None if hears == "nothing" else right, labels))
            kernel.measure(world, learner.pages_of(shown), b, self.t + b + 1, self._totals, found)
            if (r := seen.replicate) >= 0 and before is not None:
                now, was = (np.asarray(w)[r].ravel().astype(float) for w in (learner.weights, before))
                width = np.zeros(0) if shown.width is None else np.array(shown.width[r], dtype=float)
                note_scores(seen, b, writable(context.features[r], float), was, now, width)
            found[kernel.CHANGE, b] = np.nan if before is None else _distance(learner.weights, before)
            if r >= 0:
                note_labels(seen, b, np.ascontiguousarray(shown.order[r], dtype=np.int64), int(shown.size[r]), truth[r])
            self._shown = shown
            self._sound = learner.weights is None or bool(np.isfinite(learner.weights).all())
            if not self._sound:
                return b + 1
        return steps

    def last(self) -> Step | None:
        """Return the record of the latest step, or None before the first."""
        if not self.t:
            return None
        learner, row, truth = self.learner, self._row.copy(), self._truth.copy()
        shown = learner.shown() if self._shown is None else self._shown
        p = None if self.data.model is None else self.data.probabilities(row)
        constant, a = learner.costs == "constant", np.broadcast_to(learner.a, self.replicates)
        each = zip(truth, shown.order, shown.size, a, strict=True)
        paid = np.array([loss(y, order, int(size), float(cost), constant) for y, order, size, cost in each])
        features, right = self.data.features.take(row, axis=0), truth & _inside(shown)
        bayes = None if p is None else learner.choose(p)
        return Step(self.t, row, features, shown, truth, right, paid, p, bayes)


def _distance(weights: Array | None, before: Array) -> Array:
    """Return the norms of the differences of weights (R, K, d), (R,)."""
    pairs = zip(np.asarray(weights, dtype=float), before, strict=True)
    return np.array([distance(now.ravel(), old.ravel()) for now, old in pairs])


def _inside(shown: Shown) -> Array:
    """Return which labels are shown, (R, K) bool."""
    inside: Array = np.zeros(shown.order.shape, dtype=bool)
    np.put_along_axis(inside, shown.order, np.arange(shown.order.shape[1]) < shown.size[:, None], axis=1)
    return inside
