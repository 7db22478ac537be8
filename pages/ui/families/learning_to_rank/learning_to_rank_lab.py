"""The learning-to-rank lab, with graded queries and boosting round by round."""

from dataclasses import replace

from pages.ui.families.learning_to_rank.face import FACE
from pages.ui.families.learning_to_rank.pictures import WHICH
from pages.ui.glossary import says
from pages.ui.lab.lab import Lab
from pages.ui.lab.tries import Try
from pages.ui.race.knob import Knob
from pages.ui.race.world import REPLICATES, STEPS

LAB = Lab(
    id="learning-to-rank",
    title="Learning-to-rank lab",
    lead="Each **round** adds a weak ranker. How does NDCG on test queries rise?",
    family="learning-to-rank",
    race=("ndcg-boost", "adarank", "linear-regression-ranking", "pairwise-svm"),
    face=FACE,
    which=WHICH,
    regret="surrogate",
    thin="on the training queries",
    steps=replace(STEPS, default=50, low=1, high=1000, step=10, help="Rounds of boosting. The dissertation uses 100."),
    replicates=replace(
        REPLICATES,
        default=5,
        help=f"{says('replicate')} Each has its own split into training, validation and test queries, or the folds of "
        "a benchmark in turn.",
    ),
    speed="5",
    defaults={
        "web-search": {"relevance": "nonlinear", "queries": 300, "features": 5},
        "digits-search": {"topic": "3", "queries": 200},
    },
    knobs=(
        Knob("queries", "dataset", (50, 100, 200, 300, 500)),
        Knob("relevance_noise", "dataset", (0, 0.25, 0.5, 1, 2)),
    ),
    tries=(
        Try("Let relevance follow a straight line. Does boosting still come out ahead?", "relevance", "linear"),
        Try("Learn from fifty queries instead of 300. How far does NDCG fall?", "queries", "50"),
        Try("Draw the training queries too. How wide is the gap to the test queries?", "fold", "both"),
    ),
)
