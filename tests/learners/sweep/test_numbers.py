"""Every point of a sweep has the numbers of a simulation of its own, however many points and replicates share a
batch."""

import numpy as np
import pytest

import datasets
from datasets import load
from learners import Simulation, create, create_user, sweep
from learners.catalogue import families, learner_classes, user_classes
from learners.sweep import plan
from learners.sweep.plan import PLANE
from learners.sweep.points import Points
from tests.cases import cases
from tests.learners.sweep.setups import SEARCH, SETUP, SWEEPS, equal

LEARNERS, USERS = learner_classes(), user_classes()
# small data whose sizes are as small as the numbers of replicates, so that a guess by length would go wrong
SMALLER = {
    "ranking": ("toy-ranking", {"documents": 3}),
    "multilabel": ("multilabel-synthetic", {"labels": 4, "features": 4, "examples": 100}),
    "learning-to-rank": ("web-search", {"queries": 10, "documents": 5, "features": 3}),
    "refinement": ("web-search", {"queries": 10, "documents": 15, "features": 3}),
}


def data_of(id):
    family = families()[LEARNERS[id].family]
    name, params = SMALLER.get(family.id, (family.smallest.id, family.smallest.values))
    return datasets.create(name, **params)


def boosts(id):
    return bool(families()[LEARNERS[id].family].rounds)


def optional(id):
    if id in ("lambdarank", "rank-xendcg"):
        pytest.importorskip("lightgbm", reason="needs LightGBM, which is optional")


def numbers_of(cls):
    return [p for p in cls.parameters() if p.kind in ("real", "integer")]


def values_of(parameter, count, owner=None):
    """The value that the owner has, or else the default, and other allowed values near it."""
    found, first = [], parameter.default if owner is None else owner.params[parameter.name]
    shares = (1, 0.5, 0.75, 0.25) if parameter.kind == "real" and first else ()
    for value in [first * s for s in shares] + [first + s for s in (0, 1, 2, 3, -1, -2, -3, 0.5, 0.25)]:
        try:
            checked = parameter.check(value)
        except ValueError:
            continue
        if checked not in found:
            found.append(checked)
    return found[:count]


def swept(id):
    """Whose parameter is swept, and which: of the learner if it has one for each replicate, else of user or data."""
    user = families()[LEARNERS[id].family].user
    classes = {"learner": LEARNERS[id], "user": user and USERS[user], "dataset": type(data_of(id))}
    owners = ((who, p) for who, cls in classes.items() if cls for p in numbers_of(cls) if p.per_replicate)
    return next(owners)


def alone(id, who, params, replicates, steps, user=None, data=None):
    """The simulation of one point, after some steps; `params` are those of the learner, the user or the data set."""
    data = datasets.create(data) if isinstance(data, str) else data or data_of(id)
    if isinstance(data, datasets.Dataset):
        data = load(data.id, **{**data.params, **(params if who == "dataset" else {})})
    user = user or families()[LEARNERS[id].family].user
    sim = Simulation(
        create(id, **(params if who == "learner" else {})),
        data,
        create_user(user, **(params if who == "user" else {})) if user else None,
        replicates=replicates,
        recorded=2000,
    )
    sim.advance(steps=steps)
    return {metric: sim.history.final(metric) for metric in sim.history}


def same(table, name, finals):
    """The part of a table that belongs to each value equals the final metrics of its simulation."""
    whole = table.pivot(index=[name, "replicate"], columns="metric", values="value")
    assert set(table[name]) == set(finals)
    for value, wanted in finals.items():
        found = whole.loc[value]
        assert set(found) == set(wanted) and found.index.tolist() == list(range(len(found)))
        wanted = np.column_stack([wanted[metric] for metric in found])
        message = f"{name} = {value}: {', '.join(found)}"
        np.testing.assert_allclose(found.to_numpy(), wanted, rtol=1e-9, atol=1e-12, err_msg=message)


