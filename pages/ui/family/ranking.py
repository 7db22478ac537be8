"""The charts of the ranking labs."""

from __future__ import annotations

from datasets.parameters import Parameter
from pages.ui.draw.chart_specs import ChartSpec

# which ranking is drawn
TWIN = Parameter(
    "ranking", "choice", "presented", choices=("presented", "predicted", "both"),
    help="The ranking shown to the user, or the one the learner believes best. They differ only for learners "
    "that perturb; with both, the predicted one is the thin line.",
)  # fmt: skip

CHARTS = (
    ChartSpec(
        "average-regret", "average-regret", "Average regret",
        "Mean over the steps so far of U(y*) − U(y): how much utility the ranking lost against the best one. "
        "Dotted: the theorem's bound, with the slacks measured in this run (Shivaswamy & Joachims 2015, Theorem 1; Raman et al. 2013, Theorem 2). "
        "Falling towards 0 means learning; levelling off above 0 means the feedback misleads.",
        predicted="average-regret-predicted", y_log=True, bounds=("bound", "bound-a-priori"),
    ),
    ChartSpec(
        "cumulative-regret", "cumulative-regret", "Cumulative regret",
        "Sum over the steps so far of U(y*) − U(y) of the shown ranking. A straight line is a learner that has "
        "stopped getting better; a curve that bends flat is one that has learned.",
        y_log=True,
    ),
    ChartSpec(
        "ndcg", "ndcg@5", "NDCG@5 (0 to 1)",
        "Discounted gain of the first five documents over the largest possible, gain 2^grade − 1; 0 where a query "
        "has no relevant document. Moving average over steps.",
        predicted="ndcg@5-predicted", smooth=True, y_range=lambda data: (0.0, 1.02),
    ),
    ChartSpec(
        "rank-of-best", "rank-of-best", "Rank of the best document (1 is best)",
        "Where the first document with the highest grade stands. The axis points down, so a curve that falls is a "
        "good document on its way to the bottom. Moving average over steps; set it to 1 and choose single runs to "
        "see the flips themselves.",
        predicted="rank-of-best-predicted", smooth=True, y_range=lambda data: (data.longest + 0.5, 0.5),
    ),
    ChartSpec(
        "flips", "flips", "Flips so far",
        "How often the learner's belief has flipped: the best document fell from rank 1 to the lower half of the "
        "predicted ranking.",
    ),
    ChartSpec(
        "swap-probability", "swap-probability", "Swap probability (0 to 1)",
        "Chance with which a pair of neighbours is swapped before it is shown. The dynamic rule of Proposition 6 "
        "sets it at every step (Raman et al. 2013, Fig. 6). Moving average over steps.",
        smooth=True, y_range=lambda data: (0.0, 1.02),
    ),
    ChartSpec(
        "affirmativeness", "affirmativeness", "Cumulative affirmativeness",
        "Sum of w·φ(x, ȳ) − w·φ(x, y): how much the feedback confirmed the learner's own ordering, minus how much "
        "it contradicted it (Raman et al. 2013, §5.2). Learners that never perturb can only be contradicted.",
    ),
    ChartSpec(
        "top10-overlap", "top10-overlap", "Ranking stability (top 10 in common)",
        "Documents in common in the top 10 of the weights now and 100 steps ago, on 100 queries, looked at every 50 "
        "steps (Raman et al. 2013, Fig. 2). 10 is a ranking that stands still; two unrelated rankings of 20 documents share 5. For lists shorter than "
        "20 the upper half counts, scaled to ten: a single document that flips there changes little.",
        y_range=lambda data: (0.0, 10.4), later="Appears after 100 steps, for learners that have weights.",
    ),
    ChartSpec(
        "weight-norm", "weight-norm", "Length of the weight vector",
        "‖w‖. It grows like √t while updates contradict one another, and faster while they agree.",
    ),
)  # fmt: skip
