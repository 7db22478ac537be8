"""Sweeps over the learners that boost: each value gets the numbers of a simulation of its own, however it is batched."""

import pickle

import numpy as np
import pandas as pd
import pytest

import datasets
from datasets import load
from learners import Simulation, catalogue, create, create_user, sweep
from learners.catalogue import families, learner_classes, user_classes
from learners.sweep import gather, plan, run
from learners.sweep.plan import BYTES
from learners.sweep.points import Points

BATCH = ("semi-supervised", "learning-to-rank", "refinement")
IDS = sorted(id for id, cls in learner_classes().items() if cls.family in BATCH)
JUDGES = sorted(id for id, cls in user_classes().items() if cls.family == "refinement")
SEARCH = datasets.create("web-search", queries=15, documents=12, features=4)


def family_of(id):
    return learner_classes()[id].family


def small(family):
    name, params = families()[family].smallest
    return load(name, **params)


def optional(id):
    if id == "lambdarank":
        pytest.importorskip("lightgbm", reason="needs LightGBM, which is optional")


def alone(setup, who, name, value, replicates, seed, steps):
    """The simulation of one value."""
    learner, data = setup["learner"], setup["dataset"]
    data = datasets.create(data) if isinstance(data, str) else data
    learner = create(learner, **({name: value} if who == "learner" else {})) if isinstance(learner, str) else learner
    if isinstance(data, datasets.Dataset):
        data = load(data.id, **{**data.params, **({name: value} if who == "dataset" else {})})
    user = families()[learner.family].user
    if user is not None:
        user = create_user(setup.get("user") or user, **({name: value} if who == "user" else {}))
    sim = Simulation(learner, data, user, replicates=replicates, seed=seed, recorded=2000)
    sim.advance(steps=steps)
    return sim


def check(setup, over, who, replicates=3, seed=0, steps=5):
    """Each value's part of the table against a simulation of its own; the table."""
    (name, values), *rest = over.items()
    assert not rest
    table = sweep(setup, over, replicates=replicates, seed=seed, steps=steps)
    for value in values:
        sim, of = alone(setup, who, name, value, replicates, seed, steps), table[table[name] == value]
        assert set(of.metric) == set(sim.history)
        for metric in sim.history:
            got = of[of.metric == metric]
            assert got.replicate.tolist() == list(range(replicates))
            np.testing.assert_allclose(
                got.value, sim.history.final(metric), rtol=1e-9, atol=1e-12, err_msg=f"{name} = {value}: {metric}"
            )
    return table


SWEEPS = {
    "C": ({"learner": "mcssb", "dataset": "moons"}, {"C": [1.0, 100.0, 1e4]}, "learner", "accuracy-test", 1),
    "depth": ({"learner": "mcssb", "dataset": "moons"}, {"depth": [1, 2, 5]}, "learner", "objective", 1),
    "similarity": ({"learner": "mcssb", "dataset": "moons"}, {"similarity": ["gaussian", "uniform"]}, "learner",
                   "accuracy-test", 2),
    "labelled": ({"learner": "mcssb", "dataset": "moons"}, {"labelled": [0.02, 0.05, 0.5]}, "dataset",
                 "accuracy-test", 3),
    "training": ({"learner": "adaboost", "dataset": "wine"}, {"training": [0.2, 0.6]}, "dataset", "accuracy-test", 2),
    "queries": ({"learner": "ndcg-boost", "dataset": SEARCH}, {"queries": [15, 20]}, "dataset", "ndcg@10", 2),
    "relevance_noise": ({"learner": "ndcg-boost", "dataset": SEARCH}, {"relevance_noise": [0.0, 1.0]}, "dataset",
                        "surrogate", 2),
    "eta": ({"learner": "ranking-refinement", "dataset": SEARCH}, {"eta": [0.1, 0.5, 0.9]}, "learner", "objective", 1),
    "combine": ({"learner": "ranking-refinement", "dataset": SEARCH}, {"combine": ["product", "sum"]}, "learner",
                "objective", 2),
    "judged": ({"learner": "ranking-refinement", "dataset": SEARCH}, {"judged": [3, 6, 10]}, "user", "ndcg@10", None),
}  # fmt: skip


@pytest.mark.parametrize("which", SWEEPS)
def test_each_value_has_the_numbers_of_a_simulation_of_its_own(which):
    """Numbers of the learner stand side by side in one batch, words and the data's parameters in one each."""
    setup, over, who, metric, batches = SWEEPS[which]
    table = check(setup, over, who)
    found = [of.value.tolist() for _, of in table[table.metric == metric].groupby(which)]
    assert len(found) == len(over[which]) and any(values != found[0] for values in found), "the parameter counts"
    if batches is not None:
        assert len(plan(setup, over, replicates=3)) == batches


@pytest.mark.parametrize("id", IDS)
def test_every_number_of_every_learner_can_be_swept(id):
    optional(id)
    data = small(family_of(id))
    for parameter in (p for p in learner_classes()[id].parameters() if p.kind in ("real", "integer")):
        values = [parameter.default, parameter.check(min(parameter.default + 1, parameter.high))]
        setup = {"learner": id, "dataset": data}
        check(setup, {parameter.name: values}, "learner", replicates=2, steps=3)
        assert len(plan(setup, {parameter.name: values}, replicates=2)) == 1, "they fit on the replicate axis"


