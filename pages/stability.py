"""The stability lab: ranking learners, noisy users, and what becomes of the best document."""

from pages.ui.entry import through_app
from pages.ui.family.ranking import CHARTS, TWIN
from pages.ui.inspect.ranking import inspect, weights_at_a_glance
from pages.ui.lab.families import FAMILIES
from pages.ui.lab.lab import Lab

through_app()
Lab(
    id="stability",
    title="Stability lab",
    lead=(
        "Learners that rank documents and learn from clicks. Watch the **rank of the best document**: a learner that "
        "believes noisy clicks drops it to the bottom again and again; one that perturbs its rankings keeps it on top."
    ),
    learners=FAMILIES["ranking"].learners,
    race=("preference-perceptron", "perturbed-perceptron"),
    datasets=FAMILIES["ranking"].datasets,
    users=FAMILIES["ranking"].users,
    charts=CHARTS,
    shown=("average-regret", "rank-of-best", "swap-probability", "top10-overlap"),
    inspector=inspect,
    glance=weights_at_a_glance,
    twin=TWIN,
).run()
