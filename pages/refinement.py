"""The relevance-feedback lab: a base ranker, a few judgements, and boosting that listens to both."""

from dataclasses import replace

from learners.boosting.refinement import metrics
from pages.ui.entry import through_app
from pages.ui.family.refinement import PICTURES
from pages.ui.inspect.judging import ask
from pages.ui.inspect.refinement import inspect
from pages.ui.lab.lab import Lab
from pages.ui.lab.setup import REPLICATES, STEPS

through_app()
Lab(
    id="refinement",
    title="Relevance-feedback lab",
    lead=(
        "A base ranker has ranked the documents of a query, somebody judges the first of them, and a learner refines the "
        "ranking. Watch the documents **nobody judged**: only there does a gain mean that something was learned."
    ),
    family="refinement",
    race=("ranking-refinement", "rocchio", "feedback-svm", "judged-first"),
    pictures=PICTURES,
    shown=("positions", metrics.GAIN_UNJUDGED, "path", metrics.OBJECTIVE),
    inspector=inspect,
    ask=ask,
    regret="objective",
    steps=replace(STEPS, default=50, low=1, high=1000, step=10, help="Rounds of boosting; the dissertation takes 50."),
    replicates=replace(
        REPLICATES, default=20, help="Runs side by side, each with a query of its own (unless one is chosen)."
    ),
    speed="10",
    defaults={
        "web-search": {"queries": 100, "documents": 60, "features": 20},
        "digits-search": {"topic": "3", "documents": 50, "queries": 200},
    },
).run()
