"""Suggestions below a lab: links that change one of its settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.ui.plain import Markdown


@dataclass(frozen=True)
class Try:
    """A change of one setting, and what to look for.

    text : what changes, and a question that the run answers. setting, value : the setting in a link, and its text.

    >>> Try("Silence the noise. Does it still flip?", "noise", "0").link
    {'noise': '0'}
    """

    text: Markdown
    setting: str
    value: str

    @property
    def link(self) -> dict[str, str]:
        """The query that opens the lab with this setting, and all others at their defaults."""
        return {self.setting: self.value}


def show(found: Sequence[Try], page: str, key: str, stays: Mapping[str, str]) -> None:
    """Draw the links below a lab. page : the file of its page. key : its name in keys. stays : part of every link."""
    if not found:
        return
    st.subheader("What to try next")
    st.caption("Each of these opens the lab as it is at first, with one setting changed. Guess before you press Play.")
    with st.container(key=f"{key}-tries", gap="small"):
        for one in found:
            st.page_link(page, label=one.text, icon=":material/arrow_forward:", query_params={**stays, **one.link})
