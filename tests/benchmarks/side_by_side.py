"""Two checkouts measured in turn, each by a `worker` of its own, and the tables that show the result."""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
NEW = HERE.parents[1]


class Refused(Exception):
    """What a worker could not do, in its words."""


class Worker:
    """A process that measures one checkout."""

    def __init__(self, checkout, **environment):
        threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        self.checkout = checkout
        path = str(Path(checkout).resolve())
        settings = os.environ | threads | {"PYTHONPATH": path, "STREAMLIT_LOGGER_LEVEL": "error"} | environment
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "worker.py")], cwd=path, env=settings, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if QUIET else None,
        )  # fmt: skip

    def ask(self, measure, **arguments):
        """Return what the worker measures.

        Raises
        ------
        Refused : if it could not.
        """
        self.process.stdin.write(json.dumps({"measure": measure} | arguments) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": "the process has ended"}
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


QUIET = "BENCH_LOUD" not in os.environ


class Pair:
    """The answers of old and new in several rounds. `old` is empty if there is no old checkout."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    @classmethod
    def of(cls, workers, rounds, measure, **arguments):
        """Ask both in turn; the order changes from round to round."""
        answers = {worker: [] for worker in workers}
        for i in range(rounds):
            for worker in workers[:: (-1) ** i]:
                answers[worker].append(worker.ask(measure, **arguments))
        *old, new = answers.values()
        return cls(old[0] if old else [], new)

    def best(self, what="time"):
        """The best of old (NaN if there is none) and of new."""
        return [min((answer[what] for answer in answers), default=math.nan) for answers in (self.old, self.new)]

    def ratio(self, what="time"):
        """The median of the rounds' ratios with their range, in words."""
        if not self.old:
            return "–"
        found = sorted(old[what] / new[what] for old, new in zip(self.old, self.new, strict=True))
        return f"{median(found):.2f} ({found[0]:.2f}–{found[-1]:.2f})"

    def same(self):
        """Whether old and new end with the same numbers, in words."""
        if not self.old:
            return "–"
        old, new = self.old[0]["numbers"], self.new[0]["numbers"]
        off = [m for m in old if m not in new or not _close(old[m], new[m])]
        return "yes" if not off else f"no: {', '.join(off[:3])}{' …' * (len(off) > 3)}"


def _close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) or (math.isnan(a) and math.isnan(b))


def table(head, rows):
    """Print a table in Markdown, each row as soon as it is known."""
    rule = ["---"] * len(head)
    for row in itertools.chain((head, rule), rows):
        print("| " + " | ".join(f"{x:.4g}" if isinstance(x, float) else str(x) for x in row) + " |", flush=True)
    print(flush=True)
