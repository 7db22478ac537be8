"""The base class of all learners, with an id, declared parameters and the lines of the algorithm."""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from datasets.base import Array as Array  # learners import it from here
from datasets.parameters import Declared, named

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

    phase : one of PHASES. text : Markdown with LaTeX between dollar signs. words : the same in plain words, with its
    symbols explained, where `Learner.says` does not say it for all lines of the phase.

    >>> Line("upgrade", "$w_{t+1} = w_t$")
    Traceback (most recent call last):
    ValueError: phase must be one of start, observe, predict, perturb, feedback, update, after, got 'upgrade'
    """

    phase: str
    text: str
    words: str = ""

    def __post_init__(self) -> None:
        if self.phase not in PHASES:
            raise ValueError(f"phase must be one of {', '.join(PHASES)}, got {self.phase!r}")


@dataclass(frozen=True)
class Shape:
    """The facts about the data that a learner must know before the first step.

    features : number d of features.
    documents : number n of documents of the longest query (ranking).
    initial_weights : weights (d,) from which learners start, or None for 0 (ranking).
    classes : number K of classes or labels (classification, multilabel).
    examples : number N of examples before they repeat (classification, multilabel).
    largest : S ≥ |φ(x, y)|_∞ for every query and ranking (ranking).
    """

    features: int
    documents: int = 0
    initial_weights: Array | None = None
    classes: int = 0
    examples: int = 0
    largest: float = 1.0

    @classmethod
    def of_examples(cls, data: Any) -> Self:
        """Return what a learner may know about data of labelled examples."""
        return cls(data.dimension, classes=data.classes, examples=data.examples)


@dataclass(kw_only=True)
class Learner(Declared):
    """Base class of all learners. The fields are hyper-parameters; `reset` creates the state.

    Steps may change the state in place. Weights that a learner hands out are not changed by later steps, unless its
    family says so.
    """

    short: ClassVar[str] = ""  # its name where there is little room, such as at the end of a curve; else the title
    lines: ClassVar[tuple[Line, ...]] = ()  # the algorithm, line by line; `paper` is among `works()`
    says: ClassVar[Mapping[str, str]] = {}  # what happens in a phase, for lines without words of their own
    at_start: ClassVar[tuple[str, ...]] = ()  # parameters that only matter at the start of a run
    explores: ClassVar[str] = ""  # the parameter that only says how much it explores; at its least it does not
    fixed_list: ClassVar[bool] = False  # whether it needs data with `fixed_candidates` (ranking)
    from_log: ClassVar[bool] = False  # whether it only sees what another ranker has shown (ranking)
    shared: ClassVar[tuple[str, ...]] = ()  # attributes that never change in place (see `learners.run.states.State`)

    @classmethod
    def words(cls, line: Line) -> str:
        """Return a line of the algorithm in plain words."""
        return line.words or cls.says.get(line.phase, "")

    @classmethod
    def lines_of(cls, *phases: str) -> tuple[Line, ...]:
        """Return the lines of some phases, for an algorithm that differs from this one in the others.

        Raises
        ------
        ValueError : for a phase in which this algorithm has no line.
        """
        for phase in phases:
            if not any(line.phase == phase for line in cls.lines):
                raise ValueError(f"{cls.id} has no line of the phase {phase!r}")
        return tuple(line for line in cls.lines if line.phase in phases)

    @property
    def adapts(self) -> bool:
        """Whether it changes by itself, in the course of a run, how much it explores."""
        return False

    @property
    def bounds(self) -> tuple[str, ...]:
        """Ids of the bounds that hold for the learner (see learners.theory.BOUNDS)."""
        return ()

    def bound_terms(self) -> Mapping[str, Any]:
        """Return the quantities of the learner that its bounds depend on, numbers or arrays (R,), by name.

        The names are those of `learners.theory`: delta, k, horizon and largest in `Measured`; gamma, epsilon and radius
        (of the ball of weights) in `Convex`; hypotheses in `learners.theory.mistakes`.
        """
        return {}

    def unfit(self, data: Any, user: Any) -> str:
        """Return in a sentence why it cannot learn on these data or from this user, or an empty text.

        data : built, or a data set that can be built; None for an adversary. user : None in a family without users.
        """
        return ""

    def changed(self) -> None:
        """Recompute what follows from the parameters, after some have changed in a run. The state stays."""

    @property
    def weights(self) -> Array | None:
        """The weights by which it predicts now, (R, d) or for K classes (R, K, d). None if it has no weights."""
        return None

    def memory(self, shape: Shape, replicates: int) -> int:
        """Return about how many bytes the state will take, so that a server can refuse too large a request."""
        return 8 * replicates * (shape.features + 1) * max(shape.classes, 1)

    def scratch(self, shape: Shape, steps: int) -> int:
        """Return about how many bytes a step of a run of so many steps takes for its work, on top of the state."""
        return 0

    def uneven(self, steps: int) -> Mapping[int, float]:
        """Return which of the steps 1 to `steps` take more work than usual, and how much more, in any unit.

        By it the cost of a whole run is estimated from its first steps, after which it is asked again.
        """
        return {}

    @property
    def toiled(self) -> float | None:
        """How much more work than usual it has done so far, of each replicate; None if that is what `uneven` says."""
        return None

    def exert(self) -> None:
        """Do, for an estimate, the most work that a later step may have to do; the state is not used afterwards."""

    @classmethod
    def source_code(cls) -> str:
        """Return the source code of the file that defines the algorithm."""
        module = inspect.getmodule(cls)
        return inspect.getsource(module) if module else ""


def permutations(given: Any, rows: int, numbers: int, words: str) -> Array:
    """Return an array (rows, numbers) each row of which holds all numbers from 0 once, as what a learner has returned.

    Raises
    ------
    ValueError : for anything else; `words` says who must return what.

    >>> permutations([[0, 0]], 1, 2, "mine must show each document once")
    Traceback (most recent call last):
    ValueError: mine must show each document once, as whole numbers of the shape (1, 2); got [[0 0]]
    """
    try:
        found = np.asarray(given)
    except ValueError:  # lists of unequal length
        found = np.empty(0)
    fits = found.shape == (rows, numbers) and found.dtype.kind in "iu"
    if not fits or not (np.sort(found, axis=1) == np.arange(numbers)).all():
        raise ValueError(f"{words}, as whole numbers of the shape ({rows}, {numbers}); got {named(given)}")
    return found


def column(value: float | Array) -> float | Array:
    """Return a parameter in a shape that broadcasts against (R, n): a number unchanged, an array (R,) as (R, 1)."""
    return value[:, None] if isinstance(value, np.ndarray) else value
