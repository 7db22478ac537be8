"""The interleaving lab, a simulated search engine that compares learners with a fixed ranker."""

from dataclasses import replace

from datasets.parameters import Parameter
from learners.interleaving import HAND_TUNED, LINEAR_SAMPLE, METHODS, metrics
from learners.ranking.metrics import AFFIRMATIVENESS, AVERAGE_REGRET, NDCG
from pages.ui.families.interleaving.inspector import ComparisonInspector
from pages.ui.families.interleaving.pictures import PICTURES
from pages.ui.families.interleaving.scene import ComparisonScene
from pages.ui.form.links import choice_of
from pages.ui.lab.lab import Lab
from pages.ui.lab.tries import Try
from pages.ui.race.knob import Knob
from pages.ui.race.setup import REPLICATES, STEPS

LAB = Lab(
    id="interleaving",
    title="Interleaving",
    lead="Every other search **teaches** the learner; the rest compare it with a fixed ranker. Who gets the clicks?",
    family="ranking",
    speed="250",
    race=("perturbed-perceptron", "preference-perceptron"),
    datasets=("web-search", "digits-search", "news-topics", "function-search", "letor-file"),
    users=("scan", "noisy-grades", "cascade", "position-biased"),
    metrics=(*metrics.METRICS, AFFIRMATIVENESS, AVERAGE_REGRET, NDCG),
    pictures=PICTURES,
    shown=(metrics.WIN_SHARE, metrics.ADVANTAGE, metrics.TOP10_SHARED, AFFIRMATIVENESS, "verdicts"),
    inspector=ComparisonInspector,
    scene=ComparisonScene(),
    bounded=False,
    steps=replace(STEPS, default=2000),
    replicates=replace(REPLICATES, default=5),
    comparison=(
        ("Mixed by", choice_of(
            "method", METHODS[0], list(METHODS),
            "How two rankings are mixed into one list, by teams that pick in turn or by balanced prefixes.",
        )),
        ("Fixed ranker", choice_of(
            "fixed", LINEAR_SAMPLE, [LINEAR_SAMPLE, HAND_TUNED],
            "Against whom the learner competes. The ranker is fitted to some queries, or it has weights that a person "
            "chose. The search in documentation has such weights; other data have none.",
        )),
        ("Queries behind the fixed ranker", Parameter(
            "sample", "integer", 5, 2, 1000, step=5, when=("fixed", LINEAR_SAMPLE),
            help="Number of queries to which the fixed ranker is fitted by least squares. Fewer make it worse.",
        )),
        ("Start at the fixed ranker", Parameter(
            "warm_start", "flag", False,
            help="Begin with the weights of the fixed ranker, as the study of 2013 did, and not with 0. The learner "
            "then has nothing to catch up with, and everything to lose.",
        )),
    ),
    words={LINEAR_SAMPLE: "fitted to a few queries", HAND_TUNED: "tuned by hand"},
    knobs=(
        Knob("noise", "user", (0, 0.1, 0.2, 0.3, 0.4, 0.5)),
        Knob("sigma", "user", (0, 0.5, 1, 1.5, 2, 3)),
        Knob("swap_probability", "learner", (0, 0.1, 0.25, 0.5, 0.75, 1)),
    ),
    tries=(
        Try("Fit the fixed ranker to 200 queries. Does the learner still overtake it?", "sample", "200"),
        Try("Double the noise of the clicks. How much longer does it take to tell the rankers apart?", "noise", "0.4"),
        Try("Mix the two rankings in the balanced way. Does the verdict change?", "method", "balanced"),
    ),
)  # fmt: skip
