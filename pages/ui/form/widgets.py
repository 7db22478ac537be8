"""The widget of a declared parameter, and what becomes of a value that cannot be entered."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from datasets.parameters import Parameter
from pages.ui.plain import Markdown, plain


def kept(parameter: Parameter, value: Any) -> Any:
    """Return a value, or the default if it was meant for another parameter of this name.

    >>> kept(Parameter("depth", "integer", 3, 1, 5), 4), kept(Parameter("depth", "integer", 3, 1, 5), 40)
    (4, 3)
    """
    try:
        return parameter.check(value)
    except ValueError:
        return parameter.default


def allowed(parameter: Parameter, value: Any, kept: Any) -> Any:
    """Return what was entered into a widget as a value, or what was `kept` if it is not allowed, and say so."""
    if parameter.kind == "vector":
        try:
            return parameter.parse(value)
        except ValueError as error:
            example, used = parameter.format(parameter.default), parameter.format(kept)
            st.error(plain(f"{error}. For example {example}. Still used: {used}."))
            return kept
    if value is None:  # a number field left empty
        st.error(plain(f"{parameter.name} is empty; it must be {parameter.allowed}. Still used: {kept}."))
        return kept
    if parameter.low_open and value == parameter.low:  # number_input has no open lower bound
        st.error(plain(f"{parameter.refuse(parameter.low)}. Still used: {kept:g}."))
        return kept
    return value


def draw(
    parameter: Parameter, name: str, now: Any, label: Markdown, titles: Callable[[str], str] | None, slider: bool,
    locked: bool = False, row: bool = False,
) -> Any:  # fmt: skip
    """Draw the widget of a parameter and return what was entered.

    name : its key in the session, which holds `now`. A locked widget is inert. row : whether a choice is a row of
    buttons, whose label only screen readers tell.
    """
    help = parameter.help or None
    given: dict[str, Any] = {"key": name, "disabled": locked}
    if row:

        def shown(choice: str) -> Markdown:
            return plain(titles(choice) if titles else choice)

        return st.segmented_control(
            label, parameter.choices, format_func=shown, required=True, label_visibility="collapsed", help=help, **given
        )
    if parameter.kind == "choice":
        if titles is None and len(parameter.choices) <= 3:
            return st.segmented_control(label, parameter.choices, format_func=plain, required=True, help=help, **given)
        return st.selectbox(label, parameter.choices, format_func=titles or str, help=help, **given)
    if parameter.kind == "flag":
        return st.toggle(label, help=help, **given)
    if parameter.kind in ("vector", "text"):
        return st.text_input(label, help=help, **given)
    kind = int if parameter.kind == "integer" else float
    step = kind(parameter.spacing)
    low = kind(step if parameter.excludes_zero else parameter.low)
    fine = parameter.high - parameter.low <= 1000 * step  # a slider can tell the values apart
    if slider and fine and parameter.high - parameter.low <= 100 and now >= low:
        return st.slider(label, low, kind(parameter.high), step=step, help=help, **given)
    return st.number_input(
        label,
        min_value=kind(parameter.low) if parameter.low > float("-inf") else None,
        max_value=kind(parameter.high) if parameter.high < float("inf") else None,
        step=step,
        format="%d" if kind is int else "%g",
        help=help,
        **given,
    )
