"""The multilabel lab: learners that show a set of labels and hear which of those shown are right."""

from dataclasses import replace

from learners.multilabel import metrics
from pages.ui.entry import through_app
from pages.ui.inspect.multilabel import inspect
from pages.ui.lab.lab import Lab
from pages.ui.lab.setup import REPLICATES, STEPS

through_app()
Lab(
    id="multilabel",
    title="Multilabel lab",
    lead=(
        "Learners that recommend a few labels for an example and hear only which **of those shown** are right. Watch how "
        "close the one that must try labels out comes to the one that is told all of them."
    ),
    family="multilabel",
    race=("multilabel-ucb", "online-binary-relevance", "random-labels"),
    shown=(metrics.LOSS, metrics.HAMMING_LOSS, metrics.SHOWN_SIZE, metrics.CUMULATIVE_REGRET),
    inspector=inspect,
    regret="loss",
    bounded=False,
    steps=replace(STEPS, default=3000, step=500),
    replicates=replace(REPLICATES, default=5),
).run()
