"""The gallery of demos: each a link into a lab with everything set."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Demo:
    """A card on the home page.

    The link names the demo, so that opening it again begins anew; the address that the lab writes does not.
    """

    id: str
    title: str
    text: str
    page: str
    settings: dict[str, str]

    @property
    def link(self) -> dict[str, str]:
        """The query of the link into the lab."""
        return {"demo": self.id} | self.settings


_STABILITY = "pages/stability.py"

DEMOS = (
    Demo(
        "flip",
        "Watch a perceptron flip",
        "Ten documents, one of them good, and a user who misjudges one document in five. A single run: the preference "
        "perceptron keeps dropping the good document to the last place, while the perturbed one holds it at the top.",
        _STABILITY,
        {
            "feedback-1": "swap", "replicates": "1", "window": "1", "speed": "50", "steps": "500",
            "charts": "rank-of-best,flips,average-regret,swap-probability", "bounds": "false",
        },
    ),
    Demo(
        "digit",
        "A search engine for one digit",
        "The user looks for one handwritten digit, a 3, among twenty images. Below the charts the weights turn into a "
        "picture of it: clear for the perturbed perceptron, noisy for the one that moves clicked images to the top.",
        _STABILITY,
        {
            "dataset": "digits-search", "topic": "3", "user": "scan", "learner-1": "perturbed-perceptron",
            "learner-2": "preference-perceptron", "replicates": "10", "speed": "10", "charts": "ndcg,top10-overlap",
        },
    ),
    Demo(
        "perturbation",
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
        "theory",
        "When feedback is honest, theory holds",
        "A user who always improves the ranking by half of what is possible: the regret stays far below the bound of "
        "Theorem 1 and falls at least as fast as its 1/√T. On logarithmic axes a power law is a straight line.",
        _STABILITY,
        {
            "dataset": "web-search", "user": "strict-alpha", "learner-2": "random-ranking", "x_log": "true",
            "y_log": "true", "steps": "2000", "replicates": "10", "charts": "average-regret,cumulative-regret",
        },
    ),
    Demo(
        "wrong-start",
        "Calm, but wrong",
        "The perturbed perceptron started from the wrong belief: neighbours at the bottom of the list hardly differ in their "
        "discounts, so that exchanging them teaches little. The good document stays at rank 10 for a thousand steps, and "
        "climbs to the top only after several thousand.",
        _STABILITY,
        {"initial_weights": "-1,1", "feedback-1": "swap", "steps": "6000", "charts": "rank-of-best,average-regret"},
    ),
    Demo(
        "averaging",
        "Does averaging help?",
        "The textbook cure for noise is to average the weights. Here it does not help: clicks are biased, not just "
        "noisy. The average flips less often but stays wrong for longer, so that the mean rank is the same.",
        _STABILITY,
        {
            "learner-1": "preference-perceptron", "feedback-1": "swap", "learner-2": "averaged-perceptron",
            "feedback-2": "swap", "learner-3": "perturbed-perceptron", "charts": "rank-of-best,flips,average-regret",
        },
    ),
)  # fmt: skip
