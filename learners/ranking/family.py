"""The family of the ranking learners, for coactive and stable coactive learning."""

from collections.abc import Mapping
from typing import Any

from datasets.ranking import RankingData, Size
from datasets.spec import Spec
from learners.base import Learner, Shape
from learners.family import Budget, Family, StepWork, Users
from learners.ranking.base import RankingLearner
from learners.ranking.environment import RankingEnvironment
from learners.ranking.events import EVENTS
from learners.ranking.metrics import METRICS
from learners.ranking.users.base import User
from learners.ranking.what_if import WHAT_IF


def shape(data: RankingData) -> Shape:
    """Return what a learner may know about the data."""
    return Shape(data.dimension, data.longest, data.initial_weights, largest=data.largest)


def work(data: RankingData) -> StepWork:
    """Return how many numbers a step reads, the features of a query."""
    return planned(data.size())


def planned(size: Size) -> StepWork:
    """Return the same for data that are not built yet."""
    words = f"{size.documents:,} documents × {size.features:,} features"
    return StepWork(size.documents * size.features, words, "numbers", "documents or features")


def held(learner: Learner, size: Size, params: Mapping[str, Any]) -> int:
    """Return the bytes of a replicate: weights, the data order, candidates, and probes of stability."""
    return (
        learner.memory(Shape(size.features, size.documents), 1)
        + 8 * size.queries
        + size.documents * 8 * (size.features + 300)
    )


FAMILY = Family(
    "ranking", "Ranking", 1, RankingLearner, RankingData, RankingEnvironment, METRICS, shape, held,
    smallest=Spec("toy-ranking").given({"documents": 3}),
    forms=(
        Spec("web-search").given(
            {"queries": 10, "documents": 5, "features": 3, "lengths": "varied", "test_queries": 4}
        ),
        Spec("movies").given({"users": 20, "movies": 30, "ratings": 20, "features": 2}),
        Spec("digits-search").given({"documents": 10, "queries": 10}),
    ),
    budget=Budget(steps=2_000_000, work=work, planned=planned, most_work=10_000_000),
    events=EVENTS, what_if=WHAT_IF,
    page="stability", lab="stability lab", icon=":material/monitoring:",
    shows="a list of documents",
    symbols=r"$x_t$ query · $y$ ranking · $\phi(x, y) = \sum_i \gamma_i\, x_{y_i}$ with $\gamma_i = 1/\log_2(i+1)$ · "
    r"$\bar y_t$ feedback ranking · $w_t$ weights · ties are ranked in the order of the documents",
    rivals=("random-ranking", "preference-perceptron"),
    learners=(
        "preference-perceptron", "averaged-perceptron", "perturbed-perceptron", "batch-perceptron",
        "exponentiated-perceptron", "convex-perceptron", "second-order-perceptron", "ranking-svm", "dueling-bandit",
        "pairwise-differentiable", "multileave-descent", "pairwise-greedy",
        "feel-good-thompson", "informative-pair", "coactive-network",
        "structured-perceptron", "random-ranking",
        "cascade-kl-ucb", "bubble-rank", "top-rank", "double-thompson", "versatile-duel",
        "logged-clicks", "logged-propensity", "logged-doubly-robust", "logged-proximal",
    ),
    datasets=(
        "toy-ranking", "graded-list", "one-list", "digits-search", "web-search", "news-topics", "function-search",
        "movies", "letor-file", "letor-split", "movielens-file", "movielens",
    ),
    users=Users(
        User, "cascade",
        (
            "cascade", "scan", "noisy-grades", "position-biased",
            "dependent-click", "dynamic-bayesian", "position-based", "strict-alpha", "expected-alpha", "depth",
            "item-alpha", "item-better", "item-best", "expert", "bradley-terry",
        ),
    ),
)  # fmt: skip
