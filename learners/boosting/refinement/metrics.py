"""The metrics of the learners that refine a ranking by relevance feedback."""

from learners.boosting.metrics import STEP_SIZE, bound, objective, weak_error
from learners.metric import SHARE, Metric, Strip

DEEPEST = 25  # NDCG is measured at 1 … 25, as in [V] Figs. 4.2–4.5

BOUND = bound("the objective")
GAIN = Metric(
    "gain", "Gain on the whole list",
    "NDCG of the whole list minus that of the base ranker. Much of it comes from ordering the judged documents.",
    better="higher",
)  # fmt: skip
GAIN_UNJUDGED = Metric(
    "gain-unjudged", "Gain on the unjudged documents",
    "NDCG of the unjudged documents among themselves, minus that of the base ranker. It shows what has been learned "
    "beyond the judgements. Below 0 the refinement does harm. If no relevant document is left, both are 0.",
    better="higher",
    strip=Strip("The stronger the colour, the smaller the gain.", "fell back by 0.05 in gain", fall=0.05),
)  # fmt: skip
NDCG_AT = tuple(
    Metric(
        f"ndcg@{k}", f"NDCG@{k} of the whole list", f"NDCG of the first {k} documents, including judged ones.",
        "0 to 1", better="higher", limits=SHARE, drawn=k == 10,
    )
    for k in range(1, DEEPEST + 1)
)  # fmt: skip
NDCG = Metric(
    "ndcg", "NDCG of the whole list", "NDCG of all documents.", "0 to 1", better="higher", limits=SHARE, drawn=False
)
NDCG_UNJUDGED = Metric(
    "ndcg-unjudged", "NDCG of the unjudged documents", "NDCG of the unjudged documents among themselves.",
    "0 to 1", better="higher", limits=SHARE, drawn=False,
)  # fmt: skip
ERR_W = Metric(
    "err-w", "Disagreement with the base ranker (share of pairs)",
    "Share of the pairs of documents that the current ranking orders the other way round than the base ranker (0 to "
    "1). Pairs are weighted by how surely the base ranker orders them (err_w of Valizadegan 2010, Eq. 4.4).",
    better="lower", mean_over_available=True,
)  # fmt: skip
ERR_T = Metric(
    "err-t", "Disagreement with the judgements (share of pairs)",
    "The same for the pairs of judged documents (err_t of Valizadegan 2010, Eq. 4.5).", better="lower",
    mean_over_available=True,
)  # fmt: skip
LOSS_W = Metric(
    "loss-w", "Loss against the base ranker", "Divided by its value at the start.", better="lower", drawn=False
)
LOSS_T = Metric(
    "loss-t", "Loss against the judgements", "Divided by its value at the start.", better="lower", drawn=False
)
OBJECTIVE = objective(
    "L_p, the product of both losses (Valizadegan 2010, Eq. 4.10), or L_a, their sum with weight γ (Eq. 4.9). The "
    "dotted line is the upper bound from theory, given the progress of each round (Theorem 9). Theorem 10 of the "
    "text is false and not drawn.",
    BOUND,
)  # fmt: skip
WEAK_ERROR = weak_error(
    "ranker",
    "Weighted share of the pairs that the weak ranker of a round orders wrongly, over the runs that have not stopped.",
)

REPORTED = (OBJECTIVE, LOSS_W, LOSS_T, BOUND)  # by learners, in `Round.values`
METRICS = (
    GAIN, GAIN_UNJUDGED, NDCG_AT[4], NDCG_AT[9], NDCG, NDCG_UNJUDGED, ERR_W, ERR_T, *REPORTED, STEP_SIZE, WEAK_ERROR,
    *(metric for k, metric in enumerate(NDCG_AT) if k not in (4, 9)),
)  # fmt: skip
