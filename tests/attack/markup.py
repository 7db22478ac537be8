"""Texts that try to become more than text, wherever a name from a file, a link or a person is shown.

    python -m tests.attack.markup                # 20,000 texts through Streamlit's Markdown in Chromium
    python -m tests.attack.markup --number 2000 --seed 3

A text is shown rightly if the browser shows it sign by sign and makes of it no element, no request and no script.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

ELSEWHERE = "elsewhere.example"  # the host that no page may ask
MARK = "pwned"  # a text that begins with it has lost the signs before it; window.pwned is set by a script that ran
ICON = "skull"  # one that no page has

PAYLOADS = {
    "picture": f"![pwned](http://{ELSEWHERE}/p.png)",
    "link": f"[pwned](http://{ELSEWHERE}/)",
    "reference": f"[pwned]: http://{ELSEWHERE}/",
    "address": f"https://{ELSEWHERE}/a",
    "www": f"www.{ELSEWHERE}",
    "angle": f"<https://{ELSEWHERE}>",
    "mail": f"someone@{ELSEWHERE}",
    "bold": "<b>pwned</b> **pwned** __pwned__ *pwned* _pwned_ ~~pwned~~",
    "element": f'<img src="http://{ELSEWHERE}/i.png" onerror="window.pwned=1">',
    "script": "<script>window.pwned=1</script>",
    "svg": "<svg onload=window.pwned=1><a xlink:href='javascript:window.pwned=1'>pwned</a></svg>",
    "attribute": "\" onmouseover=\"window.pwned=1\" x='",
    "closing": "</script></style></textarea></title>--><script>window.pwned=1</script>",
    "anchor": f'<a href="http://{ELSEWHERE}/">pwned</a><br>pwned',
    "javascript": "[pwned](javascript:window.pwned=1) <a href='javascript:window.pwned=1'>pwned</a>",
    "style": f"<style>body{{background:url(http://{ELSEWHERE}/b)}}</style> }}; background: url(//{ELSEWHERE})",
    "formula": f"$pwned^2$ $$pwned$$ \\(z\\) \\href{{http://{ELSEWHERE}}}{{pwned}}",
    "icon": f":material/{ICON}: :smile: :+1: :streamlit:",
    "colour": ":red[pwned] :blue-background[pwned] :small[pwned]",
    "code": "`pwned` ```pwned``` ~~~",
    "backslash": f"\\<b>pwned</b> \\![pwned](http://{ELSEWHERE}) \\",
    "heading": "# pwned",
    "list": "- pwned",
    "number": "1. pwned",
    "quotation": "> pwned",
    "table": "a | b",
    "entity": "&lt;b&gt; &copy; &#x41; &nbsp;",
    "arrow": "a -> b <- c <-> d -- e >= f <= g ~= h",
    "template": "%{x} %{customdata} ${window.pwned=1} {{7*7}} {0} %s",
    "object": "__proto__",
    "backwards": "abc \u202edef\u202c \u2066x\u2069 \u200f.",
    "hidden": "\u200b\u2060\ufeff\u00ad",
    "nothing": "\u3164\u2800",
    "control": "a\x00b\x07c\x1bd",
    "lines": "one\r\n\r\n# two\n- three\x0bfour\u2028five",
    "marks": "e" + "\u0301" * 60,
    "long": "x" * 10_000,
    "arabic": "مرحبا 123",
}  # fmt: skip
WORST = ("picture", "address", "element", "closing", "anchor", "attribute", "formula", "colour", "icon", "backwards")
NAMES = tuple(text for text in PAYLOADS.values() if len(text) < 100 and not set(text) & set("\x00\r\n"))
"""Those that may name a class, a label or a document."""

_PIECES = """
http:// https:// www. mailto: javascript: a.b e.co ]( ![ [^ ]: ][ <b> </b> <!-- --> <br> &lt; &#65; 1. 2) :red[ :smile:
:material/home: :: ::: $$ \\( \\href{ ``` ~~~ --- === -> <- <-> -- >= <= ~= {#x} %{x}
"""
PIECES = ("- [ ] ", *_PIECES.split(), *"\\`*_~<>$|[](){}!#+-.:;=&%@'\"/^ \n\tab1é名ש😀\x00\u202e\u200b\u0301")


def texts(number: int, seed: int = 0) -> Iterator[str]:
    """Yield the payloads, and then texts of pieces put together at random."""
    yield from PAYLOADS.values()
    draw = random.Random(seed)
    for _ in range(number - len(PAYLOADS)):
        yield "".join(draw.choice(PIECES) for _ in range(draw.randint(1, 9)))
