"""Reads a table of a TOML file strictly and says in a sentence what is wrong with it, where, and what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeVar

Made = TypeVar("Made")
MOST_LETTERS = 60  # letters of a wrong value that a sentence repeats


class TomlTable:
    """A table whose values are asked for one by one.

    where : how sentences call it. problems : gets a sentence for each value that is wrong or missing.

    >>> table = TomlTable("card meet", {"title": "The user", "t": -1, "colour": "red"}, [])
    >>> table.text("title"), table.whole("t", low=0, default=0)
    ('The user', 0)
    >>> table.end()
    >>> for problem in table.problems:
    ...     print(problem)
    In card meet, t must be a whole number of at least 0, got -1.
    In card meet, colour is not known; known are t, title.
    """

    def __init__(self, where: str, values: Mapping[str, Any], problems: list[str]) -> None:
        self.where, self.values, self.problems = where, values, problems
        self.known: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def say(self, problem: str) -> None:
        """Add a sentence on what is wrong; it begins with the place."""
        self.problems.append(f"In {self.where}, {problem}.")

    def refuse(self, name: str, allowed: str) -> None:
        """Say that a value is not allowed, or missing."""
        value = shown(self.values[name]) if name in self.values else "nothing"
        self.say(f"{name} must be {allowed}, got {value}")

    def _take(self, name: str, default: Any, fits: Any, allowed: str) -> Any:
        self.known.add(name)
        value = self.values.get(name)
        if value is None and default is not None:
            return default
        if not fits(value):
            self.refuse(name, allowed)
            return default
        return value

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text, which must not be empty; without a default it must be there."""
        found = self._take(name, default, lambda v: isinstance(v, str) and v.strip(), "a text that is not empty")
        return (found or "").strip()

    def choice(self, name: str, among: tuple[str, ...]) -> str:
        """Return one of several texts."""
        return self._take(name, None, lambda v: v in among, f"one of {', '.join(among)}") or ""

    def whole(self, name: str, low: int, high: int | None = None, default: int | None = None) -> int:
        """Return a whole number from `low` to `high`."""
        allowed = f"a whole number of at least {low}" if high is None else f"a whole number from {low} to {high}"

        def fits(value: Any) -> bool:
            return isinstance(value, int) and not isinstance(value, bool) and low <= value <= (high or value)

        return int(self._take(name, default, fits, allowed) or 0)

    def number(self, name: str, default: float | None = None) -> Decimal:
        """Return a number with as many decimals as it was written with."""

        def fits(value: Any) -> bool:
            return isinstance(value, int | Decimal) and not isinstance(value, bool) and Decimal(value).is_finite()

        found = self._take(name, default, fits, "a number")
        return Decimal(0 if found is None else found)

    def texts(self, name: str, least: int = 0, most: int = 100) -> tuple[str, ...]:
        """Return a list of texts that differ."""

        def fits(value: Any) -> bool:
            return (
                isinstance(value, list) and all(isinstance(v, str) and v.strip() for v in value)
                and least <= len(value) <= most and len(set(value)) == len(value)
            )  # fmt: skip

        between = f"{least} to {most} texts" if most < 100 else "a list of texts"
        return tuple(self._take(name, None if least else (), fits, f"{between} that differ and are not empty") or ())

    def table(self, name: str, where: str = "") -> TomlTable | None:
        """Return a table in this one, or None if it is left out."""
        found = self._take(name, {}, lambda v: isinstance(v, Mapping), "a table")
        return TomlTable(where or f"{name} of {self.where}", found, self.problems) if found or name in self else None

    def tables(self, name: str) -> list[TomlTable]:
        """Return a list of tables in this one, which are numbered from 1."""
        found = self._take(
            name, (), lambda v: isinstance(v, list) and all(isinstance(x, Mapping) for x in v), "a list of tables"
        )
        return [TomlTable(f"{name} {i} of {self.where}", each, self.problems) for i, each in enumerate(found, 1)]

    def part(self, name: str, read: Callable[[TomlTable], Made]) -> Made | None:
        """Return what is read from a table in this one, or None if it is left out."""
        found = self.table(name)
        return None if found is None else found.whole_of(read)

    def parts(self, name: str, read: Callable[[TomlTable], Made]) -> tuple[Made, ...]:
        """Return what is read from each of a list of tables in this one."""
        return tuple(found.whole_of(read) for found in self.tables(name))

    def whole_of(self, read: Callable[[TomlTable], Made]) -> Made:
        """Return what is read from this table, and refuse everything that was not asked for."""
        made = read(self)
        self.end()
        return made

    def settings(self) -> dict[str, str]:
        """Return the settings of a link, as texts: numbers and truth values may be written as they are."""
        found = self.table("settings")
        texts: dict[str, str] = {}
        for key, value in found.values.items() if found else ():
            if isinstance(value, bool):
                texts[key] = str(value).lower()
            elif isinstance(value, str | int | Decimal):
                texts[key] = str(value)
            else:
                self.say(f"settings must give {key} a text, a number, true or false, got {shown(value)}")
        return texts

    def end(self) -> None:
        """Refuse everything that was not asked for."""
        for name in self.values:
            if name not in self.known:
                self.say(f"{name[:MOST_LETTERS]} is not known; known are {', '.join(sorted(self.known))}")


def shown(value: Any) -> str:
    """Return a value as a sentence repeats it, shortened.

    >>> shown("x" * 70) == "x" * 60 + "…", shown(True)
    (True, 'true')
    """
    text = str(value).lower() if isinstance(value, bool) else " ".join(str(value).split()) or "an empty text"
    return text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS] + "…"
