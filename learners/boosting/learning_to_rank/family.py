"""The family of learning to rank, from graded queries."""

from collections.abc import Mapping
from typing import Any

from datasets.ranking import RankingData, Size
from datasets.spec import Spec
from learners.base import Learner, Shape
from learners.boosting.events import STOPPED
from learners.boosting.learning_to_rank.base import RankBooster
from learners.boosting.learning_to_rank.environment import RankBoostingEnvironment
from learners.boosting.learning_to_rank.metrics import METRICS, NDCG
from learners.event import largest_drop
from learners.family import Budget, Family, StepWork


def shape(data: RankingData) -> Shape:
    """Return what a learner may know about the data. Its examples are all stored documents."""
    return Shape(data.dimension, documents=data.longest, examples=data.features.shape[0])


def work(data: RankingData) -> StepWork:
    """Return the number of pairs of documents within the queries."""
    pairs = int((data.lengths.astype(float) ** 2).sum())
    return StepWork(pairs, f"{pairs:,} pairs of documents of a query", "pairs", "queries")


def held(learner: Learner, size: Size, params: Mapping[str, Any]) -> int:
    """Return the bytes of a replicate: its training documents, and the sum of the votes for every document."""
    rows = size.queries * size.documents
    return learner.memory(Shape(size.features, size.documents, examples=rows), 1) + 8 * rows * (size.features + 8)


FAMILY = Family(
    "learning-to-rank", "Learning to rank", 5, RankBooster, RankingData, RankBoostingEnvironment, METRICS, shape, held,
    smallest=Spec("web-search").given({"queries": 10, "documents": 5, "features": 3}),
    budget=Budget(steps=20_000, sweep=200_000, megabytes=1000, work=work, most_work=20_000_000, step=5.0),
    events=(STOPPED, largest_drop(NDCG[""][4], "NDCG@5 on test queries")),
    page="learning_to_rank", lab="learning-to-rank lab", icon=":material/format_list_numbered:",
    shows="a score for each document",
    symbols=r"$F(d)$ score of a document · $r_i$ its grade · $w_i$ its weight in a round · $f_t$ weak ranker of round "
            r"$t$ · $\alpha_t$ its step · $M$ surrogate of the expected NDCG · $Z_q$ largest possible DCG of query $q$",
    rivals=("linear-regression-ranking", "ndcg-boost"),
    learners=(
        "ndcg-boost", "adarank", "linear-regression-ranking", "pairwise-svm", "lambdarank", "rank-xendcg",
        "random-scores",
    ),
    datasets=("web-search", "letor-folds", "letor-file", "digits-search"),
    data_family="ranking", rounds=50,
)  # fmt: skip
