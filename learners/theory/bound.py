"""The declaration of a bound, from which charts, histories and pages take what they show of it.

Its words and its formula stand in `bounds.toml`; a function of another module evaluates it.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

AUTHORS = {"C": "Shivaswamy & Joachims", "S": "Raman et al.", "B": "Kakade et al.", "V": "Valizadegan"}


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A bound that a paper proves, as a function of what the environment measures.

    statement : the paper's name for it, such as "Theorem 1". paper : among `works()`. variant : how this form of the
    statement differs from the paper's, if it does. formula : LaTeX. symbols : what its letters mean. note : when it
    holds. promise : what it promises, in words that fit a legend. given : what the promise rests on. bounded : the
    quantity it bounds. evaluate : its value for what was measured. record : the metric under which its values are
    recorded. zero_start : whether it is stated for learners that start at w₁ = 0 alone.
    """

    statement: str
    paper: str
    variant: str = ""
    formula: str
    symbols: str
    note: str
    promise: str
    given: str
    bounded: str = "average regret"
    evaluate: Callable[[Any], Any]
    record: str = "bound"
    zero_start: bool = False

    @property
    def title(self) -> str:
        """The statement and its authors.

        >>> from learners.theory import BOUNDS
        >>> BOUNDS["theorem-1"].title
        'Theorem 1 of Shivaswamy & Joachims'
        """
        return f"{self.statement} of {AUTHORS[self.paper]}" + (f", {self.variant}" if self.variant else "")

    @property
    def words(self) -> str:
        """The promise of the bound, for a reader without the formula.

        >>> from learners.theory import BOUNDS
        >>> BOUNDS["theorem-1"].words
        'worst-case bound, with the slacks measured in the run'
        """
        return f"{self.promise}, {self.given}"


def declared(functions: Mapping[str, Callable[[Any], Any]]) -> dict[str, Bound]:
    """Return the bounds that functions evaluate, by their ids."""
    tables = tomllib.loads((Path(__file__).parent / "bounds.toml").read_text("utf-8"))
    found = {}
    for id, evaluate in functions.items():
        own = dict(tables[id])
        fields = tables["like"][own.pop("like")] | own
        given: Any = {name: " ".join(x.split()) if isinstance(x, str) else x for name, x in fields.items()}
        found[id] = Bound(evaluate=evaluate, **given)
    return found
