"""The part of the page Kept runs that opens recordings: files that a person drags there, and addresses in links."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from pages.ui.draw import plotly_js
from pages.ui.modules import joined
from pages.ui.plain import plain
from pages.ui.recordings.document import MOST_BYTES, Document, read
from pages.ui.recordings.takeaway import Library, page

KEY = "recording"


def section() -> None:
    """Draw the place for a file, and the recording that a person has dragged there."""
    st.subheader("Open a recording", anchor=False)
    file = st.file_uploader(
        "A file `.flab`, as labs, notebooks and other programs write it. It is played here and kept nowhere.",
        max_upload_size=MOST_BYTES // 1_000_000, key=KEY,
    )  # fmt: skip
    if file is None:
        return
    try:
        show(read(file.getvalue()))
    except ValueError as error:
        st.error(plain(str(error)), icon=":material/block:")


def show(document: Document) -> None:
    """Play a recording that may come from anywhere, below its title and its setup."""
    st.markdown(f"**{plain(document.title or 'A run')}** · {plain(document.setup)}")
    if document.link:
        st.caption(f"It says where it comes from: {plain(document.link)}")
    own = Library(inside=False, address=f"{{base}}{plotly_js.url()}")
    _frame(key=f"{KEY}-frame", data=page(replace(document, link=""), own, framed=True).encode())


_frame = st.components.v2.component(
    "feedback_lab_recording",
    html='<div class="fl-recording"></div>',
    css="""
.fl-recording iframe { width: 100%; height: max(34rem, 86dvh); border: 1px solid var(--st-border-color, #D9DEE5);
  border-radius: .5rem; display: block; }
""",
    js=joined(Path(__file__).parent / "js" / "frame.js"),
    isolate_styles=False,
)
