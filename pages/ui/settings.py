"""The settings of a page, which follow from parameter declarations and live in the URL.

Streamlit can bind widgets to the URL by itself, but it silently drops bad values, writes titles instead of ids, and
keeps old values that a link leaves out. This module reads the link itself. It checks every value with the declaration
that also makes the widget and describes each error in a sentence. After each run it writes the address again, without
defaults. The address is replaced, not added to the history of the browser, so that Back leaves the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from datasets.parameters import Declared, Parameter
from pages.ui.choice import Choice

# Function from the raw texts of a link to the parameters that it may contain
Schema = Callable[[Mapping[str, str]], dict[str, Parameter]]


def choice_of(name: str, default: str, ids: list[str], help: str = "") -> Parameter:
    """Return a parameter whose value is one of some ids."""
    return Parameter(name, "choice", default, choices=tuple(ids), help=help)


def chosen_id(query: Mapping[str, str], parameter: Parameter) -> str:
    """Return the id that a link gives a choice, or the default if that id is missing or unknown."""
    id = query.get(parameter.name, parameter.default)
    return str(id if id in parameter.choices else parameter.default)


def read_link(query: Mapping[str, str], schema: Schema) -> tuple[dict[str, Any], list[str]]:
    """Return the values that a link sets, and a sentence for each part of it that is wrong."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    known = schema(query)
    for key, text in query.items():
        if key not in known:
            problems.append(f"{key[:60]!r} is not a setting of this page.")
            continue
        try:
            values[key] = known[key].parse(text)
        except ValueError as error:
            words = str(error).replace(known[key].name, key, 1)  # with the slot: gamma-2
            problems.append(f"{words}; the default {known[key].format(known[key].default)} is used.")
    return values, problems


def plain(text: str) -> str:
    """Return a text escaped so that Markdown finds no link, picture, HTML, formula or emphasis in it.

    >>> print(plain("gamma must be in (0, 1], got [x](https://example.org)"))
    gamma must be in (0, 1], got [x\\](https\\://example.org)
    """
    return re.sub(r"(\]\(|!\[|[<`$*~]|:(?=//|\w+\[)|(?<=www)\.)", r"\\\1", text)


