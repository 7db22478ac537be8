"""The stability lab, in which ranking learners learn from the clicks of noisy users."""

from learners.ranking import metrics
from pages.ui.families.ranking.inspector import RankingInspector
from pages.ui.families.ranking.pictures import PICTURES, WHICH
from pages.ui.families.ranking.scene import RankingScene
from pages.ui.lab.lab import Lab
from pages.ui.lab.tries import Try
from pages.ui.race.knob import Knob

LAB = Lab(
    id="stability",
    title="Stability lab",
    lead=(
        "Learners rank documents and learn from noisy clicks. Where does the **best document** stand, and does it stay?"
    ),
    family="ranking",
    race=("preference-perceptron", "perturbed-perceptron"),
    pictures=PICTURES,
    shown=(
        metrics.RANK_OF_BEST,
        metrics.ORDER_KEPT,
        metrics.AVERAGE_REGRET,
        metrics.FLIPS,
        metrics.SWAP_PROBABILITY,
        "weight-maps",
    ),
    inspector=RankingInspector,
    scene=RankingScene(),
    which=WHICH,
    knobs=(
        Knob("noise", "user", (0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)),
        Knob("swap_probability", "learner", (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)),
        Knob("documents", "dataset", (4, 6, 8, 10, 12, 15, 20)),
    ),
    tries=(
        Try("Silence the noise. Does the preference perceptron still lose the best document?", "noise", "0"),
        Try(
            "Let 3PR swap only one pair in ten. Is that enough to keep the best document on top?",
            "swap_probability-2",
            "0.1",
        ),
        Try("Let 3PR choose its own swap probability. When does it swap, and when does it stop?", "dynamic-2", "true"),
    ),
)
