"""TD-MGD, multileave gradient descent with team-draft multileaving (Schuth, Oosterhuis, Whiteson & de Rijke 2016)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from datasets.parameters import integer, real
from learners.base import Array, Line, Shape
from learners.compiled import compiled
from learners.random import EACH, Source
from learners.ranking.base import RankingLearner, Shown
from learners.ranking.step.page import CLICKS, NOTHING, Page
from learners.ranking.step.rankings import click_on_top
from learners.ranking.step.work import Work


@compiled
def draft_all(page: Page, gamma: float) -> float:
    """Present the list that w and all w + γ u_c draft; `page.partner` holds the team of each place, 0 for w."""
    n, m = page.each.shape
    coins, latest = page.draws[m * page.u.shape[1] :], page.memory
    latest[:] = -1.0  # the latest round in which each team picked
    for i in range(n):
        page.key[i] = 0.0
    for place in range(n):
        turn, team = place // (m + 1), 0
        if place < page.slots:
            skip = int(coins[place] * (m + 1 - place % (m + 1)))  # of the teams that have not picked in this round
            for c in range(m + 1):
                if latest[c] < turn:
                    if skip == 0:
                        team = c
                        break
                    skip -= 1
            latest[team] = turn
        best = -1
        if team == 0:
            for i in range(n):
                if page.key[page.predicted[i]] == 0.0:
                    best = page.predicted[i]
                    break
        else:
            highest = 0.0
            for i in range(n):
                offered = page.offered[i] if page.order.shape[0] > 0 else i < page.size
                if offered and page.key[i] == 0.0:
                    value = page.scores[i] + gamma * page.each[i, team - 1]
                    if best < 0 or value > highest:
                        best, highest = i, value
            if best < 0:  # only documents that are not there are left; they stand at the end
                for i in range(n):
                    if page.key[page.predicted[i]] == 0.0:
                        best = page.predicted[i]
                        break
        page.shown[place], page.partner[place], page.marks[place] = best, team, team == 0
        page.key[best] = 1.0
    return 0.0


@compiled
def step_to_winners(page: Page, w: Array, difference: Array, change: float, heard: int, delta: float) -> None:
    """Update w ← w + δ · mean of the u_c whose rankings got more clicks than that of w."""
    if heard == NOTHING:
        return
    if heard != CLICKS:
        click_on_top(page)
    winners = 0
    for won in (False, True):  # count them, then take the step
        for c in range(page.each.shape[1]):
            lead = 0
            for i in range(page.shown.shape[0]):
                if page.clicks[i]:
                    lead += (page.partner[i] == c + 1) - (page.partner[i] == 0)
            if lead > 0:
                if won:
                    for j in range(page.u.shape[1]):
                        w[0, j] += delta * page.u[c, j] / winners
                else:
                    winners += 1


@dataclass(frozen=True)
class Multileaved(Shown):
    """A list that several rankings drafted.

    teams : (R, n) who picked the document at each place, 0 for w and c for w + γ u_c. directions : (R, m, d) the u_c.
    """

    teams: Array | None = None
    directions: Array | None = None


@dataclass(kw_only=True)
class MultileaveDescent(RankingLearner):
    """Tries several random directions at once, and moves by δ towards the mean of those that beat its own ranking.

    The rankings of w and of each w + γu pick documents for one list, in rounds of random order. A candidate wins if its
    documents get more clicks than those of w. With one candidate it is the dueling bandit. A user who hands back an
    improved ranking counts as clicking the documents put on top. As many teams pick as the list has slots, so that
    with a short list some candidates have no say in a step.

    Source: [SOWR16], with the mean of the winners (MGD-W). γ = 1, δ = 0.01 and nine candidates are those of the
    literature that follows it, from memory. Without projection, as there.

    >>> from learners import Simulation, create
    >>> learner = create("multileave-descent", delta=0.1)
    >>> sim = Simulation(learner, "web-search", "dependent-click", replicates=4, seed=0)
    >>> sim.advance(steps=1000)
    >>> ndcg = sim.history["ndcg@5-predicted"].mean(axis=1)
    >>> bool(ndcg[-200:].mean() > ndcg[:200].mean() + 0.1)
    True
    """

    id: ClassVar[str] = "multileave-descent"
    title: ClassVar[str] = "Multileave gradient descent (TD-MGD)"
    short: ClassVar[str] = "TD-MGD"
    needs: ClassVar[str] = "clicks, or an improved ranking"
    summary: ClassVar[str] = (
        "Tries several random changes of its weights at every step, where the dueling bandit tries one. All rankings "
        "pick documents for a single list, and the weights move towards the mean of the changes whose documents got "
        "more clicks. It learns faster, but each ranking has fewer places to show what it can do."
    )
    paper: ClassVar[str] = "SOWR16"
    works: ClassVar[Mapping[str, str]] = {
        "SOWR16": "Schuth, Oosterhuis, Whiteson & de Rijke. Multileave Gradient Descent for Fast Online Learning to "
        "Rank. WSDM 2016."
    }
    section: ClassVar[str] = "§4, multileave gradient descent, winner takes the mean"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$"),
        Line("observe", r"Observe $x_t$"),
        Line(
            "predict",
            r"Draw unit vectors $u_1, \dots, u_m$ at random; rank by $w_t$ and by each $w_t + \gamma u_c$",
            "It tries m random directions u. One ranking follows the weights w, each other one w + γu.",
        ),
        Line(
            "perturb",
            r"Present $y_t$, the team-draft multileaving of the $m + 1$ rankings",
            "In each round every ranking picks its best document that is left, in random order, until the list y is "
            "full.",
        ),
        Line(
            "feedback",
            r"Obtain clicks on $y_t$; $u_c$ wins if its ranking got more of them than that of $w_t$",
            "A click counts for the ranking that picked the document.",
        ),
        Line(
            "update",
            r"Update $w_{t+1} \leftarrow w_t + \delta\, \mathrm{mean}\{u_c : u_c \text{ won}\}$; without winners keep "
            r"$w_t$",
            "The weights w move by δ towards the mean of the directions whose rankings won. If none won, they stay.",
        ),
    )

    gamma: float = real(
        1.0, 1e-6, 1000, symbol="γ", step=0.1, named=True,
        help="Distance between its own weights and those it tries.",
    )  # fmt: skip
    delta: float = real(
        0.01, 1e-6, 1000, symbol="δ", step=0.01, named=True,
        help="Length of the step towards the mean of the winners. Try 0.1.",
    )  # fmt: skip
    candidates: int = integer(
        9, 1, 50, symbol="m", named=True, shapes_state=True,
        help="How many directions are tried at a time. With 1 it is the dueling bandit.",
    )  # fmt: skip

    listing: ClassVar[str] = "The rankings of w and of the directions tried picked documents in rounds,"
    rule_to_present: ClassVar[Any] = staticmethod(draft_all)
    rule_to_learn: ClassVar[Any] = staticmethod(step_to_winners)

    @property
    def tries(self) -> int:
        return int(self.candidates)

    def reset(self, shape: Shape, replicates: int, rng: Source) -> None:
        super().reset(shape, replicates, rng)
        self.tally = np.zeros((replicates, 1 + self.tries))  # the round in which each team picked last

    def memory(self, shape: Shape, replicates: int) -> int:
        return super().memory(shape, replicates) + 24 * replicates * self.tries * (shape.features + 1)

    def draws(self, n: int, steps: int) -> Array:
        d = self.tries * self.state.shape[2]
        found = np.empty((steps, self.rng.replicates, d + n))
        for row in found:  # directions and turns take turns, as they would step by step
            row[:, :d] = self.rng.standard_normal((EACH, d))
            row[:, d:] = self.rng.random((EACH, n))
        return found

    def seen(self, work: Work, draws: Array) -> Shown:
        page = work.page
        return Multileaved(page.shown, page.predicted, page.scores, draws=draws, teams=page.partner, directions=page.u)

    def recall(self, work: Work, shown: Shown) -> None:
        assert isinstance(shown, Multileaved) and shown.teams is not None and shown.directions is not None
        work.page.u[:], work.page.partner[:] = shown.directions, shown.teams
