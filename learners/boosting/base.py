"""The base of boosting learners: the record of a round, and the template that trains one weak hypothesis a round."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from learners.base import Array, Learner

DONE = "Everything was learned in the first round."

Hypothesis = Callable[[Array], Array]  # takes rows (n, d), returns (n,) answers


@dataclass(frozen=True)
class Round:
    """The record of one round of one run. n: rows that the learner was given to learn from.

    step : step size α with which the weak hypothesis was added; 0 if none was. error : its weighted error ε, NaN for
    learners that measure none and where none was added. weights : (n,) weight of each row for the weak learner, not
    negative, or None. targets : (n,) what each row was to have: a label or pseudo-label, or the direction, 1 or −1, in
    which a document should move. answers : (n,) what the weak hypothesis says. values : metrics after the round, such
    as objective and bound. details : what else the inspector shows, by name. stopped : why no weak hypothesis was
    added, in words; empty while there is progress.
    """

    step: float = 0.0
    error: float = float("nan")
    weights: Array | None = None
    targets: Array | None = None
    answers: Array | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    stopped: str = ""


@dataclass(kw_only=True)
class Booster(Learner):
    """The template of a batch learner: `reset` with a problem, then one `round` after the other.

    Unlike the online learners it handles a single run; the environment makes one of it for each replicate, since weak
    learners are trained one at a time. A problem holds what may be seen and nothing else; its type is the
    family's. A learner implements `learn` and calls `add` in it. References learn all they can in their first round
    and say so by `boosts` = False.

    The ensemble is kept, so that new rows can be scored: for each round a step size and a weak hypothesis. A stump
    takes about 200 bytes; a tree about 500 and 72 + 8 K for each node (K classes), of which it has at most 2^(depth +
    1) − 1, and at most 2 n − 1 for n rows. References keep one hypothesis: weights of the features, or the rows they
    compare to.

    Attributes: ensemble, (step, hypothesis) of each round that added one; last, the latest such `Round`; end, why the
    learner adds nothing more, empty while it may.
    """

    boosts: ClassVar[bool] = True
    finds: ClassVar[str] = ""  # what it adds, as a clause, where the record of a round does not say it
    shared: ClassVar[tuple[str, ...]] = ("problem",)

    def reset(self, problem: Any, rng: np.random.Generator) -> None:
        """Start on a problem with an empty ensemble."""
        self.problem, self.rng = problem, rng
        self.ensemble: tuple[tuple[float, Hypothesis], ...] = ()
        self.added: tuple[float, Hypothesis] | None = None  # by the latest round
        self.last, self.end = Round(), ""

    def uneven(self, steps: int) -> Mapping[int, float]:
        return {} if self.boosts else {1: 1.0}

    def learn(self) -> Round:
        """Train one weak hypothesis and `add` it; where that is no progress, add nothing and say why in `stopped`."""
        raise NotImplementedError

    def next_weights(self) -> Array | None:
        """Return the weights (n,) of the rows with which the next round begins, on any scale; None if unknown."""
        return None

    def add(self, step: float, hypothesis: Hypothesis) -> None:
        """Add a weak hypothesis to the ensemble."""
        self.ensemble = (*self.ensemble, (step, hypothesis))

    def round(self) -> Round:
        """Run one round. A learner that has stopped adds nothing more, and what it measured last stays as it was."""
        before = len(self.ensemble)
        done = Round(stopped=self.end) if self.end else self.learn()
        self.added = self.ensemble[-1] if len(self.ensemble) > before else None
        if done.stopped:
            self.end = done.stopped
            return replace(self.last, step=0.0, error=float("nan"), details={}, stopped=self.end)
        self.last = done
        if not self.boosts:
            self.end = DONE
        return done

    def vote(self, features: Array) -> Array:
        """Return what the latest round adds to the scores of rows (n, d): (n,) for rankings, (n, K) for classes."""
        return self.votes(*self.added, features) if self.added else self.no_votes(features)

    def decision_function(self, features: Array) -> Array:
        """Return the scores of rows (n, d), the sum of all votes: (n,) for rankings, (n, K) for classes."""
        scores = self.no_votes(features)
        for scores in self.staged_decision_function(features):  # noqa: B007
            pass
        return scores

    def staged_decision_function(self, features: Array) -> Iterator[Array]:
        """Yield the scores of rows (n, d) after each round that added a weak hypothesis."""
        scores = self.no_votes(features)
        for step, hypothesis in self.ensemble:
            scores = scores + self.votes(step, hypothesis, features)
            yield scores

    def votes(self, step: float, hypothesis: Hypothesis, features: Array) -> Array:
        """Return what one weak hypothesis adds to the scores of rows (n, d)."""
        return step * hypothesis(features)

    def no_votes(self, features: Array) -> Array:
        """Return the scores of rows (n, d) before the first round: zeros."""
        return np.zeros(len(features))
