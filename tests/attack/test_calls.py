"""Wrong calls of the library end in one sentence."""

import math

import numpy as np
import pandas as pd
import pytest

import datasets
import learners
from datasets import guard
from learners import Simulation, create, sweep
from learners.interleaving.comparison import Comparison
from learners.interleaving.verdict import Verdict
from learners.run.events import events_of
from learners.run.watch import Watch
from learners.run.what_if import questions
from tests.attack.calls import Call, campaign, judge
from tests.attack.functions import FUNCTIONS, NOT_CALLED
from tests.attack.tally import REFUSED

SETUP = {"learner": "banditron", "dataset": "digits"}
NAN, INF = float("nan"), math.inf


@pytest.fixture(scope="module")
def run():
    sim = Simulation("perceptron", "digits", replicates=1)
    sim.advance(steps=2)
    return sim


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
    "a number as metrics": lambda run: sweep(SETUP, {"gamma": [0.1]}, metrics=0),
    "one array as metrics": lambda run: sweep(SETUP, {"gamma": [0.1]}, metrics=np.zeros((2, 2, 2))),
    "a long text as metrics": lambda run: sweep(SETUP, {"gamma": [0.1]}, steps=1, metrics="x" * 5000),
    "an array of no dimension as values": lambda run: sweep(SETUP, {"gamma": np.array(0.1)}),
    "workers without end": lambda run: sweep(SETUP, {"gamma": [0.1]}, workers=2**70),
    "a number as a metric": lambda run: sweep(SETUP, {"gamma": [0.1]}, metrics=[3]),
    "a number as a scheduler": lambda run: sweep(SETUP, {"gamma": [0.1]}, scheduler=5),
    "a choice of ragged lists": lambda run: sweep(SETUP, {"strategy": [[[1], [1, 2]]]}),
    "values of ragged lists": lambda run: sweep(SETUP, {"gamma": [[0.1, [0.2]]]}),
    "events of a text": lambda run: events_of(run, replicate="x"),
    "events of a float": lambda run: events_of(run, replicate=0.0),
    "at most half an event": lambda run: events_of(run, 0, most=0.5),
    "questions on a text": lambda run: questions(run, "x", 0),
    "questions on a float": lambda run: questions(run, 1.0, 0),
    "questions on half a replicate": lambda run: questions(run, 1, 0.5),
    "a step that is a span of time": lambda run: run.at(np.timedelta64(1, "s")),
    "steps that are a span of time": lambda run: run.advance(steps=np.timedelta64(1, "s")),
    "a seed that is a span of time": lambda run: Simulation("perceptron", "digits", seed=np.timedelta64(1, "s")),
    "a replicate that is a span of time": lambda run: Watch(run, replicate=np.timedelta64(0, "s")),
    "a verdict on a text": lambda run: Verdict.of("3", 4, 0),
    "a verdict on fewer than none": lambda run: Verdict.of(-3, 4, 0),
    "a verdict on too many": lambda run: Verdict.of(10**308, 4, 0),
    "a verdict at an impossible level": lambda run: Verdict.of(3, 4, 0, level=5),
    "a table as a warm start": lambda run: Comparison(
        "preference-perceptron", "web-search", "cascade", warm_start=pd.DataFrame({"a": [1, 2]})
    ),
    "a folder that cannot be": lambda run: datasets.find_files("\ud800"),
    "a folder with a zero byte": lambda run: datasets.find_files("a\0b"),
    "steps of a sweep": lambda run: sweep(SETUP, {"gamma": [0.1]}, steps=NAN),
}


@pytest.mark.parametrize("words", CALLS)
def test_a_wrong_call_is_refused_in_one_sentence(run, words):
    with pytest.raises(ValueError) as refused:
        CALLS[words](run)
    said = str(refused.value)
    assert said and "\n" not in said and len(said) < 1500


def test_every_public_name_is_called_wrongly():
    called = {name.split(" ")[0] for name in FUNCTIONS} | {"create", "load"}
    public = set(learners.__all__) | {name for name in datasets.__all__ if callable(getattr(datasets, name))}
    assert public - called == set(NOT_CALLED)


def test_a_slice_of_the_wrong_calls_has_no_fault():
    tally = campaign(seed=4, share=0.02)
    assert tally.cases > 300 and not tally.lines


@pytest.mark.parametrize("call", [
    Call("RankingData", "features", "None"), Call("RankingData", "slots", "a text"), Call("RankingData", "rows", "0"),
    Call("ClassificationData", "names", "half"), Call("ClassificationData", "labels", "huge array"),
    Call("MultilabelData", "model", "[1]"), Call("verdict", "since", "None"), Call("verdict", "level", "2^70"),
    Call("parameter", "name", "half"), Call("parameter", "who", "a text"), Call("final", "metric", "[]"),
    Call("frame", "every", "0"), Call("until", "step", "half"), Call("read_letor", "sizes", "half"),
    Call("read_classification", "label", "0"), Call("find_files", "family", "a text"), Call("file_in", "name", "None"),
    Call("fork an answer of a person", "change", "0-d array"), Call("check_dataset", "cls", "None"),
], ids=str)  # fmt: skip
def test_what_authors_hand_in_is_refused_in_a_sentence(call):
    before = guard.reached.copy()
    assert judge(call) == (REFUSED, "")
    assert guard.reached == before
