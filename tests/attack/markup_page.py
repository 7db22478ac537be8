"""A page that shows the texts of a file in all the ways in which pages do; see tests/browser/test_markup.py."""

import json
import os
from pathlib import Path

import streamlit as st

from pages.ui.plain import plain


def draw() -> None:
    """Draw the page."""
    texts = json.loads((Path(os.environ["FEEDBACK_LAB_DATA"]) / "texts.json").read_text("utf-8"))
    for i, text in enumerate(texts):
        with st.container(key=f"text-{i}"):
            st.markdown(plain(text))
            st.markdown(f"Said {plain(text)} here, **{plain(text)}.**\n\n- {plain(text)}")
            if i < 60:
                st.error(plain(text))
                st.button(plain(text), key=f"button-{i}")
                st.caption(plain(text), unsafe_allow_html=True)
                st.checkbox(plain(text), key=f"box-{i}", help=plain(text))
    st.text(f"END {len(texts)} {sum(map(len, texts))}")


if __name__ == "__main__":
    draw()
