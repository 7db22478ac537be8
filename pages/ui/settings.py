"""Settings of a page: made from parameter declarations, kept in the URL, checked like any other input.

Streamlit can bind widgets to the URL by itself, but it drops a bad value in silence, writes titles where
ids belong, and keeps old values where a link leaves them out. So the link is read here: every value is
checked with the declaration that also makes the widget, what is wrong is said in a sentence, and after each
run the address is written anew, with defaults left out. It is replaced, not added to the browser's history,
so that Back leaves the page as people expect.
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

# From the raw texts of a link to the parameters that may stand in it
Schema = Callable[[Mapping[str, str]], dict[str, Parameter]]


def choice_of(name: str, default: str, ids: list[str], help: str = "") -> Parameter:
    """A parameter for an id out of a catalogue."""
    return Parameter(name, "choice", default, choices=tuple(ids), help=help)


def chosen_id(query: Mapping[str, str], parameter: Parameter) -> str:
    """The id that the link gives a choice, or the default where it gives none that is known."""
    id = query.get(parameter.name, parameter.default)
    return str(id if id in parameter.choices else parameter.default)


def read_link(query: Mapping[str, str], schema: Schema) -> tuple[dict[str, Any], list[str]]:
    """The values a link sets, and a sentence for each part of it that cannot be followed."""
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
    """A text in which nothing is a link, a picture, HTML, a formula or emphasis for Markdown.

    >>> print(plain("gamma must be in (0, 1], got [x](https://example.org)"))
    gamma must be in (0, 1], got [x\\](https\\://example.org)
    """
    return re.sub(r"(\]\(|!\[|[<`$*]|:(?=//|\w+\[)|(?<=www)\.)", r"\\\1", text)


class Settings:
    """The settings of one page in one session.

    Made at the top of a run; `widget` then draws each setting, and `write` puts them all into the link.
    """

    def __init__(self, page: str, schema: Schema) -> None:
        self.page = page
        state = st.session_state.setdefault(
            f"settings:{page}", {"values": {}, "problems": [], "known": [], "owners": {}}
        )
        self.state: dict[str, Any] = state
        self.query = query = {key: st.query_params[key] for key in st.query_params}
        # Without a query a person comes back from another page: what was set here is shown again.
        self.fresh = query not in state["known"]
        if query and self.fresh:
            state["values"], state["problems"] = read_link(query, schema)
            state["owners"] = {}
        state["known"] = [query]
        self.values: dict[str, Any] = state["values"]
        self.link: dict[str, str] = {}

    @property
    def problems(self) -> list[str]:
        """What of the link could not be followed."""
        problems: list[str] = self.state["problems"]
        return problems

    @property
    def by_link(self) -> bool:
        """Whether this run is the first after a link was opened."""
        return self.fresh and bool(self.query)

    def show_problems(self) -> None:
        """Say what of the link could not be followed; what stands in a link is shown as it is, never as markup."""
        if self.problems:
            st.warning("\n\n".join(map(plain, self.problems)), icon=":material/link_off:")

    def get(self, parameter: Parameter, noted: bool = True) -> Any:
        """Return the value of a setting that has no widget of Streamlit's; `noted` says whether links keep it."""
        value = self.values.get(parameter.name, parameter.default)
        if noted:
            self._note(parameter, parameter.name, value)
        return value

    def section(self, title: str) -> None:
        """Draw the heading of what follows."""
        st.subheader(title)

    def caption(self, text: str) -> None:
        """Draw a note below a widget."""
        st.caption(text)

    def expander(self, title: str) -> Any:
        """Return the container of settings that are folded away at first."""
        return st.expander(title, icon=":material/tune:")

    def several(self, name: str, default: list[str], known: Mapping[str, str], label: str) -> list[str]:
        """Draw a choice of several ids, given with their titles, and return them in the order chosen."""
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
        """Change a setting that has no widget of Streamlit's; it shows after the next run."""
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
        """The widget for a parameter; returns its value.

        titles : turns the ids of a choice into words. owner : whose parameter it is, where several have
        one of this name, so that the widget of one never takes the value of another.
        """
        key = key or parameter.name
        name = f"{self.page}:{owner}:{key}" if owner else f"{self.page}:{key}"
        if self.fresh or name not in st.session_state:
            value = self.values.get(key, parameter.default)
            st.session_state[name] = parameter.format(value) if parameter.kind == "vector" else value
        value = _draw(parameter, name, label or parameter.label, titles, slider)
        if parameter.kind == "vector":
            try:
                value = parameter.parse(value)
            except ValueError as error:
                value = self.values.get(key, parameter.default)
                st.error(f"{error}. For example {parameter.format(parameter.default)}. Still used: "
                         f"{parameter.format(value)}.")  # fmt: skip
        elif value is None:  # an emptied number field
            value = self.values.get(key, parameter.default)
            st.error(f"{parameter.name} is empty; it must be {parameter.allowed}. Still used: {value}.")
        elif parameter.low_open and value == parameter.low:  # a field cannot shut it out by itself
            value = self.values.get(key, parameter.default)
            st.error(f"{parameter.refuse(parameter.low)}. Still used: {value:g}.")
        self._note(parameter, key, value)
        return value

    def number(self, parameter: Parameter, key: str | None = None, label: str | None = None, owner: str = "") -> Any:
        """As `widget`, for a number, but always a field to type in."""
        return self.widget(parameter, key, label, owner=owner, slider=False)

    def declared(
        self, cls: type[Declared], suffix: str = "", fixed: Mapping[str, Any] = {}, family: str = "",
        defaults: Mapping[str, Any] = {},
    ) -> Choice:  # fmt: skip
        """Widgets for the parameters of a class but the `fixed` ones; returns its id with their values.

        family : of the learners, which may heed parameters that others do not. defaults : other than declared.
        """
        own = [replace(p, default=defaults.get(p.name, p.default)) for p in cls.used_by(family)]
        values: dict[str, Any] = dict(fixed)
        owners: dict[str, str] = self.state["owners"]
        # what others depend on comes first, so that its value is known when they are drawn
        for parameter in sorted(own, key=lambda p: p.when is not None):
            if parameter.name in fixed:
                continue
            key = parameter.name + suffix
            if owners.setdefault(key, cls.id) != cls.id:  # was set for another: begins at its own default
                self.values.pop(key, None)
                st.session_state.pop(f"{self.page}:{cls.id}:{key}", None)
                owners[key] = cls.id
            if parameter.when and values.get(parameter.when[0]) != parameter.when[1]:
                values[parameter.name] = self.values.get(key, parameter.default)
                continue
            values[parameter.name] = self.widget(parameter, key, owner=cls.id)
        return Choice(cls.id, tuple((p.name, values[p.name]) for p in own))

    def write(self) -> None:
        """Put the settings into the address; settings at their default are left out."""
        if self.fresh:
            self.state["first"] = dict(self.link)
        elif self.link != self.state.get("first"):
            self.state["problems"] = []  # the person has moved on
        self.state["known"].append(dict(self.link))
        _address(key=f"{self.page}:address", data=urlencode(self.link))

    def _note(self, parameter: Parameter, key: str, value: Any) -> None:
        self.values[key] = value
        self.link.pop(key, None)
        if value != parameter.default:
            self.link[key] = parameter.format(value)


class LinkReader:
    """Answers as `Settings` does, from the raw texts of a link and without drawing; notes what was asked for.

    known : the parameters that were asked for, by their key in the link.

    >>> reader = LinkReader({"steps": "20"})
    >>> reader.widget(Parameter("steps", "integer", 10, 1, 100)), reader.known["steps"].default
    (20, 10)
    """

    def __init__(self, query: Mapping[str, str]) -> None:
        self.query = query
        self.known: dict[str, Parameter] = {}

    def widget(self, parameter: Parameter, key: str | None = None, **how: Any) -> Any:
        key = key or parameter.name
        self.known[key] = parameter
        try:
            return parameter.parse(self.query[key])
        except (KeyError, ValueError):
            return parameter.default

    def get(self, parameter: Parameter, noted: bool = True) -> Any:
        return self.widget(parameter)

    def several(self, name: str, default: list[str], known: Mapping[str, str], label: str) -> list[str]:
        return str(self.widget(Parameter(name, "text", ",".join(default)))).split(",")

    def declared(
        self, cls: type[Declared], suffix: str = "", family: str = "", defaults: Mapping[str, Any] = {}
    ) -> Choice:
        own = [replace(p, default=defaults.get(p.name, p.default)) for p in cls.used_by(family)]
        return Choice(cls.id, tuple((p.name, self.widget(p, p.name + suffix)) for p in own))

    def section(self, title: str) -> None:
        """Draw nothing."""

    def caption(self, text: str) -> None:
        """Draw nothing."""

    def expander(self, title: str) -> Any:
        """Return a container that draws nothing."""
        return nullcontext()


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
    few = parameter.high - parameter.low <= 1000 * step  # places that a slider can tell apart
    if slider and few and parameter.high - parameter.low <= 100 and st.session_state[name] >= low:
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
  const wanted = component.data ? '?' + component.data : '';
  if (wanted !== location.search) {
    history.replaceState(history.state, '', location.pathname + wanted + location.hash);
  }
}
""",
    isolate_styles=False,
)
