"""Learning from a log by inverse propensities, with policy-aware weights and clipping."""

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
def rank_by_weighed_clicks(page: Page, epsilon: float, propensities: float, eta: float, clip: float) -> float:
    """Read the log, and predict the documents by Σ c_d / (N max(ρ_d, clip))."""
    show_logged(page, epsilon)
    attend(page, propensities, eta)
    weigh_clicks(page, epsilon, clip, False)
    rank_learned(page)
    return 0.5


@dataclass(kw_only=True)
class LoggedPropensity(WeighingLearner):
    """Divides the clicks on each document by how often it was looked at in expectation.

    ρ_d = Σ_k π₀(d at k) θ_k is the chance that a document is looked at, with π₀ of the logging policy and θ_k of the
    places, so Σ c_d / (N ρ_d) estimates its relevance without bias. Where ρ_d is small, a single click weighs much:
    with few interactions, documents from the bottom come to the top by chance.

    Source: Joachims, Swaminathan & Schnabel, WSDM 2017; policy-aware as in Oosterhuis & de Rijke, SIGIR 2020, which
    Gupta, Oosterhuis & de Rijke (arXiv 2409.09881) quote in Eq. 4.

    >>> from learners import Simulation
    >>> sim = Simulation("logged-propensity", "graded-list", "position-based", replicates=5, seed=0)
    >>> sim.advance(steps=4000)
    >>> last = {name: sim.history[name][-100:].mean() for name in ("ndcg@5", "ndcg@5-predicted")}
    >>> bool(last["ndcg@5-predicted"] > last["ndcg@5"])  # better than the ranker in use
    True
    """

    id: ClassVar[str] = "logged-propensity"
    title: ClassVar[str] = "Log: inverse propensities"
    short: ClassVar[str] = "log: IPS"
    summary: ClassVar[str] = (
        "Reads clicks on lists that another ranker has shown, and divides those on each document by how likely it was "
        "looked at. That removes the bias of places, but at first a few rare clicks weigh so much that it ranks worse "
        "than the ranker in use."
    )
    paper: ClassVar[str] = "OR20"
    works: ClassVar[Mapping[str, str]] = {
        "OR20": "Oosterhuis & de Rijke. Policy-Aware Unbiased Learning to Rank for Top-k Rankings. SIGIR 2020."
    }
    section: ClassVar[str] = "the policy-aware estimator"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"$C_d \leftarrow 0$ for each document", "It has counted no clicks yet."),
        Line(
            "predict",
            r"$\rho_d \leftarrow \sum_k \pi_0(d \mid k)\, \theta_k$; rank by falling "
            r"$\hat r_d \leftarrow C_d / \big(N \max(\rho_d, \mathrm{clip})\big)$",
            "How likely a document was looked at, ρ, is its chance π₀ of each place, times how likely that place is "
            "looked at, θ. Clicks are divided by it, so that what stood low is not judged by its place.",
        ),
        *LoggedLearner.seen_in_log,
        Line(
            "update", r"$C_d \leftarrow C_d + c_t(d)$, $N \leftarrow N + 1$", "It counts the clicks on each document."
        ),
    )

    rule_to_present: ClassVar[Any] = staticmethod(rank_by_weighed_clicks)
