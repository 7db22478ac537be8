"""The first page of an edition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pages.ui.gallery.demos import Demo
from pages.ui.home.page import FIRST, LEAD, moving
from pages.ui.lessons import shelf
from pages.ui.lessons.lesson import Lesson
from pages.ui.static import demos as demo_pages
from pages.ui.static import figures
from pages.ui.static import lessons as lesson_pages
from pages.ui.static.page import page
from pages.ui.static.store import Store


def write(store: Store, lessons: Sequence[Lesson], demos: Sequence[Demo], with_figures: bool) -> None:
    """Write the page with all that there is: what moves, a field to find things, lessons, demos and figures."""
    said: list[dict[str, Any]] = [
        shelf.says(lesson) | {"key": lesson_pages.ID.format(lesson.id), "href": lesson_pages.ID.format(lesson.id)}
        for lesson in lessons
    ]
    shown = [demo_pages.says(demo) | {"first": demo.id in FIRST or len(demos) <= len(FIRST)} for demo in demos]
    entries = [
        *({"kind": "Lesson", "title": one["title"], "text": _plain(one["text"]), "href": one["href"]} for one in said),
        *({"kind": "Demo", "title": one["title"], "text": one["text"], "href": one["href"]} for one in shown),
        *(figures.entries() if with_figures else ()),
    ]
    data = {
        "kind": "home", "moving": moving(), "lessons": said, "demos": shown, "entries": entries,
    }  # fmt: skip
    store.write("index.html", page("Feedback Lab", _BODY.format(
        lead=LEAD,
        lessons="" if said else " hidden", demos="" if shown else " hidden", figures="" if with_figures else " hidden",
    ), data))  # fmt: skip


def _plain(text: str) -> str:
    return re.sub(r"<[^>]+>", "", text)


_BODY = """<h1>Feedback Lab</h1>
<div class="fl-home">
{lead}<search class="fl-search"><label for="fl-find">Find a lesson, a demo or a figure</label>
<input id="fl-find" type="search" autocomplete="off" spellcheck="false">
<span class="fl-found-said" role="status"></span><ul class="fl-found"></ul></search>
<section class="fl-part"{lessons}><h2 id="lessons">Lessons</h2><div class="fl-shelf"><ul class="fl-starts"></ul></div>
</section>
<section class="fl-part"{demos}><h2 id="demos">Demos, recorded: press Play</h2><div class="fl-home-gallery"></div>
</section>
<section class="fl-part"{figures}><h2>Figures</h2>
<p><a class="fl-map-link" href="figures.html">Every figure and table of five papers, and later work, as a map</a></p>
</section>
</div>"""
