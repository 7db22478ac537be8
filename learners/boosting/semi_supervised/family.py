"""The family of the semi-supervised learners, which learn from few labels by boosting."""

import math
from collections.abc import Mapping
from typing import Any

from datasets.base import ExampleSize
from datasets.classification import ClassificationData, ClassificationDataset
from datasets.spec import Spec
from learners.base import Learner, Shape
from learners.boosting.events import STOPPED, first_perfect
from learners.boosting.semi_supervised.base import SemiSupervisedLearner
from learners.boosting.semi_supervised.environment import SemiSupervisedEnvironment
from learners.boosting.semi_supervised.metrics import ACCURACY_TEST, ACCURACY_TRAIN, METRICS
from learners.event import largest_drop
from learners.family import Budget, Family, StepWork


def shape(data: ClassificationData) -> Shape:
    """Return what a learner may know about the data."""
    return Shape(data.dimension, classes=data.classes, examples=data.training_rows)


def work(data: ClassificationData) -> StepWork:
    """Return the number of pairs of training examples, whose similarities a round sums."""
    pairs = data.training_rows**2
    return StepWork(pairs, f"{pairs:,} pairs of examples", "pairs", "training share")


def held(learner: Learner, size: ExampleSize, params: Mapping[str, Any]) -> int:
    """Return the bytes of a replicate: its training rows, and the sum of the votes for every row."""
    trained: int = math.ceil(
        size.examples * params.get("training", ClassificationDataset.parameter("training").default)
    )
    memory: int = learner.memory(Shape(size.features, classes=size.classes, examples=trained), 1)
    votes: int = trained * size.features + size.examples * (size.classes + 8)
    return memory + 8 * votes


FAMILY = Family(
    "semi-supervised", "Semi-supervised", 4, SemiSupervisedLearner, ClassificationData, SemiSupervisedEnvironment,
    METRICS, shape, held,
    smallest=Spec("moons").given({"examples": 100}),
    budget=Budget(steps=20_000, sweep=200_000, megabytes=1000, work=work, most_work=150_000_000, step=5.0),
    events=(
        STOPPED, first_perfect(ACCURACY_TRAIN, "labelled examples"),
        largest_drop(ACCURACY_TEST, "the accuracy on test examples"),
    ),
    page="semi_supervised", lab="semi-supervised lab", icon=":material/scatter_plot:",
    shows="a label for each example",
    symbols=r"$x_i$ example · $y_i$ its label, known for $N_l$ of $N$ examples · $h_t$ weak classifier of round $t$ · "
            r"$\alpha_t$ its weight in the vote · $H$ sum of the votes · $S_{ij}$ similarity of two examples · $b_i^k$ "
            r"probability of class $k$ by the votes so far",
    rivals=("single-tree", "mcssb"),
    learners=(
        "mcssb", "assemble", "adaboost", "single-tree", "nearest-neighbour", "label-spreading", "self-training",
        "poisson-learning", "pseudo-labels",
    ),
    datasets=(
        "moons", "rings", "blobs", "digits", "wine", "breast-cancer", "separable-points", "classification-file",
        "openml",
    ),
    data_family="classification", rounds=50,
)  # fmt: skip