class Settings:
    """The settings of one page in one session.

    Create it at the top of a run. Each call of `widget` then draws one setting, and `write` puts all into the link.
    `played` are settings that the browser changes in the address by itself; they are read from a link that is opened.
    """

    def __init__(self, page: str, schema: Schema, played: tuple[str, ...] = ()) -> None:
        self.page, self.played = page, played
        state = st.session_state.setdefault(
            f"settings:{page}", {"values": {}, "problems": [], "known": [], "owners": {}}
        )
        self.state: dict[str, Any] = state
        self.query = query = {key: st.query_params[key] for key in st.query_params}
        settled = {key: text for key, text in query.items() if key not in played}
        # Without a query a person has come back from another page and sees the earlier settings again.
        self.fresh = settled not in state["known"]
        if query and self.fresh:
            state["values"], state["problems"] = read_link(query, schema)
            state["owners"] = {}
        state["known"] = [settled]
        self.values: dict[str, Any] = state["values"]
        self.link: dict[str, str] = {}

    @property
    def problems(self) -> list[str]:
        """A sentence for each part of the link that was wrong."""
        problems: list[str] = self.state["problems"]
        return problems

    @property
    def by_link(self) -> bool:
        """Whether this is the first run after a link was opened."""
        return self.fresh and bool(self.query)

    def show_problems(self) -> None:
        """Say what was wrong with the link, and show its texts literally, never as markup."""
        if self.problems:
            st.warning("\n\n".join(map(plain, self.problems)), icon=":material/link_off:")

    def get(self, parameter: Parameter, noted: bool = True) -> Any:
        """Return the value of a setting without a Streamlit widget; `noted` says whether links contain it."""
        value = self.values.get(parameter.name, parameter.default)
        if noted:
            self._note(parameter, parameter.name, value)
        return value

    def section(self, title: str) -> None:
        """Draw the heading of a section."""
        st.subheader(title)

    def caption(self, text: str) -> None:
        """Draw a note below a widget."""
        st.caption(text)

    def expander(self, title: str) -> Any:
        """Return a container of settings that is closed at first."""
        return st.expander(title, icon=":material/tune:")

    def several(self, name: str, default: list[str], known: Mapping[str, str], label: str) -> list[str]:
        """Draw a choice of several ids, and return them in the order chosen. `known` maps ids to titles."""
        parameter = Parameter(name, "text", ",".join(default))
        key = f"{self.page}:{name}"
        if self.fresh or key not in st.session_state:
            asked = self.values.get(name, parameter.default).split(",")
            unknown = [id for id in asked if id and id not in known]
            if unknown:
                self.problems.append(f"{name} must be among {', '.join(known)}, got {', '.join(unknown)}.")
                asked = default
            st.session_state[key] = [id for id in asked if id in known]
        chosen: list[str] = st.multiselect(
            label, list(known), format_func=known.__getitem__, key=key, help="Drawn in the order chosen."
        )
        self.values[name] = ",".join(chosen)
        self.get(parameter)
        return chosen

    def set(self, parameter: Parameter, value: Any, key: str | None = None) -> None:
        """Change a setting without a Streamlit widget, with effect from the next run."""
        self.values[key or parameter.name] = parameter.check(value)

    def widget(
        self,
        parameter: Parameter,
        key: str | None = None,
        label: str | None = None,
        titles: Callable[[str], str] | None = None,
        owner: str = "",
        slider: bool = True,
    ) -> Any:
        """Draw the widget of a parameter and return its value.

        titles : function from the ids of a choice to their titles. owner : whose parameter it is, if several have one
        of this name, so that they do not share a widget. slider : whether a number may have a slider.
        """
        key = key or parameter.name
        name = f"{self.page}:{owner}:{key}" if owner else f"{self.page}:{key}"
        if self.fresh or name not in st.session_state:
            value = self.values.get(key, parameter.default)
            st.session_state[name] = parameter.format(value) if parameter.kind == "vector" else value
        value = _draw(parameter, name, label or parameter.label, titles, slider)
        value = _allowed(parameter, value, self.values.get(key, parameter.default))
        self._note(parameter, key, value)
        return value

    def number(self, parameter: Parameter, key: str | None = None, label: str | None = None, owner: str = "") -> Any:
        """Draw a field to type a number into, never a slider, and return the number."""
        return self.widget(parameter, key, label, owner=owner, slider=False)

    def declared(
        self,
        cls: type[Declared],
        suffix: str = "",
        fixed: Mapping[str, Any] = {},
        family: str = "",
        defaults: Mapping[str, Any] = {},
        of: str = "",
    ) -> Choice:
        """Draw widgets for the parameters of a class, except the `fixed` ones, and return its id with their values.

        family : id of the learners' family, which may use parameters that others do not. defaults : by name, where they
        differ from the declared ones. of : whose parameters they are, for readers that name them apart from widgets.
        """
        own = [replace(p, default=defaults.get(p.name, p.default)) for p in cls.used_by(family)]
        values: dict[str, Any] = dict(fixed)
        owners: dict[str, str] = self.state["owners"]
        # parameters on which others depend come first, so that their values are known
        for parameter in sorted(own, key=lambda p: p.when is not None):
            if parameter.name in fixed:
                continue
            key = parameter.name + suffix
            if owners.setdefault(key, cls.id) != cls.id:  # the value was set for another class; start from the default
                self.values.pop(key, None)
                st.session_state.pop(f"{self.page}:{cls.id}:{key}", None)
                owners[key] = cls.id
            if parameter.when and values.get(parameter.when[0]) != parameter.when[1]:
                values[parameter.name] = self.values.get(key, parameter.default)
                continue
            values[parameter.name] = self.widget(parameter, key, owner=cls.id)
        return Choice(cls.id, tuple((p.name, values[p.name]) for p in own))

    def write(self) -> None:
        """Write the settings into the address, without those at their defaults."""
        if self.fresh:
            self.state["first"] = dict(self.link)
        elif self.link != self.state.get("first"):
            self.state["problems"] = []  # a setting has been changed
        self.state["known"].append(dict(self.link))
        _address(key=f"{self.page}:address", data={"link": urlencode(self.link), "kept": list(self.played)})

    def _note(self, parameter: Parameter, key: str, value: Any) -> None:
        self.values[key] = value
        self.link.pop(key, None)
        if value != parameter.default:
            self.link[key] = parameter.format(value)


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

    def section(self, title: str) -> None:
        """Draw nothing."""

    def caption(self, text: str) -> None:
        """Draw nothing."""

    def expander(self, title: str) -> Any:
        """Return a container that draws nothing."""
        return nullcontext()


