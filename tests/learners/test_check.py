"""The public checker: every learner passes it, and broken ones are told what is wrong."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from datasets.parameters import real
from learners import check_learner
from learners.catalogue import families, learner_classes
from learners.ranking.preference_perceptron import PreferencePerceptron


@pytest.mark.parametrize("id", sorted(learner_classes()))
def test_every_learner_keeps_what_learners_promise(id):
    if id in ("lambdarank", "rank-xendcg"):
        pytest.importorskip("lightgbm")
    check_learner(learner_classes()[id])


@dataclass(kw_only=True)
class Good(PreferencePerceptron):
    id = "my-learner"
    rate: float = real(1.0, 0, 10, help="How far a step goes.")


class InPlace(Good):
    """Hands out the array that it changes."""

    def reset(self, shape, replicates, rng):
        super().reset(shape, replicates, rng)
        self.mine = self.w

    @property
    def weights(self):
        return self.mine

    def update(self, context, shown, feedback):
        improved = feedback.ranking if feedback.ranking is not None else shown.ranking[:, ::-1]
        self.mine += context.feature_difference(improved, shown.ranking)
        return improved


class Replacing(InPlace):
    """Changes the weights by an operator that reads a copy and writes it back."""

    @property
    def weights(self):
        return self.w

    def update(self, context, shown, feedback):
        improved = feedback.ranking if feedback.ranking is not None else shown.ranking[:, ::-1]
        self.w += context.feature_difference(improved, shown.ranking)
        return improved


class Shared(Good):
    memory_of_all: ClassVar = [0.0]

    def update(self, context, shown, feedback):
        self.memory_of_all[0] += 1.0
        improved = super().update(context, shown, feedback)
        self.w = self.w + self.memory_of_all[0]
        return improved


@dataclass(kw_only=True)
class Unhelpful(Good):
    extra: float = real(1.0, 0, 10)


class Unbounded(Good):
    @property
    def bounds(self):
        return ("theorem-99",)


class Unlined(Good):
    lines = ()


class Infinite(Good):
    def update(self, context, shown, feedback):
        self.w = np.full(self.w.shape, np.inf)
        return shown.ranking


class Stranger(Good):
    family = "nobody"


def test_a_learner_of_ones_own_passes_without_being_in_the_catalogue():
    check_learner(Good)
    check_learner(Good, feedback="swap")
    check_learner(Replacing)


@pytest.mark.parametrize(
    ("cls", "sentence"),
    [
        (InPlace, "changes its weights in place"),
        (Shared, "depends on how steps are cut"),
        (Unhelpful, "extra of my-learner needs a help text"),
        (Unbounded, "names unknown bounds: theorem-99"),
        (Unlined, "needs the lines of its algorithm"),
        (Infinite, "the weights of my-learner are no longer finite numbers at step 1;"),
        (Stranger, "unknown family 'nobody'; known are: ranking"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_a_broken_learner_is_told(cls, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_learner(cls)


@pytest.mark.parametrize("family", families().values(), ids=lambda family: family.id)
def test_every_family_declares_what_it_measures_once(family):
    assert len(family.by_id) == len(family.metrics)
    for metric in family.metrics:
        assert metric.title and metric.help.endswith((".", "")) and metric.better in ("", "lower", "higher")
        assert all(bound.id in family.by_id for bound in metric.bounds)
        assert metric.companion is None or family.by_id[metric.companion.id] is metric.companion
