"""The plan of a sweep: how a grid is cut into batches, how large they are, and what is refused."""

import pickle
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import datasets
from datasets import load
from learners import Simulation, catalogue, sweep
from learners.catalogue import families, learner_classes
from learners.sweep import MOST_RUNS, estimate, gather, plan, run
from learners.sweep.plan import BYTES, LINE, PLANE
from tests.cases import cases
from tests.learners.sweep.setups import SEARCH, SETUP

BATCH = ("semi-supervised", "learning-to-rank", "refinement")  # the families that learn in rounds
IDS = sorted(id for id, cls in learner_classes().items() if cls.family in BATCH)


def family_of(id):
    return learner_classes()[id].family


def small(family):
    spec = families()[family].smallest
    return load(spec.id, **spec.values)


def test_a_line_of_values_is_one_batch_and_a_plane_is_several():
    line = plan(SETUP, {"swap_probability": np.linspace(0, 1, 15)}, replicates=10)
    assert [batch.runs for batch in line] == [150]
    plane = plan(SETUP, {"swap_probability": np.linspace(0, 1, 5), "noise": np.linspace(0, 1, 5)}, replicates=10)
    assert sum(batch.runs for batch in plane) == 250 and max(batch.runs for batch in plane) <= PLANE
    assert sorted(place for batch in plane for place in batch.places) == list(range(25))
    long = plan(SETUP, {"swap_probability": np.linspace(0, 1, 50)}, replicates=10)
    assert max(batch.runs for batch in long) <= LINE
    many = plan(SETUP, {"swap_probability": [0.1, 0.5]}, replicates=500)
    assert [batch.runs for batch in many] == [500, 500], "the replicates of a point stay together"


def test_a_batch_has_bounded_memory():
    setup = {"learner": "banditron", "dataset": datasets.create("synnonsep", examples=2_000_000)}
    gammas = np.linspace(0.01, 1, 20)
    assert len(plan(setup | {"dataset": "synnonsep"}, {"gamma": gammas}, replicates=10)) == 1
    assert len(plan(setup, {"gamma": gammas}, replicates=10)) > 3, "the data order of a replicate takes 16 MB"
    with pytest.raises(ValueError, match=r"1,000 replicates of banditron on synnonsep need 16.0 GB of memory at once"):
        plan(setup, {"gamma": [0.5]}, replicates=1000)


def test_a_batch_is_a_small_description():
    setup = {"learner": "banditron", "dataset": datasets.create("synnonsep", examples=2_000_000)}
    batches = plan(setup, {"gamma": [0.1, 0.2]})
    packed = pickle.dumps(batches)
    assert len(packed) < 2000 and pickle.loads(packed) == batches


@cases("family", BATCH)
def test_a_batch_is_a_small_description_that_gives_the_same_table_in_any_order(family):
    id = {"semi-supervised": "adaboost", "learning-to-rank": "ndcg-boost", "refinement": "ranking-refinement"}[family]
    name, values = {"semi-supervised": ("labelled", [0.05, 0.5])}.get(family, ("relevance_noise", [0.0, 1.0]))
    setup = {"learner": id, "dataset": datasets.create("moons") if family == "semi-supervised" else SEARCH}
    batches = plan(setup, {name: values}, replicates=2, steps=3)
    assert len(batches) == 2 and pickle.loads(pickle.dumps(batches)) == batches and len(pickle.dumps(batches)) < 2000
    parts = [part for batch in reversed(batches) for part in run([batch])]
    pd.testing.assert_frame_equal(gather(parts), gather(run(batches)), check_exact=True)


@cases("family", BATCH)
def test_the_smallest_data_are_small(family):
    data = small(family)
    sim = Simulation(next(id for id in IDS if family_of(id) == family), data, replicates=2)
    rows = max(len(problem.features) for problem in sim.environment.problems)
    assert rows <= 60 and data.dimension <= 3


def test_a_batch_of_boosting_has_bounded_memory():
    """The more rows a problem has, the fewer points stand side by side; far too much is refused in words."""
    values = {"depth": list(range(1, 11))}
    rounds = [
        len(plan({"learner": "adaboost", "dataset": datasets.create("blobs", examples=n)}, values, replicates=20))
        for n in (1000, 10_000, 50_000)
    ]
    assert rounds == sorted(rounds) and rounds[-1] > rounds[0] and rounds[-1] <= 10
    for learner in ("ndcg-boost", "ranking-refinement"):
        big = datasets.create("web-search", queries=28_000, documents=200, features=700, precision="single")
        parameter = {"ndcg-boost": ("relevance_noise", 0.5), "ranking-refinement": ("eta", 0.5)}[learner]
        setup = {"learner": learner, "dataset": big}
        if learner == "ndcg-boost":  # trains on whole queries
            with pytest.raises(ValueError, match=r"10 replicates of ndcg-boost on web-search need .* GB of memory"):
                plan(setup, {parameter[0]: [parameter[1]]}, replicates=10)
        else:  # on one query
            assert len(plan(setup, {parameter[0]: [parameter[1], 0.6]}, replicates=10)) == 1
    assert BYTES == 500_000_000


def test_every_family_has_its_smallest_data():
    assert set(families()) == {info.family for info in catalogue()}


