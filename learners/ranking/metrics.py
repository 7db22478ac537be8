"""The metrics of the ranking learners."""

from typing import Any

from learners.metric import SHARE, Metric, Strip


def _upper_half(data: Any) -> str:
    """Return the addition to a title where lists are too short for a top ten."""
    return ", of the upper half scaled to ten" if data.longest < 20 else ""


GAMMA = 0.9995  # by which NDCG counts less in each later step

BOUND = Metric("bound", "Bound on the average regret", "The value that theory guarantees.", better="lower", drawn=False)
BOUND_A_PRIORI = Metric(
    "bound-a-priori",
    "Bound on the expected average regret",
    "The value that theory guarantees in advance.",
    better="lower",
    drawn=False,
)
BOUND_CONVEX = Metric(
    "bound-convex",
    "Bound on the average convex regret",
    "The value that theory guarantees.",
    better="lower",
    drawn=False,
)
AVERAGE_REGRET_PREDICTED = Metric(
    "average-regret-predicted", "Average regret of the predicted ranking",
    "Mean of U(y*) − U(ŷ) over the steps so far, for the ranking that the learner believes best.",
    better="lower", log=True, drawn=False,
)  # fmt: skip
AVERAGE_REGRET = Metric(
    "average-regret", "Average regret",
    "Mean of U(y*) − U(y) over the steps so far, the utility U that the ranking shown, y, lost against the best one, "
    "y*. The dotted line is the worst-case bound, given how much the feedback of this run fell short "
    "(Shivaswamy & Joachims 2015, Theorem 1; Raman et al. 2013, Theorem 2). A learner "
    "whose curve falls towards 0 learns. One whose curve levels off above 0 is misled by the feedback.",
    better="lower", companion=AVERAGE_REGRET_PREDICTED, companion_name="predicted", log=True,
    bounds=(BOUND, BOUND_A_PRIORI),
)  # fmt: skip
CUMULATIVE_REGRET = Metric(
    "cumulative-regret", "Cumulative regret",
    "Sum of U(y*) − U(y) over the steps so far, the utility U that the rankings shown lost against the best ones. A "
    "learner with a straight line no longer improves. One with a flattening curve has learned.",
    better="lower", log=True,
)  # fmt: skip
AVERAGE_CONVEX_REGRET = Metric(
    "average-convex-regret", "Average convex regret",
    "Mean over the steps so far of a quadratic loss of U(y) − U(y*), for which the convex and the second-order "
    "perceptron are designed (Shivaswamy & Joachims 2015, §6.4.1). The dotted lines are worst-case bounds "
    "(Theorems 6 and 8).",
    better="lower", log=True, bounds=(BOUND_CONVEX,),
)  # fmt: skip
ALPHA = Metric(
    "alpha", "Measured α", "Share of the possible gain in utility that the feedback of a step achieved.", per_step=True,
    better="higher", drawn=False,
)  # fmt: skip
SLACK = Metric(
    "slack", "Measured slack ξ", "Amount by which the feedback of a step fell short of being α-informative.",
    per_step=True, better="lower", drawn=False,
)  # fmt: skip
NDCG_PREDICTED = Metric(
    "ndcg@5-predicted", "NDCG@5 of the predicted ranking", "NDCG@5 of the ranking that the learner believes best.",
    "0 to 1", per_step=True, better="higher", limits=SHARE, drawn=False,
)  # fmt: skip
NDCG = Metric(
    "ndcg@5", "NDCG@5",
    "Discounted cumulative gain of the first five documents, divided by the largest possible. The gain of a document "
    "is 2^grade − 1. A query without a relevant document counts as 0.",
    "0 to 1", per_step=True, better="higher", companion=NDCG_PREDICTED, companion_name="predicted", limits=SHARE,
    chart="ndcg",
)  # fmt: skip
DISCOUNTED_NDCG = Metric(
    "discounted-ndcg", "Cumulative discounted NDCG",
    "Sum of NDCG@10 of the rankings shown over the steps so far, in which step t counts γ^(t − 1), γ = 0.9995. It is "
    "what users gained while the learner learned: the first steps count most, those after 10,000 steps next to "
    "nothing. A learner that always shows the best ranking reaches 2,000 (Oosterhuis & de Rijke 2018, §5).",
    "at most 2,000", better="higher",
)  # fmt: skip
HELD_OUT = Metric(
    "held-out-ndcg@10", "NDCG@10 on test queries",
    "Mean NDCG@10 of the rankings by the weights w, without any exploration, on test queries that no learner sees. "
    "Documents with equal scores share their places, and a query without a relevant document counts as 0. Measured "
    "before the first step, every 50 steps up to step 1,000, and then whenever a twentieth more steps have been taken. "
    "It is what the learner has learned, where the rankings shown say what it cost to learn it.",
    "0 to 1", stepwise=True, better="higher", limits=SHARE,
    absent="Appears for learners with weights and data with test queries: synthetic web search, if you ask for some, "
    "and a fold of your own files.",
)  # fmt: skip
RANK_OF_BEST_PREDICTED = Metric(
    "rank-of-best-predicted", "Rank of the best document in the predicted ranking",
    "Rank of the first document with the highest grade, in the ranking that the learner believes best.", "1 is best",
    per_step=True, stepwise=True, better="lower", drawn=False,
)  # fmt: skip
RANK_OF_BEST = Metric(
    "rank-of-best", "Rank of the best document",
    "Rank of the first document with the highest grade. The axis points down, so a falling curve is a good document on "
    "its way to the bottom. A moving average hides single flips; set it to 1 and choose single runs to see them.",
    "1 is best", per_step=True, stepwise=True, better="lower", companion=RANK_OF_BEST_PREDICTED,
    companion_name="predicted", limits=lambda data: (data.longest + 0.5, 0.5),
    strip=Strip(
        "The stronger the colour, the further down the best document stands.",
        "lost the best document",
        fall=lambda data: data.longest / 2,
        scale=lambda data: (1, data.longest),
    ),
)  # fmt: skip
FLIPS = Metric(
    "flips", "Flips so far",
    "Number of flips so far. In a flip the best document falls from rank 1 to the lower half of the predicted ranking.",
    stepwise=True, better="lower",
)  # fmt: skip
SWAP_PROBABILITY = Metric(
    "swap-probability", "Swap probability",
    "Probability that two neighbours are swapped before the ranking is shown. The dynamic rule of Proposition 6 sets "
    "it at every step (Raman et al. 2013, Fig. 6).",
    "0 to 1", per_step=True, limits=SHARE, adapted=True,
)  # fmt: skip
AFFIRMATIVENESS = Metric(
    "affirmativeness", "Cumulative affirmativeness",
    "Sum of w·φ(x, ȳ) − w·φ(x, y) over the steps so far, by which the feedback confirmed the learner's own order more "
    "than it contradicted it (Raman et al. 2013, §5.2). A learner that never perturbs can only be contradicted.",
    better="higher",
)  # fmt: skip
ORDER_KEPT = Metric(
    "order-kept", "Ranking stability",
    "Share of the pairs of documents that stand in the same order as 100 steps ago, by the weights of the learner, on "
    "up to 100 queries, measured every 50 steps. A ranking that does not change scores 1, one that is turned upside "
    "down 0, and two unrelated rankings ½. Pairs that had equal scores 100 steps ago do not count. On the toy only the "
    "best document differs from the others, so a run scores 1 if that document stands where it stood, and 0 if it has "
    "flipped.",
    "share of pairs in the same order", stepwise=True, better="higher", limits=SHARE, mean_over_available=True,
    absent="Appears after 100 steps, for learners that have weights.",
)  # fmt: skip
TOP10_OVERLAP = Metric(
    "top10-overlap", "Overlap of the top ten",
    "Number of documents that the top ten by the current weights shares with the top ten by those of 100 steps ago, "
    "on up to 100 queries, measured every 50 steps (Raman et al. 2013, Fig. 2). A ranking that does not change scores "
    "10; two unrelated rankings of 20 documents share 5. In lists shorter than 20 the upper half counts, scaled to "
    "ten, so that a single document that flips changes little. Ranking stability shows it.",
    "documents in common with 100 steps ago", stepwise=True, better="higher", limits=(0.0, 10.4), remark=_upper_half,
    absent="Appears after 100 steps, for learners that have weights.",
)  # fmt: skip
WEIGHT_NORM = Metric(
    "weight-norm", "Norm of the weight vector",
    "The norm ‖w‖ grows like √t while updates contradict one another, and faster while they agree.",
)  # fmt: skip
WEIGHT_CHANGE = Metric(
    "weight-change", "Size of the update",
    "Norm ‖w_{t+1} − w_t‖ of what a step adds to the weights. It is 0 in a step from which nothing is learned.",
    per_step=True, log=True, drawn=False,
)  # fmt: skip

METRICS = (
    AVERAGE_REGRET, AVERAGE_REGRET_PREDICTED, CUMULATIVE_REGRET, AVERAGE_CONVEX_REGRET, NDCG, NDCG_PREDICTED,
    RANK_OF_BEST, RANK_OF_BEST_PREDICTED, FLIPS, SWAP_PROBABILITY, AFFIRMATIVENESS, ORDER_KEPT, TOP10_OVERLAP,
    DISCOUNTED_NDCG, HELD_OUT, WEIGHT_NORM, WEIGHT_CHANGE, ALPHA, SLACK, BOUND, BOUND_A_PRIORI, BOUND_CONVEX,
)  # fmt: skip
