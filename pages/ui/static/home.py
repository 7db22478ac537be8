"""The first page of an edition, in each language that one of its lessons has."""

import re
from collections.abc import Sequence

from pages.ui.gallery.demos import Demo
from pages.ui.home.page import FIRST, LEAD, moving
from pages.ui.home.page import SAYS as TEXTS
from pages.ui.lessons import shelf
from pages.ui.lessons.languages import LEVELS, NAMES
from pages.ui.lessons.lesson import Lesson
from pages.ui.static import demos as demo_pages
from pages.ui.static import figures
from pages.ui.static.lessons import address, spoken
from pages.ui.static.page import SAYS, home_of, page, ways
from pages.ui.static.store import Store


def write(store: Store, lessons: Sequence[Lesson], demos: Sequence[Demo], with_figures: bool) -> None:
    """Write the page with all that there is: what moves, a field to find things, lessons, demos and figures."""
    every = [{one.language: one for one in spoken(lesson)} for lesson in lessons]
    languages = [language for language in NAMES if language == "en" or any(language in one for one in every)]
    for language in languages:
        own = [one.get(language, one["en"]) for one in every]
        _write(store, language, languages, own, demos, with_figures)


def _write(
    store: Store, language: str, languages: Sequence[str], lessons: Sequence[Lesson], demos: Sequence[Demo],
    with_figures: bool,
) -> None:  # fmt: skip
    said = [shelf.says(lesson) | {"key": address(lesson), "href": address(lesson)} for lesson in lessons]
    shown = [
        demo_pages.says(demo)
        | {"first": demo.id in FIRST or len(demos) <= len(FIRST), "level": LEVELS[language][demo.level]}
        for demo in demos
    ]
    says, found = TEXTS[language], {"lesson": said, "demo": shown, "figure": figures.entries() if with_figures else []}
    entries = [
        {"kind": says[kind], "title": one["title"], "text": re.sub(r"<[^>]+>", "", one["text"]), "href": one["href"]}
        for kind, some in found.items()
        for one in some
    ]
    data = {"kind": "home", "moving": moving(), "lessons": said, "demos": shown, "entries": entries}
    body = _BODY.format(
        ways=ways(language, {other: home_of(other) for other in languages}),
        lead=LEAD.format(says["first"], says["then"]),
        find=says["find"], lessons=SAYS[language]["lessons"], no_lessons="" if said else " hidden",
        demos=says["demos"], no_demos="" if shown else " hidden", figures=SAYS[language]["figures"],
        no_figures="" if with_figures else " hidden", map=says["map"],
    )  # fmt: skip
    store.write(home_of(language), page("Feedback Lab", body, data, language=language))


_BODY = """{ways}<h1>Feedback Lab</h1>
<div class="fl-home">
{lead}<search class="fl-search"><label for="fl-find">{find}</label>
<input id="fl-find" type="search" autocomplete="off" spellcheck="false">
<span class="fl-found-said" role="status"></span><ul class="fl-found"></ul></search>
<section class="fl-part"{no_lessons}><h2 id="lessons">{lessons}</h2>
<div class="fl-shelf"><ul class="fl-starts"></ul></div></section>
<section class="fl-part"{no_demos}><h2 id="demos">{demos}</h2><div class="fl-home-gallery"></div>
</section>
<section class="fl-part"{no_figures}><h2>{figures}</h2>
<p><a class="fl-map-link" href="figures.html">{map}</a></p>
</section>
</div>"""