# ---- errors --------------------------------------------------------------------------------------------

LEARN = {"learner": "banditron", "dataset": "digits"}
MOONS = {"learner": "mcssb", "dataset": "moons"}
REFINE = {"learner": "ranking-refinement", "dataset": SEARCH}


@cases(
    ("setup", "over", "more", "words"),
    [
        (SETUP, {"gama": [1]}, {}, "neither learner, user nor data set has a parameter 'gama'; they have: "
                                   "feedback|swap"),
        (LEARN, {"gama": [1]}, {}, "neither learner nor data set has a parameter 'gama'; they have: gamma"),
        (SETUP, {"swap_probability": [0.5, 1.5]}, {}, r"swap_probability must be in \[0, 1\], got 1.5"),
        (SETUP, {"swap_probability": ["half"]}, {}, r"swap_probability must be in \[0, 1\], got half"),
        (SETUP, {"swap_probability": [[0.1, 0.2]]}, {}, r"swap_probability must be in \[0, 1\], got"),
        (SETUP, {"swap_probability": []}, {}, "swap_probability needs at least one value"),
        (SETUP, {"swap_probability": [0.1, 0.1]}, {}, "swap_probability has the value 0.1 twice"),
        (SETUP, {"swap_probability": 0.1}, {}, "the values of swap_probability must be a list, got 0.1"),
        (SETUP, {"swap_probability": "0.1"}, {}, "the values of swap_probability must be a list, got 0.1"),
        (SETUP, {"documents": [5.5]}, {}, "documents must be a whole number"),
        (SETUP, {}, {}, "over must name at least one parameter"),
        (SETUP, {"noise": [0.1, 0.2]}, {"replicates": MOST_RUNS}, "at most 10,000 runs, got 2 points × 10,000 repl"),
        (SETUP, {"noise": [0.1]}, {"steps": 0}, "steps must be a whole number of at least 1 and at most 10,000,000"),
        (SETUP, {"noise": [0.1]}, {"steps": 10**8}, "steps must be .* got 100000000"),
        (SETUP, {"noise": [0.1]}, {"replicates": 1.5}, "replicates must be a whole number"),
        (SETUP, {"noise": [0.1]}, {"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        (SETUP, {"noise": [0.1]}, {"metrics": ["nonsense"]}, "there is no metric 'nonsense'; perturbed-perceptron "
                                                             "has:"),
        (SETUP, {"noise": [0.1]}, {"metrics": []}, "metrics must name at least one"),
        (SETUP, {"noise": [0.1]}, {"workers": 0}, "workers must be a whole number of at least 1 and at most 1,000"),
        (SETUP, {"noise": [0.1]}, {"scheduler": "somewhere"}, "scheduler must be an address such as tcp://"),
        (SETUP | {"dataset": "digits"}, {"noise": [0.1]}, {}, "perturbed-perceptron needs a ranking data set, got "
                                                              "digits"),
        (LEARN | {"user": "cascade"}, {"gamma": [0.1]}, {}, "banditron has no simulated user"),
        ({"learner": "banditron"}, {"gamma": [0.1]}, {}, "setup must name a dataset, got learner"),
        (SETUP | {"learner": "x"}, {"noise": [0.1]}, {}, "there is no learner 'x'"),
        (MOONS, {"gamma": [1]}, {}, "neither learner nor data set has a parameter 'gamma'"),
        (MOONS, {"depth": [1.5]}, {}, "depth must be a whole number"),
        (MOONS, {"labelled": [0.0]}, {}, r"labelled must be in \[0.001, 1\], got 0.0"),
        (MOONS | {"dataset": "web-search"}, {"C": [1.0]}, {}, "mcssb needs a classification data set, got web-s"),
        (MOONS | {"learner": "ndcg-boost"}, {"data_seed": [1]}, {}, "ndcg-boost needs a ranking data set, got moo"),
        (MOONS | {"user": "judge"}, {"C": [1.0]}, {}, "mcssb has no simulated user"),
        (REFINE | {"user": "cascade"}, {"eta": [0.5]}, {}, "needs a refinement user"),
        (REFINE, {"judged": [0]}, {}, "judged must be a whole number"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_refused_in_words(setup, over, more, words):
    with pytest.raises(ValueError, match=words):
        sweep(setup, over, **{"replicates": 1, "steps": 1, **more})


def test_an_error_in_a_worker_process_reads_the_same():
    with pytest.raises(ValueError, match="there is no metric 'nonsense'"):
        sweep(SETUP, {"documents": [5, 9]}, replicates=1, steps=1, metrics=["nonsense"], workers=2)


def test_data_without_features_can_be_estimated(monkeypatch):
    """As those of a family of bandits without examples: all that is asked of them is their bytes."""
    (batch,) = plan({"learner": "banditron", "dataset": "digits"}, {"gamma": [0.1]}, replicates=3)
    family = replace(families()["classification"], held=lambda learner, size, params: 100)
    monkeypatch.setattr(estimate, "families", lambda: {"classification": family})
    monkeypatch.setattr(datasets.classes()["digits"], "size", lambda data: SimpleNamespace(bytes=1000))
    assert estimate.needed(batch) > 3 * 100 + 1000
