"""A contextual bandit that explores at random and regresses the reward (ε-greedy)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Line
from learners.classification.banditron import Banditron, gamma_parameter
from learners.classification.block import Turn, explore, predict
from learners.classification.linear import Vector
from learners.classification.regression.base import RewardRegressor, update
from learners.compiled import compiled


@compiled
def present(x: Vector, turn: Turn, gamma: float) -> None:
    """Play the label with the highest estimate, or with probability γ a random one."""
    predict(x, turn)
    explore(turn, gamma)


@dataclass(kw_only=True)
class EpsilonGreedy(RewardRegressor):
    """Plays the label of the highest estimated reward, or at the rate γ any label, and fits the label played.

    This is the plainest contextual bandit in use, and the yardstick of Foster & Rakhlin 2020. Its ε is the
    Banditron's γ, and the two explore alike: they differ in what they learn.

    >>> from learners import Simulation, create
    >>> runs = [Simulation(create(id, gamma=0.1), "digits", seed=0) for id in ("epsilon-greedy", "banditron")]
    >>> for run in runs:
    ...     run.advance(steps=1500)
    >>> regressor, banditron = (float(run.history["error-rate"][-1, 0]) for run in runs)
    >>> regressor < banditron
    True
    """

    id: ClassVar[str] = "epsilon-greedy"
    title: ClassVar[str] = "ε-greedy regression"
    short: ClassVar[str] = "ε-greedy"
    summary: ClassVar[str] = (
        "Estimates by regression how likely each label is right, plays the likeliest, and now and then a random one. "
        "It learns from wrong answers as well as from right ones, but only about the label played."
    )
    paper: ClassVar[str] = "FR20"
    section: ClassVar[str] = "where ε-greedy is the yardstick; least squares with a penalty is the regression"
    lines: ClassVar[tuple[Line, ...]] = (
        RewardRegressor.start,
        *Banditron.lines_of("observe"),
        Line(
            "predict",
            r"Set $\hat y_t \leftarrow \mathrm{argmax}_k\, w_k \cdot x_t$",
            "The class whose function of x promises most is the label predicted, ŷ.",
        ),
        *Banditron.lines_of("perturb", "feedback"),
        RewardRegressor.fit,
    )

    rules = present, update
    explores: ClassVar[str] = "gamma"

    gamma: float = gamma_parameter()
