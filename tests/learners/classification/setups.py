"""Setups of every classification learner, with parameters for each of three replicates, and data in four forms."""

import numpy as np
from scipy.sparse import csr_array

from datasets.classification import ClassificationData
from learners import create

# three replicates with parameters of their own
SETUPS = [
    ("perceptron", {}),
    ("banditron", {"gamma": [0.05, 0.3, 1.0]}),
    ("banditron-positive", {"gamma": [0.05, 0.3, 0.6]}),
    ("potential", {"potential": "squared-norm", "gamma": [0.05, 0.3, 0.6]}),
    ("potential", {"potential": "p-norm", "power": [2.5, 3.0, 5.0], "gamma": [0.05, 0.3, 0.6]}),
    ("potential", {"potential": "hyperbolic", "scale": [0.01, 0.1, 1.0], "gamma": 0.3}),
    ("potential", {"potential": "exponential", "scale": [0.01, 0.1, 1.0], "gamma": 0.3}),
    ("exponentiated-gradient", {"gamma": [0.05, 0.3, 0.6], "scale": 0.1, "horizon": [0, 10, 500]}),
    *(("adaptive-banditron", {"strategy": f"ag{i}", "exponent": [0.1, 0.5, 1.0]}) for i in range(4)),
    ("banditron-winnow", {"gamma": [0.05, 0.3, 0.6], "rate": [0.001, 0.01, 0.1]}),
    ("banditron-winnow", {"gamma": 0.3, "rate": [0.001, 0.01, 0.1], "balanced": True}),
    ("banditron-margin", {"gamma": [0.05, 0.3, 0.6], "margin": [0.0, 5.0, 50.0]}),
    ("banditron-labels", {"gamma": [0.05, 0.3, 1.0], "labels": 2}),
    ("soba", {"gamma": [0.05, 0.3, 1.0], "a": [0.1, 1.0, 10.0], "matrix": "full"}),
    ("soba", {"gamma": [0.05, 0.3, 1.0], "a": [0.1, 1.0, 10.0], "matrix": "diagonal"}),
    ("gaptron", {"gamma": [0.05, 0.3, 1.0], "scale": [1.0, 10.0, 100.0]}),
    ("gappletron", {"exploration": [0.01, 0.3, 3.0], "radius": [0.5, 2.0, 10.0]}),
    ("epsilon-greedy", {"gamma": [0.05, 0.3, 1.0], "regression": "ridge", "ridge": [0.1, 1.0, 10.0]}),
    ("epsilon-greedy", {"gamma": [0.05, 0.3, 1.0], "regression": "gradient", "rate": [0.05, 0.3, 1.0]}),
    ("epsilon-greedy", {"gamma": [0.05, 0.3, 1.0], "regression": "ridge", "matrices": "diagonal", "ridge": 2.0}),
    ("epsilon-greedy", {"gamma": 0.3, "regression": "gradient", "adaptive": True, "rate": [0.05, 0.3, 1.0]}),
    ("inverse-gap", {"sharpness": [0.0, 3.0, 50.0], "regression": "ridge", "ridge": 1.0, "grows": True}),
    ("inverse-gap", {"sharpness": [0.0, 3.0, 50.0], "regression": "gradient", "rate": 0.3, "grows": False}),
    ("confidit", {"alpha": [0.1, 0.5, 1.0], "eta": [0.0, 0.1, 1.0], "matrices": "full"}),
    ("confidit", {"alpha": [0.1, 0.5, 1.0], "eta": [0.0, 0.1, 1.0], "matrices": "diagonal"}),
    (
        "newtron",
        {
            "gamma": [0.05, 0.3, 1.0],
            "sharpness": [1.0, 3.0, 10.0],
            "beta": 0.5,
            "radius": [0.5, 1.0, 2.0],
            "matrices": "full",
        },
    ),
    ("halving", {"levels": 2}),
    ("halving", {"levels": 3, "projection": 2}),
]
NAMES = [f"{id} {' '.join(map(str, params.values()))}" for id, params in SETUPS]


def create_batch(id, params):
    """Return a learner whose parameters are lists of one value for each replicate."""
    return create(id, **{k: np.array(v) if isinstance(v, list) else v for k, v in params.items()})


def data_in_form(n=40, d=3, k=3, seed=0, form="dense"):
    """Return random examples: normal numbers, some of them 0 (dense, sparse), or zeros and ones (binary)."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.6)
    features[:, 0] = rng.normal(size=n)
    if form.startswith("binary"):
        features = (rng.random((n, d)) < 0.5).astype(float)
    labels = (features @ rng.normal(size=(d, k)) + 0.5 * rng.normal(size=(n, k))).argmax(axis=1)
    features = features if form in ("dense", "binary-dense") else csr_array(features)
    return ClassificationData("world", {}, features, labels, tuple(f"class {i}" for i in range(k)))


def same_history(a, b):
    """Return whether two runs agree in every bit of every metric."""
    return set(a.history) == set(b.history) and all(
        np.array_equal(a.history[metric], b.history[metric], equal_nan=True) for metric in a.history
    )
