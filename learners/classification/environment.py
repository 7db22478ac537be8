"""The environment of the classification learners, which holds the true labels and decides who hears what."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.classification import ClassificationData
from datasets.parameters import named
from learners.base import Array, Shape
from learners.classification import metrics
from learners.classification.base import ClassificationLearner, Feedback, Shown
from learners.classification.block import NO_PERSON, NOBODY, UNSEEN, Notes, Person, Seen, play
from learners.classification.linear import Examples, Moves, Rows
from learners.classification.metrics import SUMS, Tally, count
from learners.environment import Answerable, Diverged, Order, Watchable
from learners.metric import Metric
from learners.random import Seeds
from learners.rule import written_by_hand
from learners.theory import BOUNDS, Mistakes, bounds_by_metric

RECORDED = {metric.id: metric for metric in (metrics.BOUND, metrics.BOUND_A_PRIORI)}
REMEMBERED = 1000  # latest steps for which confusions can be counted
SECONDS = 0.03  # of work in a block
STEP, PRODUCT = 8e-7, 2e-9  # about how many seconds a step takes, and how many more for each feature and class


@dataclass(frozen=True)
class Step:
    """The latest step, for the inspector; the first axis of every array is the replicate.

    t : number of the step, from 1. row : (R,) row of the example. examples : its features. shown, moves : what was
    played and what it changed. truth : (R,) the true label. right : bool of the shape of the label played, whether it
    is the true one. heard : what the learner heard, which differs from the truth where a person answered.
    """

    t: int
    row: Array
    examples: Examples
    shown: Shown
    moves: Moves
    truth: Array
    right: Array
    heard: Feedback


class ClassificationEnvironment(Answerable, Watchable):
    """Runs one classification learner on R replicates, each with its own order of the examples.

    A learner with compiled rules takes a block of steps in one call, any other one step by step.
    """

    shared: ClassVar[tuple[str, ...]] = ("_rows", "_hinge")  # which never change
    answerable: ClassVar[str] = "labels"
    asks: ClassVar[str] = "example"
    # see `_note`
    watched: ClassVar[tuple[str, ...]] = (
        "row", "label", "played", "predicted", "explored", "heard", "told", "chance", "was", "now",
    )  # fmt: skip

    def __init__(
        self, data: ClassificationData, user: None, learner: ClassificationLearner, replicates: int, seeds: Seeds
    ) -> None:
        self.data, self.learner, self.replicates, self.seeds = data, learner, replicates, seeds
        self._rows = Rows.of(data.features)
        self._hears_label = learner.hears == "label"
        self._diverged = 0  # the step after which the weights would no longer be finite
        self._eras: list[tuple[int, dict[str, Any]]] = []  # from which step on the learner had which parameters
        self._persons: dict[int, Person] = {}  # who answers in which step
        self._begin()
        self.changed()

    def _begin(self) -> None:
        """Go to step 0."""
        order, _, own, _ = self.seeds.spawn(4)  # the same four streams as in every family
        self.order = Order(self.data.examples, order)
        self.t = 0
        self._sums = np.zeros((self.replicates, SUMS))
        self._played = np.full((REMEMBERED, 2, self.replicates), -1, dtype=np.int16)  # true and played label, in a ring
        self._latest: tuple[Array, Shown, Moves] | None = None
        self.learner.reset(Shape.of_examples(self.data), self.replicates, own)

    def changed(self) -> None:
        """Take over the parameters of the learner for the steps to come."""
        self.learner.changed()
        self._bounds = {metric: BOUNDS[id] for metric, id in bounds_by_metric(self.learner.bounds).items()}
        self._hinge = self.data.hinge if self._bounds else np.zeros(self.data.examples)
        self._eras.append((self.t, dict(self.learner.params)))

    @property
    def _by_hand(self) -> bool:
        """Whether the learner presents and updates by methods of its own, and not by its rules."""
        return written_by_hand(self.learner, ClassificationLearner)

    @property
    def block(self) -> int:
        """The steps that take about 30 ms."""
        if self._by_hand:
            return 64
        sizes = self.data.features.size / self.data.examples * self.data.classes + self.learner.extra
        return max(1, int(SECONDS / (STEP + PRODUCT * sizes) / self.replicates))

    def run(self, steps: int) -> dict[Metric, Array]:
        """Take steps and return the metrics after each, (steps, R), or after fewer if the weights overflow in the next.

        Raises
        ------
        Diverged : if they do so in the first.
        """
        first = self.t
        if not self._diverged:
            found = self._take(steps)
            if self.t < first + steps:
                self._diverged = self.t + 1
                watching, self.watching = self.watching, -1  # these steps are known
                self._return_to(self.t)
                self.watching = watching
            if self.t > first:
                return found
        name = self.learner.fastest
        advice = f"a smaller {name} ({self.learner.parameter(name).symbol})" if name else "data with smaller features"
        raise Diverged(self.learner.id, self._diverged, f"choose {advice}")

    def _return_to(self, t: int) -> None:
        """Go back to an earlier step: begin again, and take the same steps with the same parameters."""
        eras, self._eras = self._eras, []
        for (start, params), end in zip(eras, [*(start for start, _ in eras[1:]), t], strict=True):
            for name, value in params.items():
                setattr(self.learner, name, value)
            if start == 0:
                self._begin()
            self.changed()
            while self.t < min(end, t):
                # a step that a person answers is taken alone
                left = (step - self.t - 1 or 1 for step in self._persons if step > self.t)
                self._take(min(self.block, end - self.t, *left))

    def _take(self, steps: int) -> dict[Metric, Array]:
        """Take steps, and return the metrics of those after which the weights are finite."""
        rows, notes = self.order.take(steps), Notes.empty(steps, self.replicates, self.learner.shown or 1)
        seen = UNSEEN
        if self.watching >= 0:
            seen = Seen.of(steps, self.data.classes, self.watching, self.learner.moved.startswith("θ"))
        good = self._steps_by_hand(rows, notes, seen) if self._by_hand else self._play(rows, notes, seen)
        notes = Notes(*(part[:good] for part in notes))
        if self.watching >= 0:
            self._note(rows[:good, self.watching], notes, seen)
        return self._measure(rows[:good], notes)

    def _note(self, row: Array, notes: Notes, seen: Seen) -> None:
        """Keep what the replicate that is watched played, on these rows of the data (B,).

        label : (B,) the true one. played, predicted : (B,), or (B, r) for a learner that shows r labels. explored :
        (B,) 0 or 1, whether the label played was drawn at random. heard : (B,) 0 or 1, whether the learner heard that
        a label it played is right. told : (B,) the label that it was told, −1 if none. chance : (B,) the
        probability of exploring. was, now : (B, K) the scores of the labels before and after the step, by the
        weights, or the parameters θ behind them; 0 without.
        """
        played, predicted = (part[:, self.watching].copy() for part in (notes.label, notes.predicted))
        if self.learner.shown is None:
            played, predicted = played[:, 0], predicted[:, 0]
        explored = notes.explored[:, self.watching].astype(np.int8)
        labels = self.data.labels[row]
        heard = (hit(played, labels).reshape(len(row), -1).sum(axis=1) > 0).astype(np.int8)
        told = labels.copy() if self._hears_label else np.full_like(labels, NOBODY)
        person = self._persons.get(self.t + 1) if self.watching == 0 else None
        if person is not None:
            heard[0], told[0] = person.approved[played[0]].any(), person.told
        self.keep({
            "row": row, "label": labels, "played": played, "predicted": predicted, "explored": explored,
            "heard": heard, "told": told, "chance": notes.gamma[:, self.watching], "was": seen.was[: len(row)],
            "now": seen.now[: len(row)],
        })  # fmt: skip

    def _play(self, rows: Array, notes: Notes, seen: Seen) -> int:
        """Take a block of steps in compiled code, and return how many were good."""
        learner = self.learner
        turns, draws = learner.turns(), learner.draws(len(rows))
        person = self._persons.get(self.t + 1, NO_PERSON)
        good = play(
            learner.bound.ready,
            self._rows,
            rows,
            self.data.labels,
            self._hears_label,
            draws,
            turns,
            notes,
            seen,
            person,
        )
        self._latest = rows[-1], learner.shown_in(turns), learner.moves_in(turns)
        return good

    def _steps_by_hand(self, rows: Array, notes: Notes, seen: Seen) -> int:
        """Let the learner receive an example, play a label, hear about it, and update; return how many were good."""
        for t, row in enumerate(rows):
            x, truth = self._examples(row), self.data.labels[row]
            shown = self._checked(self.learner.present(x))
            if not np.isfinite(shown.scores).all():
                return t
            self._score(x, seen.replicate, seen.was, t)
            moves = self.learner.update(x, shown, self._heard(self.t + t + 1, shown.label, truth))
            self._score(x, seen.replicate, seen.now, t)
            shape = notes.label[t].shape
            notes.label[t], notes.predicted[t] = shown.label.reshape(shape), shown.predicted.reshape(shape)
            notes.gamma[t], notes.explored[t] = shown.gamma, shown.explored
            notes.change[t] = np.nan if self.learner.weights is None else x.moved_by(moves, self.learner.features)
            self._latest = row, shown, moves
        return len(rows)

    def _score(self, x: Examples, replicate: int, scores: Array, t: int) -> None:
        """Write the scores of the labels in the replicate that is watched, if anybody watches and there are weights."""
        if replicate >= 0 and self.learner.weights is not None:
            scores[t] = self.learner.weights[replicate] @ x.dense(replicate, self.learner.features)

    def _checked(self, shown: Any) -> Shown:
        """Return what a learner written by hand shows; ValueError if it is no label."""
        if not isinstance(shown, Shown):
            raise ValueError(f"{self.learner.id} must return a Shown from present, got {named(shown)}")
        K, shape = self.data.classes, (self.replicates, *([self.learner.shown] if self.learner.shown else []))
        for words, given in (("play", shown.label), ("predict", shown.predicted)):
            found = np.asarray(given)
            if found.shape != shape or found.dtype.kind not in "iu" or not ((found >= 0) & (found < K)).all():
                what = f"{self.learner.id} must {words} labels from 0 to {K - 1}, whole numbers of the shape {shape}"
                raise ValueError(f"{what}; got {named(given)}")
        return shown

    def _heard(self, t: int, label: Array, truth: Array) -> Feedback:
        """Return what the learner hears in step t, in which it played these labels."""
        right, person = hit(label, truth), self._persons.get(t)
        if person is not None:
            right[0] = person.approved[label[0]]
            truth = np.array([person.told, *truth[1:]])
        return Feedback(right, truth if self._hears_label else None)

    def answer(self, items: Sequence[int]) -> None:
        self._persons.pop(self.t + 1, None)
        if self._hears_label and len(items) != 1:
            return  # no label to tell in place of the true one
        approved = np.zeros(self.data.classes, dtype=bool)
        approved[list(items)] = True
        self._persons[self.t + 1] = Person(approved, items[0] if self._hears_label else NOBODY)

    @staticmethod
    def items_at(data: ClassificationData, seeds: Seeds, steps: Array) -> Array:
        """Return the number of classes, (k,)."""
        return np.full(len(steps), data.classes)

    @staticmethod
    def said(data: ClassificationData, items: Sequence[int]) -> str:
        return f"the person called {' and '.join(data.names[item] for item in items) or 'no label'} right"

    def _examples(self, row: Array) -> Examples:
        if self.data.sparse:
            return Examples(None, *self.data.gather(row))
        return Examples(self.data.features.take(row, axis=0))

    def last(self) -> Step | None:
        """Return the record of the latest step, or None before the first."""
        if self._latest is None:
            return None
        row, shown, moves = self._latest
        truth = self.data.labels[row]
        heard = self._heard(self.t, shown.label, truth)
        return Step(self.t, row, self._examples(row), shown, moves, truth, hit(shown.label, truth), heard)

    def confusion(self, steps: int, replicate: int | None = None) -> Array:
        """Return how often each true label (row) met each answer (column) in the last steps (at most 1000), (K, K)."""
        steps = min(steps, self.t, REMEMBERED)
        at = np.arange(self.t - steps, self.t) % REMEMBERED
        pairs = self._played[at] if replicate is None else self._played[at][:, :, [replicate]]
        k = self.data.classes
        cells = pairs[:, 0].ravel().astype(np.int64) * k + pairs[:, 1].ravel()
        return np.asarray(np.bincount(cells, minlength=k * k).reshape(k, k))

    def _measure(self, rows: Array, notes: Notes) -> dict[Metric, Array]:
        """Count the steps, and return their metrics, each (B, R)."""
        tally = Tally.empty(len(rows), self.replicates)
        count(
            self.t, rows, self.data.labels, self._hinge, self.data.classes, *notes[:4], self._sums, self._played, tally
        )  # fmt: skip
        steps = np.arange(self.t + 1.0, self.t + len(rows) + 1.0)[:, None]
        self.t += len(rows)
        bounds = {metrics.BOUND: np.full(rows.shape, np.nan)}
        if self._bounds:
            measured = self._so_far(steps, notes.gamma, tally)
            bounds |= {RECORDED[id]: bound.evaluate(measured) for id, bound in self._bounds.items()}
        return {
            metrics.ERROR_RATE: tally.error_rate,
            metrics.MISTAKES: tally.mistakes,
            metrics.ERROR_RATE_GREEDY: tally.error_rate_greedy,
            metrics.ACCURACY: tally.right,
            metrics.ACCURACY_GREEDY: tally.greedy,
            metrics.GAMMA: notes.gamma,
            metrics.EXPLORED: tally.explored,
            metrics.WEIGHT_CHANGE: notes.change,
        } | bounds

    def _so_far(self, steps: Array, gamma: Array, tally: Tally) -> Mistakes:
        """Return what the bounds on mistakes need, up to each of the latest steps."""
        return Mistakes(
            t=steps,
            loss=tally.loss,
            complexity=self.data.complexity,
            classes=self.data.classes,
            gamma=gamma,
            explored=tally.gammas,
            variance=tally.variance,
            **self.learner.bound_terms(),
        )


def hit(label: Array, truth: Array) -> Array:
    """Return whether each label is the true one; `label` has the shape of `truth`, or one more axis of labels."""
    found: Array = label == (truth if label.ndim == truth.ndim else truth[..., None])
    return found
