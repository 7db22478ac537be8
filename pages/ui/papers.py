"""The short names of the papers, such as [S], with the whole reference on hover."""

from __future__ import annotations

import html
import re

from learners.base import WORKS

_TAG = re.compile(rf"\[({'|'.join(WORKS)})\](?!\()")  # and no link


def explained(text: str) -> str:
    """Return Markdown in which each short name of a paper tells the paper on hover.

    Draw it with `unsafe_allow_html`. All other HTML in the text is escaped.

    >>> explained("Algorithm 1 of [B]")[:75]
    'Algorithm 1 of <abbr title="Kakade, Shalev-Shwartz &amp; Tewari. Efficient '
    """
    return _TAG.sub(lambda tag: f'<abbr title="{html.escape(WORKS[tag[1]])}">[{tag[1]}]</abbr>', html.escape(text))
