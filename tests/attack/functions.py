"""The functions of the library that tests/attack/calls.py calls wrongly, each with usual arguments but one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import datasets
from datasets import ClassificationData, MultilabelData, RankingData
from learners import Simulation, check_learner, create, create_user, sweep
from learners.adversary.adversary import Adversary
from learners.interleaving.comparison import Comparison

OTHER: dict[str, type[Exception]] = {
    "history": KeyError, "final": KeyError, "smooth": KeyError,  # a mapping
    "check_learner": AssertionError, "check_dataset": AssertionError,  # as they say
}  # fmt: skip
"""What a function may raise besides ValueError, in one sentence, too."""
NOT_CALLED = ("Cancelled", "Dataset", "ClassificationDataset", "MultilabelDataset", "RankingDataset", "Info",
              "Parameter", "Size", "Source", "catalogue", "classes", "data_folder")  # fmt: skip
"""Public names without arguments, and classes that authors derive from or declare with; check_* look at those."""


@cache
def _points() -> ClassificationData:
    return _data(ClassificationData)  # type: ignore[no-any-return]


@cache
def _run(family: str = "classification") -> Any:
    """Return a run of three steps."""
    if family == "classification":
        run: Any = Simulation("banditron", _points(), replicates=2, seed=0)
    elif family == "ranking":
        run = Simulation("random-ranking", "toy-ranking", "cascade", replicates=2, seed=0)
    else:
        run = Comparison("perturbed-perceptron", "toy-ranking", "cascade", replicates=2, seed=0)
    run.advance(steps=3)
    return run


@cache
def _file(name: str) -> Path:
    """Return a small file that can be read."""
    texts = {"x.txt": "1 qid:1 1:0.5 2:1\n0 qid:1 1:0.1 2:0\n", "x.csv": "a,b,c\n1,2,x\n2,3,y\n3,1,x\n4,1,y\n",
             "y.txt": "0,1 1:0.5\n1 2:1\n0 1:1\n"}  # fmt: skip
    path = Path(tempfile.mkdtemp()) / name
    path.write_text(texts[name], encoding="utf-8")
    return path


def _data(kind: type[Any], **changed: Any) -> Any:
    x = np.eye(4)
    made: dict[str, Any] = {"id": "mine", "params": {}, "features": x}
    if kind is RankingData:
        made |= {"starts": np.array([0, 2, 4]), "grades": np.array([[1.0, 0.0, 2.0, 0.0]])}
    elif kind is ClassificationData:
        made |= {"labels": np.array([0, 1, 0, 1]), "names": ("a", "b")}
    else:
        made |= {"labels": np.eye(4, 3, dtype=bool), "names": ("a", "b", "c")}
    return kind(**(made | changed))


SETUP = {"learner": "banditron", "dataset": "digits"}
FUNCTIONS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "Simulation": (
        lambda **a: Simulation(**({"learner": "perceptron", "dataset": _points()} | a)),
        ("learner", "dataset", "user", "replicates", "seed", "recorded", "megabytes", "answers"),
    ),
    "Simulation of a ranking": (
        lambda **a: Simulation(**({"learner": "random-ranking", "dataset": "toy-ranking", "user": "cascade"} | a)),
        ("learner", "dataset", "user", "replicates", "seed", "recorded", "megabytes", "answers"),
    ),
    "Comparison": (
        lambda **a: Comparison(**({"learner": "random-ranking", "dataset": "toy-ranking", "user": "scan"} | a)),
        ("learner", "dataset", "user", "fixed", "method", "sample", "warm_start", "replicates", "seed"),
    ),
    "advance": (lambda **a: _run().fork(at=1).advance(**a), ("steps", "seconds")),
    "at": (lambda t: _run().at(t), ("t",)),
    "fork": (lambda **a: _run().fork(**({"at": 2} | a)), ("at", "change")),
    "history": (lambda metric: _run().history[metric], ("metric",)),
    "create": (lambda id: create(id), ("id",)),
    "create_user": (lambda id: create_user(id), ("id",)),
    "create data": (lambda id: datasets.create(id), ("id",)),
    "load": (lambda id: datasets.load(id), ("id",)),
    "sweep": (
        lambda **a: sweep(**({"setup": SETUP, "over": {"gamma": [0.1]}, "steps": 10, "replicates": 1} | a)),
        ("setup", "over", "replicates", "seed", "steps", "metrics", "workers", "scheduler"),
    ),
    "sweep over": (
        lambda values: sweep(SETUP, {"gamma": values}, steps=10, replicates=1), ("values",),
    ),
    "file_in": (lambda **a: datasets.file_in(**({"folder": Path("."), "name": "x"} | a)), ("folder", "name")),
    "find_files": (lambda **a: datasets.find_files(**({"folder": Path("nowhere")} | a)), ("folder", "family")),
    "read_letor": (
        lambda **a: datasets.read_letor(**({"path": _file("x.txt"), "cached": False} | a)), ("path", "sizes", "cached"),
    ),
    "read_classification": (
        lambda **a: datasets.read_classification(**({"path": _file("x.csv"), "cached": False} | a)),
        ("path", "unit_length", "label", "words", "least", "cached"),
    ),
    "read_multilabel": (
        lambda **a: datasets.read_multilabel(**({"path": _file("y.txt"), "cached": False} | a)),
        ("path", "xml", "labels", "unit_length", "constant", "cached"),
    ),
    "download": (lambda id: datasets.download(id), ("id",)),
    "check_learner": (lambda cls: check_learner(cls), ("cls",)),
    "check_dataset": (lambda cls: datasets.check_dataset(cls), ("cls",)),
    "Adversary": (
        lambda **a: Adversary(**({"learner": "perturbed-perceptron", "horizon": 100} | a)),
        ("learner", "horizon", "replicates", "seed", "sees", "recorded", "megabytes"),
    ),
    "verdict": (lambda **a: _run("comparison").verdict(**a), ("since", "replicate", "level")),
    "parameter": (
        lambda **a: _run().parameter(**({"who": "learner", "name": "gamma", "t": 1} | a)), ("who", "name", "t"),
    ),
    "final": (lambda metric: _run().history.final(metric), ("metric",)),
    "frame": (lambda every: _run().history.frame(every), ("every",)),
    "until": (lambda step: _run().history.until(step), ("step",)),
    "smooth": (
        lambda **a: _run().history.smooth(**({"metric": "mistakes", "rows": np.array([1]), "window": 1} | a)),
        ("metric", "window"),
    ),
    "fork learner": (lambda gamma: _run().fork(2, {"learner": {"gamma": gamma}}), ("gamma",)),
    "fork a learner": (lambda change: _run().fork(2, {"learner": change}), ("change",)),
    "fork a user": (lambda change: _run("ranking").fork(2, {"user": change}), ("change",)),
    "fork clicks": (lambda change: _run("ranking").fork(2, {"clicks": change}), ("change",)),
    "fork an answer": (lambda change: _run("ranking").fork(2, {"answer": change}), ("change",)),
    "fork answers": (lambda change: _run("ranking").fork(2, {"answers": change}), ("change",)),
    "fork an answer of a person": (lambda change: _run("ranking").fork(2, {"answers": {2: change}}), ("change",)),
    "RankingData": (
        lambda **a: _data(RankingData, **a),
        ("features", "starts", "grades", "rows", "weights", "initial_weights", "task_names", "query_names", "slots",
         "consumable", "document_names", "base", "tuned"),
    ),
    "ClassificationData": (
        lambda **a: _data(ClassificationData, **a), ("features", "labels", "names", "separator"),
    ),
    "MultilabelData": (lambda **a: _data(MultilabelData, **a), ("features", "labels", "names", "model")),
}  # fmt: skip
