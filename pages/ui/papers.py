"""The short names of the papers, such as [S], with the whole reference on hover."""

from __future__ import annotations

import html
import re
from functools import cache

from learners.catalogue import works


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(rf"\[({'|'.join(works())})\](?!\()")  # and no link


def explained(text: str) -> str:
    """Return Markdown in which each short name of a paper tells the paper on hover.

    Draw it with `unsafe_allow_html`. All other HTML in the text is escaped.

    >>> explained("Algorithm 1 of [B]")[:75]
    'Algorithm 1 of <abbr title="Kakade, Shalev-Shwartz &amp; Tewari. Efficient '
    """
    return _tag().sub(lambda tag: f'<abbr title="{html.escape(works()[tag[1]])}">[{tag[1]}]</abbr>', html.escape(text))
