"""The first page of an edition."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

from pages.ui.gallery.demos import Demo
from pages.ui.home.page import FIRST, LEAD, moving
from pages.ui.lessons import shelf
from pages.ui.lessons.languages import LEVELS, NAMES
from pages.ui.lessons.lesson import Lesson
from pages.ui.plain import NOTHING, Html
from pages.ui.static import demos as demo_pages
from pages.ui.static import figures
from pages.ui.static.lessons import address, spoken
from pages.ui.static.page import page
from pages.ui.static.store import Store


def write(store: Store, lessons: Sequence[Lesson], demos: Sequence[Demo], with_figures: bool) -> None:
    """Write the page with all that there is: what moves, a field to find things, lessons, demos and figures."""
    said: list[dict[str, Any]] = [
        shelf.says(lesson) | {"key": address(lesson), "href": address(lesson)} for lesson in lessons
    ]
    others = [one for lesson in lessons for one in spoken(lesson)[1:]]
    shown = [demo_pages.says(demo) | {"first": demo.id in FIRST or len(demos) <= len(FIRST)} for demo in demos]
    entries = [
        *({"kind": "Lesson", "title": one["title"], "text": _plain(one["text"]), "href": one["href"]} for one in said),
        *(
            {
                "kind": NAMES[one.language],
                "title": one.title,
                "text": _plain(shelf.says(one)["text"]),
                "href": address(one),
            }
            for one in others
        ),
        *({"kind": "Demo", "title": one["title"], "text": one["text"], "href": one["href"]} for one in shown),
        *(figures.entries() if with_figures else ()),
    ]
    data = {
        "kind": "home", "moving": moving(), "lessons": said, "demos": shown, "entries": entries,
    }  # fmt: skip
    store.write("index.html", page("Feedback Lab", _BODY.format(
        lead=LEAD,
        languages=_languages(others), lessons="" if said else " hidden",
        demos="" if shown else " hidden", figures="" if with_figures else " hidden",
    ), data))  # fmt: skip


def _languages(lessons: Sequence[Lesson]) -> Html:
    """Return links to the lessons in other languages, a list for each language."""
    lines = []
    for language in sorted({lesson.language for lesson in lessons}):
        links = "".join(
            f'<li><a href="{html.escape(address(one))}" hreflang="{html.escape(language)}">'
            f"{html.escape(one.title)}</a> "
            f"<small>{LEVELS[language][one.level]} · {one.minutes} min</small></li>"
            for one in lessons
            if one.language == language
        )
        lines.append(f'<section lang="{html.escape(language)}"><h3>{NAMES[language]}</h3><ul>{links}</ul></section>')
    return f'<div class="fl-spoken">{"".join(lines)}</div>\n' if lines else NOTHING


def _plain(text: str) -> str:
    return re.sub(r"<[^>]+>", "", text)


_BODY = """<h1>Feedback Lab</h1>
<div class="fl-home">
{lead}<search class="fl-search"><label for="fl-find">Find a lesson, a demo or a figure</label>
<input id="fl-find" type="search" autocomplete="off" spellcheck="false">
<span class="fl-found-said" role="status"></span><ul class="fl-found"></ul></search>
<section class="fl-part"{lessons}><h2 id="lessons">Lessons</h2><div class="fl-shelf"><ul class="fl-starts"></ul></div>
{languages}</section>
<section class="fl-part"{demos}><h2 id="demos">Demos, recorded: press Play</h2><div class="fl-home-gallery"></div>
</section>
<section class="fl-part"{figures}><h2>Figures</h2>
<p><a class="fl-map-link" href="figures.html">Every figure and table of five papers, and later work, as a map</a></p>
</section>
</div>"""
