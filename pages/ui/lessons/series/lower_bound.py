"""The lower bound as a series: a learner against the adversary of [C] Lemma 3, beside what nobody can undercut."""

from dataclasses import replace

from learners.adversary import Adversary, metrics
from learners.catalogue import learner_classes
from pages.ui.families.ranking.lower_bound import HORIZON, LEARNER, SEES
from pages.ui.lessons.series import CardSeries, SeriesLine
from pages.ui.race.world import SEED

REPLICATES = 20
LIGHT = (  # whose games last a fraction of a second
    "preference-perceptron", "perturbed-perceptron", "averaged-perceptron", "convex-perceptron", "dueling-bandit",
    "random-ranking",
)  # fmt: skip


def make(learner: str, horizon: int, sees: str, seed: int) -> list[SeriesLine]:
    """Return the curves of a game of `horizon` steps, in which each point is the end of a game of that length."""
    game = Adversary(learner, horizon, REPLICATES, seed, sees)
    game.advance()
    found = {
        "average-regret": metrics.REGRET_BY_HORIZON,
        "mistakes": metrics.MISTAKES,
        "weight-norm": metrics.WEIGHT_NORM,
    }
    curves = {id: game.history[metric.id] for id, metric in found.items()}
    bound = game.history[metrics.LOWER_BOUND_BY_HORIZON.id]
    return [
        SeriesLine(learner_classes()[learner].title, curves, learner),
        SeriesLine("lower bound", {"average-regret": bound}),
    ]


SERIES = (
    CardSeries(
        "lower-bound",
        "The lower bound",
        "A learner plays against an adversary, in 20 replicates. Each point ends a game of that length.",
        (
            ("Learner", replace(LEARNER, choices=LIGHT)),
            ("Horizon", replace(HORIZON, high=2000)),
            ("What the adversary sees", SEES),
            ("Seed", SEED),
        ),
        {
            "average-regret": "Average regret if the game ended here",
            "mistakes": "Wrong objects shown",
            "weight-norm": "Norm of the weight vector",
        },
        make,
        "coactive",
        {"mode": "lower-bound"},
        names={id: learner_classes()[id].title for id in LIGHT},
    ),
)
