"""The short names of the papers, such as [S], with the whole reference on hover."""

import html
import re
from functools import cache
from typing import cast

from learners.catalogue import works
from pages.ui.plain import Html, Ours


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(rf"\[({'|'.join(works())})\](?!\()")  # and no link


def explained(text: str) -> Html:
    """Return HTML in which each short name of a paper tells the paper on hover.

    >>> explained("Algorithm 1 of [B]")[:75]
    'Algorithm 1 of <abbr title="Kakade, Shalev-Shwartz &amp; Tewari. Efficient '
    """
    return cast(Html, _tag().sub(_tagged, html.escape(text)))  # of which no part is lost


def in_markdown(text: Ours) -> Ours:
    """Return the same for Markdown that is drawn with `unsafe_allow_html`."""
    return cast(Ours, explained(text))


def _tagged(found: re.Match[str]) -> Html:
    tag = found[1]
    return f'<abbr title="{html.escape(works()[tag])}">[{html.escape(tag)}]</abbr>'
