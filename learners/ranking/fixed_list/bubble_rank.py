"""BubbleRank, which improves a list by exchanging neighbours (Li, Kveton, Lattimore, Markov, et al., UAI 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import choice, real
from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.random import Source
from learners.ranking.fixed_list.base import TabularLearner
from learners.ranking.step.page import CLICKS, Page
from learners.ranking.step.work import rows_of

BASES = ("random", "given", "reversed")


@compiled
def won(page: Page, i: int, j: int) -> float:
    """Return s(i, j), by how much more often document i was clicked than j. It is kept for i < j alone."""
    n = page.shown.shape[0]
    return page.memory[n + i * n + j] if i < j else -page.memory[n + j * n + i]


@compiled
def is_certain(page: Page, i: int, j: int, delta: float) -> bool:
    """Return whether i is better than j: s(i, j) > 2 √(n(i, j) log(1/δ)). n(i, j) is kept in the lower triangle."""
    n = page.shown.shape[0]
    compared = page.memory[n + max(i, j) * n + min(i, j)]
    return won(page, i, j) > 2.0 * np.sqrt(compared * np.log(1.0 / delta))


@compiled
def exchange_at_random(page: Page, delta: float) -> float:
    """Show the base list with uncertain pairs of neighbours exchanged, each with probability ½; predict the base list.

    The pairs begin at the second place in steps of odd number, and at the first in others. Marks are exchanged pairs.
    """
    for i in range(page.shown.shape[0]):
        page.predicted[i] = page.shown[i] = int(page.memory[i])
        page.marks[i], page.partner[i] = False, i
    last = page.on_page - 1
    for k in range(page.t % 2, last, 2):
        i, j = page.shown[k], page.shown[k + 1]
        page.partner[k], page.partner[k + 1] = k + 1, k
        if not is_certain(page, i, j, delta) and page.draws[k // 2] < 0.5:
            page.shown[k], page.shown[k + 1] = j, i
            page.marks[k] = page.marks[k + 1] = True
    return 0.5


@compiled
def compare_neighbours(page: Page, w: Array, difference: Array, change: float, heard: int, delta: float) -> None:
    """Count each pair of which one was clicked, then exchange neighbours of the base list that surely stand wrong."""
    if heard != CLICKS:
        return
    n, last = page.shown.shape[0], page.on_page - 1
    for k in range(page.t % 2, last, 2):
        if page.clicks[k] != page.clicks[k + 1]:
            i, j = page.shown[k], page.shown[k + 1]
            clicked_first = page.clicks[k] == (i < j)  # whether it is the document with the smaller number
            page.memory[n + min(i, j) * n + max(i, j)] += 1.0 if clicked_first else -1.0
            page.memory[n + max(i, j) * n + min(i, j)] += 1.0
    for k in range(last):
        i, j = int(page.memory[k]), int(page.memory[k + 1])
        if is_certain(page, j, i, delta):
            page.memory[k], page.memory[k + 1] = j, i


@dataclass(kw_only=True)
class BubbleRank(TabularLearner):
    """Starts from a base list, and exchanges neighbours for good once clicks show that they stand wrong.

    Until then it shows neighbours in either order, with equal chances, so that neither gains by its place. It
    shows the base list except for exchanged neighbours: it has at most K/2 more pairs in the wrong order, for K
    places on the page. State of a replicate: the base list (n,), and a table (n, n) with s above the diagonal and n
    below.

    The pairs alternate by h_t = t mod 2. For want of the full text we are not sure how the paper treats documents below
    the page, which here stay where they are.

    Source: Li, Kveton, Lattimore, Markov, de Rijke, Szepesvári and Zoghi, BubbleRank: Safe Online Learning to Re-Rank
    via Implicit Click Feedback, UAI 2019, Algorithm 1.

    >>> from learners import Simulation, create, create_user
    >>> learner = create("bubble-rank", base="reversed")  # the relevant document stands at the bottom
    >>> sim = Simulation(learner, "toy-ranking", create_user("cascade", noise=0.1), replicates=3, seed=0)
    >>> sim.advance(steps=2000)
    >>> sim.history["rank-of-best-predicted"][[0, -1]].tolist()
    [[10.0, 10.0, 10.0], [1.0, 1.0, 1.0]]
    """

    id: ClassVar[str] = "bubble-rank"
    title: ClassVar[str] = "BubbleRank"
    summary: ClassVar[str] = (
        "Begins with a list and sorts it as bubble sort does: it shows neighbours now in one order, now in the other, "
        "and exchanges them for good once clicks leave no doubt. It is safe, for it never shows much worse lists than "
        "the first one, and needs one fixed list of documents."
    )
    paper: ClassVar[str] = "LKL19"
    works: ClassVar[Mapping[str, str]] = {
        "LKL19": "Li, Kveton, Lattimore, Markov, de Rijke, Szepesvári & Zoghi. BubbleRank: Safe Online Learning to Re-"
        "Rank via Implicit Click Feedback. UAI 2019."
    }
    section: ClassVar[str] = "Algorithm 1"
    cells: ClassVar[tuple[str, ...]] = ("", "d{i} − d{j}/d{j}, d{i} n")
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"$\bar R_1 \leftarrow$ the base list; $s_0(i, j) \leftarrow 0$, $n_0(i, j) \leftarrow 0$",
            "It begins with a list R̄. For each pair of documents, n counts how often only one of both was clicked, and "
            "s by how much more often it was i than j.",
        ),
        Line(
            "predict",
            r"$h_t \leftarrow t \bmod 2$; pair the places $(1 + h_t, 2 + h_t), (3 + h_t, 4 + h_t), \dots$ of "
            r"$\bar R_t$",
            "Neighbours in the list R̄ form pairs, in one step from the first place on, in the next from the second.",
        ),
        Line(
            "perturb",
            r"If $s_{t-1}(i, j) \leq 2 \sqrt{n_{t-1}(i, j) \log(1/\delta)}$ for a pair, exchange it with probability "
            r"$\frac12$; show $R_t$",
            "Where it is not certain that the upper document is the better one, it tosses a coin for their order.",
        ),
        Line("feedback", r"Observe clicks $c_t$ on $R_t$"),
        Line(
            "update",
            r"For each pair with $c_t(i) \neq c_t(j)$: $s_t(i, j) \leftarrow s_{t-1}(i, j) + c_t(i) - c_t(j)$, "
            r"$n_t(i, j) \leftarrow n_{t-1}(i, j) + 1$",
            "If only one document of a pair was clicked, it has won this comparison.",
        ),
        Line(
            "update",
            r"For $k = 1, 2, \dots$: exchange $i = \bar R(k)$ and $j = \bar R(k + 1)$ if "
            r"$s_t(j, i) > 2 \sqrt{n_t(j, i) \log(1/\delta)}$",
            "A document that has won so often against the one above it that chance does not explain it moves up for "
            "good.",
        ),
    )

    delta: float = real(
        0.1, 1e-9, 0.999, symbol="δ", step=0.05,
        help="Chance of an error that it accepts when it takes a pair to be in order. The smaller, the longer it "
        "waits. Theory takes 1/T⁴ for T steps; try 0.01.",
    )  # fmt: skip
    base: str = choice(
        "random", BASES,
        help="The list at which it begins: one in random order for each replicate, or the order in which the data list "
        "the documents, or its reverse. In practice it is that of the ranker in use.",
    )  # fmt: skip
    at_start: ClassVar[tuple[str, ...]] = ("base",)

    rule_to_present: ClassVar[Any] = staticmethod(exchange_at_random)
    rule_to_learn: ClassVar[Any] = staticmethod(compare_neighbours)

    @property
    def in_pairs(self) -> bool:
        return True

    def remembered(self, shape: Shape) -> int:
        return shape.documents * (shape.documents + 1)

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        n = shape.documents
        given = np.arange(n) if self.base == "given" else np.arange(n)[::-1]
        self.tally[:, :n] = self.rng.permutations(n) if self.base == "random" else given
        self.n = n

    def draws(self, n: int, steps: int) -> Array:
        return rows_of(self.rng.random, steps, n // 2)

    def remark(self, replicate: int) -> str:
        return "It compares the two documents of each pair of which only one was clicked, and learns nothing else."

    @property
    def list(self) -> Array:
        """(R, n) the base list as it stands now, copied."""
        return self.tally[:, : self.n].astype(int)
