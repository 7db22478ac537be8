"""Texts that try to become more than text, wherever a name from a file, a link or a person is shown.

    python -m tests.attack.markup                # all of it in Chromium: 20,000 texts, every place, every page's links
    python -m tests.attack.markup --number 2000 --seed 3

A text is shown rightly if the browser shows it sign by sign and makes of it no element, no request and no script.
"""

from __future__ import annotations

import csv
import itertools
import random
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attack.tally import BECAME, FINE, Tally, command

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
    "directives": ":\u0301{#x} :😀[x] :ש[x]{y}",
    "nothing": "\u3164\u2800",
    "control": "a\x00b\x07c\x1bd",
    "lines": "one\r\n\r\n# two\n- three\x0bfour\u2028five",
    "marks": "e" + "\u0301" * 60,
    "wide": "W" * 150,
    "long": "x" * 10_000,
    "arabic": "مرحبا 123",
}  # fmt: skip
WORST = ("picture", "address", "element", "closing", "anchor", "attribute", "formula", "colour", "icon", "backwards")
NAMES = tuple(text for text in PAYLOADS.values() if len(text) <= 150 and not set(text) & set("\x00\r\n"))
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


# A name of a file, which holds no slash
FILE = f"![pwned] <b>pwned<b> www.{ELSEWHERE} $pwned^2$ :red[pwned] `pwned` %{{x}} someone@{ELSEWHERE}"


def write_files(folder: Path) -> dict[str, str]:
    """Write data files full of names that try to be more, and return the name of each by the id of its data set."""
    rows = [(i % 7 + 0.5, i * 3 % 11 + 0.25, name) for i in range(6) for name in NAMES]
    with (folder / f"{FILE}.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("<i>pwned</i>", "[pwned](x)", f"https://{ELSEWHERE}/c"), *rows])
    names = [name for name in NAMES if not set(name) & set("'\"\\")]
    quoted = [f"@attribute '{name}' {{0,1}}" for name in names]
    examples = (f"{i % 5},{i % 3},{','.join(str(int((i + k) % 4 == 0)) for k in range(len(names)))}" for i in range(60))
    text = [f"@relation 'toy: -C -{len(names)}'", "@attribute x numeric", "@attribute y numeric", *quoted, "@data"]
    (folder / f"{FILE}.arff").write_text("\n".join([*text, *examples]), "utf-8")
    titles = [name.replace("|", "/") for name in NAMES]
    items = (f"{k}|{t}|01-Jan-1995||http://{ELSEWHERE}/|{'|'.join('01' * 9 + '0')}" for k, t in enumerate(titles, 1))
    stars = (f"{u}\t{k}\t{(u * 7 + k * k) % 5 + 1}\t1" for u in range(1, 41) for k in range(1, len(titles) + 1))
    with zipfile.ZipFile(folder / f"ml-{FILE}.zip", "w") as archive:
        archive.writestr("ml/u.data", "\n".join(stars))
        archive.writestr("ml/u.item", "\n".join(items).encode("utf-8"))
    documents = (f"{(i * i) % 3} qid:{i // 5} 1:{i * 7 % 10 / 10} 2:{i % 4} # <b>pwned</b>" for i in range(60))
    (folder / f"{FILE}.letor").write_text("\n".join(documents), "utf-8")
    (folder / f"bad {FILE}.letor").write_text(f"1 qid:1 1:{PAYLOADS['picture']}\n0 qid:1 1:2\n", "utf-8")
    (folder / f"bad {FILE}.csv").write_text(f"x,y\n1,a\n2,{'![pwned](x)' * 40}\n", "utf-8")
    return {
        "classification-file": f"{FILE}.csv", "multilabel-file": f"{FILE}.arff", "movielens-file": f"ml-{FILE}.zip",
        "rated-movies-file": f"ml-{FILE}.zip", "letor-file": f"{FILE}.letor",
    }  # fmt: skip


NUMBER, BATCH = 20_000, 1000  # texts for Markdown, and at a time on one page


def campaign(seed: int = 0, workers: int = 1, number: int = NUMBER) -> Tally:
    """Show texts, names and links in Chromium, one after the other, and count what became of them.

    workers : not used, since the browser and the server are two processes already.
    """
    from playwright.sync_api import sync_playwright

    from tests.attack import browsing
    from tests.browser.conftest import launch, start_server

    tally = Tally("markup")
    with sync_playwright() as playwright, TemporaryDirectory() as one, TemporaryDirectory() as two:
        browser = launch(playwright)
        given = list(texts(number, seed))
        with browsing.markdown_page(browser, Path(one)) as mistaken:
            for first in range(0, len(given), BATCH):
                some = given[first : first + BATCH]
                wrong = dict(mistaken(some))
                for text in some:
                    tally.add(ascii(text), BECAME if text in wrong else FINE, str(wrong.get(text, "")))
        found = write_files(Path(two))
        process, address = start_server(two)
        try:
            for place, width in itertools.product(browsing.PLACES, (1200, 400)):
                with _counted(tally, f"{place}, {width} pixels"), browsing.windows(browser, address) as window:
                    browsing.shown(window, found, place, width=width, dark=width == 400)
            for page, first in itertools.product(browsing.PAGES, range(0, len(browsing.VALUES), 3)):
                with _counted(tally, f"{page}, link {first}"), browsing.windows(browser, address) as window:
                    window(browsing.full(page, first)).safe()
        finally:
            process.terminate()
            process.wait(10)
        browser.close()
    return tally


@contextmanager
def _counted(tally: Tally, case: str) -> Iterator[None]:
    """Count a case, which is a fault if what is done with it finds one."""
    try:
        yield
    except Exception as error:
        outcome = BECAME if isinstance(error, AssertionError) else "hang"
        tally.add(case, outcome, f"{type(error).__name__}: {error}"[:1000])
    else:
        tally.add(case, FINE)


if __name__ == "__main__":  # by its name, so that other processes find what is defined here
    from tests.attack import markup as module

    raise SystemExit(command(module.campaign, __doc__, number=NUMBER))