@pytest.mark.long
@pytest.mark.parametrize("id", LEARNERS)
def test_a_sweep_has_the_numbers_of_single_simulations(id, record_property):
    """Every learner, 2 to 4 values, 1 to 3 replicates: 27 pairs of a point and its simulation."""
    optional(id)
    (who, parameter), steps = swept(id), 3 if boosts(id) else 20
    pairs, data = 0, data_of(id)
    values = values_of(parameter, 4, data if who == "dataset" else None)
    assert len(values) == 4
    data = data if who == "dataset" else data.build()
    for replicates in (1, 2, 3):
        finals = [alone(id, who, {parameter.name: value}, replicates, steps, data=data) for value in values]
        for many in (2, 3, 4):
            setup = {"learner": id, "dataset": data}
            table = sweep(setup, {parameter.name: values[:many]}, replicates=replicates, steps=steps)
            same(table, parameter.name, dict(zip(values[:many], finals, strict=False)))
            pairs += many
    assert pairs == 27
    record_property("pairs", pairs)


@pytest.mark.long
@pytest.mark.parametrize("id", LEARNERS)
def test_every_number_of_every_learner_can_be_swept(id):
    """On the replicate axis if it may differ between replicates, else one by one."""
    optional(id)
    steps = 4 if boosts(id) else 40
    data = data_of(id).build()
    for parameter in numbers_of(LEARNERS[id]):
        values, setup = values_of(parameter, 2), {"learner": id, "dataset": data}
        assert len(plan(setup, {parameter.name: values})) == (1 if parameter.per_replicate else 2)
        table = sweep(setup, {parameter.name: values}, replicates=2, steps=steps)
        same(table, parameter.name, {v: alone(id, "learner", {parameter.name: v}, 2, steps, data=data) for v in values})


@pytest.mark.long
@pytest.mark.parametrize("user", [id for id, cls in USERS.items() if numbers_of(cls)])
def test_every_number_of_every_user_can_be_swept(user):
    id = {"ranking": "perturbed-perceptron", "refinement": "ranking-refinement"}[USERS[user].family]
    for parameter in numbers_of(USERS[user]):
        values, setup = values_of(parameter, 3), {"learner": id, "dataset": data_of(id), "user": user}
        table = sweep(setup, {parameter.name: values}, replicates=1, steps=5)
        same(table, parameter.name, {v: alone(id, "user", {parameter.name: v}, 1, 5, user) for v in values})


@cases(("maker", "id"), [(create, id) for id in LEARNERS] + [(create_user, id) for id in USERS])
def test_what_may_differ_between_replicates_is_declared(maker, id):
    """What is declared to differ runs with two values side by side; what shapes the state would fail, and is
    refused."""
    optional(id)
    cls = LEARNERS[id] if maker is create else USERS[id]
    learner = {"ranking": "preference-perceptron", "refinement": "ranking-refinement"}.get(cls.family, id)
    data = data_of(learner).build()
    for parameter in numbers_of(cls):
        values, item = np.array(values_of(parameter, 2)), maker(id)
        setattr(item, parameter.name, values)  # past the check

        def run(item=item):
            user = families()[cls.family].user if maker is create else item
            Simulation(item if maker is create else learner, data, user, replicates=2).advance(steps=2)

        if parameter.per_replicate:
            run()
            continue
        with pytest.raises((ValueError, TypeError, IndexError)):
            run()
        with pytest.raises(ValueError, match=f"{parameter.name} must be one number for all replicates, got 2 of them"):
            maker(id, **{parameter.name: values})


@cases("user", [id for id, cls in USERS.items() if cls.family == "ranking"])
def test_points_meet_the_same_users(user):
    """With equal parameters all points have equal numbers, those of a simulation of its own."""
    data = load("digits-search")
    one = Simulation("perturbed-perceptron", data, user, replicates=2, seed=5, recorded=2000)
    points = Points(create("perturbed-perceptron"), data, create_user(user), points=3, replicates=2, seed=5)
    one.advance(steps=100)
    points.advance(steps=100)
    for metric in one.history:
        wanted = np.tile(one.history[metric], (1, 3))
        np.testing.assert_allclose(points.history[metric], wanted, rtol=1e-9, atol=1e-12, err_msg=metric)


