"""The public checker: every learner passes it, and broken ones are told what is wrong. All classes are declared."""

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from datasets import load
from datasets.check import check_declared
from datasets.parameters import real
from learners import Simulation, catalogue, check_learner, create
from learners.base import PHASES
from learners.catalogue import families, learner_classes, user_classes, works
from learners.ranking.preference_perceptron import PreferencePerceptron
from tests.cases import cases

IDS = sorted(learner_classes())
LIGHTGBM = ("lambdarank", "rank-xendcg")  # need it, and so would an example
TOLD = {"label": "the true label", "labels": "all labels that are right", "optimal": "the best ranking, from an expert"}
HEARS = {
    "ranking": {"user", "optimal", "nothing", "ranking"},
    "classification": {"right", "label"},
    "multilabel": {"shown", "labels", "nothing"},
}


@pytest.mark.parametrize("id", IDS)
def test_every_learner_keeps_what_learners_promise(id):
    if id in LIGHTGBM:
        pytest.importorskip("lightgbm")
    check_learner(learner_classes()[id])


@cases("id", IDS)
def test_a_reset_repeats_the_run_and_another_seed_is_another_run(id):
    """Also behind a block of 64 steps."""
    if id in LIGHTGBM:
        pytest.importorskip("lightgbm")
    family = families()[learner_classes()[id].family]
    spec, steps = family.smallest, 6 if family.rounds else 80
    sim, other = (Simulation(id, load(spec.id, **spec.values), replicates=2, seed=seed) for seed in (5, 6))
    sim.advance(steps)
    other.advance(steps)
    first = {metric: values.copy() for metric, values in sim.history.items()}
    alike = all(np.array_equal(first[metric], other.history[metric], equal_nan=True) for metric in first)
    assert not alike or id == "structured-perceptron"  # which is told the best order of the only query
    sim.reset()
    assert sim.t == 0 and len(sim.history) == 0 and sim.last is None
    sim.advance(steps)
    np.testing.assert_equal(dict(sim.history), first)


# ---- what is declared --------------------------------------------------------------------------------


def test_what_the_papers_are_about_is_there():
    wanted = {
        "ranking": {"preference-perceptron", "averaged-perceptron", "perturbed-perceptron", "structured-perceptron",
                    "random-ranking"},
        "multilabel": {"multilabel-ucb", "never-play", "online-binary-relevance", "random-labels", "set-thompson",
                       "set-ucb", "structured-bandit"},
        "semi-supervised": {"adaboost", "assemble", "mcssb"},
        "learning-to-rank": {"adarank", "ndcg-boost", "linear-regression-ranking"},
        "refinement": {"ranking-refinement", "rocchio", "base-ranker", "judged-first"},
    }  # fmt: skip
    for family, ids in wanted.items():
        found = [info.id for info in catalogue() if info.family == family]
        assert ids <= set(found) and sorted(found) == found
    assert {"cascade", "scan", "noisy-grades", "strict-alpha", "expert", "judge"} <= set(user_classes())


@cases("id", IDS)
def test_what_a_learner_declares(id):
    cls, info = learner_classes()[id], next(info for info in catalogue() if info.id == id)
    place = families()[cls.family].learner.__module__.removesuffix("base")
    assert cls.__module__.startswith(place) and cls.__module__.endswith(f".{id.replace('-', '_')}")
    assert cls.__doc__ and not cls.__doc__.startswith(cls.__name__ + "(")  # written, not made by dataclass
    assert ">>>" in cls.__doc__ or id in LIGHTGBM
    assert info.title and info.summary.endswith(".") and info.feedback and info.section and info.paper in works()
    assert ".boosting." not in place or cls.paper == "V" or cls.paper in cls.works  # after the dissertation
    told = getattr(cls, "hears", "")  # who is told what a bandit is not says so
    assert cls.needs == TOLD[told] if told in TOLD else cls.needs not in TOLD.values()
    assert cls.family not in HEARS or cls.hears in HEARS[cls.family]
    for parameter in cls.parameters():
        assert parameter.help.endswith(".")
        if parameter.when is not None:
            other, value = parameter.when
            assert cls.parameter(other).check(value) == value
    assert type(create(id)) is cls
    source = cls.source_code()
    assert source.startswith('"""') and f"class {cls.__name__}" in source


@cases("id", IDS)
def test_lines_have_phases_and_formulas(id):
    cls = learner_classes()[id]
    assert cls.lines and ("Algorithm" not in cls.section or sum("$" in line.text for line in cls.lines) >= 3)
    phases = [PHASES.index(line.phase) for line in cls.lines]
    assert phases == sorted(phases) or id == "set-thompson" or id.startswith("logged-")
    assert len({line.text for line in cls.lines}) == len(cls.lines)
    for line in cls.lines:
        assert line.text and line.text.count("$") % 2 == 0
        for formula in re.findall(r"\$(.*?)\$", line.text):
            plain = formula.replace(r"\{", "").replace(r"\}", "")
            assert formula.strip() and plain.count("{") == plain.count("}")
            assert len(re.findall(r"\\left\b", formula)) == len(re.findall(r"\\right\b", formula))
        assert not re.search(r"[\t\a\b\f\r\v]", line.text), "a backslash was taken for a control character"


@cases("id", sorted(user_classes()))
def test_what_a_user_declares(id):
    cls = user_classes()[id]
    check_declared(cls)
    ranks = cls.family == "ranking"
    place = f"learners.ranking.users.{id.replace('-', '_')}" if ranks else "learners.boosting.refinement.judges."
    assert cls.__module__.startswith(place)
    assert cls.__doc__ and not cls.__doc__.startswith(cls.__name__ + "(")
    assert cls.paper in works() and cls.section.startswith("§")
    assert all(p.help.endswith(".") for p in cls.parameters())
    assert cls.gives in ("clicks", "ranking") if ranks else cls.paper == "V"


# ---- learners of one's own, good and broken -----------------------------------------------------------


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


@cases(
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


@cases("family", families().values())
def test_every_family_declares_what_it_measures_once(family):
    assert len(family.by_id) == len(family.metrics)
    for metric in family.metrics:
        assert metric.title and metric.help.endswith((".", "")) and metric.better in ("", "lower", "higher")
        assert all(bound.id in family.by_id for bound in metric.bounds)
        assert metric.companion is None or family.by_id[metric.companion.id] is metric.companion
