"""Uniformly random rankings, the lower reference ([S] §8.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from learners.base import Array, Line
from learners.random import EACH
from learners.ranking.base import Context, Feedback, RankingLearner, Shown


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
        Line("predict", r"Present the documents of $x_t$ in random order"),
    )

    @property
    def weights(self) -> Array | None:
        return None

    def present(self, context: Context) -> Shown:
        ranking = context.rank(self.rng.random((EACH, context.n)))
        return Shown(ranking, ranking)

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> Array:
        return shown.ranking
