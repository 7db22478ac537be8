"""A small figure with a panel of every kind, for tests."""

import numpy as np

from pages.ui.figures.figure import Figure, Group, Groups, Metrics, Over, Panel, Series, Size, Steps
from pages.ui.figures.statement import Above, Statement, at

TOY = {"dataset": "toy-ranking", "user": "cascade", "metric": "average-regret"}


def made(seed, size):
    """Curves that no simulation gives: x² and the seed."""
    return {"square": ((1, 2, 3), [1, 4, 9]), "seed": ((1, 2, 3), np.full(3, seed + size.steps / 100))}


def small():
    """The figure; its result takes a second."""
    two = (Series("3PR", "perturbed-perceptron"), Series("random", "random-ranking"))
    short = Size(64, seeds=3, replicates=2)
    return Figure(
        "X-fig1", "S", 1, "Fig. 1", "A small figure", "A caption.",
        (
            Panel("steps", "Over steps", two, short, **TOY, x=Steps(points=5), live=Size(16, seeds=2)),
            Panel("over", "Over p", two, short, **TOY, x=Over("swap_probability", (0.0, 0.5), only=("3PR",))),
            Panel("metrics", "Ends", two, short, **TOY, x=Metrics(((1, "flips"), (2, "average-regret")))),
            Panel("groups", "Worlds", two, short, **TOY,
                  x=Groups((Group("few", data={"documents": 5}), Group("many", data={"documents": 20}, steps=32)))),
            Panel("made", "Made", (Series("square", ""), Series("seed", "")), Size(100, seeds=2), computed=made),
        ),
        (Statement(
            "3PR is better.",
            "3PR has {a:.2f} and random {b:.2f}.",
            Above("b", "a"), a=at("steps", "3PR"), b=at("steps", "random"),
        ),),
    )  # fmt: skip
