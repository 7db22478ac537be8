"""Setups that the tests of sweeps share: setups, marks, and the comparison of tables."""

import threading

import pandas as pd

import datasets
from learners.sweep import run

SETUP = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}
SEARCH = datasets.create("web-search", queries=15, documents=12, features=4)
# for each family a sweep of several batches: numbers of the learner and a parameter of the data set
SWEEPS = {
    "ranking": (SETUP, {"swap_probability": [0.1, 0.5], "documents": [5, 9]}),
    "classification": (
        {"learner": "banditron", "dataset": datasets.create("synnonsep", examples=300)},
        {"gamma": [0.02, 0.3], "noise": [0.0, 0.2]},
    ),
    "multilabel": (
        {"learner": "multilabel-ucb", "dataset": "multilabel-synthetic"},
        {"a": [0.0, 0.5], "labels": [4, 6]},
    ),
}


class Background:
    """Works that run in a thread of their own. parts : those that have ended. error : what ended it."""

    def __init__(self, works, workers=1, **given):
        self.parts, self.notes, self.error = [], [], None
        self.stop = threading.Event()
        given |= {"cancelled": self.stop.is_set, "say": self.notes.append}
        self.thread = threading.Thread(target=self._run, args=(works, workers), kwargs=given, daemon=True)
        self.thread.start()

    def _run(self, works, workers, **given):
        try:
            self.parts.extend(run(works, workers, **given))
        except Exception as error:
            self.error = str(error)

    def wait(self, seconds):
        self.thread.join(seconds)
        assert not self.thread.is_alive()


def equal(first, second):
    pd.testing.assert_frame_equal(first, second, check_exact=True)
