"""The base classes of the learners from a log, which count what it holds and value what they have learned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import choice, real
from learners.base import Array, Line, Shape, column
from learners.compiled import compiled
from learners.off_policy.log import Policy
from learners.off_policy.propensity import of_counts, of_neighbours
from learners.off_policy.value import Estimate, normalised, robust
from learners.random import Source
from learners.ranking.fixed_list.base import TabularLearner
from learners.ranking.from_logs import table
from learners.ranking.from_logs.table import EM, PLACES, PROPENSITIES, count, fit
from learners.ranking.step.page import CLICKS, Page
from learners.ranking.step.work import rows_of

LISTS = ("given", "reversed", "random")


@compiled
def add(page: Page, w: Array, difference: Array, change: float, heard: int, epsilon: float) -> None:
    """Count the interaction."""
    if heard == CLICKS:
        count(page, epsilon)


@compiled
def add_and_estimate(
    page: Page, w: Array, difference: Array, change: float, heard: int, epsilon: float, propensities: float
) -> None:
    """Count the interaction, and estimate by EM how places are looked at, if that is wanted."""
    if heard == CLICKS:
        count(page, epsilon)
        if propensities == EM:
            fit(page)


@dataclass(kw_only=True)
class LoggedLearner(TabularLearner):
    """Learns from what another ranker has shown, whose list it can never change.

    Each step is one more interaction of the log: the list of the ranker in use, a little shuffled, and the clicks on
    it. So what is presented is the log's, and what the learner believes best is the predicted ranking. Learners raced
    on one seed read the same log, since their random numbers are the same. Nothing else reaches them.
    """

    from_log: ClassVar[bool] = True
    cells: ClassVar[tuple[str, ...]] = ("d{i} at {j}",)
    listing: ClassVar[str] = "The log holds a list of the ranker in use, shuffled a little,"
    needs: ClassVar[str] = "a log of clicks, and one fixed list of candidates"
    says: ClassVar[Mapping[str, str]] = {
        **TabularLearner.says,
        "observe": "One more interaction is read from the log. What was shown is not the learner's choice.",
        "perturb": "The ranker in use showed its list with neighbours exchanged by a coin, as 3PR does, or now and "
        "then a random order. So each document had a known chance π₀ of each place.",
        "feedback": "The log says which documents were clicked.",
    }
    seen_in_log: ClassVar[tuple[Line, ...]] = (
        Line("observe", r"Read the next interaction of the log"),
        Line(
            "perturb",
            r"It shows $y_t \sim \pi_0$: the list of the ranker in use with pairs of neighbours exchanged with "
            r"probability $\frac12$; with probability $\varepsilon$ a random order",
        ),
        Line("feedback", r"It holds the clicks $c_t$ on $y_t$"),
    )

    epsilon: float = real(
        0.1, 0, 1, symbol="ε", step=0.05,
        help="Share of the interactions in which the log shows a random order. The more, the sooner everything can be "
        "learned from it, and the worse it was for those who searched. At 0 only neighbours were exchanged. Try 0.",
    )  # fmt: skip
    logged: str = choice(
        "given", LISTS,
        help="The ranker in use when the log was made: it lists the documents in the order of the data, in the reverse "
        "of it, or in a random order.",
    )  # fmt: skip
    at_start: ClassVar[tuple[str, ...]] = ("logged", "epsilon")
    rule_to_learn: ClassVar[Any] = staticmethod(add)

    def remembered(self, shape: Shape) -> int:
        n = shape.documents
        return table.ROWS * n + 2 * n * n + table.sums_of(n)

    def cells_in(self, shape: Shape) -> tuple[int, int, int]:
        n = shape.documents
        return (table.ROWS + n) * n, n * n, n

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        n = self.n = shape.documents
        given = np.arange(n) if self.logged == "given" else np.arange(n)[::-1]
        ranking = self.rng.permutations(n) if self.logged == "random" else np.tile(given, (replicates, 1))
        self._row(table.LIST)[:] = ranking
        np.put_along_axis(self._row(table.AT), ranking, np.arange(n, dtype=float)[None], axis=1)
        self._row(table.EM_LOOKS)[:] = self._row(table.EM_ATTRACTS)[:] = 0.5
        self._row(table.TARGET)[:] = ranking

    def draws(self, n: int, steps: int) -> Array:
        return rows_of(self.rng.random, steps, 2 + n // 2 + n)

    def remark(self, replicate: int) -> str:
        return "It adds these clicks to its counts, and ranks anew. The list of the log stays as it is."

    def _row(self, number: int) -> Array:
        """Return one row of its numbers, (R, n), in place."""
        return self.tally[:, number * self.n : (number + 1) * self.n]

    @property
    def counts(self) -> tuple[Array, Array]:
        """How often each document was shown, and clicked, at each place, (R, n, n) each."""
        n = self.n
        both = self.tally[:, table.ROWS * n : (table.ROWS + 2 * n) * n].reshape(-1, 2, n, n)
        return both[:, 0].copy(), both[:, 1].copy()

    def looks(self) -> dict[str, Array]:
        """Return how likely places are looked at against the first, (R, n), estimated in each way; NaN if unknown."""
        above, below = (self._row(row)[:, : self.n - 1] for row in (table.ABOVE, table.BELOW))
        return {"swaps": of_neighbours(above, below), "EM": of_counts(*self.counts)[0]}

    @property
    def valued(self) -> Array:
        """(R, n) the list that is valued: what it had learned at the latest of the steps 1, 2, 4, 8, …"""
        return self._row(table.TARGET).astype(int)

    def values(self) -> dict[str, Estimate]:
        """Return the clicks that the valued list is estimated to get on its first places, by the clicks since then.

        By IPS, SNIPS and doubly robust, with 95 % intervals, as in `off_policy.value`; NaN where nothing is known. One
        document has each place, with chance 1.
        """
        n, places, valued = self.n, min(self.n, PLACES), self.valued
        start = table.ROWS * n + 2 * n * n
        N, counted = self.tally[:, start : start + 1], self.tally[:, start + 1 : start + 1 + 2 * places]
        own = np.take_along_axis(self._row(table.AT), valued, axis=1).astype(int)
        near = Policy(np.arange(n), 0.0).chances()[own, np.arange(n)]
        chance = ((1 - column(self.epsilon)) * near + column(self.epsilon) / n)[:, :places]
        known = (chance > 0).all(axis=1, keepdims=True)  # no log can tell of documents at places where it has none
        w = 1 / np.where(known, chance, np.nan)[:, None]
        clicked, shown = counted[:, None, :places], counted[:, None, places:]
        one, model = np.ones((1, places)), self._row(table.MODEL)[:, None, :places]
        with np.errstate(divide="ignore", invalid="ignore"):
            return {
                "IPS": robust(shown, clicked, w, N, one, 0 * one),
                "SNIPS": normalised(shown, clicked, w),
                "DR": robust(shown, clicked, w, N, one, model),
            }


@dataclass(kw_only=True)
class WeighingLearner(LoggedLearner):
    """Weighs clicks by how likely a document was looked at, which it assumes or estimates.

    No learner is told how people look. It assumes a curve (1/k)^η, which may be wrong, or estimates it from the log.
    """

    propensities: str = choice(
        "assumed", PROPENSITIES, named=True,
        help="How likely each place is looked at: assumed to be (1/k)^η; from neighbours that were shown in either "
        "order, by the clicks below over those above (swaps); or fitted together with the relevance of all documents "
        "(em, expectation–maximisation).",
    )  # fmt: skip
    eta: float = real(
        1.0, 0, 4, symbol="η", step=0.25, when=("propensities", "assumed"),
        help="How quickly it assumes that attention fades. The position-based user fades with an η of its own, which "
        "no learner sees. Try a wrong one.",
    )  # fmt: skip
    clip: float = real(
        0.0, 0, 1, step=0.05,
        help="Least chance of a look by which a click is divided. It tames the weight of clicks on documents that were "
        "hardly ever looked at, and biases what is learned of them. 0 clips nothing.",
    )  # fmt: skip

    rule_to_learn: ClassVar[Any] = staticmethod(add_and_estimate)
