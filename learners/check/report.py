"""Checks a file of one's own in a process that cannot harm this one, and tells what holds and what does not."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datasets import home, own_code
from datasets.base import Dataset
from datasets.parameters import shown
from learners.base import Learner
from learners.catalogue import families
from learners.check.promises import CheckedRuns, Promise, dataset_promises, more_promises, promises, user_promises

SECONDS = 120.0  # that a file may take, compiling included
TIMED = 0.3  # seconds for which steps are timed
SAID = 200  # letters of what a file prints


@dataclass
class CheckedClass:
    """The report on a class. kept, broken : promises, the latter with what is wrong. times : in words."""

    name: str
    kind: str
    id: str
    title: str
    kept: list[str] = field(default_factory=list)
    broken: list[tuple[str, str]] = field(default_factory=list)
    times: str = ""


@dataclass
class CheckedFile:
    """The report on a file. wrong : in a sentence why not all of it could be checked, or ""."""

    path: Path
    classes: list[CheckedClass] = field(default_factory=list)
    wrong: str = ""

    @property
    def reason(self) -> str:
        """Why it is not used, in a sentence; "" where everything holds."""
        faults = (f"{found.name}: {fault}" for found in self.classes for _, fault in found.broken)
        return self.wrong or next(faults, "")

    def lines(self) -> Iterator[str]:
        """Yield the report, line by line."""
        yield str(self.path)
        for found in self.classes:
            yield f"\n{found.name}, a {found.kind} with the id {found.id}"
            yield from (f"  holds     {promise}" for promise in found.kept)
            for promise, fault in found.broken:
                yield f"  does not  {promise}"
                yield f"            {fault}"
            if found.times:
                yield f"  takes     {found.times}"
        if self.wrong:
            yield f"\n{self.wrong}"


def check_file(path: str | Path, seconds: float = SECONDS) -> CheckedFile:
    """Check all classes of a file, in a process that is ended after some seconds."""
    path = Path(path)
    found, doing = CheckedFile(path), "reading it"
    with tempfile.TemporaryDirectory(prefix="feedback-lab-check-") as folder:
        told = Path(folder, "told")
        command = [sys.executable, "-W", "ignore", "-m", home.module("learners.check"), "--tell", str(told), str(path)]
        places = os.pathsep.join(filter(None, (str(home.ROOT), os.environ.get("PYTHONPATH"))))
        environment = {key: value for key, value in os.environ.items() if key != "FEEDBACK_LAB_PLUGINS"}
        try:
            done = subprocess.run(
                command, env=environment | {"PYTHONPATH": places}, timeout=seconds, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            )  # fmt: skip
            code, noise = done.returncode, done.stderr.decode("utf-8", "replace").strip()
        except subprocess.TimeoutExpired:
            code, noise = None, ""
        for line in told.read_text("utf-8").splitlines() if told.exists() else ():
            kind, *values = json.loads(line)
            if kind == "class":
                found.classes.append(CheckedClass(*values))
            elif kind == "doing":
                doing = f"“{values[0]}”"
            elif kind == "kept":
                found.classes[-1].kept.append(values[0])
            elif kind == "broken":
                found.classes[-1].broken.append((values[0], values[1]))
            elif kind == "times":
                found.classes[-1].times = values[0]
            elif kind == "wrong":
                found.wrong = values[0]
            else:
                return found
    if not found.wrong:
        last = shown(noise.splitlines()[-1], SAID) if noise else f"the system ended it ({code})"
        found.wrong = (
            f"It did not end within {seconds:g} seconds, at {doing}." if code is None
            else f"The process that checked it ended at {doing}: {last}."
        )  # fmt: skip
    return found


def tell(path: str, place: Path) -> None:
    """Check a file in this process; write what is found, line by line, as it is found."""
    with place.open("a", encoding="utf-8") as out:

        def note(*values: Any) -> None:
            out.write(json.dumps(values) + "\n")
            out.flush()

        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            try:
                classes = list(own_classes(path))
            except ValueError as error:
                note("wrong", f"{error}.")
                classes = []
            except BaseException as error:  # it may raise what it likes, such as SystemExit
                note("wrong", f"{path} cannot be read: {own_code.told(error)}.")
                classes = []
            else:
                if not classes:
                    note("wrong", f"There is no learner, user or data set in {path}.")
            for cls, kind, each in classes:
                note("class", cls.__name__, kind, shown(cls.id), shown(cls.title))
                broken = _keeps(each, note)
                said = shown(printed.getvalue().strip(), SAID)
                words = "It prints nothing."
                note(*(("broken", words, f"{cls.id} prints: {said}") if said else ("kept", words)))
                if kind == "learner" and not broken:
                    note("doing", "how long a step takes")
                    note("times", _times(cls))
                printed.seek(0)
                printed.truncate()
        note("end")


def _keeps(each: Iterator[Promise], note: Any) -> bool:
    """Check promises, the rest of which make no sense after one that is broken; return whether one is."""
    while True:
        promise = "It says what it is."
        try:
            promise, check = next(each)
            note("doing", promise)
            check()
        except StopIteration:
            return False
        except AssertionError as error:
            note("broken", promise, str(error) or f"AssertionError: {own_code.told(error)}")
            return True
        except BaseException as error:  # it may raise what it likes
            note("broken", promise, f"it raises {own_code.told(error)}")
            return True
        note("kept", promise)


def own_classes(path: str) -> Iterator[tuple[type[Any], str, Iterator[Promise]]]:
    """Yield the classes with an id that a file defines, each with what it is and what it promises."""
    module = own_code.module(path)
    users = tuple(family.users.base for family in families().values() if family.users)
    for cls in vars(module).values():
        if not isinstance(cls, type) or cls.__module__ != module.__name__ or not getattr(cls, "id", ""):
            continue
        if issubclass(cls, Learner):
            yield cls, "learner", _all(cls)
        elif issubclass(cls, users):
            yield cls, "user", user_promises(cls)
        elif issubclass(cls, Dataset):
            yield cls, "data set", dataset_promises(cls)


def _all(cls: type[Learner]) -> Iterator[Promise]:
    yield from promises(cls)
    yield from more_promises(cls)


def _times(cls: type[Learner]) -> str:
    """Return in words how long a step takes, alone and side by side, on the smallest data of its family."""
    runs, found = CheckedRuns(cls, {}), []
    for replicates in (1, 20):
        simulation = runs.simulation(replicates)
        simulation.advance(steps=1)
        began, first = time.perf_counter(), simulation.t
        simulation.advance(steps=2 if runs.family.rounds else 20_000, seconds=TIMED)
        found.append(1e6 * (time.perf_counter() - began) / (simulation.t - first) / replicates)
    unit = runs.family.unit
    return f"{found[0]:,.1f} µs a {unit}, and {found[1]:,.1f} µs a {unit} and replicate with 20, on {runs.data.id}."
