"""The settings of a page, which follow from parameter declarations and live in the URL.

Streamlit can bind widgets to the URL by itself, but it silently drops bad values, writes titles instead of ids, and
keeps old values that a link leaves out. This module reads the link itself. It checks every value with the declaration
that also makes the widget and describes each error in a sentence. After each run it writes the address again, without
defaults. The address is replaced, not added to the history of the browser, so that Back leaves the page.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from datasets.parameters import Parameter
from pages.ui.component import component
from pages.ui.form import links, widgets
from pages.ui.form.form import Form
from pages.ui.form.links import read_link
from pages.ui.form.locks import Locks
from pages.ui.plain import Markdown, plain

_ANEW = "settings:anew"
_UNKNOWN = object()  # to the session
FITS = 29  # letters of a title that a box of the sidebar shows
KEPT = 20  # things that are kept of a page, such as what its links said


def begin_anew() -> None:
    """Force the next page to reload its settings from the link."""
    st.session_state[_ANEW] = True


class Settings(Locks, Form):
    """The settings of one page in one session, a form that draws widgets.

    Create it at the top of a run. Each call of `widget` then draws one setting, and `write` puts all into the link.
    Its link is read while they are drawn, and `write`, which comes after all of them, says what is wrong with it. On a
    page that draws some later, or says earlier what is wrong, `ask` asks a form for all that its link may contain.
    `played` are settings that the browser changes in the
    address by itself; they are read from a link that is opened. `controls` returns, for a query, keys of settings of
    others that the page draws, which a link may lock and hide. `opening` are values with which the page begins where no
    link opens it, other than the defaults, which links leave out.
    """

    draws = True

    def __init__(
        self, page: str, ask: Callable[[Form], Any] | None = None, played: tuple[str, ...] = (),
        controls: Callable[[Mapping[str, str]], Iterable[str]] = lambda query: (), opening: Mapping[str, Any] = {},
    ) -> None:  # fmt: skip
        self.page, self.played = page, played
        state = st.session_state.setdefault(
            f"settings:{page}", {"values": {}, "problems": [], "known": [], "owners": {}, "widgets": {}, "kept": {}}
        )
        self.state: dict[str, Any] = state
        query = links.own({key: st.query_params[key] for key in st.query_params})
        self._settled = {key: text for key, text in query.items() if key not in played}
        # No query: the user navigated back; restore their settings.
        self.fresh = st.session_state.get(_ANEW, False) or self._settled not in state["known"]
        self._reads = bool(query) and self.fresh and ask is None  # until the settings are written
        if query and self.fresh:
            state["values"], state["problems"] = read_link(query, ask, controls) if ask else (links.common(query), [])
            state["owners"] = {}
            if state["known"]:  # a link on the page itself: Streamlit would go on with the address before it
                st.query_params.from_dict({key: st.query_params[key] for key in st.query_params})
        elif not state["known"]:
            state["values"] |= opening
        if not self._reads:
            self._settle()
        self.link: dict[str, str] = {}
        Form.__init__(self, query)
        Locks.__init__(self, state["values"])

    def _settle(self) -> None:
        """Take the link for opened; until then a run that is cut short leaves all of it to the next."""
        st.session_state.pop(_ANEW, None)
        known: list[dict[str, str]] = self.state["known"]
        # what was written but has not come back yet may still do so, as where a slider moves faster than the page runs
        self.state["known"] = [self._settled] if self.fresh else known[known.index(self._settled) :]

    def given(self, parameter: Parameter, key: str = "") -> Any:
        """Return the value of a setting as the link that is opened has it, or as it was left."""
        key = key or parameter.name
        if self._reads and key in self.query and key not in self.values:
            with suppress(ValueError):
                self.values[key] = parameter.parse(self.query[key])
        return self.values.get(key, parameter.default)

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
        value = self.given(parameter)
        name = f"{self.page}:{owner}:{parameter.name}" if owner else f"{self.page}:{parameter.name}"
        now = value if self.fresh else st.session_state.get(name, value)
        return now if now in parameter.choices else parameter.default

    def kept(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what `make` makes, once for this name in the session of the page, such as what another link says."""
        found: dict[str, Any] = self.state["kept"]
        if name not in found:
            while len(found) >= KEPT:
                del found[next(iter(found))]
            found[name] = make()
        return found[name]

    def get(self, parameter: Parameter, noted: bool = True) -> Any:
        """Return the value of a setting without a widget. noted : whether links that the page makes contain it."""
        value = self.given(parameter)
        if parameter.name not in self.asked:
            self._note_asked(parameter)
        if noted:
            self._note(parameter, parameter.name, value)
        return value

    def several(self, name: str, default: list[str], known: Mapping[str, str], label: Markdown) -> list[str]:
        """Draw a choice of several ids, and return them in the order chosen. `known` maps ids to titles."""
        parameter = Parameter(name, "text", ",".join(default))
        key = f"{self.page}:{name}"
        if self.fresh or key not in st.session_state:
            asked = list(dict.fromkeys(self.given(parameter).split(",")))
            unknown = [id for id in asked if id and id not in known]
            if unknown:
                self.problems.append(f"{name} must be among {', '.join(known)}, got {', '.join(unknown)[:60]}.")
                asked = default
            st.session_state[key] = [id for id in asked if id in known]
        chosen: list[str] = st.session_state[key]
        st.session_state[key] = chosen  # in every run, as for other widgets
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
        self, parameter: Parameter, key: str | None = None, label: Markdown | None = None,
        titles: Callable[[str], str] | None = None, owner: str = "", slider: bool = True, of: str = "",
        row: bool = False,
    ) -> Any:  # fmt: skip
        """Draw the widget of a parameter, unless the link hides it, and return its value; parameters as in `Form`."""
        key, title = self._note_asked(parameter, key, label, of)
        name = f"{self.page}:{owner}:{key}" if owner else f"{self.page}:{key}"
        value = widgets.kept(parameter, self.given(parameter, key))
        # also without a widget, since other parts of a page may change it; each look at the session takes a while
        entered = st.session_state.get(name, _UNKNOWN)
        if self.fresh or entered is _UNKNOWN or (parameter.kind == "choice" and entered not in parameter.choices):
            entered = parameter.format(value) if parameter.kind == "vector" else value
        # in every run, since Streamlit tells the browser a value only in the run in which it was set: the next may cut
        # that short, as where the theme is dark, and what lies behind a chip is made of the latest run alone
        st.session_state[name] = entered
        if self.prepare(key, self.asked[key][1]):
            entered = widgets.draw(parameter, name, entered, title, titles, slider, self.locks(key), row)
            if self.narrow and titles and parameter.kind == "choice" and len(words := titles(entered)) > FITS:
                st.caption(plain(words))
        value = widgets.allowed(parameter, entered, value)
        self.state["widgets"][key] = name
        self._note(parameter, key, value)
        return value

    def belongs(self, key: str, owner: str, name: str = "") -> None:
        """Let a setting start from its default if it was set for another owner, of whom it no longer is.

        name : of its widget; without it that of a setting of the page.
        """
        owners: dict[str, str] = self.state["owners"]
        if owners.setdefault(key, owner) != owner:
            self.values.pop(key, None)
            st.session_state.pop(name or f"{self.page}:{key}", None)
            owners[key] = owner

    def spell_out(self, key: str, text: str) -> None:
        """Have the link contain a setting even at its default, which depends on others or on the server."""
        self.link[key] = text

    def _own(self, parameter: Parameter, key: str, owner: str, of: str) -> Any:
        self.belongs(key, owner, f"{self.page}:{owner}:{key}")
        return self.widget(parameter, key, owner=owner, of=of)

    def _idle(self, parameter: Parameter, key: str, owner: str, of: str) -> None:
        super()._idle(parameter, key, owner, of)
        self.belongs(key, owner, f"{self.page}:{owner}:{key}")

    def write(self) -> None:
        """Write the settings into the address, without those at their defaults, and say which are locked."""
        if self._reads:
            for parameter in links.COMMON:
                self._note_asked(parameter)
            self.problems[:0] = links.problems(self, self.values)
            self._settle()
            self._reads = False
        for parameter in links.COMMON:
            self.get(parameter)
        self.show_locks()
        if self.fresh:
            self.state["first"] = dict(self.link)
        elif self.link != self.state.get("first"):
            self.state["problems"] = []  # a setting has been changed
        known: list[dict[str, str]] = self.state["known"]
        if self.link != known[-1]:
            known.append(dict(self.link))
            del known[1:-KEPT]
        data = {"link": urlencode(self.link), "kept": list(self.played), "page": self.page.replace("-", "_")}
        _address(key=f"unseen-{self.page}-address", data=data)

    def _note(self, parameter: Parameter, key: str, value: Any) -> None:
        self.values[key] = value
        self.link.pop(key, None)
        if value != parameter.default:
            self.link[key] = parameter.format(value)


_address = component("address", Path(__file__).parent / "js" / "address.js", html="")
