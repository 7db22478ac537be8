"""A state for which there is no memory is refused before it is asked for."""

import tracemalloc

import numpy as np
import pytest
from scipy.sparse import csr_array

from datasets import load
from datasets.classification import ClassificationData
from learners import Simulation, create
from learners.base import Shape
from learners.interleaving.comparison import Comparison
from learners.run import memory
from tests.cases import cases


def wide():
    """Sparse examples of 10,000 features, by which a full matrix of one class takes 0.8 GB."""
    features = csr_array((np.ones(4), ([0, 1, 2, 3], [0, 5000, 9999, 1])), shape=(4, 10_000))
    return ClassificationData("wide", {}, features, np.array([0, 1, 0, 1]), ("no", "yes"))


FULL = {
    "confidit": {"matrices": "full"},
    "soba": {"matrix": "full"},
    "newtron": {"matrices": "full"},
    "epsilon-greedy": {"regression": "ridge"},
    "inverse-gap": {"regression": "ridge"},
}


@cases("id", FULL)
def test_full_matrices_on_sparse_data_are_refused_in_a_sentence(monkeypatch, id):
    monkeypatch.setattr(memory, "free", lambda: 1000.0)
    tracemalloc.start()
    try:
        with pytest.raises(
            ValueError, match=rf"^{id} would hold about [\d,.]+ GB for 3 replicates of 10,000 features, "
        ):
            Simulation(create(id, **FULL[id]), wide(), replicates=3)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


def test_a_state_too_large_to_be_kept_is_not_copied():
    """Twice the state would be asked for, of which `check_room` knows once."""
    data = wide()
    narrow = ClassificationData("narrow", {}, data.features[:, :3000], data.labels, data.names)
    run = Simulation(create("epsilon-greedy", regression="ridge"), narrow)  # two matrices of 72 MB
    tracemalloc.start()
    try:
        run.advance(steps=2)
        assert tracemalloc.get_traced_memory()[1] < 50e6
    finally:
        tracemalloc.stop()
    assert run.at(1).t == 1


def test_what_fits_is_not_refused(monkeypatch):
    Simulation(create("confidit", matrices="diagonal"), wide(), replicates=1).advance(steps=2)
    monkeypatch.setattr(memory, "free", lambda: None)  # where no system says how much is left
    memory.check_room("confidit", 1e12, Shape(features=10_000, classes=2), replicates=3)


def test_a_comparison_asks_too(monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: 0.001)
    monkeypatch.setattr(memory, "SMALL_STATE", 0)
    with pytest.raises(ValueError, match=r"^second-order-perceptron would hold about "):
        Comparison("second-order-perceptron", load("web-search", queries=10), "cascade")
