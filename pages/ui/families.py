"""What the pages say about each family of learners, and which lab is theirs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FamilyPage:
    """A family on the pages.

    page, lab : the lab's file and name. learners, datasets, users : ids that it offers. metrics : what a sweep may draw,
    with a title each, the first by default. rivals : who a learner of the family is raced against when it is opened from
    elsewhere; the first that is not the learner itself. symbols : the letters of its algorithms.
    """

    title: str
    page: str
    lab: str
    icon: str
    rivals: tuple[str, str]
    symbols: str
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    users: tuple[str, ...]
    metrics: dict[str, str]

    def link(self, learner: str) -> dict[str, str]:
        """The query that opens the lab with this learner and a rival."""
        rival = next(id for id in self.rivals if id != learner)
        return {"learner-1": learner, "learner-2": rival, "learner-3": "none", "learner-4": "none"}


FAMILIES = {
    "ranking": FamilyPage(
        "Ranking", "pages/stability.py", "stability lab", ":material/monitoring:",
        ("random-ranking", "preference-perceptron"),
        r"$x_t$ query · $y$ ranking · $\phi(x, y) = \sum_i \gamma_i\, x_{y_i}$ with $\gamma_i = 1/\log_2(i+1)$ · "
        r"$\bar y_t$ feedback ranking · $w_t$ weights · ties rank in the order of the documents",
        learners=(
            "preference-perceptron", "averaged-perceptron", "perturbed-perceptron", "batch-perceptron",
            "exponentiated-perceptron", "convex-perceptron", "second-order-perceptron", "ranking-svm", "dueling-bandit",
            "structured-perceptron", "random-ranking",
        ),
        datasets=(
            "toy-ranking", "digits-search", "web-search", "news-topics", "movies", "letor-file", "movielens-file", "movielens",
        ),
        users=(
            "cascade", "scan", "noisy-grades", "strict-alpha", "expected-alpha", "depth", "item-alpha", "item-better",
            "item-best", "expert",
        ),
        metrics={
            "average-regret": "Average regret", "average-regret-predicted": "Average regret of the predicted ranking",
            "ndcg@5": "NDCG@5, last tenth of the steps", "ndcg@5-predicted": "NDCG@5 predicted, last tenth of the steps",
            "rank-of-best": "Rank of the best document, last tenth", "flips": "Flips",
            "top10-overlap": "Ranking stability at the end", "swap-probability": "Swap probability, last tenth",
            "affirmativeness": "Cumulative affirmativeness", "weight-norm": "Length of the weight vector",
        },
    ),
    "classification": FamilyPage(
        "Classification", "pages/bandit.py", "bandit lab", ":material/casino:", ("perceptron", "banditron"),
        r"$x_t$ example · $y_t$ its true label · $\hat y_t$ label predicted · $\tilde y_t$ label played · $W$ weights, a "
        r"row for each class · $K$ classes · $\gamma$ exploration rate · $P$ chances of the labels to be played · of equal "
        r"scores the first label wins",
        learners=(
            "perceptron", "banditron", "banditron-positive", "exponentiated-gradient", "potential", "adaptive-banditron",
            "banditron-winnow", "banditron-margin", "banditron-labels", "halving",
        ),
        datasets=(
            "digits", "synsep", "synnonsep", "separable-points", "classification-file", "openml", "reuters4", "newsgroups",
        ),
        users=(),
        metrics={
            "error-rate": "Error rate", "error-rate-greedy": "Error rate of the predicted label",
            "accuracy": "Right answers, last tenth of the steps",
            "accuracy-greedy": "Right predictions, last tenth of the steps", "mistakes": "Mistakes",
            "explored": "Share of exploring steps", "gamma": "Exploration rate, last tenth", "bound": "Bound on the mistakes",
        },
    ),
    "multilabel": FamilyPage(
        "Multilabel", "pages/multilabel.py", "multilabel lab", ":material/label:",
        ("online-binary-relevance", "random-labels"),
        r"$x_t$ example, $\|x_t\| = 1$ · $Y_t$ its true labels · $\hat Y_t$ the ordered set shown · $w_i$ weights of label $i$ · "
        r"$A_i$ its matrix · $\hat\Delta_i$ its margin · $\epsilon_i$ width of its confidence · $\hat p_i$ its upper confidence",
        learners=("multilabel-ucb", "online-binary-relevance", "random-labels", "never-play"),
        datasets=("multilabel-synthetic", "multilabel-file"),
        users=(),
        metrics={
            "loss": "Mean loss", "hamming-loss": "Mean Hamming loss", "ranking-loss": "Mean ranking loss",
            "cumulative-regret": "Cumulative regret", "shown-size": "Labels shown, last tenth of the steps",
            "width": "Width of the confidence, last tenth",
        },
    ),
}  # fmt: skip
