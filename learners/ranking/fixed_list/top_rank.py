"""TopRank, a bandit that sorts documents into blocks (Lattimore, Kveton, Li & Szepesvári, NeurIPS 2018)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import erf, pi, sqrt
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.random import Source
from learners.ranking.fixed_list.base import TabularLearner, rank_shuffled
from learners.ranking.step.page import CLICKS, Page
from learners.ranking.step.work import rows_of

C = 4 * sqrt(2 / pi) / erf(sqrt(2))  # ≈ 3.34, the paper's constant c; see TopRank


@compiled
def shuffle_blocks(page: Page) -> float:
    """Show the blocks one below the other, each in random order; predict by S within each. Overwrites `page.key`."""
    n = page.shown.shape[0]
    blocks, leads = page.memory[:n], page.memory[n : 2 * n]
    for i in range(n):
        page.key[i] = -blocks[i]
    rank_shuffled(page, page.key, page.draws, page.shown)
    most = 1.0
    for i in range(n):
        most = max(most, abs(leads[i]))
    for i in range(n):
        page.key[i] = leads[i] / (3.0 * most) - blocks[i]  # leads decide within a block alone
    rank_shuffled(page, page.key, page.draws, page.predicted)
    return 0.0


@compiled
def learn_relations(page: Page, w: Array, difference: Array, change: float, heard: int, delta: float) -> None:
    """Compare the documents of each block, and sort them into blocks anew if a relation was found.

    Overwrites `page.key` and `page.place`.
    """
    if heard != CLICKS:
        return
    n, found = page.shown.shape[0], False
    blocks, leads, table, below = page.memory[:n], page.memory[n:], 2 * n, 2 * n + n * n
    for k in range(n):
        page.key[page.shown[k]] = 1.0 if page.clicks[k] and k < page.on_page else 0.0
    for i in range(n):
        for j in range(i + 1, n):
            u = page.key[i] - page.key[j]
            if u == 0.0 or blocks[i] != blocks[j]:
                continue
            leads[i] += u
            leads[j] -= u
            page.memory[table + i * n + j] += u  # S, above the diagonal
            page.memory[table + j * n + i] += 1.0  # N, below it
            s, compared = page.memory[table + i * n + j], page.memory[table + j * n + i]
            if abs(s) >= np.sqrt(2.0 * compared * np.log(C / delta * np.sqrt(compared))):
                better, worse = (i, j) if s > 0.0 else (j, i)
                page.memory[below + worse * n + better] = 1.0
                found = True
    if found:
        partition(page)


@compiled
def partition(page: Page) -> None:
    """Number the blocks: each has the documents left that stand below none of those left. Overwrites `page.place`.

    Relations in a circle, which are improbable, leave no such document; then all that are left are one block.
    """
    n = page.shown.shape[0]
    blocks, below = page.memory[:n], 2 * n + n * n
    for i in range(n):
        page.place[i] = -1
    left = n
    for d in range(n):
        taken = 0
        for i in range(n):
            if page.place[i] == -1:
                free = True
                for j in range(n):
                    if (page.place[j] == -1 or page.place[j] == d) and page.memory[below + i * n + j] > 0.0:
                        free = False
                        break
                if free:
                    page.place[i] = d
                    taken += 1
        left -= taken
        if taken == 0:
            for i in range(n):
                if page.place[i] == -1:
                    page.place[i] = d
            left = 0
        if left == 0:
            break
    for i in range(n):
        blocks[i] = page.place[i]


@dataclass(kw_only=True)
class TopRank(TabularLearner):
    """Sorts the documents into blocks and shuffles each, until clicks tell its documents apart.

    Two documents of a block have equal chances of each place, so whoever is clicked more often is better, for most
    models of clicks. A document that is surely worse than another moves to a lower block. The documents of a block are
    compared in clicks alone, and the paper says nothing of their order; the prediction puts those first that have won
    the most comparisons. If relations go round in a circle, which has a chance of at most δn², the paper defines no
    blocks; here those left form one. State of a replicate: the block (n,) and the lead of each document (n,), a table
    (n, n) with S above the diagonal and N below, and the relation G (n, n).

    The constant c = 4 √(2/π) / erf(√2) is 3.34. As we remember it, the paper prints 3.43 beside this formula, which
    would ask for slightly surer relations.

    Source: Lattimore, Kveton, Li and Szepesvári, TopRank: A Practical Algorithm for Online Stochastic Ranking, NeurIPS
    2018, Algorithm 1.

    >>> from learners import Simulation, create_user
    >>> sim = Simulation("top-rank", "toy-ranking", create_user("cascade", noise=0.0), replicates=2, seed=0)
    >>> sim.advance(steps=100)  # each click is on the relevant document
    >>> sim.learner.blocks.tolist()
    [[0, 1, 1, 1, 1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]]
    """

    id: ClassVar[str] = "top-rank"
    title: ClassVar[str] = "TopRank"
    summary: ClassVar[str] = (
        "Shows all documents in random order at first. Once clicks leave no doubt that one is worse than another, it "
        "moves to a lower block; within a block the order stays random. It hardly assumes anything of how users click, "
        "and needs one fixed list of documents."
    )
    paper: ClassVar[str] = "LKLS18"
    works: ClassVar[Mapping[str, str]] = {
        "LKLS18": "Lattimore, Kveton, Li & Szepesvári. TopRank: A Practical Algorithm for Online Stochastic Ranking. "
        "NeurIPS 2018."
    }
    section: ClassVar[str] = "Algorithm 1"
    cells: ClassVar[tuple[str, ...]] = ("d{j} block", "d{j} lead", "d{i} − d{j}/d{j}, d{i} n")
    lines: ClassVar[tuple[Line, ...]] = (
        Line(
            "start",
            r"$G_1 \leftarrow \emptyset$, $c \leftarrow 4 \sqrt{2/\pi} / \mathrm{erf}(\sqrt 2)$",
            "It knows nothing at first: G, the set of pairs of which one is known to be worse, is empty.",
        ),
        Line(
            "predict",
            r"For $d = 1, 2, \dots$: $P_{td} \leftarrow \min_{G_t}\big([L] \setminus \bigcup_{c<d} P_{tc}\big)$",
            "The first block P has the documents that are known to be worse than no other, the second those worse than "
            "none of the rest, and so on.",
        ),
        Line(
            "perturb",
            r"Show $P_{t1}, P_{t2}, \dots$ in turn, each in an order drawn uniformly at random",
            "Blocks stand one below the other, and each is shuffled.",
        ),
        Line("feedback", r"Observe clicks $C_{ti} \in \{0, 1\}$"),
        Line(
            "update",
            r"For all $i, j$ in one block: $U \leftarrow C_{ti} - C_{tj}$, $S_{tij} \leftarrow S_{t-1,ij} + U$, "
            r"$N_{tij} \leftarrow N_{t-1,ij} + |U|$",
            "For each pair in one block, N counts how often only one of both was clicked, and S by how much more often "
            "it was i than j.",
        ),
        Line(
            "update",
            r"$G_{t+1} \leftarrow G_t \cup \{(j, i) : S_{tij} \geq \sqrt{2 N_{tij} \log(\frac c\delta "
            r"\sqrt{N_{tij}})},\ N_{tij} > 0\}$",
            "If i has won so often against j that chance cannot explain it, j is known to be worse than i from now on.",
        ),
    )

    delta: float = real(
        0.1, 1e-9, 0.999, symbol="δ", step=0.05,
        help="Chance of an error that it accepts when it takes one document to be worse than another. The smaller, the "
        "longer it shuffles. Theory takes 1/T for T steps; try 0.01.",
    )  # fmt: skip

    rule_to_present: ClassVar[Any] = staticmethod(shuffle_blocks)
    rule_to_learn: ClassVar[Any] = staticmethod(learn_relations)

    def remembered(self, shape: Shape) -> int:
        return 2 * shape.documents * (shape.documents + 1)

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.n = shape.documents

    def draws(self, n: int, steps: int) -> Array:
        return rows_of(self.rng.random, steps, n)

    def remark(self, replicate: int) -> str:
        number = self.blocks[replicate].max() + 1
        now = f"{number} blocks, one below the other" if number > 1 else "a single block"
        return f"It compares the documents of each block, which now form {now}."

    @property
    def blocks(self) -> Array:
        """(R, n) the number of each document's block, from 0, copied."""
        return self.tally[:, : self.n].astype(int)
