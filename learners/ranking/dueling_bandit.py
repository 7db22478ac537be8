"""The dueling bandit, a baseline for coactive learning ([C] §6.2.6, after Yue & Joachims, ICML 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from datasets.parameters import real
from learners.base import Array, Line, column
from learners.random import EACH
from learners.ranking.base import Context, Feedback, RankingLearner, Shown
from learners.ranking.parts.feedback import interpret
from learners.ranking.parts.interleave import Interleaved, interleave, preference

TOP = 5  # documents of an improved ranking that count as clicked


@dataclass(frozen=True)
class Duel(Shown):
    """What the dueling bandit shows: the list that w (A) and w + γu (B) drafted, and the direction u, (R, d)."""

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
    section: ClassVar[str] = "§6.2.6"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"Initialise $w_1 \leftarrow 0$"),
        Line("observe", r"Observe $x_t$"),
        Line("predict", r"Draw a unit vector $u_t$ at random; rank by $w_t$ and by $w_t + \gamma u_t$"),
        Line("perturb", r"Present $y_t$, the team-draft interleaving of the two rankings"),
        Line("feedback", r"Obtain clicks on $y_t$; the team with more of them wins"),
        Line("update", r"If $w_t + \gamma u_t$ won, update $w_{t+1} \leftarrow w_t + \delta u_t$; else keep $w_t$"),
    )

    gamma: float = real(
        1.0, 0, 1000, low_open=True, symbol="γ", step=0.1, named=True,
        help="Distance between its own weights and those it tries. If it is too small, both rank alike; if it is too "
        "large, bad rankings are shown for nothing.",
    )  # fmt: skip
    delta: float = real(
        0.1, 0, 1000, low_open=True, symbol="δ", step=0.05, named=True,
        help="Length of the step after a win. Only its size relative to γ and the weights matters. Try a tenth of γ.",
    )  # fmt: skip

    def present(self, context: Context) -> Shown:
        own = super().present(context)
        u = self.rng.standard_normal((EACH, self.w.shape[1]))
        u /= np.sqrt(np.einsum("rd,rd->r", u, u))[:, None]
        assert own.scores is not None
        other = context.rank(own.scores + column(self.gamma) * context.scores(u))
        mixed = interleave(context, own.ranking, other, "team-draft", self.rng)
        return Duel(mixed.ranking, own.predicted, own.scores, mixed=mixed, direction=u)

    def update(self, context: Context, shown: Shown, feedback: Feedback) -> Array:
        assert isinstance(shown, Duel) and shown.mixed is not None and shown.direction is not None
        improved = interpret(context, shown, feedback, "top")
        if feedback.ranking is not None:
            clicks = clicks_on_top(context, shown.ranking, feedback.ranking)
        elif feedback.clicks is not None:
            clicks = feedback.clicks
        else:
            return improved
        won = preference(context, shown.mixed, clicks) < 0  # a tie keeps w
        self.w = self.w + np.where(won[:, None], column(self.delta) * shown.direction, 0.0)
        return improved


def clicks_on_top(context: Context, shown: Array, improved: Array) -> Array:
    """Mark the documents at the top of the improved ranking as if they were clicked, (R, n) bool by shown position.

    Five are marked, or all but one of the positions with a discount if there are fewer than six, but at least one.
    Positions without a discount were not on the page and do not count.
    """
    there = np.broadcast_to(context.gamma > 0, improved.shape)
    chosen = np.arange(context.n) < np.clip(there.sum(axis=1, keepdims=True) - 1, 1, TOP)
    marked = np.empty(improved.shape, dtype=bool)
    marked.put(context.flat(improved), chosen)
    return context.take(marked, shown) & there
