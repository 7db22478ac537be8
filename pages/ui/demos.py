"""The gallery of demos: each a link into a lab with everything set."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Demo:
    """A card on the home page."""

    title: str
    text: str
    page: str
    link: dict[str, str]


_STABILITY = "pages/stability.py"

DEMOS = (
    Demo(
        "Watch a perceptron flip",
        "Ten documents, one of them good, and a user who misjudges one document in five. A single run: the preference "
        "perceptron keeps dropping the good document to the last place, while the perturbed one holds it at the top.",
        _STABILITY,
        {
            "feedback-1": "swap", "replicates": "1", "window": "1", "speed": "50", "steps": "500",
            "charts": "average-regret,rank-of-best,flips,swap-probability",
        },
    ),
    Demo(
        "A search engine for one digit",
        "Every user looks for one handwritten digit among twenty images. Step through it and watch the weights turn "
        "into a picture of the digit sought.",
        _STABILITY,
        {
            "dataset": "digits-search", "user": "scan", "replicates": "10", "speed": "10",
            "charts": "ndcg,rank-of-best,top10-overlap,swap-probability",
        },
    ),
    Demo(
        "How much perturbation is enough?",
        "The perceptron that moves clicked images to the top, beside 3PR with swap probability 0.1, 0.5, and one that it "
        "sets itself (Proposition 6). All four meet the same queries and the same noise.",
        _STABILITY,
        {
            "dataset": "digits-search", "user": "scan", "swap_probability-2": "0.1", "learner-3": "perturbed-perceptron",
            "learner-4": "perturbed-perceptron", "dynamic-4": "true", "steps": "2000", "replicates": "10",
            "charts": "ndcg,swap-probability,affirmativeness,top10-overlap", "window": "100",
        },
    ),
    Demo(
        "When feedback is honest, theory holds",
        "A user who always improves the ranking by half of what is possible: the regret falls like 1/√T below the "
        "bound of Theorem 1. Logarithmic axes show the power law as a straight line.",
        _STABILITY,
        {
            "dataset": "web-search", "user": "strict-alpha", "learner-2": "random-ranking", "x_log": "true",
            "y_log": "true", "steps": "2000", "replicates": "10", "charts": "average-regret,cumulative-regret",
        },
    ),
    Demo(
        "Calm, but wrong",
        "The perturbed perceptron started from the wrong belief: it only ever compares neighbours, so that a good document "
        "at the very bottom, which an impatient user never reaches, stays there for a thousand steps.",
        _STABILITY,
        {"initial_weights": "-1,1", "feedback-1": "swap", "charts": "rank-of-best,average-regret"},
    ),
    Demo(
        "Does averaging help?",
        "The textbook cure for noise is to average the weights. Here it does not help: clicks are biased, not just "
        "noisy, and the average flips with them.",
        _STABILITY,
        {
            "learner-1": "preference-perceptron", "feedback-1": "swap", "learner-2": "averaged-perceptron",
            "feedback-2": "swap", "learner-3": "perturbed-perceptron", "charts": "rank-of-best,flips,average-regret",
        },
    ),
)  # fmt: skip
