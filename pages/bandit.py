"""The bandit lab: learners that name a class and hear only right or wrong."""

from dataclasses import replace

from learners.classification import metrics
from pages.ui.entry import through_app
from pages.ui.family.bandit import PICTURES
from pages.ui.inspect.classification import inspect, weights_at_a_glance
from pages.ui.lab.lab import Lab
from pages.ui.lab.setup import REPLICATES, STEPS
from pages.ui.settings import choice_of

through_app()
Lab(
    id="bandit",
    title="Bandit lab",
    lead=(
        "Learners that name the class of an example and are told only **right** or **wrong**. Watch the gap between what "
        "they play and what they believe: that is the price of exploring, and the learner told the truth is the yardstick."
    ),
    family="classification",
    race=("perceptron", "banditron", "adaptive-banditron", "exponentiated-gradient"),
    pictures=PICTURES,
    shown=(metrics.ERROR_RATE, metrics.ACCURACY, metrics.GAMMA, "confusion"),
    inspector=inspect,
    glance=weights_at_a_glance,
    which=choice_of(
        "answer",
        "played",
        ["played", "predicted", "both"],
        "The label played, or the one the learner believes best; they differ on exploring steps. With both, the predicted "
        "one is the thin line.",
    ),
    regret="error",
    steps=replace(
        STEPS,
        default=9000,
        high=1_000_000,
        step=1000,
        help="Where the run ends. The digits pass five times in 9,000 steps; the papers go up to a million.",
    ),
    replicates=replace(REPLICATES, default=10),
).run()
