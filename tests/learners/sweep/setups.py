"""What the tests of sweeps share: setups, marks, and the comparison of tables."""

import pandas as pd

import datasets

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


def equal(first, second):
    pd.testing.assert_frame_equal(first, second, check_exact=True)
