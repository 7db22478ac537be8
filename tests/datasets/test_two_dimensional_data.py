"""Moons, blobs and rings in the plane, and the two small tables: shapes, places, what is told, what is refused."""

import subprocess
import sys

import numpy as np
import pytest

from datasets import classes, create, load
from datasets.classification import ClassificationDataset
from learners import Simulation
from tests.cases import cases

PLANE = {"moons": 6, "blobs": 10, "rings": 10}  # and the most classes
TABLES = {"wine": (178, 13, 3), "breast-cancer": (569, 30, 2)}
IDS = [*PLANE, *TABLES]


@cases(("id", "most"), PLANE.items())
def test_points_have_even_classes_of_the_number_asked_for(id, most):
    for k in (2, 3, most):
        data = load(id, classes=k, examples=101)
        assert data.features.shape == (101, 2) and data.classes == k and len(set(data.names)) == k
        counts = np.bincount(data.labels, minlength=k)
        assert counts.max() - counts.min() <= 1
        size = create(id, classes=k, examples=101).size()
        assert (size.examples, size.features, size.classes, size.bytes) == (101, 2, k, 101 * 3 * 8)


@cases("id", PLANE)
def test_the_seed_makes_the_points(id):
    first, again, other = load(id), load(id), load(id, data_seed=1)
    np.testing.assert_array_equal(first.features, again.features)
    np.testing.assert_array_equal(first.labels, again.labels)
    assert (first.features != other.features).all() and (first.labels == other.labels).all()
    assert first.params == create(id).params and first.params["data_seed"] == 0


# ---- moons ---------------------------------------------------------------------------------------------


def centres_of_moons(k):
    """1.25 to the right of each other, by turns ¼ below and ¼ above the middle."""
    return np.array([[1.25 * (i - (k - 1) / 2), 0.25 if i % 2 else -0.25] for i in range(k)])


@pytest.mark.parametrize("k", [2, 5])
def test_moons_without_noise_are_half_circles_by_turns_open_below_and_above(k):
    data = load("moons", classes=k, noise=0.0, examples=1000)
    from_centre = data.features - centres_of_moons(k)[data.labels]
    np.testing.assert_allclose(np.linalg.norm(from_centre, axis=1), 1)
    upper = np.where(data.labels % 2 == 0, 1, -1)
    assert (from_centre[:, 1] * upper >= -1e-12).all()
    for label in range(k):  # each arc is covered from end to end
        across = from_centre[data.labels == label, 0]
        assert across.min() < -0.99 and across.max() > 0.99


def test_moons_reach_into_each_other_but_do_not_touch():
    data = load("moons", classes=6, noise=0.0, examples=1200)
    apart = np.linalg.norm(data.features[:, None] - data.features[None], axis=2)
    other = data.labels[:, None] != data.labels
    assert 0.44 < apart[other].min() < 0.46
    for k in range(5):
        mine, next_one = (data.features[data.labels == label, 0] for label in (k, k + 1))
        assert next_one.min() < mine.max() - 0.7, "their shadows overlap"


def test_noise_of_moons_is_the_standard_deviation_of_each_coordinate():
    still, moved = (load("moons", noise=noise, examples=20_000) for noise in (0.0, 0.3))
    np.testing.assert_allclose((moved.features - still.features).std(axis=0), 0.3, rtol=0.03)
    np.testing.assert_allclose((moved.features - still.features).mean(axis=0), 0, atol=0.01)


# ---- blobs ---------------------------------------------------------------------------------------------


def blobs(**params):
    data = load("blobs", examples=20_000, **params)
    return np.array([data.features[data.labels == k].mean(axis=0) for k in range(data.classes)]), data


def test_blobs_are_round_and_as_wide_as_asked_for():
    centres, data = blobs(classes=4, spread=0.3)
    from_centre = data.features - centres[data.labels]
    for k in range(4):
        np.testing.assert_allclose(np.cov(from_centre[data.labels == k].T), 0.09 * np.eye(2), atol=0.006)


def test_centres_of_blobs_keep_apart_and_stay_when_more_are_asked_for():
    few, many = blobs(classes=5, spread=0.001)[0], blobs(classes=10, spread=0.001)[0]
    np.testing.assert_allclose(few, many[:5], atol=0.001)
    for seed in range(5):
        centres = blobs(classes=10, spread=0.001, data_seed=seed)[0]
        apart = np.linalg.norm(centres[:, None] - centres, axis=2)[~np.eye(len(centres), dtype=bool)]
        assert np.abs(centres).max() <= 1 + 0.005 and apart.min() > 0.3


