"""What is measured of the learners of rankings, on the queries of three parts."""

from __future__ import annotations

from typing import Any

from learners.boosting.metrics import STEP_SIZE, bound, weak_error
from learners.metric import Metric

PLACES = 10  # NDCG is measured at 1 … 10
PARTS = {"train": "training", "validation": "validation", "": "test"}  # suffix of a metric, and its queries


def discount(data: Any) -> str:
    """Return what the title of an NDCG chart adds where the data ask for LETOR's discount."""
    return ", LETOR's discount" if data.params.get("ndcg") == "letor" else ""


def _of(part: str) -> tuple[str, str]:
    """The suffix of a metric's id, and the queries in words."""
    return (f"-{part}" if part else ""), f"{PARTS[part]} queries"


def _ndcg(k: int, part: str, companion: Metric | None = None) -> Metric:
    suffix, queries = _of(part)
    return Metric(
        f"ndcg@{k}{suffix}",
        f"NDCG@{k}" + (f" on {queries}" if part else ""),
        f"Normalised discounted cumulative gain of the first {k} documents, mean over the {queries}. Gains are "
        "2^grade − 1, discounts 1/log2(1 + rank), divided by the best possible; 0 where a query has no relevant "
        "document. Of tied documents it is the mean over all their orders. A LETOR file can ask for the discounts of "
        "LETOR's own script, 1, 1, 1/log2(3), 1/log2(4) …; the title then says so.",
        "0 to 1",
        better="higher",
        companion=companion,
        companion_name=(companion and "training queries") or "",
        drawn=not part or (part == "validation" and k == 5),
        remark=discount,
    )


def _map(part: str, companion: Metric | None = None) -> Metric:
    suffix, queries = _of(part)
    return Metric(
        f"map{suffix}",
        "MAP, mean average precision" + (f" on {queries}" if part else ""),
        f"Mean over the {queries} of the average precision. Every grade "
        "above 0 counts as relevant; a query without a relevant document counts as 0. Of tied documents it is the mean over "
        "all their orders.",
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
    "What NDCG_Boost lowers instead of NDCG, which has no slope: a bound on the expected NDCG (Valizadegan 2010, Eq. "
    "3.11, not divided by the number of queries). The dotted line is Theorem 7, corrected, with what each round has "
    "measured.",
    better="lower", bounds=(BOUND,), log=True, some=True, absent="Only NDCG_Boost has it.",
)  # fmt: skip
OBJECTIVE = Metric("objective", "Objective", "What the learner lowers, on its own scale.", better="lower", drawn=False)
WEAK_ERROR = weak_error(
    "ranker",
    "Weighted share of the pairs that the weak ranker of a round orders wrongly, over the runs that still go on.",
)

REPORTED = (SURROGATE, OBJECTIVE, BOUND)  # by the learners, in `Round.values`
METRICS = (
    *(NDCG[""][k - 1] for k in (5, 1, 3, 10)), NDCG["validation"][4], MAP[""], SURROGATE, STEP_SIZE, WEAK_ERROR,
    *(NDCG[""][k - 1] for k in (2, 4, 6, 7, 8, 9)), *NDCG["train"],
    *(NDCG["validation"][k - 1] for k in (1, 2, 3, 4, 6, 7, 8, 9, 10)), MAP["train"], MAP["validation"], OBJECTIVE, BOUND,
)  # fmt: skip
