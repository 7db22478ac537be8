"""Uniformly random rankings, the lower reference ([S] §8.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from learners.base import Array, Line
from learners.compiled import compiled
from learners.ranking.base import RankingLearner
from learners.ranking.step.page import Page
from learners.ranking.step.rankings import rank
from learners.ranking.step.work import rows_of
from learners.vectors import copy


@compiled
def shuffle(page: Page) -> float:
    """Present the documents in the order of random numbers."""
    rank(page, page.draws, 1, page.predicted)
    copy(page.predicted, page.shown)
    return 0.0


@dataclass(kw_only=True)
class RandomRanking(RankingLearner):
    """Shuffles the documents and learns nothing.

    >>> from learners import Simulation
    >>> sim = Simulation("random-ranking", "toy-ranking", "cascade", replicates=10, seed=0)
    >>> sim.advance(steps=1000)
    >>> float(sim.history["rank-of-best"].mean().round(1))  # of ten documents
    5.5
    """

    id: ClassVar[str] = "random-ranking"
    title: ClassVar[str] = "Random ranking"
    needs: ClassVar[str] = "nothing"
    hears: ClassVar[str] = "nothing"
    summary: ClassVar[str] = "Shows the documents in random order and learns nothing. It is the lower reference."
    paper: ClassVar[str] = "S"
    section: ClassVar[str] = "§8.1"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("observe", r"Observe $x_t$"),
        Line(
            "predict",
            r"Present the documents of $x_t$ in random order",
            "It puts the documents in random order. It is the yardstick for those that learn.",
        ),
    )

    rule_to_present: ClassVar[Any] = staticmethod(shuffle)
    linear: ClassVar[bool] = False

    def draws(self, n: int, steps: int) -> Array:
        return rows_of(self.rng.random, steps, n)
