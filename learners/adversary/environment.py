"""The environment of the adversary of [C] Lemma 3, with a new direction at every step."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array

from learners.adversary import metrics
from learners.adversary.block import Game, play
from learners.base import Array, Shape
from learners.environment import Stepwise
from learners.metric import Metric
from learners.random import EACH, Seeds
from learners.ranking.base import Context, Feedback, RankingLearner, Shown, presents_by_hand
from learners.ranking.step.features import Features
from learners.ranking.step.page import NOTHING, RANKING
from learners.ranking.step.work import Work
from learners.rule import call

NUMBERS = 1 << 20  # about the most random numbers of a block, of a learner that tries directions


@dataclass(frozen=True)
class Move:
    """The latest step, for the inspector; the first axis of every array is the replicate.

    t : number of the step, from 1; its context is the basis vector e_t. shown : what was presented, where document 0
    is the object +1 and document 1 the object −1. presented, wanted : (R,) y_t and y*_t, +1 or −1. feedback_ranking :
    (R, 2) the ranking learned from. before, after : (R, T) weights, or None.
    """

    t: int
    shown: Shown
    presented: Array
    wanted: Array
    feedback_ranking: Array
    before: Array | None
    after: Array | None


class AdversaryEnvironment(Stepwise):
    """Shows e_t at step t, lets the learner present +e_t or −e_t, and decides which of them was wanted."""

    shared: ClassVar[tuple[str, ...]] = ("_objects",)

    def __init__(self, learner: RankingLearner, horizon: int, replicates: int, seeds: Seeds, sees: str) -> None:
        self.learner, self.horizon, self.replicates, self.sees = learner, horizon, replicates, sees
        own, coins = seeds.spawn(2)
        learner.reset(Shape(horizon, documents=2), replicates, own)
        self._coins = coins  # for a user who was drawn beforehand
        self._objects = Features.of(csr_array(([1.0, -1.0], [0, 0], [0, 1, 2]), shape=(2, horizon)))  # e_1 and −e_1
        self._rows = np.tile([0, 1], (replicates, 1))
        self.wanted = np.zeros((horizon, replicates), dtype=np.int8)  # y*_t
        self._mistakes = np.zeros(replicates, dtype=np.int64)
        self._notes: list[tuple[Array, Array]] = []  # (B, R) which steps were wrong, and norms, not measured yet
        self._last: Move | None = None
        self.t = 0
        self.block = min(1 + NUMBERS // (replicates * horizon), type(self).block)

    def run(self, steps: int) -> dict[Metric, Array]:
        if presents_by_hand(self.learner):
            return super().run(steps)
        for size in (1,) * steps if self.learner.solves else (steps,):
            self._play(size)
        return self.measure()

    def _play(self, steps: int) -> None:
        """Take steps in one compiled call, or one step with a learner that solves something after it."""
        learner, shape = self.learner, (steps, self.replicates)
        coins = np.zeros(shape, dtype=np.int64)
        if self.sees == "nothing":
            coins = 2 * self._coins.integers(0, 2, (steps, EACH)) - 1
        game = Game(
            self.t + 1, self._objects._replace(column=np.zeros(2, dtype=np.int64)), np.array([1.0, 0.0]),
            learner.draws(2, steps), NOTHING if learner.hears == "nothing" else RANKING, coins,
            self.wanted[self.t : self.t + steps], np.empty(shape, dtype=np.bool_), np.empty(shape),
        )  # fmt: skip
        work = Work.of(
            2, self.horizon, self.replicates, learner.rule_numbers(), learner.tally, learner.tries, learner.reads
        )
        work.on_page[:] = 1
        call(play, learner.bound.ready, learner.how(2), game, work, learner.state)
        if learner.solves:
            learner.solve(work.delta)
            game.norms[:] = self._norm(learner.weights)
        learner.t += steps
        self.t += steps
        self._notes.append((game.wrong, game.norms))
        self._last = Move(
            self.t, learner.seen(work, game.draws[-1]), 1 - 2 * work.page.shown[:, 0], game.wanted[-1].astype(np.int64),
            work.page.improved, work.before if learner.linear else None, learner.weights,
        )  # fmt: skip

    def step(self) -> None:
        """Show a new context and decide which object was wanted: the other one, or by a coin."""
        objects = self._objects._replace(column=np.full(2, self.t))
        # with discounts 1 and 0 the object at rank 1 is the one presented, φ(x, y) = y x
        one = np.ones(self.replicates, dtype=np.int64)  # place on the page
        context = Context(objects, np.array([1.0, 0.0]), rows=self._rows, on_page=one)
        before = self.learner.weights
        shown = self.learner.present(context)
        presented = 1 - 2 * shown.ranking[:, 0]
        wanted = -presented if self.sees == "shown" else 2 * self._coins.integers(0, 2, EACH) - 1
        right = wanted == presented
        best = np.where(right[:, None], shown.ranking, shown.ranking[:, ::-1])
        clicks = np.stack([np.zeros_like(right), ~right], axis=1)  # the same answer for learners that hear clicks
        heard = Feedback() if self.learner.hears == "nothing" else Feedback(clicks, best)
        improved = self.learner.update(context, shown, heard)
        after = self.learner.weights
        self.wanted[self.t] = wanted
        self.t += 1
        self._notes.append((~right[None], self._norm(after)[None]))
        self._last = Move(self.t, shown, presented, wanted, improved, before, after)

    def _norm(self, weights: Array | None) -> Array:
        """Return the norm of the weights (R, T) of each replicate, NaN for learners without any, (R,)."""
        found: Array = np.full(self.replicates, np.nan) if weights is None else np.sqrt((weights**2).sum(axis=1))
        return found

    def last(self) -> Move | None:
        """Return the record of the latest step, or None before the first."""
        return self._last

    def measure(self) -> dict[Metric, Array]:
        wrong, norms = (np.concatenate(part) for part in zip(*self._notes, strict=True))
        self._notes = []
        mistakes = self._mistakes + np.cumsum(wrong, axis=0)
        self._mistakes = mistakes[-1]
        steps = np.arange(self.t - len(wrong) + 1.0, self.t + 1.0)[:, None]
        share, every = mistakes / steps, np.ones(mistakes.shape)
        proven = 2.0 if self.sees == "shown" else 1.0
        bound = 2 / np.sqrt(steps) if "theorem-1" in self.learner.bounds else np.nan
        return {
            metrics.AVERAGE_REGRET: share * 2 / np.sqrt(self.horizon),
            metrics.CUMULATIVE_REGRET: mistakes * 2 / np.sqrt(self.horizon),
            metrics.LOWER_BOUND: every * proven / np.sqrt(self.horizon),
            metrics.REGRET_BY_HORIZON: share * 2 / np.sqrt(steps),
            metrics.LOWER_BOUND_BY_HORIZON: every * proven / np.sqrt(steps),
            metrics.BOUND: every * bound,
            metrics.MISTAKES: mistakes.astype(float),
            metrics.WEIGHT_NORM: norms,
        }