@pytest.mark.parametrize("id", JUDGES)
def test_every_number_of_every_judge_can_be_swept(id):
    for parameter in (p for p in user_classes()[id].parameters() if p.kind in ("real", "integer")):
        values = [parameter.default, parameter.check(min(parameter.default + 1, parameter.high))]
        setup = {"learner": "ranking-refinement", "dataset": small("refinement"), "user": id}
        check(setup, {parameter.name: values}, "user", replicates=2, steps=3)


@pytest.mark.parametrize("id", IDS)
def test_points_meet_the_same_problems(id):
    """With equal parameters all points have equal problems and numbers, those of a simulation alone."""
    optional(id)
    data, user = small(family_of(id)), families()[family_of(id)].user
    one = Simulation(id, data, user, replicates=2, seed=5, recorded=2000)
    points = Points(create(id), data, create_user(user) if user else None, points=3, replicates=2, seed=5)
    for i, problem in enumerate(points.environment.problems):
        for name, value in vars(one.environment.problems[i % 2]).items():
            np.testing.assert_array_equal(getattr(problem, name), value, err_msg=name)
    one.advance(steps=5)
    points.advance(steps=5)
    for metric in one.history:
        wanted = np.tile(one.history[metric], (1, 3))
        np.testing.assert_allclose(points.history[metric], wanted, rtol=1e-9, atol=1e-12, err_msg=metric)


def test_queries_of_several_tasks_and_folds_are_dealt_out_anew_at_each_point():
    digits = load("digits-search", documents=10, queries=30)
    parts = np.array_split(np.arange(30), 5)
    folds = tuple((np.concatenate([parts[i], parts[i - 1]]), parts[i - 2], parts[i - 3]) for i in range(5))
    object.__setattr__(digits, "folds", folds)
    points = Points(create("linear-regression-ranking"), digits, None, points=2, replicates=3, seed=0)
    problems = points.environment.problems
    for r in range(3):
        np.testing.assert_array_equal(problems[r].grades, problems[3 + r].grades)
        assert len(problems[r].grades) == 120
    assert (problems[0].grades != problems[1].grades).any()


# ---- the plan ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", BATCH)
def test_a_batch_is_a_small_description_that_gives_the_same_table_in_any_order(family):
    id = {"semi-supervised": "adaboost", "learning-to-rank": "ndcg-boost", "refinement": "ranking-refinement"}[family]
    name, values = {"semi-supervised": ("labelled", [0.05, 0.5])}.get(family, ("relevance_noise", [0.0, 1.0]))
    setup = {"learner": id, "dataset": datasets.create("moons") if family == "semi-supervised" else SEARCH}
    batches = plan(setup, {name: values}, replicates=2, steps=3)
    assert len(batches) == 2 and pickle.loads(pickle.dumps(batches)) == batches and len(pickle.dumps(batches)) < 2000
    parts = [part for batch in reversed(batches) for part in run([batch])]
    pd.testing.assert_frame_equal(gather(parts), gather(run(batches)), check_exact=True)


@pytest.mark.parametrize("family", BATCH)
def test_the_smallest_data_are_small(family):
    data = small(family)
    sim = Simulation(next(id for id in IDS if family_of(id) == family), data, replicates=2)
    rows = max(len(problem.features) for problem in sim.environment.problems)
    assert rows <= 60 and data.dimension <= 3


def test_a_batch_has_bounded_memory():
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


# ---- errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "over", "words"),
    [
        ({"learner": "mcssb", "dataset": "moons"}, {"gamma": [1]}, "neither learner nor data set has a parameter 'gamma'"),
        ({"learner": "mcssb", "dataset": "moons"}, {"depth": [1.5]}, "depth must be a whole number"),
        ({"learner": "mcssb", "dataset": "moons"}, {"labelled": [0.0]}, r"labelled must be in \(0, 1\], got 0.0"),
        ({"learner": "mcssb", "dataset": "web-search"}, {"C": [1.0]}, "mcssb needs a classification data set, got web-s"),
        ({"learner": "ndcg-boost", "dataset": "moons"}, {"data_seed": [1]}, "ndcg-boost needs a ranking data set, got moo"),
        ({"learner": "mcssb", "dataset": "moons", "user": "judge"}, {"C": [1.0]}, "mcssb has no simulated user"),
        ({"learner": "ranking-refinement", "dataset": SEARCH, "user": "cascade"}, {"eta": [0.5]}, "needs a refinement user"),
        ({"learner": "ranking-refinement", "dataset": SEARCH}, {"judged": [0]}, "judged must be a whole number"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_refused_in_words(setup, over, words):
    with pytest.raises(ValueError, match=words):
        sweep(setup, over, replicates=1, steps=1)


def test_every_family_has_its_smallest_data():
    assert set(families()) == {info.family for info in catalogue()}
