"""Calls the library with values that nobody should give: every parameter of every class, every argument of a function.

    python -m tests.attack.calls              # all of it; prints a line for each fault, and counts
    python -m tests.attack.calls --share 0.02 --seed 3

A call is right if the value is allowed, or if it ends in a ValueError of one sentence that names the argument. An
argument that Python itself refuses, because there is no such argument, may end in a TypeError.
"""

from __future__ import annotations

import datetime
import decimal
import itertools
import random
import re
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.sparse import csr_array

import datasets
from learners import create, create_user
from learners.catalogue import learner_classes, user_classes
from tests.attack.functions import FUNCTIONS, OTHER
from tests.attack.tally import FINE, HANG, REFUSED, Tally, command, count

LONGEST = 1500  # characters of a sentence

VALUES: dict[str, Any] = {
    "None": None, "True": True, "False": False, "NaN": float("nan"), "∞": float("inf"), "−∞": float("-inf"),
    "−1": -1, "0": 0, "−0.0": -0.0, "half": 0.5, "1e308": 1e308, "5e-324": 5e-324, "1e-300": 1e-300, "2^70": 2**70,
    "−2^70": -(2**70), "10^400": 10**400, "1j": 1j, "empty text": "", "a text": "x", "digits": "12", "zero byte": "\0",
    "long text": "x" * 100_000, "lines": "a\nb\nc", "a surrogate": "\ud800", "bytes": b"x", "[]": [], "[1]": [1],
    "[[1]]": [[1]], "[NaN]": [float("nan")], "['x']": ["x"], "[None]": [None], "ragged": [[1], [1, 2]], "()": (),
    "{}": {}, "{'x': 1}": {"x": 1}, "a set": {1}, "range": range(3), "an iterator": lambda: iter([1]),
    "object": object(), "a class": int, "a function": len, "a module": re, "Ellipsis": ...,
    "a Decimal": decimal.Decimal("0.1"), "a date": datetime.date(2020, 1, 1), "a Path": Path("nowhere"),
    "np.nan": np.float64("nan"),
    "np.int8": np.int8(-1),
    "np.bool": np.bool_(True), "np.str": np.str_("x"), "datetime64": np.datetime64("2020-01-01"),
    "empty array": np.empty(0), "array of texts": np.array(["x"]),
    "array of objects": np.array([None, 1], dtype=object),
    "complex array": np.array([1j]), "3-d array": np.zeros((2, 2, 2)), "array of NaN": np.full(3, np.nan),
    "huge array": np.full(3, 1e308), "0-d array": np.array(0.3), "sparse": csr_array(np.eye(2)),
    "Series": pd.Series([1.0, 2.0]), "DataFrame": pd.DataFrame({"a": [1]}), "namespace": SimpleNamespace(shape=(2,)),
}  # fmt: skip


@dataclass(frozen=True)
class Call:
    """A function, the argument that is wrong, and the name of its value in VALUES."""

    name: str
    argument: str
    value: str

    def __str__(self) -> str:
        return f"{self.name}({self.argument}={self.value})"


MAKERS: dict[str, Callable[..., Any]] = {"learner": create, "user": create_user, "dataset": datasets.create}


def calls(share: float = 1.0, seed: int = 0) -> Iterator[Call]:
    """Yield every call, or a share of them."""
    draw = random.Random(seed)
    classes = {"learner": learner_classes(), "user": user_classes(), "dataset": datasets.classes()}
    makers = [
        (f"{what} {id}", p.name) for what, of in classes.items() for id, cls in of.items() for p in cls.parameters()
    ]
    arguments = [(name, argument) for name, (_, given) in FUNCTIONS.items() for argument in given]
    for (name, argument), value in itertools.product([*arguments, *makers], VALUES):
        if draw.random() < share:
            yield Call(name, argument, value)


def judge(call: Call) -> tuple[str, str]:
    """Make a call; return its outcome, and what was wrong."""
    value = VALUES[call.value]
    value = value() if call.value == "an iterator" else value
    began = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            if call.name in FUNCTIONS:
                FUNCTIONS[call.name][0](**{call.argument: value})
            else:
                what, id = call.name.split(" ", 1)
                MAKERS[what](id, **{call.argument: value})
            outcome = FINE, ""
        except (ValueError, OTHER.get(call.name, ValueError)) as error:
            said = str(error.args[0])
            whole = said and "\n" not in said.strip() and len(said) < LONGEST
            outcome = (REFUSED, "") if whole else ("not one sentence", repr(said[:200]))
        except Exception as error:
            outcome = "traceback", f"{type(error).__name__}: {str(error)[:150]}"
    seconds = time.perf_counter() - began
    return ("hang", f"{seconds:.0f} s") if seconds > HANG else outcome


def _part(share: float, seed: int, part: int, parts: int) -> Tally:
    return count("calls", itertools.islice(calls(share, seed), part, None, parts), judge)


def campaign(seed: int = 0, workers: int = 1, share: float = 1.0) -> Tally:
    """Make all calls, or a share of them, in some processes."""
    tally = Tally("calls")
    for found in Parallel(workers)(delayed(_part)(share, seed, part, workers) for part in range(workers)):
        tally.join(found)
    return tally


if __name__ == "__main__":  # by its name, so that other processes find what is defined here
    from tests.attack import calls as module

    raise SystemExit(command(module.campaign, __doc__, workers=1, share=1.0))
