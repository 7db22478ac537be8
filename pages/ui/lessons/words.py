"""The texts of a lesson, a little Markdown turned into HTML in which everything else is escaped."""

import html
import re

from pages.ui.draw.markup import formulas
from pages.ui.plain import Html

HOLE = "\0"  # stands for a piece of code or a formula; no text contains it


def to_html(text: str) -> Html:
    """Return a text as HTML.

    Blank lines divide paragraphs, lines that begin with "- " are a list, and **bold**, *emphasis*, `code` and
    $formulas$ are what they are in Markdown. Links and HTML are not.

    Raises
    ------
    ValueError : for a sign without a partner, in a sentence.

    >>> to_html("A **noisy** user\\n\\n- clicks <d3>\\n- or `d4`")
    '<p>A <strong>noisy</strong> user</p><ul><li>clicks &lt;d3&gt;</li><li>or <code>d4</code></li></ul>'
    >>> to_html("a **noisy user")
    Traceback (most recent call last):
    ValueError: each ** needs a partner, got a **noisy user
    """
    found = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in block.splitlines()]
        first = next((i for i, line in enumerate(lines) if line.startswith("- ")), len(lines))
        if lines[:first]:
            found.append(f"<p>{line_to_html(' '.join(lines[:first]))}</p>")
        items: list[str] = []
        for line in lines[first:]:
            if line.startswith("- "):
                items.append(line[2:])
            else:  # goes on in the next line
                items[-1] += f" {line}"
        if items:
            found.append(f"<ul>{''.join(f'<li>{line_to_html(item)}</li>' for item in items)}</ul>")
    return "".join(found)


def line_to_html(text: str) -> Html:
    """Return a text without paragraphs as HTML.

    >>> line_to_html("2 * 3 is *six* & `a*b`")
    '2 * 3 is <em>six</em> &amp; <code>a*b</code>'
    """
    pieces = re.split(r"(`[^`]+`|\$[^$]+\$)", text.replace(HOLE, ""))
    for piece in pieces[::2]:
        for sign in ("`", "$"):
            if sign in piece:
                raise ValueError(f"each {sign} needs a partner, got {text}")
    kept = [f"<code>{html.escape(p[1:-1], quote=False)}</code>" if p[0] == "`" else formulas(p) for p in pieces[1::2]]
    line = html.escape(HOLE.join(pieces[::2]), quote=False)  # emphasis may stand around code and formulas, not in them
    line = Html(re.sub(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", r"<strong>\1</strong>", line))
    line = Html(re.sub(r"(?<![*\w])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![*\w])", r"<em>\1</em>", line))
    if "**" in line:
        raise ValueError(f"each ** needs a partner, got {text}")
    for piece in kept:
        line = Html(line.replace(HOLE, piece, 1))
    return line


def count(text: str) -> int:
    """Return the number of words of a text, of which a formula is one.

    >>> count("The **best** document has $x = 1$ — it is d1.")
    8
    """
    return sum(any(c.isalnum() for c in word) for word in re.sub(r"\$[^$]*\$", "x", text).split())
