"""Gradient boosting of regression trees by LightGBM, where it is installed: what its ranking learners share."""

from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import integer, real
from learners.base import Array, Shape
from learners.boosting.base import Round
from learners.boosting.learning_to_rank.base import Queries, RankBooster

MISSING = (
    "{id} needs LightGBM, which is not part of the requirements; install it with: pip install lightgbm, "
    "or choose another learner"
)
# of a model of LightGBM, measured: the bins of a feature at most, and the bytes that every model takes
BINS, MODEL = 256, 8_000_000


@dataclass(kw_only=True)
class GradientTrees(RankBooster):
    """LightGBM's gradient boosting on one of its objectives for ranking; a tree a round.

    It runs in one thread and in LightGBM's deterministic mode. Gains are 2^grade − 1, as everywhere here; grades must
    be whole numbers. `Round.details`: picked, (d,) the gain of the tree's splits by feature; leaves.

    objective : LightGBM's name of it.

    Raises
    ------
    ValueError : from `reset`, where LightGBM is not installed, or a grade is not a whole number.
    """

    objective: ClassVar[str]
    finds: ClassVar[str] = "a regression tree was fitted to how much each document should move"

    rate: float = real(0.1, 0.001, 1, symbol="ν", help="Share of each tree that is added. Try .03 with many rounds.")
    leaves: int = integer(15, 2, 256, help="Leaves of a tree at most; 2 makes stumps, as NDCG_Boost has them.")
    smallest: int = integer(
        20, 1, 1000, help="Documents that a leaf holds at least; try 50 where few queries are there to learn from."
    )

    at_start: ClassVar[tuple[str, ...]] = ("rate", "leaves", "smallest")

    def memory(self, shape: Shape, replicates: int) -> int:
        rows = shape.examples * (shape.features + 64)  # a feature is kept in bins of a byte
        sums = int(np.max(self.leaves)) * shape.features * BINS * 16  # of gradients and curvatures, for each leaf
        return replicates * (rows + sums + MODEL)

    def reset(self, problem: Queries, rng: np.random.Generator) -> None:
        super().reset(problem, rng)
        grades = problem.grades.astype(int)
        if (grades != problem.grades).any():
            raise ValueError(f"{self.id} needs grades that are whole numbers, but some of these are not")
        gains = [2.0**g - 1.0 for g in range(int(grades.max()) + 2)]
        settings = {
            "objective": self.objective,
            "label_gain": gains,
            "learning_rate": self.rate,
            "num_leaves": self.leaves,
            "min_data_in_leaf": self.smallest,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "seed": int(rng.integers(2**31)),
            "verbosity": -1,
        }
        self.settings = settings
        self.model: Any = self._untrained()
        self.importance: Array = np.zeros(problem.features.shape[1])

    def _untrained(self) -> Any:
        """Return a model that is to be trained on the problem."""
        lightgbm, problem = _lightgbm(self.id), self.problem
        grades, groups = problem.grades.astype(int), np.diff(problem.starts)
        data = lightgbm.Dataset(problem.features, label=grades, group=groups, free_raw_data=True, params=self.settings)
        return lightgbm.Booster(params=self.settings, train_set=data)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "model"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Train again, since LightGBM cannot copy a model that is to be trained further."""
        vars(self).update(state)
        if "settings" in state:
            self.model = self._untrained()
            for _ in self.ensemble:
                self.model.update()

    def learn(self) -> Round:
        trees = len(self.ensemble)
        if self.model.update() or self.model.num_trees() == trees:
            return Round(stopped="no split of the documents improves the ranking")
        self.add(1.0, partial(self.score, trees))
        importance = self.model.feature_importance(importance_type="gain")
        details = {"picked": importance - self.importance}
        self.importance = importance
        return Round(step=self.rate, details=details)

    def score(self, tree: int, features: Array) -> Array:
        """Return what a tree, counted from 0, adds to the scores (n,) of rows (n, d)."""
        scores: Array = self.model.predict(
            features, raw_score=True, start_iteration=tree, num_iteration=1, num_threads=1
        )
        return scores


def _lightgbm(id: str) -> Any:
    """Return LightGBM for a learner, or say that it is missing."""
    try:
        return import_module("lightgbm")
    except (ImportError, OSError):  # OSError: its library of compiled code cannot be loaded
        raise ValueError(MISSING.format(id=id)) from None
