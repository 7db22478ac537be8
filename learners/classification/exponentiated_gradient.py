"""Exponentiated gradient with bandit feedback ([V] Algorithm 9)."""

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line
from learners.classification.banditron import gamma_parameter
from learners.classification.potential import PotentialLearner


@dataclass(kw_only=True)
class ExponentiatedGradient(PotentialLearner):
    """The potential-based learner with the exponential potential, where each class's weights are a distribution.

    As the step size goes to 0, it becomes the Banditron with each class's mean weight subtracted.

    >>> from learners import Simulation
    >>> sim = Simulation("exponentiated-gradient", "digits")
    >>> sim.advance(steps=100)
    >>> sim.learner.weights.sum(axis=2).round(9).tolist() == [[1.0] * 10]
    True
    """

    id: ClassVar[str] = "exponentiated-gradient"
    title: ClassVar[str] = "Exponentiated gradient"
    short: ClassVar[str] = "Exp. gradient"
    summary: ClassVar[str] = (
        "Multiplies weights instead of adding to them; each class spreads a total weight of 1 over the features. Its "
        "bound does not depend on the number of features. With the dissertation's tiny steps it is close to a centred "
        "Banditron."
    )
    section: ClassVar[str] = "Algorithm 9, Eq. 5.10 to 5.14"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"Set $\theta^0 = \mathbf{1}\mathbf{1}^\top/d$",
            "The parameters θ, from which the weights follow, are all equal at first.",
        ),
        *PotentialLearner.lines_of("observe", "predict", "perturb", "feedback", "update"),
        Line(
            "after",
            r"Compute $W_{i,k}^{t} = \exp(\theta_{i,k}^{t})/Z_k^{t}$ with $Z_k^t = \sum_i \exp(\theta_{i,k}^t)$",
            "The weights are the exponentials of θ divided by their sum Z, so that they are positive and add up to 1.",
        ),
    )

    gamma: float = gamma_parameter(0.25)

    @property
    def kind(self) -> str:
        return "exponential"
