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
    rounds: int = 0  # of boosting, by default; 0 where learners take steps

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
    "semi-supervised": FamilyPage(
        "Semi-supervised", "pages/semi_supervised.py", "semi-supervised lab", ":material/scatter_plot:",
        ("single-tree", "mcssb"),
        r"$x_i$ example · $y_i$ its label, told for $N_l$ of $N$ examples · $h_t$ weak classifier of round $t$ · $\alpha_t$ its "
        r"weight in the vote · $H$ sum of the votes · $S_{ij}$ similarity of two examples · $b_i^k$ chance of class $k$ by the votes "
        r"so far",
        learners=(
            "mcssb", "assemble", "adaboost", "single-tree", "nearest-neighbour", "label-spreading", "self-training",
        ),
        datasets=(
            "moons", "rings", "blobs", "digits", "wine", "breast-cancer", "separable-points", "classification-file", "openml",
        ),
        users=(),
        metrics={
            "accuracy-test": "Accuracy on test examples", "accuracy-unlabelled": "Accuracy on unlabelled examples",
            "accuracy-train": "Accuracy on labelled examples", "objective": "Objective", "objective-unlabelled": "Objective, unlabelled part",
            "objective-labelled": "Objective, labelled part", "bound": "Bound on the objective",
        },
        rounds=50,
    ),
    "learning-to-rank": FamilyPage(
        "Learning to rank", "pages/learning_to_rank.py", "learning-to-rank lab", ":material/format_list_numbered:",
        ("linear-regression-ranking", "ndcg-boost"),
        r"$F(d)$ score of a document · $r_i$ its grade · $w_i$ its weight in a round · $f_t$ weak ranker of round $t$ · $\alpha_t$ "
        r"its step · $M$ surrogate of the expected NDCG · $Z_q$ best possible DCG of query $q$",
        learners=(
            "ndcg-boost", "adarank", "linear-regression-ranking", "pairwise-svm", "lambdarank", "random-scores",
        ),
        datasets=("web-search", "letor-folds", "letor-file", "digits-search"),
        users=(),
        metrics={f"ndcg@{k}": f"NDCG@{k}, test queries" for k in (5, 1, 3, 10)}
        | {
            "map": "MAP, test queries", "ndcg@5-train": "NDCG@5, training queries", "ndcg@5-validation": "NDCG@5, validation",
            "surrogate": "Surrogate M", "bound": "Bound on M",
        },
        rounds=50,
    ),
    "refinement": FamilyPage(
        "Relevance feedback", "pages/refinement.py", "relevance-feedback lab", ":material/rate_review:",
        ("judged-first", "ranking-refinement"),
        r"$g_i$ score of the base ranker · $W_{ij}$ how surely it ranks $i$ before $j$ · $T_{ij}$ the same by the judgements · $F$ "
        r"refined score · $err_w, err_t$ share of either that $F$ contradicts · $L_p$ product, $L_a$ sum of the two losses",
        learners=("ranking-refinement", "rocchio", "feedback-svm", "judged-first", "base-ranker"),
        datasets=("web-search", "rated-movies", "rated-movies-file", "digits-search", "letor-file"),
        users=("judge", "person", "rater"),
        metrics={
            "gain": "Gain in NDCG of the whole list", "gain-unjudged": "Gain in NDCG of the unjudged documents",
            "ndcg@5": "NDCG@5", "ndcg@10": "NDCG@10", "ndcg": "NDCG of the whole list", "err-w": "Error against the base ranker",
            "err-t": "Error against the judgements", "objective": "Objective", "bound": "Bound on the objective",
        },
        rounds=50,
    ),
}  # fmt: skip
