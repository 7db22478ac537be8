"""Show texts that are not ours as they are: `plain` in Markdown, `for_plotly` in a figure, `for_html` in HTML.

A text that is not ours comes from a file, a link or a person, such as a class's name, a file's name or a wrong value.
It must never become a link, a picture, HTML, a formula or an icon, and nothing of it may be invisible. In a script for
the browser it becomes `textContent` and nothing else; `visible` shows what it holds.

`Markdown`, `Html` and `Plotly` are texts that are right in their language, `Ours` is right in each of them. They are
types for mypy alone, which does not let pages draw another text (.ci/texts.py); in a running program they are `str`.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:

    class Html(str):
        @overload
        def __add__(self, more: Html, /) -> Html: ...
        @overload
        def __add__(self, more: str, /) -> str: ...
        def __add__(self, more: str, /) -> str: ...

    class Markdown(str):
        pass

    class Plotly(str):
        pass

    class Ours(Html, Markdown, Plotly):
        pass
else:
    Html = Markdown = Plotly = Ours = str

NOTHING = Ours("")

APART = "\u2060"  # a word joiner, which nobody sees and at which no line breaks
HIDDEN = "\ufffd"  # stands for a sign that nobody would see
JOINERS = "\u200c\u200d"  # belong to words of some scripts and to emoji
FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters and marks that show nothing
MARKS = 4  # no letter carries so many marks; they would cover the lines above

# Patterns that Streamlit finds once the escapes are gone, so that a sign without width must part their letters:
# addresses; icons, emoji and colours, whose names may have any sign beyond ASCII; signs such as -> that become arrows
_FOUND = re.compile(
    r"(?:https?|ftp|mailto|xmpp):|www(?=\.)|@|:(?=[\w+{:-]|[^\s\x00-\x7f])|<(?=[=-])|-(?=[>-])|[>~](?==)", re.IGNORECASE
)
_SYNTAX = re.compile(
    rf"[\\`*~<$|]|:(?={APART})"  # emphasis, code, HTML, formulas, cells of a table, colours
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis, but not data_seed
    r"|!(?=\[)|(?<=\])[(:\[]|(?<=\[)\^"  # pictures, links, where they lead, footnotes
    r"|&(?=#?\w+;)"  # signs called by names
)
_START = re.compile(r"\A( ?)(\d*)([#>+=.)[-])")  # headings, quotations, lists


def visible(text: str) -> str:
    """Return a text in one line, in which every sign can be seen and none changes the order of those around the text.

    >>> visible("one\\n  two"), visible("a\\u202eb\\0"), visible("\\u200b")
    ('one two', 'a\ufffdb\ufffd', '\ufffd')
    """
    text = " ".join(text.split()) or HIDDEN * bool(text)
    if text.isascii() and text.isprintable():
        return text
    text = "".join(sign if _shows(text, i) else HIDDEN for i, sign in enumerate(text))
    text = re.sub(f"{HIDDEN}{{4,}}", HIDDEN * 3, text)
    backwards = any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in text)
    return f"\u2068{text}\u2069" if backwards else text  # what surrounds it keeps its order


def _shows(text: str, i: int) -> bool:
    """Return whether the sign at a place can be seen, alone or on the letter before it."""
    sign, before = text[i], text[max(i - MARKS, 0) : i]
    if sign in JOINERS:
        return before[-1:] > "\x7f" and text[i + 1 : i + 2] > "\x7f"
    if unicodedata.category(sign).startswith("M"):
        return sign not in FILLERS and any(not unicodedata.category(s).startswith("M") for s in before)
    return sign.isprintable() and sign not in FILLERS


def plain(text: str) -> Markdown:
    """Return a text that is not ours so that Streamlit's Markdown shows it as it is, sign by sign.

    >>> print(plain("gamma must be in (0, 1], got [x](file)"))
    gamma must be in (0, 1], got [x]\\(file)
    >>> plain("https://a.example, www.a.example, a@b.example").count(APART)
    3
    >>> plain("one\\n# two"), plain("# one"), plain(":red[x]").count(APART)
    ('one # two', '\\\\# one', 1)
    """
    apart = _FOUND.sub(rf"\g<0>{APART}", visible(text))
    return Markdown(_START.sub(r"\1\2\\\3", _SYNTAX.sub(r"\\\g<0>", apart)))


def for_html(text: str) -> Html:
    """Return a text that is not ours for HTML, between tags or in the quotation marks of an attribute.

    >>> for_html('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return html.escape(visible(text))


def for_plotly(text: str) -> Plotly:
    """Return a text that is not ours for a figure of Plotly, which reads some HTML and, in templates, %{names}.

    >>> print(for_plotly("<b>R&D</b>"))
    &lt;b&gt;R&amp;D&lt;/b&gt;
    """
    return Plotly(html.escape(visible(text), quote=False).replace("%{", f"%{APART}{{"))