@cases("id", [id for id in LEARNERS if boosts(id)])
def test_points_meet_the_same_problems(id):
    """All points have equal problems, those of a simulation of its own, and each replicate has another one."""
    optional(id)
    user = families()[LEARNERS[id].family].user
    one = Simulation(id, data_of(id).build(), user, replicates=2, seed=5)
    user = create_user(user) if user else None
    points = Points(create(id), data_of(id).build(), user, points=3, replicates=2, seed=5)
    for i, problem in enumerate(points.environment.problems):
        for name, value in vars(one.environment.problems[i % 2]).items():
            np.testing.assert_array_equal(getattr(problem, name), value, err_msg=name)


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


# ---- grids ---------------------------------------------------------------------------------------------


def test_each_point_has_the_numbers_of_a_simulation_of_its_own():
    table = sweep(SETUP, {"swap_probability": [0.1, 0.5]}, replicates=3, seed=4, steps=40)
    for value, of in table.groupby("swap_probability"):
        sim = Simulation(create("perturbed-perceptron", swap_probability=value), "toy-ranking", "cascade", 3, seed=4)
        sim.advance(steps=40)
        for metric, got in of.groupby("metric"):
            np.testing.assert_array_equal(got.value, sim.history.final(metric))
            assert got.replicate.tolist() == [0, 1, 2]
        last = sim.history["rank-of-best"][-4:].mean(axis=0)
        np.testing.assert_allclose(of[of.metric == "rank-of-best"].value, last)


def test_parameters_of_learner_user_and_data_set_together():
    over = {"noise": [0.0, 0.4], "documents": [5, 9], "dynamic": [False, True]}
    table = sweep(SETUP, over, replicates=2, steps=30, metrics=["average-regret"])
    assert table.columns.tolist() == ["noise", "documents", "dynamic", "replicate", "metric", "value"]
    assert len(table) == 2 * 2 * 2 * 2
    assert table.groupby(list(over)).size().eq(2).all()
    assert table.noise.tolist() == [0.0] * 8 + [0.4] * 8, "in the order of the grid"
    one = table[(table.noise == 0.4) & (table.documents == 9) & table.dynamic]
    sim = Simulation(
        create("perturbed-perceptron", dynamic=True),
        load("toy-ranking", documents=9),
        create_user("cascade", noise=0.4),
        replicates=2,
    )
    sim.advance(steps=30)
    np.testing.assert_array_equal(one.value, sim.history["average-regret"][-1])


def test_a_point_is_the_same_however_the_grid_is_cut():
    whole = sweep(SETUP, {"swap_probability": [0.1, 0.3, 0.5]}, replicates=4, steps=200)
    alone = sweep(SETUP, {"swap_probability": [0.3]}, replicates=4, steps=200)
    equal(whole[whole.swap_probability == 0.3].reset_index(drop=True), alone)


def test_the_order_of_the_values_and_of_the_parameters_plays_no_part():
    setup, over = SWEEPS["classification"]
    first = sweep(setup, over, replicates=2, steps=300)
    turned = sweep(setup, {name: over[name][::-1] for name in reversed(over)}, replicates=2, steps=300)
    by = ["gamma", "noise", "metric", "replicate"]
    equal(*(t.sort_values(by, ignore_index=True)[[*by, "value"]] for t in (first, turned)))


def test_data_that_are_already_built_are_used_as_they_are():
    data = load("toy-ranking", documents=7)
    over = {"swap_probability": [0.1, 0.5], "noise": [0.0, 0.2]}
    made = sweep({**SETUP, "dataset": data}, over, replicates=PLANE, steps=30, workers=2)
    equal(made, sweep({**SETUP, "dataset": datasets.create("toy-ranking", documents=7)}, over, PLANE, steps=30))


OVER = {
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


@cases("which", OVER)
def test_each_value_has_the_numbers_of_a_simulation_of_its_own(which):
    """Numbers of the learner stand side by side in one batch, words and the data's parameters in one each."""
    setup, over, who, metric, batches = OVER[which]
    (name, values), steps = *over.items(), 5
    table = sweep(setup, over, replicates=3, steps=steps)
    same(table, name, {v: alone(setup["learner"], who, {name: v}, 3, steps, data=setup["dataset"]) for v in values})
    found = [of.value.tolist() for _, of in table[table.metric == metric].groupby(which)]
    assert len(found) == len(over[which]) and any(values != found[0] for values in found), "the parameter counts"
    if batches is not None:
        assert len(plan(setup, over, replicates=3)) == batches
