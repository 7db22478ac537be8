"""The metrics of learning to rank, on training, validation and test queries."""

from typing import Any

from learners.boosting.metrics import STEP_SIZE, bound, weak_error
from learners.metric import Metric, Strip

PLACES = 10  # NDCG is measured at 1 … 10
STRIP = Strip("The stronger the colour, the lower the NDCG.", "fell back by 0.03 in NDCG", fall=0.03)
PARTS = {"train": "training", "validation": "validation", "": "test"}  # suffix of a metric, and its queries


def discount(data: Any) -> str:
    """Return the addition to the title of an NDCG chart if the data ask for LETOR's discount."""
    return ", LETOR's discount" if data.params.get("ndcg") == "letor" else ""


def _suffix_and_queries(part: str) -> tuple[str, str]:
    """Return the suffix of the ids of a part's metrics, and the name of its queries."""
    return (f"-{part}" if part else ""), f"{PARTS[part]} queries"


def _ndcg(k: int, part: str, companion: Metric | None = None) -> Metric:
    suffix, queries = _suffix_and_queries(part)
    return Metric(
        f"ndcg@{k}{suffix}",
        f"NDCG@{k}" + (f" on {queries}" if part else ""),
        f"Normalised discounted cumulative gain of the first {k} documents, averaged over the {queries}. The gain of a "
        "document is 2^grade − 1, its discount 1/log2(1 + rank), and the sum is divided by the largest possible. A "
        "query without a relevant document counts as 0. With tied documents it is the mean over all their orders. A "
        "LETOR file can ask for the discounts of LETOR's script, 1, 1, 1/log2(3), 1/log2(4) …; the title then says so.",
        "0 to 1",
        better="higher",
        companion=companion,
        companion_name=(companion and "training queries") or "",
        drawn=not part or (part == "validation" and k == 5),
        remark=discount,
        strip=STRIP if not part and k == 5 else None,
    )


def _map(part: str, companion: Metric | None = None) -> Metric:
    suffix, queries = _suffix_and_queries(part)
    return Metric(
        f"map{suffix}",
        "MAP, mean average precision" + (f" on {queries}" if part else ""),
        f"Average precision, averaged over the {queries}. Every grade above 0 counts as relevant, and a query without "
        "a relevant document counts as 0. With tied documents it is the mean over all their orders.",
        "0 to 1",
        better="higher",
        companion=companion,
        companion_name=(companion and "training queries") or "",
        drawn=not part,
    )


NDCG = {part: [_ndcg(k + 1, part) for k in range(PLACES)] for part in ("train", "validation")}
NDCG[""] = [_ndcg(k + 1, "", NDCG["train"][k]) for k in range(PLACES)]
MAP = {part: _map(part) for part in ("train", "validation")}
MAP[""] = _map("", MAP["train"])
BOUND = bound("M")
SURROGATE = Metric(
    "surrogate", "Surrogate M",
    "The function that NDCG_Boost minimises, since NDCG has no gradient. It bounds the expected NDCG (Valizadegan "
    "2010, Eq. 3.11, not divided by the number of queries). The dotted line is the upper bound from theory, "
    "given the progress of each round (Theorem 7, corrected).",
    better="lower", bounds=(BOUND,), log=True, mean_over_available=True, absent="Only NDCG_Boost has this surrogate.",
    short="surrogate M",
)  # fmt: skip
OBJECTIVE = Metric(
    "objective",
    "Objective",
    "The function that the learner minimises, on its own scale.",
    better="lower",
    drawn=False,
    short="objective",
)
WEAK_ERROR = weak_error(
    "ranker",
    "Weighted share of the pairs that the weak ranker of a round orders wrongly, over the runs that have not stopped.",
)

REPORTED = (SURROGATE, OBJECTIVE, BOUND)  # by learners, in `Round.values`
METRICS = (
    *(NDCG[""][k - 1] for k in (5, 1, 3, 10)), NDCG["validation"][4], MAP[""], SURROGATE, STEP_SIZE, WEAK_ERROR,
    *(NDCG[""][k - 1] for k in (2, 4, 6, 7, 8, 9)), *NDCG["train"],
    *(NDCG["validation"][k - 1] for k in (1, 2, 3, 4, 6, 7, 8, 9, 10)),
    MAP["train"], MAP["validation"], OBJECTIVE, BOUND,
)  # fmt: skip
