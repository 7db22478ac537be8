"""The coactive lab: every algorithm of the coactive learning paper, and users from perfect to misleading."""

from dataclasses import replace

from pages.ui.entry import through_app
from pages.ui.family.coactive import CHARTS
from pages.ui.family.ranking import TWIN
from pages.ui.inspect.ranking import inspect, weights_at_a_glance
from pages.ui.lab.families import FAMILIES
from pages.ui.lab.lab import Lab
from pages.ui.lab.setup import REPLICATES, STEPS

through_app()
Lab(
    id="coactive",
    title="Coactive lab",
    lead=(
        "Learners that improve from improvements: the user hands back, or clicks together, a ranking that is a little better "
        "than the one shown. Watch the **regret** fall like 1/√t while the feedback is informative, stay below the theorem's "
        "bound, and level off where the feedback misleads."
    ),
    learners=FAMILIES["ranking"].learners,
    race=("preference-perceptron", "batch-perceptron", "exponentiated-perceptron", "convex-perceptron"),
    datasets=("web-search", *(id for id in FAMILIES["ranking"].datasets if id != "web-search")),
    users=("strict-alpha", *(id for id in FAMILIES["ranking"].users if id != "strict-alpha")),
    charts=CHARTS,
    shown=("average-regret", "cumulative-regret", "alpha", "cost"),
    inspector=inspect,
    glance=weights_at_a_glance,
    twin=TWIN,
    steps=replace(STEPS, default=2000),
    replicates=replace(REPLICATES, default=10),
).run()
