"""The family of the multilabel learners, which learn ranked sets of labels from partial feedback."""

from datasets.multilabel import MultilabelData
from datasets.spec import Spec
from learners.base import Shape
from learners.family import Budget, Family, held_of_examples
from learners.multilabel.base import MultilabelLearner
from learners.multilabel.environment import MultilabelEnvironment
from learners.multilabel.events import EVENTS
from learners.multilabel.metrics import METRICS
from learners.what_if import no_more_exploration

FAMILY = Family(
    "multilabel", "Multilabel", 3, MultilabelLearner, MultilabelData, MultilabelEnvironment, METRICS,
    Shape.of_examples, held_of_examples,
    smallest=Spec("multilabel-synthetic").given({"labels": 4, "features": 4, "examples": 100}),
    budget=Budget(steps=5_000_000),
    events=EVENTS,
    what_if=(
        no_more_exploration(
            "What if it did not explore from here on?",
            "The same run, in which the learner no longer tries labels only because it knows little about them.",
        ),
    ),
    page="multilabel", lab="multilabel lab", icon=":material/label:",
    shows="a set of labels",
    in_place=True,
    symbols=r"$x_t$ example, $\|x_t\| = 1$ · $Y_t$ its true labels · $\hat Y_t$ the ordered set shown · $w_i$ weights "
            r"of label $i$ · $A_i$ its matrix · $\hat\Delta_i$ its margin · $\epsilon_i$ width of its confidence · "
            r"$\hat p_i$ its upper confidence · $b_i$ sum of its answers $s_i x_t$ · $\tilde w_i$, $\tilde p_i$ its "
            r"weights and probability as drawn",
    rivals=("online-binary-relevance", "random-labels"),
    learners=(
        "multilabel-ucb", "set-ucb", "set-thompson", "structured-bandit", "online-binary-relevance", "random-labels",
        "never-play",
    ),
    datasets=("multilabel-synthetic", "multilabel-file"),
)  # fmt: skip
