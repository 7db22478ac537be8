"""The settings of a page, which follow from parameter declarations and live in the URL.

Streamlit can bind widgets to the URL by itself, but it silently drops bad values, writes titles instead of ids, and
keeps old values that a link leaves out. This module reads the link itself. It checks every value with the declaration
that also makes the widget and describes each error in a sentence. After each run it writes the address again, without
defaults. The address is replaced, not added to the history of the browser, so that Back leaves the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from datasets.parameters import Declared, Parameter
from datasets.spec import Spec
from pages.ui import links, widgets
from pages.ui.links import Schema, choice_of, chosen_id, plain, read_link
from pages.ui.locks import Locks
from pages.ui.modules import joined
from pages.ui.reader import Asked, LinkReader

__all__ = ["Controls", "LinkReader", "Schema", "Settings", "choice_of", "chosen_id", "plain", "read_link"]

_ANEW = "settings:anew"
FITS = 29  # letters of a title that a box of the sidebar shows


def begin_anew() -> None:
    """Have the page that is opened next begin as its link says, also if that link is open there already."""
    st.session_state[_ANEW] = True


class Settings(Locks):
    """The settings of one page in one session.

    Create it at the top of a run. Each call of `widget` then draws one setting, and `write` puts all into the link.
    `played` are settings that the browser changes in the address by itself; they are read from a link that is opened.
    `controls` returns, for a query, keys of settings of others that the page draws, which a link may lock and hide.
    """

    def __init__(
        self, page: str, schema: Schema, played: tuple[str, ...] = (),
        controls: Callable[[Mapping[str, str]], Iterable[str]] = lambda query: (),
    ) -> None:  # fmt: skip
        self.page, self.schema, self.played = page, schema, played
        state = st.session_state.setdefault(
            f"settings:{page}", {"values": {}, "problems": [], "known": [], "owners": {}, "widgets": {}}
        )
        self.state: dict[str, Any] = state
        self.query = query = links.own({key: st.query_params[key] for key in st.query_params})
        settled = {key: text for key, text in query.items() if key not in played}
        # Without a query a person has come back from another page and sees the earlier settings again.
        self.fresh = st.session_state.pop(_ANEW, False) or settled not in state["known"]
        if query and self.fresh:
            state["values"], state["problems"] = read_link(query, schema, controls)
            state["owners"] = {}
            if state["known"]:  # a link on the page itself: Streamlit would go on with the address before it
                st.query_params.from_dict({key: st.query_params[key] for key in st.query_params})
        state["known"] = [settled]
        self.values: dict[str, Any] = state["values"]
        self.link: dict[str, str] = {}
        self.asked: Asked = {}  # while the page is drawn, the settings asked for so far
        super().__init__(self.values)

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

    def now(self, parameter: Parameter, owner: str = "") -> Any:
        """Return the value of a setting, also if its widget stands further down and has just been changed."""
        value = self.values.get(parameter.name, parameter.default)
        name = f"{self.page}:{owner}:{parameter.name}" if owner else f"{self.page}:{parameter.name}"
        now = value if self.fresh else st.session_state.get(name, value)
        return now if now in parameter.choices else parameter.default

    def get(self, parameter: Parameter, noted: bool = True) -> Any:
        """Return the value of a setting without a Streamlit widget; `noted` says whether links contain it."""
        value = self.values.get(parameter.name, parameter.default)
        self.asked.setdefault(parameter.name, (parameter, parameter.label))
        if noted:
            self._note(parameter, parameter.name, value)
        return value

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
        chosen: list[str] = st.session_state[key]
        if self.prepare(name, label):
            chosen = st.multiselect(
                label, list(known), format_func=known.__getitem__, key=key,
                help="Drawn in the order chosen.", disabled=self.locks(name),
            )  # fmt: skip
        self.values[name] = ",".join(chosen)
        self.get(parameter)
        return chosen

    def set(self, parameter: Parameter, value: Any, key: str | None = None) -> None:
        """Change a setting, with effect from the next run."""
        key = key or parameter.name
        self.values[key] = parameter.check(value)
        st.session_state.pop(self.state["widgets"].get(key, key), None)  # its widget begins anew with this value

    def widget(
        self,
        parameter: Parameter,
        key: str | None = None,
        label: str | None = None,
        titles: Callable[[str], str] | None = None,
        owner: str = "",
        slider: bool = True,
        of: str = "",
    ) -> Any:
        """Draw the widget of a parameter, unless the link hides it, and return its value.

        titles : function from the ids of a choice to their titles. owner : whose parameter it is, if several have one
        of this name, so that they do not share a widget. slider : whether a number may have a slider. of : whose
        parameter it is, in words.
        """
        key = key or parameter.name
        name = f"{self.page}:{owner}:{key}" if owner else f"{self.page}:{key}"
        title = label or parameter.label
        self.asked[key] = parameter, f"{title} of {of}" if of else title
        value = widgets.kept(parameter, self.values.get(key, parameter.default))
        known = name in st.session_state and (parameter.kind != "choice" or st.session_state[name] in parameter.choices)
        if self.fresh or not known:
            st.session_state[name] = parameter.format(value) if parameter.kind == "vector" else value
        entered = st.session_state[name]  # also without a widget, since other parts of a page may change it
        if self.prepare(key, f"{title} of {of}" if of else title):
            entered = widgets.draw(parameter, name, title, titles, slider, self.locks(key))
            if (
                self.narrow
                and titles is not None
                and parameter.kind == "choice"
                and len(words := titles(entered)) > FITS
            ):
                st.caption(plain(words))
        value = widgets.allowed(parameter, entered, value)
        self.state["widgets"][key] = name
        self._note(parameter, key, value)
        return value

    def number(self, parameter: Parameter, key: str | None = None, label: str | None = None, owner: str = "") -> Any:
        """Draw a field to type a number into, never a slider, and return the number."""
        return self.widget(parameter, key, label, owner=owner, slider=False)

    def belongs(self, key: str, owner: str, name: str = "") -> None:
        """Let a setting start from its default if it was set for another owner, of whom it no longer is.

        name : of its widget; without it that of a setting of the page.
        """
        owners: dict[str, str] = self.state["owners"]
        if owners.setdefault(key, owner) != owner:
            self.values.pop(key, None)
            st.session_state.pop(name or f"{self.page}:{key}", None)
            owners[key] = owner

    def declared(
        self,
        cls: type[Declared],
        suffix: str = "",
        fixed: Mapping[str, Any] = {},
        family: str = "",
        defaults: Mapping[str, Any] = {},
        of: str = "",
    ) -> Spec:
        """Draw widgets for the parameters of a class, except the `fixed` ones, and return its id with their values.

        family : id of the learners' family, which may use parameters that others do not. defaults : by name, where they
        differ from the declared ones. of : whose parameters they are, for readers that name them apart from widgets.
        """
        own = [replace(p, default=defaults.get(p.name, p.default)) for p in cls.used_by(family)]
        values: dict[str, Any] = dict(fixed)
        # parameters on which others depend come first, so that their values are known
        for parameter in sorted(own, key=lambda p: p.when is not None):
            if parameter.name in fixed:
                continue
            key = parameter.name + suffix
            self.belongs(key, cls.id, f"{self.page}:{cls.id}:{key}")
            if parameter.when and values.get(parameter.when[0]) != parameter.when[1]:
                values[parameter.name] = parameter.default  # what has no effect does not tell runs apart
                continue
            values[parameter.name] = self.widget(parameter, key, owner=cls.id, of=of)
        return Spec(cls.id, tuple((p.name, values[p.name]) for p in own))

    def write(self) -> None:
        """Write the settings into the address, without those at their defaults, and say which are locked."""
        for parameter in links.COMMON:
            self.get(parameter)
        self.show_locks()
        if self.fresh:
            self.state["first"] = dict(self.link)
        elif self.link != self.state.get("first"):
            self.state["problems"] = []  # a setting has been changed
        self.state["known"].append(dict(self.link))
        _address(key=f"unseen-{self.page}-address", data={"link": urlencode(self.link), "kept": list(self.played)})

    def _note(self, parameter: Parameter, key: str, value: Any) -> None:
        self.values[key] = value
        self.link.pop(key, None)
        if value != parameter.default:
            self.link[key] = parameter.format(value)


class Controls(LinkReader):
    """A reader of links that draws the widgets of a few settings and answers for all others from the link.

    keys : the settings with widgets, which begin as the link has them. name : what the widgets' keys begin with.
    page : the settings of the page, whose link may lock and hide these. changed : the keys whose values differ from the
    link's, once they were asked for.
    """

    def __init__(self, query: Mapping[str, str], keys: tuple[str, ...], name: str, page: Settings) -> None:
        super().__init__(query)
        self.keys, self.name, self.page = keys, name, page
        self.changed: set[str] = set()

    def widget(
        self, parameter: Parameter, key: str | None = None, label: str | None = None, of: str = "", **how: Any
    ) -> Any:
        """Return the value of a widget, or of the link."""
        key = key or parameter.name
        given = super().widget(parameter, key, label, of)
        if key not in self.keys or not self.page.prepare(key, self.titles[key]):
            return given
        name = f"{self.name}:{key}"
        if name not in st.session_state:
            st.session_state[name] = parameter.format(given) if parameter.kind == "vector" else given
        locked = self.page.locks(key)
        drawn = widgets.draw(parameter, name, self.titles[key], how.get("titles"), how.get("slider", True), locked)
        value = widgets.allowed(parameter, drawn, given)
        self.changed |= {key} if value != given else set()
        return value

    def section(self, title: str, group: str = "") -> None:
        """Begin a section, of which no heading is drawn."""
        self.page.section("", group or title.lower())


_address = st.components.v2.component(
    "feedback_lab_address", js=joined(Path(__file__).parent / "js" / "address.js"), isolate_styles=False
)
