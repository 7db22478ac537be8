"""The semi-supervised lab, with few labels, many unlabelled examples, and boosting round by round."""

from dataclasses import replace

from pages.ui.families.semi_supervised.face import FACE
from pages.ui.glossary import says
from pages.ui.lab.lab import Lab
from pages.ui.lab.tries import Try
from pages.ui.race.knob import Knob
from pages.ui.race.world import REPLICATES, STEPS

LAB = Lab(
    id="semi-supervised",
    title="Semi-supervised lab",
    lead="Few labels and many unlabelled examples: does each **round** help the rest?",
    family="semi-supervised",
    race=("mcssb", "assemble", "single-tree", "nearest-neighbour"),
    face=FACE,
    regret="objective",
    steps=replace(STEPS, default=50, low=1, high=1000, step=10, help="Rounds of boosting. The dissertation uses 50."),
    replicates=replace(
        REPLICATES, default=5, help=f"{says('replicate')} Each has its own training examples and labels."
    ),
    speed="5",
    knobs=(
        Knob("labelled", "dataset", (0.01, 0.02, 0.05, 0.1, 0.2, 0.5), "Labelled share"),
        Knob("width", "learner", (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1), "Kernel width"),
        Knob("depth", "learner", (1, 2, 3, 5), "Depth of trees"),
    ),
    tries=(
        Try("Treat all examples as equally similar. What does boosting lose?", "similarity-1", "uniform"),
        Try("Label one example in five instead of one in twenty. Which learner gains most?", "labelled", "0.2"),
        Try("Use handwritten digits. With ten classes, which learner stops first?", "dataset", "digits"),
    ),
)
