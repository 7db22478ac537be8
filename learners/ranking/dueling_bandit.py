"""The dueling bandit, a baseline for coactive learning ([C] §6.2.6), known as DBGD ([YJ09])."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line
from learners.compiled import compiled
from learners.random import EACH
from learners.ranking.base import RankingLearner, Shown
from learners.ranking.interleave import Interleaved, draft
from learners.ranking.step.page import CLICKS, NOTHING, Page
from learners.ranking.step.rankings import click_on_top, rank
from learners.ranking.step.work import Work


@compiled
def draft_both(page: Page, gamma: float) -> float:
    """Present the list that the rankings of w and of w + γu draft in turn; marks are True for those of w."""
    for i in range(page.tried.shape[0]):
        page.tried[i] = page.scores[i] + gamma * page.tried[i]
    rank(page, page.tried, 1, page.partner)
    draft(page.predicted, page.partner, page.draws[page.u.shape[1] :], page.shown, page.marks, page.key)
    return 0.0


@compiled
def step_if_won(page: Page, w: Array, difference: Array, change: float, heard: int, delta: float) -> None:
    """Update w ← w + δ u if the ranking of w + γu got more clicks; a tie keeps w."""
    if heard == NOTHING:
        return
    if heard != CLICKS:
        click_on_top(page)
    lead = 0
    for i in range(page.shown.shape[0]):
        if page.clicks[i]:
            lead += 1 if page.marks[i] else -1
    if lead < 0:
        for j in range(page.u.shape[1]):
            w[0, j] += delta * page.u[0, j]


@dataclass(frozen=True)
class Duel(Shown):
    """A list with the direction it tries: the list that w (A) and w + γu (B) drafted, and the direction u, (R, d)."""

    mixed: Interleaved | None = None
    direction: Array | None = None


@dataclass(kw_only=True)
class DuelingBandit(RankingLearner):
    """Takes a step δ in a random direction u if the ranking of w + γu beats that of w.

    Both rankings are shown as one team-draft interleaved list, and the one whose documents get more clicks wins. A user
    who hands back an improved ranking counts as clicking the documents put on top: the first five, or fewer if a query
    has five or fewer. As in [C], and unlike the original, w is not projected onto a ball.

    >>> from learners import Simulation, create
    >>> sim = Simulation(create("dueling-bandit", gamma=1.0, delta=0.2), "web-search", "strict-alpha", 4, seed=0)
    >>> sim.advance(steps=2000)
    >>> regret = sim.history["average-regret"].mean(axis=1)
    >>> bool(regret[-1] < 0.9 * regret[99])
    True
    """

    id: ClassVar[str] = "dueling-bandit"
    title: ClassVar[str] = "Dueling bandit"
    needs: ClassVar[str] = "clicks, or an improved ranking"
    summary: ClassVar[str] = (
        "Tries a random change of its weights at every step. It interleaves its own ranking with that of the changed "
        "weights and keeps a bit of the change if the user prefers it. It learns which of two rankings is better, not "
        "how to improve one, so it needs many times as many steps."
    )
    paper: ClassVar[str] = "C"
    works: ClassVar[Mapping[str, str]] = {
        "YJ09": "Yue & Joachims. Interactively Optimizing Information Retrieval Systems as a Dueling Bandits Problem."
        " ICML 2009."
    }
    section: ClassVar[str] = "§6.2.6; Dueling Bandit Gradient Descent of [YJ09], without its projection"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$"),
        Line("observe", r"Observe $x_t$"),
        Line(
            "predict",
            r"Draw a unit vector $u_t$ at random; rank by $w_t$ and by $w_t + \gamma u_t$",
            "It tries a random direction u. One ranking follows the weights w, the other w + γu.",
        ),
        Line(
            "perturb",
            r"Present $y_t$, the team-draft interleaving of the two rankings",
            "The two rankings take turns to pick documents for one list, y.",
        ),
        Line(
            "feedback",
            r"Obtain clicks on $y_t$; the team with more of them wins",
            "A click counts for the ranking that picked the document.",
        ),
        Line(
            "update",
            r"If $w_t + \gamma u_t$ won, update $w_{t+1} \leftarrow w_t + \delta u_t$; else keep $w_t$",
            "If the ranking with the tried direction won, the weights move by δ in that direction.",
        ),
    )

    gamma: float = real(
        1.0, 1e-6, 1000, symbol="γ", step=0.1, named=True,
        help="Distance between its own weights and those it tries. If it is too small, both rank alike; if it is too "
        "large, bad rankings are shown for nothing.",
    )  # fmt: skip
    delta: float = real(
        0.1, 1e-6, 1000, symbol="δ", step=0.05, named=True,
        help="Length of the step after a win. Only its size relative to γ and the weights matters. Try a tenth of γ.",
    )  # fmt: skip

    listing: ClassVar[str] = "The rankings of w and of w + γu picked documents in turn,"
    rule_to_present: ClassVar[Any] = staticmethod(draft_both)
    rule_to_learn: ClassVar[Any] = staticmethod(step_if_won)

    @property
    def tries(self) -> int:
        return 1

    def draws(self, n: int, steps: int) -> Array:
        d = self.state.shape[2]
        found = np.empty((steps, self.rng.replicates, d + 1 + n // 2))
        for row in found:  # directions and coins take turns, as they would step by step
            row[:, :d] = self.rng.standard_normal((EACH, d))
            row[:, d:] = self.rng.random((EACH, 1 + n // 2))
        return found

    def seen(self, work: Work, draws: Array) -> Shown:
        page = work.page
        mixed = Interleaved("team-draft", page.predicted, page.partner, page.shown, page.marks)
        return Duel(page.shown, page.predicted, page.scores, draws=draws, mixed=mixed, direction=page.u[:, 0])

    def recall(self, work: Work, shown: Shown) -> None:
        assert isinstance(shown, Duel) and shown.mixed is not None and shown.direction is not None
        work.page.u[:, 0], work.page.marks[:] = shown.direction, shown.mixed.teams
