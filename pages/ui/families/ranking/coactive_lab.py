"""The coactive lab, with every algorithm of the coactive learning paper and users from perfect to misleading.

Its other mode is the lower bound, against which the same learners play.
"""

from dataclasses import replace

from learners.ranking import metrics
from pages.ui.families.ranking import coactive_pictures, pictures
from pages.ui.families.ranking.face import FACE
from pages.ui.families.ranking.lower_bound import LowerBound
from pages.ui.lab.lab import OWN, Lab
from pages.ui.lab.tries import Try
from pages.ui.race.knob import Knob
from pages.ui.race.world import REPLICATES, STEPS

LAB = Lab(
    id="coactive",
    title="Coactive lab",
    lead="Learners learn from small improvements. How does the **regret** fall?",
    family="ranking",
    theory=True,
    speed="250",
    race=("preference-perceptron", "batch-perceptron", "exponentiated-perceptron", "convex-perceptron"),
    first=("web-search", "strict-alpha"),
    face=replace(
        FACE,
        shown=(metrics.AVERAGE_REGRET, metrics.CUMULATIVE_REGRET, "alpha", "cost", "weight-maps"),
        pictures=(*coactive_pictures.PICTURES, *pictures.PICTURES),
    ),
    which=pictures.WHICH,
    steps=replace(STEPS, default=2000),
    replicates=replace(REPLICATES, default=10),
    modes={"lower-bound": LowerBound()},
    words={OWN: "Race", "lower-bound": "Lower bound"},
    knobs=(
        Knob("alpha", "user", (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1), "Quality of feedback"),
        Knob("noise", "user", (0, 0.1, 0.2, 0.3, 0.4, 0.5)),
        Knob("sigma", "user", (0, 0.25, 0.5, 1, 1.5, 2, 3)),
        Knob("k", "user", (1, 2, 3, 5, 10, 15, 20), "Documents examined"),
        Knob("k", "learner", (1, 2, 5, 10, 20, 50, 100, 200), "Steps to a batch"),
        Knob("documents", "dataset", (5, 10, 20, 30, 50)),
    ),
    tries=(
        Try(
            "Let the user make up only a tenth of the gap (α = 0.1). How much slower does the regret fall?",
            "alpha",
            "0.1",
        ),
        Try(
            "Choose a user who looks at the first few documents only. Where does the regret level off?", "user", "depth"
        ),
        Try("Let the batch perceptron learn once in a hundred steps. What does the waiting cost?", "k-2", "100"),
    ),
)
