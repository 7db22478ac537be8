"""The counts of a generator of attacks."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

FINE, REFUSED = "as it should be", "refused in a sentence"
BECAME = "became markup"
OUTCOMES = (FINE, REFUSED, "traceback", "not one sentence", "hang", "over memory", "guard reached", BECAME)
HANG = 20.0  # seconds of one case


@dataclass
class Tally:
    """Cases of a generator by what came out, with one line for each fault.

    >>> tally = Tally("example")
    >>> tally.add("a case", FINE); tally.add("another", "hang", "25 s")
    hang: another: 25 s
    >>> tally.cases, tally.faults, tally.lines
    (2, 1, ['hang: another: 25 s'])
    """

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, case: object, outcome: str, words: str = "") -> None:
        """Count a case; a fault is kept in a line."""
        assert outcome in OUTCOMES, outcome
        self.counts[outcome] += 1
        if outcome not in (FINE, REFUSED):
            self.lines.append(f"{outcome}: {case}: {words}")
            print(self.lines[-1], flush=True)

    def join(self, other: Tally) -> None:
        """Add what another process counted."""
        self.counts.update(other.counts)
        self.lines += other.lines

    @property
    def cases(self) -> int:
        """The number of cases."""
        return sum(self.counts.values())

    @property
    def faults(self) -> int:
        """The number of cases that went wrong."""
        return self.cases - self.counts[FINE] - self.counts[REFUSED]

    def row(self) -> dict[str, Any]:
        """Return the counts as a row of a table."""
        return {"name": self.name, "cases": self.cases, **{o: self.counts[o] for o in OUTCOMES}} | {
            "seconds": round(self.seconds)
        }


def count(name: str, cases: Iterable[Any], judge: Callable[[Any], tuple[str, str]]) -> Tally:
    """Judge all cases, each giving an outcome and words, and return the tally."""
    tally, began = Tally(name), time.perf_counter()
    for case in cases:
        tally.add(case, *judge(case))
    tally.seconds = time.perf_counter() - began
    return tally


def command(campaign: Callable[..., Tally], words: str | None, **options: Any) -> int:
    """Run a campaign with the options of the command line, whose defaults are given; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in {"seed": 0, **options}.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    tally = campaign(**vars(parser.parse_args()))
    print(tally.row())
    return int(tally.faults > 0)
