"""Runs every learner on every data set at every allowed extreme of every parameter, and at pairs of extremes.

    python -m tests.attack.extremes              # all of it; prints a line for each fault, and counts
    python -m tests.attack.extremes --share 0.05 --seed 3

A case is right if it takes its steps without an error other than one sentence (ValueError), without a warning of the
arithmetic, without a metric that was finite in the usual setting and no longer is, and within the time.
"""

from __future__ import annotations

import itertools
import random
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from joblib import Parallel, delayed

import datasets
from datasets.parameters import Declared, Parameter
from learners import Simulation, create, create_user
from learners.catalogue import datasets_of, families, learner_classes, learners_of, user_classes, users_of
from tests.attack.tally import FINE, Tally, command, count

STEPS, SECONDS, PAIRS = 20, 20.0, 8
# so that the data are built at once
SMALL = {"queries": 100, "documents": 20, "examples": 400, "users": 60, "movies": 60, "ratings": 20, "words": 200}
SKIPPED = ("path", "name", "edition")  # parameters of data that need a file or a network
DOWNLOADED = ("reuters4", "newsgroups")


@dataclass(frozen=True)
class Case:
    """A learner on a data set with a user, each with parameters that differ from the defaults."""

    learner: tuple[str, tuple[tuple[str, Any], ...]]
    dataset: tuple[str, tuple[tuple[str, Any], ...]]
    user: tuple[str, tuple[tuple[str, Any], ...]] | None

    def __str__(self) -> str:
        parts = [self.learner, self.dataset, *([self.user] if self.user else [])]
        return " · ".join(f"{id}({', '.join(f'{k}={v!r}' for k, v in params)})" for id, params in parts)


def extremes(parameter: Parameter) -> list[Any]:
    """Return the ends of what a parameter allows, and what lies closest to them; of choices with numbers, the ends."""
    if parameter.kind == "choice":
        numbers = [c for c in parameter.choices if c.isdigit()]
        return [c for c in parameter.choices if c not in (parameter.default, *numbers[1:-1])]
    if parameter.kind == "flag":
        return [not parameter.default]
    if parameter.kind not in ("real", "integer"):
        return []
    found = [x for x in (parameter.low, parameter.high) if np.isfinite(x)]
    if parameter.kind == "real":
        found += [1e-9, 5e-324, 1e-300]
    allowed = []
    for value in found:
        try:
            checked = parameter.check(int(value) if parameter.kind == "integer" else float(value))
        except ValueError:
            continue
        allowed += [checked] if checked not in allowed else []
    return allowed


def worlds() -> Iterator[tuple[Any, str, str, str | None]]:
    """Yield every family with each of its learners, data sets that need no file, and users."""
    for family in families().values():
        for learner, data in itertools.product(learners_of(family), datasets_of(family)):
            if data in DOWNLOADED or any(p.name in SKIPPED for p in datasets.classes()[data].parameters()):
                continue
            for user in users_of(family) or (None,):
                yield family, learner, data, user


def cases(share: float = 1.0, seed: int = 0, pairs: int = PAIRS) -> Iterator[Case]:
    """Yield the cases: one extreme at a time, and for each world `pairs` pairs of extremes drawn at random."""
    draw = random.Random(seed)
    for family, learner, data, user in worlds():
        found = [*_ends("learner", learner_classes()[learner]), *(_ends("user", user_classes()[user]) if user else ())]
        usual, ends = _of_data(data, family.id)
        found += ends
        for change in found:
            if draw.random() < share:
                yield _case(learner, data, user, usual, change)
        for _ in range(pairs):
            if len(found) > 1 and draw.random() < share:
                one, two = draw.sample(found, 2)
                if one[:2] != two[:2]:
                    yield _case(learner, data, user, usual, one, two)


@cache
def _ends(who: str, kind: type[Declared]) -> list[tuple[str, str, Any]]:
    """Return owner, name and value of each extreme of the parameters of a learner or a user."""
    return [(who, p.name, value) for p in kind.parameters() for value in extremes(p)]


