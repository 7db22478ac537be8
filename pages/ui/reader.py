"""A reader of links that answers like `Settings` but draws nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from datasets.parameters import Declared, Parameter
from datasets.spec import Spec

# Settings asked for, each with its name in plain words, by its key in the link
Asked = dict[str, tuple[Parameter, str]]


class LinkReader:
    """A reader of links that answers like `Settings` but draws nothing, and records the parameters asked for.

    known : the parameters asked for, by their keys in the link. titles : their names in plain words, by key.
    hidden : keys of those that have no field of their own. asked : both, the parameter and its name, by key.

    >>> reader = LinkReader({"steps": "20"})
    >>> reader.widget(Parameter("steps", "integer", 10, 1, 100)), reader.known["steps"].default
    (20, 10)
    """

    def __init__(self, query: Mapping[str, str]) -> None:
        self.query = query
        self.known: dict[str, Parameter] = {}
        self.titles: dict[str, str] = {}
        self.hidden: set[str] = set()

    @property
    def asked(self) -> Asked:
        """What was asked for so far."""
        return {key: (parameter, self.titles.get(key, parameter.label)) for key, parameter in self.known.items()}

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
    ) -> Spec:
        """Return the id of a class with the values of its parameters. `of` says whose they are, for their titles."""
        own = [replace(p, default=defaults.get(p.name, p.default)) for p in cls.used_by(family)]
        # as `Settings` ask, those on which others depend first
        values = {p.name: self.widget(p, p.name + suffix, of=of) for p in sorted(own, key=lambda p: p.when is not None)}
        # what has no effect is left at its default, so that the same run has one description
        idle = [p for p in own if p.when and values.get(p.when[0]) != p.when[1]]
        return Spec(cls.id, tuple((values | {p.name: p.default for p in idle}).items()))

    def belongs(self, key: str, owner: str, name: str = "") -> None:
        """Do nothing: a link has the values of one owner alone."""

    def section(self, title: str, group: str = "") -> None:
        """Draw nothing."""

    def caption(self, text: str, of: str = "") -> None:
        """Draw nothing."""

    def expander(self, title: str, keys: Iterable[str] = ()) -> Any:
        """Return a container that draws nothing."""
        return nullcontext()
