"""The stability lab, in which ranking learners learn from the clicks of noisy users."""

from learners.ranking import metrics
from pages.ui.family.ranking import PICTURES, WHICH
from pages.ui.inspect.ranking import RankingInspector
from pages.ui.lab.lab import Lab

LAB = Lab(
    id="stability",
    title="Stability lab",
    lead=(
        "These learners rank documents and learn from clicks. Watch the **rank of the best document**. A learner that "
        "trusts noisy clicks drops it to the bottom again and again, while one that perturbs its rankings keeps it on "
        "top."
    ),
    family="ranking",
    race=("preference-perceptron", "perturbed-perceptron"),
    pictures=PICTURES,
    shown=(
        metrics.AVERAGE_REGRET,
        metrics.RANK_OF_BEST,
        metrics.SWAP_PROBABILITY,
        metrics.TOP10_OVERLAP,
        "weight-maps",
    ),
    inspector=RankingInspector,
    which=WHICH,
)
