"""The bandit lab, in which learners name a class and learn only whether it is right."""

from dataclasses import replace

from pages.ui.families.classification.face import FACE
from pages.ui.form.links import choice_of
from pages.ui.glossary import says
from pages.ui.lab.lab import Lab
from pages.ui.lab.tries import Try
from pages.ui.race.knob import Knob
from pages.ui.race.world import REPLICATES, STEPS

LAB = Lab(
    id="bandit",
    title="Bandit lab",
    lead="Learners hear only **right or wrong**. What does exploring cost?",
    family="classification",
    speed="1000",
    race=("perceptron", "banditron", "adaptive-banditron", "exponentiated-gradient"),
    face=FACE,
    which=choice_of(
        "answer",
        "played",
        ["played", "predicted", "both"],
        f"The label played, or the label predicted: {says('predicted')} They differ on exploration steps. "
        "If both are drawn, the predicted label is the thin line.",
    ),
    regret="error",
    steps=replace(
        STEPS,
        default=9000,
        high=1_000_000,
        step=1000,
        help="Length of the run. 9,000 steps are five passes through the digits; the papers take up to a million.",
    ),
    replicates=replace(REPLICATES, default=10),
    knobs=(
        Knob("gamma", "learner", (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8), "Exploration"),
        Knob("noise", "dataset", (0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)),
        Knob("exponent", "learner", (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1), "Exponent of exploration"),
    ),
    tries=(
        Try(
            "Draw the label predicted beside the label played. How large is the price of exploration?", "answer", "both"
        ),
        Try(
            "Let the Banditron explore on three steps in ten. What does it gain, and what does it pay?",
            "gamma-2",
            "0.3",
        ),
        Try(
            "Let success alone lower the exploration (ag1). Does the learner stop exploring too soon?",
            "strategy-3",
            "ag1",
        ),
    ),
)
