"""The widgets of pinned runs: pin the present run, see what differs, open one of them, remove them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.form.settings import Settings
from pages.ui.lab import pins
from pages.ui.lab.pins import MOST_PINS, VS, Ask, Pin
from pages.ui.plain import plain


def chosen(settings: Settings, ask: Ask) -> list[Pin]:
    """Return the pins of the page. What is wrong with those of a link is added to the problems of the settings.

    Call it after all other settings are read and before they are written.
    """
    known: dict[str, Pin] = settings.state.setdefault("pins", {})
    found, problems = pins.read(settings.get(VS), ask, known)
    settings.state["pins"] = {pin.text: pin for pin in found}
    settings.problems.extend(problems)
    settings.set(VS, pins.write(found))
    settings.get(VS)  # notes the pins that are left, so that the address holds no others
    return found


def show(
    settings: Settings, now: Pin, found: Sequence[Pin], page: str, place: DeltaGenerator | None = None,
    states: Sequence[str] = (),
) -> None:  # fmt: skip
    """Draw the button that pins the present run, and for each pin what differs, a link to open it, and its removal.

    now : the present run. page : the file of the page, to which the links lead. place : where the button stands, or
    None for here. states : for each pin a few words on what is still computed or has failed, or an empty text.
    """
    pinned = now in found or any(not pins.differences(pin.setup, now.setup) for pin in found)
    full = len(found) >= MOST_PINS

    def keep(left: Sequence[Pin]) -> None:
        settings.set(VS, pins.write(left))
        settings.state["pins"] = {pin.text: pin for pin in left}

    help = "Keep its curves as pale lines, change a setting, and compare."
    if pinned:
        help = "This run is pinned already. Change a setting to see the difference."
    elif full:
        help = f"{MOST_PINS} runs are pinned, which is the limit. Remove one first."
    (place or st).button(
        "Pin this run", icon=":material/keep:", key="pin", help=help, disabled=pinned or full, on_click=keep,
        args=([*found, now],),
    )  # fmt: skip
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"{settings.page}-pins"):
        for number, pin in enumerate(found):
            words = pins.label(pins.differences(pin.setup, now.setup))
            state = states[number] if number < len(states) else ""
            others = [other for other in found if other != pin]
            with st.container(
                horizontal=True, vertical_alignment="center", width="content", gap="xxsmall",
                key=f"{settings.page}-pin-{number}",
            ):  # fmt: skip
                st.page_link(
                    page,
                    label=plain(f"{words} ({state})" if state else words),
                    icon=":material/swap_horiz:",
                    help=_all_differences(pin, now),
                    query_params=_swapped(settings, pin, now, others),
                )
                st.button(
                    "Remove",
                    icon=":material/close:",
                    type="tertiary",
                    key=f"unpin-{number}",
                    help=plain(f"Remove the pin “{words}”"),
                    on_click=keep,
                    args=(others,),
                )
        if len(found) > 1:
            st.button(
                "Clear pins", type="tertiary", icon=":material/keep_off:", key="unpin-all", on_click=keep, args=([],)
            )


def _swapped(settings: Settings, pin: Pin, now: Pin, others: Sequence[Pin]) -> dict[str, str]:
    """Return the query that opens a pinned run as it is drawn now, with the present run pinned in its place."""
    numbers = {key for each in (pin, now) for key, _ in each.link}
    drawn = {key: text for key, text in settings.link.items() if key not in numbers and key != VS.name}
    left = [*(other for other in others if other != now), now]
    return drawn | dict(pin.link) | {VS.name: pins.write(left[-MOST_PINS:])}


def _all_differences(pin: Pin, now: Pin) -> str:
    found = pins.differences(pin.setup, now.setup)
    listed = "\n".join(f"- {plain(difference.words)}" for difference in found) or "It has the same settings."
    return f"Open this run, and pin the present one. From it to the present run:\n\n{listed}"
