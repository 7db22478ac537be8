"""The charts of the interleaving view."""

from __future__ import annotations

from pages.ui.draw.chart_specs import ChartSpec
from pages.ui.family.ranking import CHARTS as RANKING

CHARTS = (
    ChartSpec(
        "win-share", "win-share", "Share of comparisons won (0 to 1)",
        "Wins over wins and losses against the fixed ranker, so far; ties are left out. Above ½ the users prefer the learner's "
        "documents.",
        y_range=lambda data: (0.0, 1.02),
    ),
    ChartSpec(
        "p-value", "p-value", "p-value of the sign test",
        "How likely so uneven a split would be between equal rankers, for each replicate by itself. Whoever looks after every step and "
        "stops at the first small value will be wrong often.",
        y_log=True,
    ),
    ChartSpec(
        "wins", "wins", "Comparisons won so far", "Of the traffic that compares; the rest are losses and ties.",
    ),
    ChartSpec(
        "top10-shared", "top10-shared", "Documents shared by both top tens",
        "How alike the learner's ranking and the fixed one are. Moving average over steps.", smooth=True,
        y_range=lambda data: (0.0, 10.4),
    ),
    ChartSpec(
        "advantage", "advantage", "True advantage over the fixed ranker",
        "Mean over the comparisons so far of the learner's utility minus the fixed ranker's, by the true weights; the clicks only "
        "hint at it.",
    ),
    *(chart for chart in RANKING if chart.id in ("affirmativeness", "average-regret", "ndcg")),
)  # fmt: skip
