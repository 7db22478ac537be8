"""A reader of links that answers like `Settings` but draws nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from datasets.parameters import Declared, Parameter
from pages.ui.choice import Choice


class LinkReader:
    """A reader of links that answers like `Settings` but draws nothing, and records the parameters asked for.

    known : the parameters asked for, by their keys in the link. titles : their names in plain words, by key.
    hidden : keys of those that have no field of their own.

    >>> reader = LinkReader({"steps": "20"})
    >>> reader.widget(Parameter("steps", "integer", 10, 1, 100)), reader.known["steps"].default
    (20, 10)
    """

    def __init__(self, query: Mapping[str, str]) -> None:
        self.query = query
        self.known: dict[str, Parameter] = {}
        self.titles: dict[str, str] = {}
        self.hidden: set[str] = set()

    def widget(
        self, parameter: Parameter, key: str | None = None, label: str | None = None, of: str = "", **how: Any
    ) -> Any:
        """Return the value in the link, or the default if it is missing or wrong."""
        key = key or parameter.name
        self.known[key] = parameter
        title = label or parameter.label
        self.titles[key] = f"{title} of {of}" if of else title
        try:
            return parameter.parse(self.query[key])
        except (KeyError, ValueError):
            return parameter.default

    def now(self, parameter: Parameter, owner: str = "") -> Any:
        """Return None: nothing is offered in a link, which may have any value."""
        return None

    def get(self, parameter: Parameter, noted: bool = True) -> Any:
        """Return the value in the link, or the default if it is missing or wrong."""
        self.hidden.add(parameter.name)
        return LinkReader.widget(self, parameter)

    def several(self, name: str, default: list[str], known: Mapping[str, str], label: str) -> list[str]:
        """Return the chosen ids, unchecked."""
        return str(self.get(Parameter(name, "text", ",".join(default)))).split(",")

    def declared(
        self, cls: type[Declared], suffix: str = "", family: str = "", defaults: Mapping[str, Any] = {}, of: str = ""
    ) -> Choice:
        """Return the id of a class with the values of its parameters. `of` says whose they are, for their titles."""
        own = [replace(p, default=defaults.get(p.name, p.default)) for p in cls.used_by(family)]
        return Choice(cls.id, tuple((p.name, self.widget(p, p.name + suffix, of=of)) for p in own))

    def belongs(self, key: str, owner: str, name: str = "") -> None:
        """Do nothing: a link has the values of one owner alone."""

    def section(self, title: str, group: str = "") -> None:
        """Draw nothing."""

    def caption(self, text: str, of: str = "") -> None:
        """Draw nothing."""

    def expander(self, title: str, keys: Iterable[str] = ()) -> Any:
        """Return a container that draws nothing."""
        return nullcontext()
