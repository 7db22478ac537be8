"""The role of a session in a class: it leads one, it follows one, or neither."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from pages.ui.component import component, heard
from pages.ui.draw.qr import qr
from pages.ui.follow.classes import CLASSES
from pages.ui.follow.limits import network
from pages.ui.follow.view import STEPS, code_of, problem, tidied
from pages.ui.form.settings import begin_anew
from pages.ui.modules import joined
from pages.ui.plain import visible

KEY, PART = "follow", "unseen-follow"  # of the session's state, and of the part in the browser
OWN = ("follow", "present", "embed", "embed_options", "lock", "hide", "tally")  # of one's own page only
PLAYED = ("t", "speed", "scene")  # what the player writes into the address by itself
PAGES = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "js"
LONGEST_LINK = 500  # signs of a link for students


def state() -> dict[str, Any]:
    """Return what this session keeps.

    secret : of the class that it leads. link : for its students. code : of the class that it follows. stopped, left :
    codes of a class that it led, and of one that it followed. goes : the step, if it goes where the teacher is.
    """
    kept: dict[str, Any] = st.session_state.setdefault(KEY, {})
    return kept


def lead(secret: str, link: str) -> None:
    """Begin the class of a secret, the only one that this session leads. link : for its students.

    Raise a ValueError where the server, or the network of the session, has too many.
    """
    if leads() not in ("", code_of(secret)):
        stop()
    CLASSES.open(secret, network(st.context.ip_address))
    state().update({"secret": secret, "link": link, "code": ""})


def leads() -> str:
    """Return the code of the class that this session leads, or ""."""
    secret = state().get("secret")
    return code_of(secret) if secret else ""


def follows() -> str:
    """Return the code of the class that this session follows, or ""."""
    return str(state().get("code", ""))


def stop() -> None:
    """End the class that this session leads."""
    kept = state()
    if secret := kept.pop("secret", None):
        kept["stopped"] = code_of(secret)
        CLASSES.end(secret)


def note(notes: Mapping[str, int]) -> None:
    """Tell the class, if this session leads one, what was chosen in widgets. notes : values by their keys."""
    if secret := state().get("secret"):
        CLASSES.note(secret, notes)


def begin(page: str) -> None:
    """Join the class in the address, go where its teacher is, and draw the bar. app.py calls this before each page.

    page : the last part of the page's address.
    """
    kept = state()
    asked = tidied(st.query_params.get("follow", ""))
    if asked and asked not in (kept.get("left"), kept.get("code")) and not kept.get("secret"):
        kept["code"] = asked
    code = follows()
    if (goes := kept.pop("goes", None)) is not None and code:
        _go(page, goes)
    role = "lead" if kept.get("secret") else "follow" if code else ""
    data = {"role": role, "code": leads() or code, "own": OWN, "played": PLAYED, "stopped": kept.get("stopped", "")}
    if role == "lead":
        data |= {"secret": kept["secret"], "link": kept["link"], "qr": _drawn(kept["link"])}
    if role == "follow":
        data["problem"] = visible(problem(code))
    _part(
        key=PART, data=data, on_resume_change=_resumed, on_moved_change=_moved, on_left_change=_left,
        on_stop_change=stop,
    )  # fmt: skip


def _go(page: str, t: int) -> None:
    """Go where the teacher is, to another page or to other settings of this one, and keep what is the student's own.

    Streamlit does not look at the address of a page that is open. The browser has put the settings there already, so
    that naming them here adds nothing to its history.
    """
    now = CLASSES.now(follows())
    if now is None:
        return
    view, _ = now
    own = {key: st.query_params[key] for key in OWN if key in st.query_params}
    link = dict(parse_qsl(view.link, keep_blank_values=True))
    query = link | own | {"t": str(t), "follow": follows()}
    begin_anew()
    if view.page == page:
        st.query_params.from_dict(query)
    elif (PAGES / f"{view.page or 'home'}.py").exists():
        st.switch_page(f"pages/{view.page or 'home'}.py", query_params=query)


# ---- what the browser sends ----------------------------------------------------------------------------


def _resumed() -> None:
    """Lead again: the page was loaded anew, and the browser has kept the secret."""
    sent = heard(PART, "resume")
    if not isinstance(sent, dict) or state().get("secret"):
        return
    secret, link = sent.get("secret"), sent.get("link")
    if isinstance(secret, str) and isinstance(link, str) and 20 < len(secret) <= 100 and len(link) <= LONGEST_LINK:
        with suppress(ValueError):  # too many classes
            lead(secret, link)
        begin_anew()  # the page is hardly there


def _moved() -> None:
    """Take over what the teacher chose; the settings are in the address already, unless it is another page."""
    now = CLASSES.now(follows())
    if now is None:
        return
    view, notes = now
    st.session_state.update(notes)
    sent = heard(PART, "moved")
    t = sent.get("t") if isinstance(sent, dict) else None
    state()["goes"] = t if isinstance(t, int) and 0 <= t <= STEPS else int(view.t)


def _left() -> None:
    kept = state()
    kept["left"] = kept.pop("code", "")


def _drawn(link: str) -> str:
    """Return the QR code of a link, "" where it is too long for one."""
    with suppress(ValueError):
        return qr(link)
    return ""


def script() -> str:
    """Return the script of the bar, and of what leads and follows."""
    return joined(FOLDER / "host.js")


_part = component("follow", script(), FOLDER / "follow.css")