# ---- rings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 7])
def test_rings_have_radii_of_equal_steps_up_to_one(k):
    data = load("rings", classes=k, noise=0.0, examples=1000)
    np.testing.assert_allclose(np.linalg.norm(data.features, axis=1), (data.labels + 1) / k)
    for label in range(k):  # all around
        angle = np.arctan2(*data.features[data.labels == label].T)
        assert np.bincount(((angle + np.pi) // (np.pi / 4)).astype(int), minlength=8)[:8].min() > 0


def test_noise_of_rings_is_measured_in_gaps():
    data = load("rings", classes=5, noise=0.2, examples=20_000)
    off = np.linalg.norm(data.features, axis=1) * 5 - (data.labels + 1)
    assert abs(off.std() - 0.2) < 0.005 and abs(off.mean()) < 0.005


def test_no_line_tells_rings_apart_but_the_nearest_point_does():
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import LinearSVC

    data = load("rings", classes=3, noise=0.1)
    half = slice(0, None, 2), slice(1, None, 2)
    (x, y), (test, truth) = ((data.features[h], data.labels[h]) for h in half)
    assert LinearSVC(random_state=0).fit(x, y).score(test, truth) < 0.6
    assert KNeighborsClassifier(1).fit(x, y).score(test, truth) > 0.98


# ---- tables --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "shape"), TABLES.items())
def test_tables_are_those_of_scikit_learn(id, shape):
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, "load_" + id.replace("-", "_"))()
    plain, data = load(id, standardised=False), load(id)
    assert (plain.examples, plain.dimension, plain.classes) == shape
    size = create(id).size()
    assert (size.examples, size.features, size.classes) == shape
    np.testing.assert_array_equal(plain.features, bunch.data)
    np.testing.assert_array_equal(data.labels, bunch.target)
    np.testing.assert_allclose(data.features.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(data.features.std(axis=0), 1)
    corr = [np.corrcoef(x.T) for x in (plain.features, data.features)]
    np.testing.assert_allclose(*corr, atol=1e-12)


def test_the_first_class_of_the_tumours_is_the_malignant_one():
    data = load("breast-cancer")
    assert data.names == ("malignant", "benign") and np.bincount(data.labels).tolist() == [212, 357]
    assert np.bincount(load("wine").labels).tolist() == [59, 71, 48]


# ---- all -----------------------------------------------------------------------------------------------


@cases("id", IDS)
def test_as_declared_there_are_at_least_as_many_labels_as_classes(id):
    """labelled and training are the parameters of every classification set, with defaults of the set's own."""
    size, params = create(id).size(), create(id).params
    told = size.examples * params["training"] * params["labelled"]
    assert told >= 2 * size.classes and params["training"] <= 0.6 and params["labelled"] <= 0.1
    for name in ("labelled", "training"):
        own, usual = (cls.parameter(name) for cls in (classes()[id], ClassificationDataset))
        assert {**vars(own), "default": None} == {**vars(usual), "default": None}
        assert own.family == "semi-supervised"
    assert [p.name for p in classes()[id].parameters()][:2] == ["labelled", "training"]
    assert load(id, labelled=0.5, training=0.4).params == params | {"labelled": 0.5, "training": 0.4}


@cases("id", IDS)
def test_learners_of_one_example_at_a_time_run_on_it(id):
    sim = Simulation("perceptron", id, replicates=2)
    sim.advance(steps=300)
    assert np.isfinite(sim.history["error-rate"]).all() and np.isfinite(sim.history["bound"]).all()


@cases(
    ("id", "params", "words"),
    [
        ("moons", {"classes": 7}, r"classes must be a whole number in \[2, 6\], got 7"),
        ("moons", {"noise": -0.1}, r"noise must be in \[0, 1\], got -0.1"),
        ("moons", {"examples": 99}, r"examples must be a whole number in \[100, 100000\], got 99"),
        ("moons", {"training": 1.0}, r"training must be in \[0.001, 0.95\], got 1.0"),
        ("blobs", {"spread": 0.0}, r"spread must be in \[0.001, 1\], got 0.0"),
        ("blobs", {"classes": 1}, r"classes must be a whole number in \[2, 10\], got 1"),
        ("rings", {"classes": 11}, r"classes must be a whole number in \[2, 10\], got 11"),
        ("rings", {"noise": [0.1, 0.2]}, "noise of rings must be a single value"),
        ("wine", {"labelled": 0.0}, r"labelled must be in \[0.001, 1\], got 0.0"),
        ("wine", {"standardised": 1}, "standardised must be true or false, got 1"),
        ("breast-cancer", {"examples": 100}, "breast-cancer has no parameter 'examples'"),
    ],
)
def test_what_is_not_allowed_is_refused_in_words(id, params, words):
    with pytest.raises(ValueError, match=words):
        create(id, **params)


def test_points_and_sizes_come_without_scikit_learn():
    code = (
        "import sys, datasets\n"
        "for id in ('moons', 'blobs', 'rings'): datasets.load(id)\n"
        "for id in ('wine', 'breast-cancer'): datasets.create(id).size()\n"
        "print(sorted({'sklearn', 'scipy', 'pandas'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
