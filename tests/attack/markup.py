"""Texts that try to become more than text, wherever a name from a file, a link or a person is shown.

    python -m tests.attack.markup                # 20,000 texts through Streamlit's Markdown in Chromium
    python -m tests.attack.markup --number 2000 --seed 3

A text is shown rightly if the browser shows it sign by sign and makes of it no element, no request and no script.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

ELSEWHERE = "elsewhere.example"  # the host that no page may ask

PAYLOADS = {
    "picture": f"![x](http://{ELSEWHERE}/p.png)",
    "link": f"[x](http://{ELSEWHERE}/)",
    "reference": f"[x]: http://{ELSEWHERE}/",
    "address": f"https://{ELSEWHERE}/a",
    "www": f"www.{ELSEWHERE}",
    "angle": f"<https://{ELSEWHERE}>",
    "mail": f"someone@{ELSEWHERE}",
    "bold": "<b>bold</b> **bold** __bold__ *e* _e_ ~~s~~",
    "element": f'<img src="http://{ELSEWHERE}/i.png" onerror="window.pwned=1">',
    "script": "<script>window.pwned=1</script>",
    "svg": "<svg onload=window.pwned=1><a xlink:href='javascript:window.pwned=1'>x</a></svg>",
    "attribute": "\" onmouseover=\"window.pwned=1\" x='",
    "closing": "</script></style></textarea></title>--><script>window.pwned=1</script>",
    "anchor": f'<a href="http://{ELSEWHERE}/">x</a><br>y',
    "javascript": "[x](javascript:window.pwned=1) <a href='javascript:window.pwned=1'>x</a>",
    "style": f"<style>body{{background:url(http://{ELSEWHERE}/b)}}</style> }}; background: url(//{ELSEWHERE})",
    "formula": f"$x^2$ $$y$$ \\(z\\) \\href{{http://{ELSEWHERE}}}{{x}}",
    "icon": ":material/home: :smile: :+1: :streamlit:",
    "colour": ":red[x] :blue-background[y] :small[z] :gray-badge[w]",
    "code": "`code` ```x``` ~~~",
    "backslash": "\\<b>x</b> \\![x](http://elsewhere.example) \\",
    "heading": "# heading",
    "list": "- item",
    "number": "1. item",
    "quotation": "> said",
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
NASTIEST = ("picture", "address", "element", "closing", "anchor", "attribute", "formula", "colour", "backwards")
SHORT = tuple(name for name, text in PAYLOADS.items() if len(text) < 100)  # those that can be the name of a class

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
