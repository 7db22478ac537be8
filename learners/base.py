"""What every learner is, whatever its family: an id, declared parameters, a statement of its algorithm."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.base import Array as Array  # the learners take it from here
from datasets.parameters import Declared

PAPERS = {
    "C": "Shivaswamy & Joachims. Coactive Learning. Journal of Artificial Intelligence Research 53, 2015.",
    "S": "Raman, Joachims, Shivaswamy & Schnabel. Stable Coactive Learning via Perturbation. ICML 2013.",
    "B": "Kakade, Shalev-Shwartz & Tewari. Efficient Bandit Algorithms for Online Multiclass Prediction. ICML 2008.",
    "G": "Gentile & Orabona. On Multilabel Classification and Ranking with Partial Feedback. NIPS 2012.",
    "V": "Valizadegan. Boosting and Online Learning for Classification and Ranking. Dissertation, "
    "Michigan State University, 2010.",
}

PHASES = ("start", "observe", "predict", "perturb", "feedback", "update", "after")


@dataclass(frozen=True)
class Line:
    """One line of an algorithm as the paper states it, and the phase of a step in which it runs.

    phase : one of PHASES. text : Markdown with LaTeX between dollar signs.

    >>> Line("upgrade", "$w_{t+1} = w_t$")
    Traceback (most recent call last):
    ValueError: phase must be one of start, observe, predict, perturb, feedback, update, after, got 'upgrade'
    """

    phase: str
    text: str

    def __post_init__(self) -> None:
        if self.phase not in PHASES:
            raise ValueError(f"phase must be one of {', '.join(PHASES)}, got {self.phase!r}")


@dataclass(frozen=True)
class Shape:
    """What a learner must know of a data set before the first step.

    features : number of features d.
    documents : documents of the longest query n (ranking).
    initial_weights : (d,) weights at which the data set wants learners to start, or None for 0 (ranking).
    classes : number of classes or labels K (classification, multilabel).
    examples : number of examples N before they repeat (classification, multilabel).
    largest : S ≥ |φ(x, y)|_∞ for every query and ranking (ranking).
    """

    features: int
    documents: int = 0
    initial_weights: Array | None = None
    classes: int = 0
    examples: int = 0
    largest: float = 1.0


@dataclass(kw_only=True)
class Learner(Declared):
    """Base of all learners: the fields are hyper-parameters, the state comes with `reset`.

    State that a step changes is replaced, never modified in place, so that what was read before the
    step (by the inspector, say) stays what it was.
    """

    lines: ClassVar[tuple[Line, ...]] = ()  # the algorithm; `paper` is a key of PAPERS

    @property
    def bounds(self) -> tuple[str, ...]:
        """Ids of the bounds that hold for it (learners.theory.BOUNDS)."""
        return ()

    def bound_terms(self) -> Mapping[str, Any]:
        """Return what its bounds need to know of the learner itself, by name: numbers or (R,) arrays.

        Names are those of `learners.theory`: delta, k, horizon, largest (`Measured`); gamma, epsilon and radius, that
        of the ball of the weights (`Convex`); hypotheses (`learners.theory.mistakes`).
        """
        return {}

    @property
    def weights(self) -> Array | None:
        """Weights by which it predicts now, or None where it has none: (R, d), or (R, K, d) for K classes."""
        return None

    def memory(self, shape: Shape, replicates: int) -> int:
        """About how many bytes its state will take, so that too large a request can be refused."""
        return 8 * replicates * (shape.features + 1) * max(shape.classes, 1)

    @classmethod
    def source_code(cls) -> str:
        """The text of the file the algorithm is written in."""
        module = inspect.getmodule(cls)
        return inspect.getsource(module) if module else ""


def column(value: float | Array) -> float | Array:
    """A parameter as it broadcasts against (R, n): a number as it is, (R,) values as (R, 1)."""
    return value[:, None] if isinstance(value, np.ndarray) else value
