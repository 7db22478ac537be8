"""Learning from a log doubly robust: a model of the clicks, corrected by inverse propensities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from learners.base import Line
from learners.compiled import compiled
from learners.ranking.from_logs.base import LoggedLearner, WeighingLearner
from learners.ranking.from_logs.table import attend, rank_learned, show_logged, weigh_clicks
from learners.ranking.step.page import Page


@compiled
def rank_doubly_robust(page: Page, epsilon: float, propensities: float, eta: float, clip: float) -> float:
    """Read the log, and predict the documents by r̂_d + Σ (c_d − θ_k r̂_d) / (N max(ρ_d, clip))."""
    show_logged(page, epsilon)
    attend(page, propensities, eta)
    weigh_clicks(page, epsilon, clip, True)
    rank_learned(page)
    return 0.5


@dataclass(kw_only=True)
class LoggedDoublyRobust(WeighingLearner):
    """Predicts clicks by a model and weighs only what the model gets wrong.

    r̂_d are the clicks for each look, smoothed by one look with the mean of all documents. If the propensities are
    right, the correction leaves no bias whatever the model; if the model is good, there is little left to correct and
    so little variance.

    Source: the estimator with documents at places as in Oosterhuis, TOIS 2023, from memory; the model is ours.

    >>> from learners import Simulation
    >>> sim = Simulation("logged-doubly-robust", "graded-list", "position-based", replicates=5, seed=0)
    >>> sim.advance(steps=4000)
    >>> last = {name: sim.history[name][-100:].mean() for name in ("ndcg@5", "ndcg@5-predicted")}
    >>> bool(last["ndcg@5-predicted"] > last["ndcg@5"])
    True
    """

    id: ClassVar[str] = "logged-doubly-robust"
    title: ClassVar[str] = "Log: doubly robust"
    short: ClassVar[str] = "log: DR"
    summary: ClassVar[str] = (
        "Reads clicks on lists that another ranker has shown, models how often each document is clicked, and corrects "
        "the model by inverse propensities. It needs only one of the two to be right."
    )
    paper: ClassVar[str] = "O23"
    works: ClassVar[Mapping[str, str]] = {
        "O23": "Oosterhuis. Doubly Robust Estimation for Correcting Position Bias in Click Feedback for Unbiased "
        "Learning to Rank. ACM Transactions on Information Systems 41, 2023."
    }
    section: ClassVar[str] = "the doubly robust estimator"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"$S_{dk} \leftarrow 0$, $C_d \leftarrow 0$", "It has counted neither lists nor clicks yet."),
        Line(
            "predict",
            r"$\hat m_d \leftarrow \big(C_d + \bar m\big) / \big(\sum_k S_{dk} \theta_k + 1\big)$; rank by falling "
            r"$\hat m_d + \big(C_d - \sum_k S_{dk} \theta_k \hat m_d\big) / \big(N \max(\rho_d, \mathrm{clip})\big)$",
            "The model m is the share of looks at a document that ended in a click. Its error on the log, clicks less "
            "those expected, is divided by the chance ρ of a look and added.",
        ),
        *LoggedLearner.seen_in_log,
        Line(
            "update",
            r"$S_{dk} \leftarrow S_{dk} + [d \text{ at } k]$, $C_d \leftarrow C_d + c_t(d)$, $N \leftarrow N + 1$",
            "It counts where each document was shown, and the clicks on it.",
        ),
    )

    rule_to_present: ClassVar[Any] = staticmethod(rank_doubly_robust)
