"""What the pages know of a bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bound:
    """A bound on what `bounded` says, as a function of what the environment measured."""

    title: str
    formula: str  # LaTeX
    note: str
    evaluate: Callable[[Any], Any]
    bounded: str = "average regret"
    symbols: str = ""  # what the letters of the formula mean
