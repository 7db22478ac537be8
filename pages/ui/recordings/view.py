"""The part of the page Kept runs that opens recordings: files that a person drags there, and addresses in links."""

import base64
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from datasets.variables import Variable
from pages.ui.component import component
from pages.ui.draw import plotly_js
from pages.ui.plain import plain
from pages.ui.recordings.document import MOST_BYTES, Document, read
from pages.ui.recordings.takeaway import Library, page

RECORDINGS = Variable(
    "FEEDBACK_LAB_RECORDINGS", "text", "",
    help="Hosts, separated by commas, whose recordings links may open (`runs?url=https://…`), beside those of the "
    "app's own address. The browser fetches them, over TLS and without cookies, and the host must allow it (CORS).",
)  # fmt: skip
KEY = "recording"


def section(offer: Callable[[Document], None]) -> None:
    """Draw the place for a file, and the recording that a person has dragged there. offer : as in `show`."""
    st.subheader("Open a recording", anchor=False)
    file = st.file_uploader(
        "A file `.flab`, as labs, notebooks and other programs write it. It is played here and kept nowhere.",
        max_upload_size=MOST_BYTES // 1_000_000, key=KEY,
    )  # fmt: skip
    address = st.query_params.get("url", "")
    try:
        content = file.getvalue() if file is not None else _fetched(address) if address else None
        if content is not None:
            show(read(content), offer)
    except ValueError as error:
        st.error(plain(str(error)), icon=":material/block:")


def hosts() -> list[str]:
    """Return the hosts whose recordings links may open, beside the app's own."""
    return [host for host in str(RECORDINGS.value).replace(",", " ").lower().split() if host]


def _fetched(address: str) -> bytes | None:
    """Return the file that a link names once the browser has fetched it, which happens once a session.

    Raises
    ------
    ValueError : where it could not, with a sentence that says why.
    """
    known: tuple[str, bytes | str] = st.session_state.get(f"{KEY}-fetched", ("", b""))
    if known[0] != address:
        data = {"url": address, "hosts": hosts(), "most": MOST_BYTES}
        got = _fetch(key=f"{KEY}-fetch", data=data, on_got_change=lambda: None).got
        if not isinstance(got, dict) or got.get("url") != address:
            st.caption("The recording is on its way …")
            return None
        known = st.session_state[f"{KEY}-fetched"] = address, _content(got)
    if isinstance(known[1], str):
        raise ValueError(known[1])
    return known[1]


def _content(got: dict[str, Any]) -> bytes | str:
    """Return the file that the browser has fetched, or a sentence that says why there is none."""
    named = str(got["url"])[:200]
    allowed = " or ".join(["this address", *hosts()])
    sentences = {
        "host": f"The link names a recording that is not opened, {named}; it must be on {allowed}.",
        "absent": f"There is no recording at {named}: the answer was {str(got.get('status'))[:9]}.",
        "large": f"The file at {named} has more than {MOST_BYTES // 1_000_000} MB; a recording has fewer.",
    }
    try:
        if got.get("file"):
            return base64.b64decode(str(got["file"]), validate=True)
    except ValueError:  # also for letters that no file has there
        pass
    problem = str(got.get("problem"))
    return sentences.get(problem, f"The recording at {named} could not be fetched; its host must answer, and allow it.")


def show(document: Document, offer: Callable[[Document], None]) -> None:
    """Play a recording that may come from anywhere, below its title, its setup and what `offer` draws."""
    st.markdown(f"**{plain(document.title or 'A run')}** · {plain(document.setup)}")
    if document.link:
        st.caption(f"It says where it comes from: {plain(document.link)}")
    offer(document)
    own = Library(inside=False, address=f"{{base}}{plotly_js.url()}")
    _frame(key=f"{KEY}-frame", data=page(replace(document, link=""), own, framed=True).encode())


_FOLDER = Path(__file__).parent / "js"
_fetch = component("fetch", _FOLDER / "fetch.js")
_frame = component("recording", _FOLDER / "frame.js", _FOLDER / "frame.css")
