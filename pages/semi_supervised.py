"""The semi-supervised lab: a few labels, many examples without, and boosting round by round."""

from dataclasses import replace

from learners.boosting.metrics import STEP_SIZE
from learners.boosting.semi_supervised import metrics
from pages.ui.entry import through_app
from pages.ui.family.semi_supervised import PICTURES
from pages.ui.inspect.semi_supervised import inspect
from pages.ui.lab.lab import Lab
from pages.ui.lab.setup import REPLICATES, STEPS

through_app()
Lab(
    id="semi-supervised",
    title="Semi-supervised lab",
    lead=(
        "A handful of labels and many examples without one. Each **round** adds a weak classifier to the vote. Watch which "
        "examples gain weight, how labels spread along the data, and whether that beats the plain references."
    ),
    family="semi-supervised",
    race=("mcssb", "assemble", "single-tree", "nearest-neighbour"),
    pictures=PICTURES,
    shown=("regions", metrics.ACCURACY_TEST, metrics.ACCURACY_UNLABELLED, metrics.OBJECTIVE, STEP_SIZE),
    inspector=inspect,
    regret="objective",
    steps=replace(STEPS, default=50, low=1, high=1000, step=10, help="Rounds of boosting; the dissertation takes 50."),
    replicates=replace(
        REPLICATES, default=5, help="Runs side by side, each with its own examples to train on and its own labels."
    ),
    speed="5",
).run()
