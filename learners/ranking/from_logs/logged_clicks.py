"""Naive learning from a log: a document is as good as its share of clicks, wherever it stood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from learners.base import Line
from learners.compiled import compiled
from learners.ranking.from_logs.base import LoggedLearner
from learners.ranking.from_logs.table import ASSUMED, attend, clicks_of, rank_learned, show_logged
from learners.ranking.step.page import Page


@compiled
def rank_by_clicks(page: Page, epsilon: float) -> float:
    """Read the log, and predict the documents by their clicks; all are shown equally often."""
    show_logged(page, epsilon)
    attend(page, ASSUMED, 0.0)
    for d in range(page.shown.shape[0]):
        page.tried[d] = clicks_of(page, d)
    rank_learned(page)
    return 0.5


@dataclass(kw_only=True)
class LoggedClicks(LoggedLearner):
    """Ranks by clicks as they are, as if every place were looked at alike.

    Documents that stood high were looked at and clicked more, so the log's own order confirms itself, and no number of
    clicks changes that. It is the baseline of Joachims, Swaminathan & Schnabel, WSDM 2017.

    >>> from learners import Simulation
    >>> sim = Simulation("logged-clicks", "graded-list", "position-based", replicates=2, seed=0)
    >>> sim.advance(steps=5)
    >>> sim.learner.counts[0].sum(axis=1)[0].tolist()  # each place shows a document in each of 5 interactions
    [5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0]
    """

    id: ClassVar[str] = "logged-clicks"
    title: ClassVar[str] = "Log: clicks as they are"
    short: ClassVar[str] = "log: clicks"
    summary: ClassVar[str] = (
        "Reads clicks on lists that another ranker has shown, and ranks documents by how often they were clicked. What "
        "stood high was looked at more, so it mostly learns the old order back."
    )
    paper: ClassVar[str] = "JSS17"
    works: ClassVar[Mapping[str, str]] = {
        "JSS17": "Joachims, Swaminathan & Schnabel. Unbiased Learning-to-Rank with Biased Feedback. WSDM 2017."
    }
    section: ClassVar[str] = "the baseline without correction"
    lines: ClassVar[tuple[Line, ...]] = (
        Line("start", r"$C_d \leftarrow 0$ for each document", "It has counted no clicks yet."),
        Line("predict", r"Rank the documents by falling $C_d$", "What was clicked most comes first."),
        *LoggedLearner.seen_in_log,
        Line("update", r"$C_d \leftarrow C_d + c_t(d)$", "It counts the clicks on each document."),
    )

    rule_to_present: ClassVar[Any] = staticmethod(rank_by_clicks)
