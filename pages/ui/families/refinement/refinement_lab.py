"""The relevance-feedback lab, in which learners refine a base ranker by a few judgements."""

from dataclasses import replace

from pages.ui.families.refinement.face import FACE
from pages.ui.families.refinement.judging import ask
from pages.ui.glossary import says
from pages.ui.lab.lab import Lab
from pages.ui.lab.tries import Try
from pages.ui.race.knob import Knob
from pages.ui.race.world import REPLICATES, STEPS

LAB = Lab(
    id="refinement",
    title="Relevance-feedback lab",
    lead="A judge grades the first documents. Do the **unjudged documents** gain?",
    family="refinement",
    race=("ranking-refinement", "rocchio", "feedback-svm", "judged-first"),
    face=FACE,
    question=ask,
    regret="objective",
    steps=replace(STEPS, default=50, low=1, high=1000, step=10, help="Rounds of boosting. The dissertation uses 50."),
    replicates=replace(
        REPLICATES, default=20, help=f"{says('replicate')} Each has its own query unless you choose one."
    ),
    speed="10",
    defaults={
        "web-search": {"queries": 100, "documents": 60, "features": 20},
        "digits-search": {"topic": "3", "documents": 50, "queries": 200},
    },
    knobs=(
        Knob("judged", "user", (2, 5, 10, 15, 20, 30), "Documents judged"),
        Knob("noise", "user", (0, 0.1, 0.2, 0.3, 0.4, 0.5), "Noise of the judge"),
    ),
    tries=(
        Try("Judge five documents instead of twenty. Who still learns something?", "judged", "5"),
        Try("Start from the worst base ranker. Is there more to gain?", "base", "worst"),
        Try("Let the judge guess on one document in five. How much of the gain is left?", "noise", "0.2"),
    ),
)
