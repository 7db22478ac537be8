"""Batch learners that improve round by round: what they are given, and what a round tells."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from learners.base import Array, Learner


@dataclass(frozen=True)
class Round:
    """What one round of one run did. n: rows that the learner was given to learn from.

    step : step size α with which the weak hypothesis was added; 0 if none was. error : its weighted error ε, or NaN.
    weights : (n,) the weight of each row for the weak learner, not negative, or None. targets : (n,) what each row was to
    have: label or pseudo-label, or the direction, 1 or −1, in which a document should move. answers : (n,) what the weak hypothesis says.
    values : metrics after the round, such as objective and bound. told : what else the inspector shows, by name.
    stopped : why no weak hypothesis was added, in words; empty while there is progress.
    """

    step: float = 0.0
    error: float = float("nan")
    weights: Array | None = None
    targets: Array | None = None
    answers: Array | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    told: Mapping[str, Any] = field(default_factory=dict)
    stopped: str = ""


@dataclass(kw_only=True)
class Booster(Learner):
    """The template of a batch learner: `reset` with a problem, then one `round` after the other.

    Unlike the online learners it handles a single run; the environment makes one of it for each replicate (`one`),
    since weak learners are trained one at a time. A problem holds what may be seen, and nothing else; its type is the
    family's. References, which do all they can in their first round, say so by `boosts` = False.
    """

    boosts: ClassVar[bool] = True

    def one(self, replicate: int) -> Self:
        """A learner for one replicate: with its value of every parameter that has one for each."""
        own = copy.copy(self)
        for name, value in self.params.items():
            if isinstance(value, np.ndarray):
                kind = type(self).parameter(name).kind
                setattr(own, name, int(value[replicate]) if kind == "integer" else float(value[replicate]))
        return own

    def reset(self, problem: Any, rng: np.random.Generator) -> None:
        """Begin anew on a problem."""
        raise NotImplementedError

    def round(self) -> Round:
        """Train one weak hypothesis and add it; where that is no progress, add nothing and say why."""
        raise NotImplementedError

    def vote(self, features: Array) -> Array:
        """What the latest round adds to the scores of rows (n, d): (n,) for rankings, (n, K) for classes.

        Not to be asked after a round that was stopped, which has added nothing.
        """
        raise NotImplementedError


def stopped(last: Round, why: str) -> Round:
    """The round of a learner that has come to its end: nothing is added, and what was measured stays as it was."""
    return Round(weights=last.weights, targets=last.targets, answers=last.answers, values=last.values, stopped=why)
