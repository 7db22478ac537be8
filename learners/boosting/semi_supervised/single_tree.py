"""A single tree on the labelled rows: the base classifier of [V] chapter 2."""

from dataclasses import dataclass
from typing import ClassVar

from datasets.parameters import integer
from learners.base import Array, Line
from learners.boosting.semi_supervised.reference import Reference
from learners.boosting.weak import criterion_field, tree


@dataclass(kw_only=True)
class SingleTree(Reference):
    """A tree as the boosting learners add up many, trained once on the labelled rows.

    >>> from learners import Simulation
    >>> sim = Simulation("single-tree", "digits")
    >>> sim.advance(steps=2)
    >>> sim.last.rounds[0].stopped
    'Everything was learned in the first round.'
    """

    id: ClassVar[str] = "single-tree"
    title: ClassVar[str] = "Single tree"
    needs: ClassVar[str] = "a few labels; ignores examples without"
    summary: ClassVar[str] = (
        "One small decision tree, trained once on the labelled examples. Where the boosting learners start from."
    )
    finds: ClassVar[str] = "one tree was trained on the labelled examples alone"
    paper: ClassVar[str] = "V"
    section: ClassVar[str] = "§2.4.1 (the base classifier)"
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "predict",
            r"In the first round, train a decision tree on the labelled examples",
            "It trains one tree, on the labelled examples alone.",
        ),
        Line(
            "update",
            r"Predict with it; later rounds add nothing",
            "All is done in the first round. It is the yardstick for those that boost.",
        ),
    )

    depth: int = integer(
        2, 1, 20,
        help="Levels of questions of the tree. The dissertation's have two: at most four answers. Try 10.",
    )  # fmt: skip

    criterion: str = criterion_field()

    def fit(self) -> None:
        x, y = self.problem.features[self.labelled], self.problem.labels[self.labelled]
        self.tree = tree(x, y, None, self.depth, self.rng, self.criterion)

    def classify(self, features: Array) -> Array:
        return self.tree.predict(features)
