"""The family of the classification learners, for multiclass learning with bandit feedback."""

import numpy as np

from datasets.classification import ClassificationData
from datasets.spec import Spec
from learners.base import Shape
from learners.classification.base import ClassificationLearner
from learners.classification.environment import ClassificationEnvironment
from learners.classification.metrics import ACCURACY, ACCURACY_GREEDY, EXPLORED, METRICS, WEIGHT_CHANGE
from learners.event import NOTHING, Event, Found, Track, largest_move
from learners.family import Budget, Family, held_of_examples
from learners.what_if import no_more_exploration


def _first_guess(track: Track) -> Found:
    steps = np.arange(1, track.steps + 1)
    explored = np.diff(np.rint(track[EXPLORED] * steps), prepend=0.0) > 0  # from the share of the steps so far
    paid = np.flatnonzero(explored & (track[ACCURACY] == 1) & (track[ACCURACY_GREEDY] == 0))
    if not len(paid):
        return NOTHING
    guesses = int(explored[: paid[0] + 1].sum())
    text = f"random guess number {guesses:,} is right; the predicted label was wrong"
    return Found(paid[:1] + 1, [text].__getitem__)


EVENTS = (
    Event(
        "first-right-guess", "First right guess by exploration", "star",
        "The first step in which a label drawn at random is right and the predicted one would have been wrong. From it "
        "a learner hears of a class what its own answers would not have told.",
        (EXPLORED, ACCURACY, ACCURACY_GREEDY), _first_guess,
    ),
    largest_move(WEIGHT_CHANGE),
)  # fmt: skip

FAMILY = Family(
    "classification", "Classification", 2, ClassificationLearner, ClassificationData, ClassificationEnvironment,
    METRICS, Shape.of_examples, held_of_examples,
    smallest=Spec("separable-points").given({"examples": 100}),
    forms=(Spec("synsep").given({"examples": 100}),),
    budget=Budget(steps=50_000_000),
    events=EVENTS,
    what_if=(
        no_more_exploration(
            "What if it did not explore from here on?",
            "The same run, in which the learner always plays its prediction from this step on (with a γ of 10⁻⁹).",
        ),
    ),
    page="bandit", lab="bandit lab", icon=":material/casino:",
    shows="one label",
    in_place=True,
    symbols=r"$x_t$ example · $y_t$ its true label · $\hat y_t$ label predicted · $\tilde y_t$ label played · $W$ "
            r"weights, a row for each class · $K$ number of classes · $\gamma$ exploration rate · $P$ probabilities of "
            r"playing the labels · the first label wins ties",
    rivals=("perceptron", "banditron"),
    learners=(
        "perceptron", "banditron", "banditron-positive", "exponentiated-gradient", "potential", "adaptive-banditron",
        "banditron-winnow", "banditron-margin", "banditron-labels", "halving", "soba", "gaptron", "gappletron",
        "epsilon-greedy", "inverse-gap", "confidit", "newtron",
    ),
    datasets=(
        "digits", "synsep", "synnonsep", "separable-points", "classification-file", "openml", "reuters4", "newsgroups",
    ),
)  # fmt: skip
