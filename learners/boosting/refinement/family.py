"""The family of the learners that refine a ranking by relevance feedback."""

from collections.abc import Mapping
from typing import Any

from datasets.ranking import RankingData, Size
from datasets.spec import Spec
from learners.base import Learner, Shape
from learners.boosting.events import STOPPED
from learners.boosting.refinement.base import Refiner
from learners.boosting.refinement.environment import RefinementEnvironment
from learners.boosting.refinement.judges.base import Judge
from learners.boosting.refinement.metrics import GAIN, METRICS
from learners.event import largest_drop
from learners.family import Budget, Family, StepWork, Users


def shape(data: RankingData) -> Shape:
    """Return what a learner may know about the data. Its examples are the documents of a query."""
    return Shape(data.dimension, documents=data.longest, examples=data.longest)


def work(data: RankingData) -> StepWork:
    """Return the number of pairs of documents of the longest query."""
    return planned(data.size())


def planned(size: Size) -> StepWork:
    """Return the same for data that are not built yet."""
    pairs = int(size.documents) ** 2
    return StepWork(pairs, f"{pairs:,} pairs of documents of a query", "pairs", "documents")


def held(learner: Learner, size: Size, params: Mapping[str, Any]) -> int:
    """Return the bytes of a replicate: the documents of its query, and the sum of the votes for each."""
    rows = size.documents
    return learner.memory(Shape(size.features, rows, examples=rows), 1) + 8 * rows * (size.features + 8)


FAMILY = Family(
    "refinement", "Relevance feedback", 6, Refiner, RankingData, RefinementEnvironment, METRICS, shape, held,
    smallest=Spec("web-search").given({"queries": 10, "documents": 30, "features": 3}),
    budget=Budget(
        steps=50_000, sweep=200_000, megabytes=1000, work=work, planned=planned, most_work=50_000_000, step=5.0
    ),
    events=(STOPPED, largest_drop(GAIN, "the gain on the whole list")),
    page="refinement", lab="relevance-feedback lab", icon=":material/rate_review:",
    shows="a score for each document",
    symbols=r"$g_i$ score of the base ranker · $W_{ij}$ how surely it ranks $i$ before $j$ · $T_{ij}$ the same by the "
            r"judgements · $F$ refined score · $err_w, err_t$ shares of these pairs that $F$ contradicts · $L_p$ "
            r"product, $L_a$ sum of the two losses",
    rivals=("judged-first", "ranking-refinement"),
    learners=("ranking-refinement", "rocchio", "feedback-svm", "judged-first", "base-ranker"),
    datasets=("web-search", "rated-movies", "rated-movies-file", "digits-search", "letor-file"),
    data_family="ranking", users=Users(Judge, "judge", ("judge", "person", "rater")), rounds=50,
)  # fmt: skip
