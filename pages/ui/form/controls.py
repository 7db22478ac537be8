"""A form that draws the widgets of a few settings and answers for all others from a link."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from datasets.parameters import Parameter
from pages.ui.form import widgets
from pages.ui.form.form import Form
from pages.ui.form.settings import Settings
from pages.ui.plain import Markdown, plain


class Controls(Form):
    """A form that draws the widgets of a few settings and answers for all others from a link.

    keys : the settings with widgets, which begin as the link has them. name : what the widgets' keys begin with.
    page : the settings of the page, whose link may lock and hide these. changed : the keys whose values differ from the
    link's, once they were asked for.
    """

    def __init__(self, query: Mapping[str, str], keys: tuple[str, ...], name: str, page: Settings) -> None:
        super().__init__(query)
        self.keys, self.name, self.page = keys, name, page
        self.changed: set[str] = set()

    def widget(
        self, parameter: Parameter, key: str | None = None, label: Markdown | None = None,
        titles: Callable[[str], str] | None = None, owner: str = "", slider: bool = True, of: str = "",
        row: bool = False,
    ) -> Any:  # fmt: skip
        """Return the value of a widget, or of the link."""
        given = super().widget(parameter, key, label, of=of)
        key = key or parameter.name
        title = self.asked[key][1]
        if key not in self.keys or not self.page.prepare(key, title):
            return given
        name = f"{self.name}:{key}"
        if name not in st.session_state:
            st.session_state[name] = parameter.format(given) if parameter.kind == "vector" else given
        now = st.session_state[name]
        drawn = widgets.draw(parameter, name, now, plain(title), titles, slider, self.page.locks(key), row)
        value = widgets.allowed(parameter, drawn, given)
        self.changed |= {key} if value != given else set()
        return value

    def section(self, title: Markdown, group: str = "") -> None:
        """Begin a section, of which no heading is drawn."""
        self.page.section("", group or title.lower())
