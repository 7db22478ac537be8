"""The stability lab, in which ranking learners learn from the clicks of noisy users.

Side by side each runs on its own. From a log, learners only see clicks on the lists of another ranker. Interleaved, a
simulated search engine compares each with a fixed ranker.
"""

from dataclasses import replace

from datasets.parameters import Parameter
from learners.interleaving import HAND_TUNED, LINEAR_SAMPLE, METHODS
from learners.interleaving import metrics as compared
from learners.ranking import metrics
from pages.ui.families.ranking.face import COMPARED, FACE, LOGGED
from pages.ui.families.ranking.log_pictures import LEARNED, LEARNED_RANK, LEARNED_REGRET
from pages.ui.families.ranking.log_pictures import WHICH as LEARNED_OR_SHOWN
from pages.ui.families.ranking.pictures import WHICH
from pages.ui.form.links import choice_of
from pages.ui.lab.lab import OWN, Lab
from pages.ui.lab.tries import Try
from pages.ui.plain import Markdown
from pages.ui.race.knob import Knob
from pages.ui.race.world import REPLICATES, STEPS

SIDE_BY_SIDE = Lab(
    id="stability",
    title="Stability lab",
    lead="Learners learn from noisy clicks. Does the **best document** stay on top?",
    family="ranking",
    race=("preference-perceptron", "perturbed-perceptron"),
    face=FACE,
    which=WHICH,
    knobs=(
        Knob("noise", "user", (0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)),
        Knob("swap_probability", "learner", (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)),
        Knob("documents", "dataset", (4, 6, 8, 10, 12, 15, 20)),
    ),
    tries=(
        Try("Silence the noise. Does the preference perceptron still lose the best document?", "noise", "0"),
        Try(
            "Let 3PR swap only one pair in ten. Is that enough to keep the best document on top?",
            "swap_probability-2",
            "0.1",
        ),
        Try("Let 3PR choose its own swap probability. When does it swap, and when does it stop?", "dynamic-2", "true"),
    ),
)

FROM_LOG = replace(
    SIDE_BY_SIDE,
    lead=Markdown("Learn from clicks on **another ranker's lists**. As good as learning online?"),
    race=("logged-clicks", "logged-propensity", "logged-proximal", "perturbed-perceptron"),
    datasets=("graded-list", "toy-ranking"),
    users=("position-based", "position-biased", "cascade", "dependent-click", "dynamic-bayesian"),
    metrics=(LEARNED, LEARNED_RANK, LEARNED_REGRET),
    face=LOGGED,
    which=LEARNED_OR_SHOWN,
    thin="what was shown",
    bounded=False,
    knobs=(
        Knob("exponent", "user", (0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2), "How quickly attention fades"),
        Knob("disorder", "dataset", (0, 0.5, 1, 1.5, 2, 3, 5), "Disorder of the log's list"),
        Knob("reach", "learner", (1, 1.1, 1.2, 1.5, 2, 3, 5)),
    ),
    tries=(
        Try("Let IPS assume that all places are looked at alike (η = 0). What does it learn now?", "eta-2", "0"),
        Try(
            "Let IPS estimate attention from exchanged neighbours. How many clicks does that cost?", "propensities-2",
            "swaps",
        ),
        Try("Let PRPO move documents from the first click on. Is it still safe?", "patience-3", "0"),
    ),
)  # fmt: skip

INTERLEAVED = replace(
    SIDE_BY_SIDE,
    lead=Markdown("Every other search **teaches**; the rest compare with a fixed ranker."),
    speed="250",
    race=("perturbed-perceptron", "preference-perceptron"),
    datasets=("web-search", "digits-search", "news-topics", "function-search", "letor-file"),
    users=("scan", "noisy-grades", "cascade", "position-biased"),
    metrics=(*compared.METRICS, metrics.AFFIRMATIVENESS, metrics.AVERAGE_REGRET, metrics.NDCG),
    face=COMPARED,
    which=None,
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

LAB = replace(
    SIDE_BY_SIDE,
    modes={"log": FROM_LOG, "interleaved": INTERLEAVED},
    words={OWN: "Online", "log": "From a log", "interleaved": "Interleaved"},
)
