"""Wrong calls of the library end in one sentence."""

import math

import pytest

import datasets
from learners import Simulation, create, sweep

SETUP = {"learner": "banditron", "dataset": "digits"}
NAN, INF = float("nan"), math.inf


@pytest.fixture(scope="module")
def run():
    return Simulation("perceptron", "digits", replicates=1)


CALLS = {
    "steps that are no number": lambda run: run.advance(steps=NAN),
    "half a step": lambda run: run.advance(steps=0.5),
    "a truth value": lambda run: run.advance(steps=True),
    "steps without end": lambda run: run.advance(steps=INF),
    "seconds without end": lambda run: run.advance(seconds=INF),
    "seconds as a text": lambda run: run.advance(seconds="x"),
    "nothing to do": lambda run: run.advance(),
    "recorded": lambda run: Simulation("perceptron", "digits", recorded=NAN),
    "replicates": lambda run: Simulation("perceptron", "digits", replicates=NAN),
    "seed": lambda run: Simulation("perceptron", "digits", seed="a"),
    "megabytes": lambda run: Simulation("perceptron", "digits", megabytes=NAN),
    "answers": lambda run: Simulation("perceptron", "digits", answers=3),
    "a list as a learner": lambda run: create([]),
    "no learner": lambda run: create(None),
    "a list as a learner of a run": lambda run: Simulation([], "digits"),
    "a list as data": lambda run: datasets.load([]),
    "a list as data of a run": lambda run: Simulation("perceptron", []),
    "at a text": lambda run: run.at("x"),
    "at no number": lambda run: run.at(NAN),
    "fork at a text": lambda run: run.fork(at="x"),
    "an empty list": lambda run: create("banditron", gamma=[]),
    "lists in lists": lambda run: create("banditron", gamma=[[0.1]]),
    "nearly zero": lambda run: create("pairwise-svm", C=1e-300),
    "a path that is a number": lambda run: datasets.load("classification-file", path=3),
    "a path that cannot be": lambda run: datasets.load("classification-file", path="\0"),
    "a path without end": lambda run: datasets.load("classification-file", path="/" * 5000),
    "a text as a setup": lambda run: sweep("x", {}),
    "a text as a grid": lambda run: sweep(SETUP, "x"),
    "a number as a parameter": lambda run: sweep(SETUP, {3: [0.1]}),
    "no workers": lambda run: sweep(SETUP, {"gamma": [0.1]}, workers=-1),
    "a number as a metric": lambda run: sweep(SETUP, {"gamma": [0.1]}, metrics=[3]),
    "a number as a scheduler": lambda run: sweep(SETUP, {"gamma": [0.1]}, scheduler=5),
    "steps of a sweep": lambda run: sweep(SETUP, {"gamma": [0.1]}, steps=NAN),
}


@pytest.mark.parametrize("words", CALLS)
def test_a_wrong_call_is_refused_in_one_sentence(run, words):
    with pytest.raises(ValueError) as refused:
        CALLS[words](run)
    said = str(refused.value)
    assert said and "\n" not in said and len(said) < 1500
