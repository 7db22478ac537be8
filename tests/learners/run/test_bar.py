"""The progress bar of a run and of a sweep: silent unless asked for, and the numbers are the same."""

import numpy as np
import pytest

from learners import Simulation, sweep
from tests.cases import cases

SETUP = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}


def test_a_run_shows_how_far_it_is(capsys):
    silent, told = Simulation(**SETUP, replicates=2), Simulation(**SETUP, replicates=2)
    silent.advance(steps=700)
    assert capsys.readouterr() == ("", "")
    told.advance(steps=300)
    told.advance(steps=400, progress=True)  # the bar counts the steps of this call
    out, bar = capsys.readouterr()
    assert out == "" and "100%" in bar and "400/400" in bar.replace(".00", "")
    np.testing.assert_array_equal(told.history["average-regret"], silent.history["average-regret"])


def test_a_run_for_some_seconds_has_a_bar_without_end(capsys):
    sim = Simulation(**SETUP)
    sim.advance(seconds=0.01, progress=True)
    assert "steps" in capsys.readouterr().err and sim.t >= 1


def test_a_sweep_shows_how_far_it_is(capsys):
    over = {"documents": [5, 6], "swap_probability": [0.1, 0.2]}
    table = sweep(SETUP, over, replicates=3, steps=64, metrics=["flips"])
    assert capsys.readouterr() == ("", "")
    told = sweep(SETUP, over, replicates=3, steps=64, metrics=["flips"], progress=True)
    bar = capsys.readouterr().err
    assert "100%" in bar and "768/768" in bar
    assert told.equals(table)


@cases("wrong", [1, "yes", None])
def test_progress_is_yes_or_no(wrong):
    with pytest.raises(ValueError, match="progress must be True or False"):
        Simulation(**SETUP).advance(steps=1, progress=wrong)
