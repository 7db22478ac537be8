"""Declared environment variables: what the one who runs a server may set, with its default and what is allowed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from datasets.parameters import Parameter


@dataclass(frozen=True)
class Variable(Parameter):
    """An environment variable. `name` is its name in the environment, `help` what it does.

    least : characters that a text has at least, unless it is empty. folder : whether it names a folder that exists.
    formerly : earlier names, which still work. of, share : another variable from which the value follows where it is
    not set, and how much of that. deprecated : whether it is better left out. It then still works, and no list has it.

    >>> MOST = Variable("FEEDBACK_LAB_EXAMPLE", "integer", 3, 1, 9, help="An example.")
    >>> MOST.value
    3
    >>> os.environ["FEEDBACK_LAB_EXAMPLE"] = "many"
    >>> MOST.value
    Traceback (most recent call last):
    ValueError: FEEDBACK_LAB_EXAMPLE must be a whole number in [1, 9], got many
    >>> del os.environ["FEEDBACK_LAB_EXAMPLE"]
    """

    least: int = 0
    folder: bool = False
    formerly: tuple[str, ...] = ()
    of: Variable | None = None
    share: Fraction = Fraction(1)
    deprecated: bool = False

    @property
    def follows(self) -> str:
        """The value that holds without it, in words."""
        if self.of is not None:
            return f"{self.share} of {self.of.name}"
        return self.format(self.default).removesuffix(".0") or "the user's folders"

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.folder:
            return "a folder that exists"
        return f"a text of at least {self.least} characters" if self.least else super().allowed

    def refuse(self, value: object) -> ValueError:
        """Return an error for `value`: one sentence, which does not tell a text that may be a key."""
        if self.least:
            return ValueError(f"{self.name} must be {self.allowed}, got {len(str(value))}")
        return super().refuse(value)

    def check(self, value: Any) -> Any:
        found = super().check(value)
        if found and (len(str(found)) < self.least or (self.folder and not Path(found).is_dir())):
            raise self.refuse(value)
        return found

    @property
    def value(self) -> Any:
        """The value in the environment now; where it is not set or empty, the share of another or the default.

        Raises
        ------
        ValueError : for a value that is not allowed, with a sentence that names the variable.
        """
        given = (os.environ.get(name, "").strip() for name in (self.name, *self.formerly))
        first = next(filter(None, given), "")
        if first or self.of is None:
            return self.parse(first) if first else self.default
        share = self.of.value * self.share
        return self.check(max(self.low, min(self.high, float(share) if self.kind == "real" else int(share))))

    @property
    def at_start(self) -> Any:
        """The value for a constant that a module reads once, when it is imported.

        It is the default where the value is not allowed. The server does not start then, and names all such values.
        """
        try:
            return self.value
        except ValueError:
            return self.default


RAM_MB = Variable(
    "FEEDBACK_LAB_RAM_MB", "integer", 7000, 100, 100_000_000,
    help="Memory in MB that the server may use: 4/7 for sweeps and figures, 1/7 each for runs of labs, for loaded data "
    "and for files on their way. One run may take 1/7.",
)  # fmt: skip
DISK_MB = Variable(
    "FEEDBACK_LAB_DISK_MB", "integer", 6000, 10, 100_000_000,
    help="Disk space in MB: 1/3 for uploads, at most 1/20 for those of one visit, and 2/3 for data that were read.",
)  # fmt: skip
DATA_MB = Variable(
    "FEEDBACK_LAB_DATA_MB", "integer", 500, 1, 100_000, of=RAM_MB, share=Fraction(1, 14),
    help="Memory in MB that one data set may take, read or made. Without it 1/14 of `FEEDBACK_LAB_RAM_MB`.",
)  # fmt: skip