class Controls(LinkReader):
    """A reader of links that draws the widgets of a few settings and answers for all others from the link.

    keys : the settings with widgets, which begin as the link has them. name : what the widgets' keys begin with.
    changed : the keys whose values differ from the link's, once they were asked for.
    """

    def __init__(self, query: Mapping[str, str], keys: tuple[str, ...], name: str) -> None:
        super().__init__(query)
        self.keys, self.name = keys, name
        self.changed: set[str] = set()

    def widget(
        self, parameter: Parameter, key: str | None = None, label: str | None = None, of: str = "", **how: Any
    ) -> Any:
        """Return the value of a widget, or of the link."""
        key = key or parameter.name
        given = super().widget(parameter, key, label, of)
        if key not in self.keys:
            return given
        name = f"{self.name}:{key}"
        if name not in st.session_state:
            st.session_state[name] = parameter.format(given) if parameter.kind == "vector" else given
        drawn = _draw(parameter, name, self.titles[key], how.get("titles"), how.get("slider", True))
        value = _allowed(parameter, drawn, given)
        self.changed |= {key} if value != given else set()
        return value


def _allowed(parameter: Parameter, value: Any, kept: Any) -> Any:
    """Return what was entered into a widget as a value, or what was `kept` if it is not allowed, and say so."""
    if parameter.kind == "vector":
        try:
            return parameter.parse(value)
        except ValueError as error:
            example, used = parameter.format(parameter.default), parameter.format(kept)
            st.error(f"{error}. For example {example}. Still used: {used}.")
            return kept
    if value is None:  # a number field left empty
        st.error(f"{parameter.name} is empty; it must be {parameter.allowed}. Still used: {kept}.")
        return kept
    if parameter.low_open and value == parameter.low:  # a field cannot exclude its lower end
        st.error(f"{parameter.refuse(parameter.low)}. Still used: {kept:g}.")
        return kept
    return value


def _draw(parameter: Parameter, name: str, label: str, titles: Callable[[str], str] | None, slider: bool) -> Any:
    given: dict[str, Any] = {"key": name, "help": parameter.help or None}
    if parameter.kind == "choice":
        if titles is None and len(parameter.choices) <= 3:
            return st.segmented_control(label, parameter.choices, required=True, **given)
        return st.selectbox(label, parameter.choices, format_func=titles or str, **given)
    if parameter.kind == "flag":
        return st.toggle(label, **given)
    if parameter.kind in ("vector", "text"):
        return st.text_input(label, **given)
    kind = int if parameter.kind == "integer" else float
    step = kind(parameter.step or (1 if kind is int else 0.01))
    low = kind(parameter.low + step if parameter.low_open else parameter.low)
    fine = parameter.high - parameter.low <= 1000 * step  # a slider can tell the values apart
    if slider and fine and parameter.high - parameter.low <= 100 and st.session_state[name] >= low:
        return st.slider(label, low, kind(parameter.high), step=step, **given)
    return st.number_input(
        label,
        min_value=kind(parameter.low) if parameter.low > float("-inf") else None,
        max_value=kind(parameter.high) if parameter.high < float("inf") else None,
        step=step,
        format="%d" if kind is int else "%g",
        **given,
    )


_address = st.components.v2.component(
    "feedback_lab_address",
    js="""
export default function (component) {
  const { link, kept } = component.data, now = new URLSearchParams(location.search);
  const wanted = new URLSearchParams(link);
  for (const key of kept) if (now.has(key)) wanted.set(key, now.get(key));
  const text = wanted.size ? '?' + wanted : '';
  if (text !== location.search) {
    history.replaceState(history.state, '', location.pathname + text + location.hash);
  }
}
""",
    isolate_styles=False,
)