@cache
def _of_data(id: str, family: str) -> tuple[tuple[tuple[str, int], ...], list[tuple[str, str, Any]]]:
    """Return the parameters with which data are soon built, and the extremes of the others."""
    kind = datasets.classes()[id]
    has = {p.name: p for p in kind.parameters()}
    usual = tuple((k, v) for k, v in SMALL.items() if k in has and has[k].low <= v <= has[k].high)
    others = [p for p in kind.used_by(family) if p.name not in SMALL and p.name != "data_seed"]
    ends = [(p, v) for p in others for v in extremes(p) if not (p.kind == "integer" and v > 200)]
    return usual, [("dataset", p.name, v) for p, v in ends]


def _case(learner: str, data: str, user: str | None, usual: Any, *changes: tuple[str, str, Any]) -> Case:
    """Return the case of a world with some changes: owner, name and value of parameters."""
    of: dict[str, dict[str, Any]] = {"learner": {}, "dataset": dict(usual), "user": {}}
    for who, name, value in changes:
        of[who][name] = value
    made = {who: tuple(params.items()) for who, params in of.items()}
    return Case((learner, made["learner"]), (data, made["dataset"]), (user, made["user"]) if user else None)


@lru_cache(maxsize=32)
def built(id: str, params: tuple[tuple[str, Any], ...]) -> Any:
    """Return data; neighbours in the list of cases share them."""
    return datasets.load(id, **dict(params))


def fault(case: Case) -> str:
    """Run a case; return "" if it is right or refused in one sentence, else what is wrong in a few words."""
    began, worked = time.perf_counter(), time.process_time()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            data = built(*case.dataset)
            began, worked = time.perf_counter(), time.process_time()
            learner = create(case.learner[0], **dict(case.learner[1]))
            user = create_user(case.user[0], **dict(case.user[1])) if case.user else None
            simulation = Simulation(learner, data, user, replicates=2, seed=0)
            steps = min(STEPS, 5) if simulation.environment.block == 1 and families()[learner.family].rounds else STEPS
            simulation.advance(steps=steps)
        except ValueError as error:
            return "" if "\n" not in str(error) else f"a message of several lines: {error}"
        except Exception as error:
            return f"{type(error).__name__}: {str(error)[:200]}"
    seconds = min(time.perf_counter() - began, time.process_time() - worked)  # of its own, on a shared machine
    if seconds > SECONDS:
        return f"{seconds:.0f} s"
    arithmetic = [w for w in warned if issubclass(w.category, (RuntimeWarning, np.exceptions.ComplexWarning))]
    if arithmetic:
        first = arithmetic[0]
        return f"{first.category.__name__}: {str(first.message)[:100]} ({first.filename[-40:]}:{first.lineno})"
    wrong = [id for id, values in simulation.history.items() if np.isinf(values).any()]
    return f"infinite: {', '.join(wrong)}" if wrong else ""


def judge(case: Case) -> tuple[str, str]:
    """Run a case; return its outcome, and what was wrong."""
    wrong = fault(case)
    if not wrong:
        return FINE, ""
    return ("hang" if wrong.endswith(" s") else "traceback"), wrong


def _part(share: float, seed: int, pairs: int, part: int, parts: int) -> Tally:
    return count("extremes", itertools.islice(cases(share, seed, pairs), part, None, parts), judge)


def campaign(seed: int = 0, workers: int = 1, share: float = 1.0, pairs: int = PAIRS) -> Tally:
    """Run all cases, or a share of them, in some processes."""
    tally = Tally("extremes")
    arguments = [(share, seed, pairs, part, workers) for part in range(workers)]
    for found in Parallel(workers)(delayed(_part)(*given) for given in arguments):
        tally.join(found)
    return tally


if __name__ == "__main__":  # by its name, so that other processes find what is defined here
    from tests.attack import extremes as module

    raise SystemExit(command(module.campaign, __doc__, workers=1, share=1.0, pairs=PAIRS))
