"""The training error of AdaBoost and its bound, [V] Eq. 1.1."""

import numpy as np

from datasets import load
from learners import Simulation, create
from pages.ui.figures.figure import Curves, Size, Steps

ROUNDS = Steps(log=False)


def training_error(seed: int, size: Size) -> Curves:
    """Return the training error of AdaBoost with stumps on two moons, and the bound of [V] Eq. 1.1, by rounds."""
    data = load("moons", labelled=0.5, noise=0.3, data_seed=seed)
    run = Simulation(create("adaboost", depth=1), data, seed=seed)
    run.advance(steps=size.steps)
    at = ROUNDS.at(size.steps)
    rows = np.array(at) - 1
    error, bound = 1 - run.history["accuracy-train"][rows, 0], run.history["bound"][rows, 0]
    return {"training error": (at, error), "bound of Eq. 1.1": (at, bound)}
