"""Who trains, who has a label, what is measured, and what is refused."""

import numpy as np
import pytest

import learners.boosting.semi_supervised.environment as environment
from datasets.classification import ClassificationData
from learners import Simulation, create
from learners.boosting.semi_supervised.environment import labelled_first
from learners.boosting.semi_supervised.places import plane
from tests.cases import cases
from tests.learners.boosting.semi_supervised.problems import IDS, begun, data_of, rounds, small


def test_who_trains_and_who_is_told():
    """Sizes; every row once; labels of the labelled rows alone, one of each class at least; the truth is kept back."""
    data = small(N=90, training=0.4, labelled=0.15)
    sim = Simulation("single-tree", data, replicates=6, seed=3)
    world = sim.environment
    assert world.rows.shape == (6, 36) and world.tests.shape == (6, 54) and world.labelled == 5
    for r in range(6):
        assert sorted([*world.rows[r], *world.tests[r]]) == list(range(90))
        given = world.problems[r]
        np.testing.assert_array_equal(given.features, data.features[world.rows[r]])
        np.testing.assert_array_equal(given.labels[:5], data.labels[world.rows[r, :5]])
        assert (given.labels[5:] == -1).all() and set(given.labels[:5]) == {0, 1, 2}
        assert vars(given).keys() == {"features", "labels", "classes"}
    assert len({tuple(rows) for rows in world.rows}) == 6


def test_at_least_one_label_a_class_and_the_defaults():
    few = Simulation("single-tree", small(N=100, classes=4, labelled=0.01)).environment
    assert few.rows.shape == (1, 20) and few.labelled == 4
    tiny = Simulation("single-tree", small(N=4, classes=2, training=0.01)).environment
    assert tiny.rows.shape == (1, 2) and tiny.labelled == 2
    every = Simulation("single-tree", small(labelled=1.0))
    every.advance(steps=1)
    assert np.isnan(every.history["accuracy-unlabelled"]).all()


def test_labelled_first_is_random_beyond_the_classes():
    """Class 1 is rare: its row is told by right. Which of the others are told is left to chance, in the order given."""
    labels = np.array([0] * 9 + [1])
    rng = np.random.default_rng(0)
    told = [labelled_first(rng.permutation(10), labels, 4)[:4] for _ in range(2000)]
    counts = np.bincount(np.concatenate(told), minlength=10) / 2000
    assert counts[9] == 1
    np.testing.assert_allclose(counts[:9], 3 / 9, atol=0.05)


def test_metrics_are_shares_of_right_rows():
    data = small(d=3, training=0.5, labelled=0.3)
    sim = Simulation(create("adaboost", depth=1), data, replicates=2, seed=1)
    sim.advance(steps=4)
    world = sim.environment
    for r in range(2):
        right = world.predicted(r) == data.labels
        told, others = world.rows[r, : world.labelled], world.rows[r, world.labelled :]
        for name, rows in (("train", told), ("unlabelled", others), ("test", world.tests[r])):
            assert sim.history[f"accuracy-{name}"][-1, r] == right[rows].mean()
        F = np.zeros((60, 3))
        learner = begun("adaboost", world.problems[r], depth=1)
        learner.rng = np.random.default_rng(world_start(sim, r))
        for _ in rounds(learner, 4):
            F += learner.vote(data.features)
        np.testing.assert_array_equal(F, world.scores[r])
    assert sim.history["step-size"].shape == (4, 2)


def world_start(sim, r):
    """The seed that the environment gives the learner of replicate r: the third stream."""
    own = np.random.SeedSequence(sim.seed).spawn(4)[2]
    return np.random.default_rng(own).integers(0, 2**62, size=sim.replicates)[r]


@cases("id", IDS)
def test_what_was_read_stays(id):
    """The inspector keeps the record of a round: later rounds do not change it."""
    sim = Simulation(id, small(labelled=0.5, training=0.6), replicates=2, seed=2)
    kept = []
    for _ in range(4):
        sim.advance(steps=1)
        arrays = [a for r in sim.last.rounds for a in (r.weights, r.targets, r.answers) if a is not None]
        arrays += [sim.environment.scores, sim.environment.region]
        kept.append([(a, a.copy()) for a in arrays])
    for pairs in kept:
        for now, then in pairs:
            np.testing.assert_array_equal(now, then)


def test_region_and_places():
    data = small(labelled=0.3, training=0.5)
    sim = Simulation(create("adaboost", depth=3), data, replicates=2, seed=1)
    assert sim.environment.region is None
    sim.advance(steps=5)
    world = sim.environment
    x0, x1, y0, y1 = world.extent
    assert world.region.shape == (60, 60) and x0 < data.features[:, 0].min() and y1 > data.features[:, 1].max()
    j, i = np.round((data.features - [x0, y0]) / [x1 - x0, y1 - y0] * 59).astype(int).T
    assert (world.region[i, j] == world.predicted(0)).mean() > 0.9  # up to what lies between two points of the grid
    np.testing.assert_array_equal(world.places(1), world.problems[1].features)
    flat = Simulation("single-tree", small(d=5)).environment
    assert flat.region is None and flat.extent is None
    places = flat.places(0)
    assert places.shape == (12, 2) and places is flat.places(0)
    x = flat.problems[0].features
    spread = np.linalg.svd(x - x.mean(axis=0), compute_uv=False)
    np.testing.assert_allclose(np.linalg.norm(places, axis=0), spread[:2])
    np.testing.assert_array_equal(plane(np.ones((3, 4))), np.zeros((3, 2)))
    assert plane(np.array([[1.0], [2.0]])).tolist() == [[-0.5, 0], [0.5, 0]]


def test_refusals(monkeypatch):
    from scipy.sparse import csr_array

    sparse = ClassificationData("wide", {}, csr_array(np.eye(4)), np.array([0, 1, 0, 1]), ("a", "b"))
    with pytest.raises(ValueError, match="need dense features, but those of wide are sparse"):
        Simulation("mcssb", sparse)
    with pytest.raises(ValueError, match="at least 4 examples, but made has 3"):
        Simulation("mcssb", data_of(np.eye(3), [0, 1, 1]))
    monkeypatch.setattr(environment, "MOST_ROWS", 20)
    with pytest.raises(
        ValueError, match=r"training on 30 of the 60 examples of made .* at most 20 .* lower training to 0.3333"
    ):
        Simulation("mcssb", small(training=0.5))
    Simulation("mcssb", small(training=0.3333))
    monkeypatch.setattr("learners.boosting.semi_supervised.label_spreading.MOST", 15)
    with pytest.raises(ValueError, match="at most 15 training rows, got 18"):
        Simulation(create("label-spreading", kernel="gaussian"), small(training=0.3))
    Simulation(create("label-spreading"), small(training=0.3))
