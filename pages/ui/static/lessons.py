"""The lessons of an edition: documents with their recordings, which the runner of the app plays.

The results of the runs, and the searches by hand, are made once for all languages of a lesson.
"""

import gzip
import hashlib
import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson

from datasets import disk
from learners.spec import RunSpec
from pages.ui.lessons import document, handout, library
from pages.ui.lessons.facts import Runs, setup_of
from pages.ui.lessons.languages import SAYS
from pages.ui.lessons.lesson import Lesson
from pages.ui.lessons.series import SeriesRun, places
from pages.ui.plain import Html
from pages.ui.recordings.takeaway import colors
from pages.ui.static import films
from pages.ui.static.films import FOLDER, Wanted, opened
from pages.ui.static.page import PLOTLY, page, ways
from pages.ui.static.store import Store, wrapped

ID, HANDOUT = "lesson-{}.html", "handout-{}.html"
TREE = "{}/lesson-{}-{}.tree.js"  # the searches of a card
PARTS = ("run", "truth", "stops", "tree")  # of a card, that no language changes
CODE = ("pages/ui/lessons", "pages/ui/answer", "pages/ui/glossary.py", "pages/ui/glossary.toml")


def offered(every_language: bool = False) -> dict[str, Lesson]:
    """Return the lessons by their ids, those in other languages as `flip.de`."""
    found = library.lessons()
    named = {name(one): one for lesson in found.values() for one in spoken(lesson)}
    return named if every_language else found


def name(lesson: Lesson) -> str:
    """Return the id of a lesson with its language, if that is not English.

    >>> name(library.lessons("de")["flip"])
    'flip.de'
    """
    return lesson.id if lesson.language == "en" else f"{lesson.id}.{lesson.language}"


def address(lesson: Lesson) -> str:
    """Return the page of a lesson in its language."""
    return ID.format(name(lesson))


def wanted(lesson: Lesson, lab: str, settings: Mapping[str, str]) -> Wanted:
    """Return the recording of a card, with the inspector's account where a card points at it."""
    told = {
        t
        for card in lesson.cards
        if card.point == "inspector" and card.lab == lab
        for t in (card.t, card.play.to if card.play is not None else None)
        if t
    }
    return Wanted(lab, tuple(sorted(settings.items())), tuple(sorted(told)))


def films_of(lesson: Lesson) -> list[Wanted]:
    """Return all recordings of a lesson, each once."""
    found: dict[Wanted, None] = {}

    def note(lab: str, settings: Mapping[str, str]) -> document.CardRun:
        found[wanted(lesson, lab, settings)] = None
        return document.CardRun("", _Nothing())

    document.for_files(lesson, note, trees=False)
    return list(found)


class _Nothing(Sequence[Any]):
    """Stands for simulations that have not run."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, place: Any) -> Any:
        return SimpleNamespace(t=-1)


@dataclass
class _Asked(Sequence[Any]):
    """Simulations that run to their ends once somebody asks for one."""

    runs: Runs
    setup: RunSpec | SeriesRun

    def __len__(self) -> int:
        return len(self.setup.learners)

    def __getitem__(self, place: Any) -> Any:
        return self.runs.simulation(self.setup, place + 1, self.setup.steps)


def mark(lesson: Lesson) -> str:
    """Return a text that changes with all on which it depends what is made of a lesson, in whatever language."""
    original = library.lessons().get(lesson.id, lesson)
    return hashlib.sha256(repr((original, films.code(*films.CODE, *CODE))).encode()).hexdigest()[:16]


def made(folder: Path, lesson: Lesson) -> dict[str, Any] | None:
    """Return what `make` has made of a lesson, None where it is not there or the lesson has changed.

    document : of the lesson. pictures : whether its runs have any. colors, page : of its runs.
    """
    try:
        found: dict[str, Any] = orjson.loads(_path(folder, lesson).read_bytes())
    except (OSError, ValueError):
        return None
    there = found["mark"] == mark(lesson) and all((folder / file).is_file() for file in files(found["document"]))
    return found if there else None


def make(folder: Path, lesson: Lesson) -> None:
    """Make the document of a lesson whose recordings are there: what came out of them, and the searches by hand."""
    runs = Runs()

    def play(lab: str, settings: Mapping[str, str]) -> document.CardRun:
        address = films.file_of(wanted(lesson, lab, settings).name)
        return document.CardRun(address, _Asked(runs, setup_of(places()[lab], settings)))

    found = document.for_files(lesson, play)
    for card in found["cards"]:
        if card["tree"] is not None:  # a page asks for them when it comes to the card
            tree = TREE.format(FOLDER, lesson.id, card["id"])
            packed = gzip.compress(orjson.dumps(card["tree"], option=orjson.OPT_SERIALIZE_NUMPY), 9, mtime=0)
            disk.write(folder / tree, wrapped(packed))
            card["tree"] = tree
    payloads = [opened((folder / run).read_bytes()).payload for run in dict.fromkeys(recordings(found))]
    made = {
        "mark": mark(lesson), "document": found, "colors": colors(payloads[0]), "page": payloads[0]["page"],
        "pictures": any(chart["kind"] == "figure" for payload in payloads for chart in payload["charts"]),
    }  # fmt: skip
    disk.write(_path(folder, lesson), orjson.dumps(made, option=orjson.OPT_SERIALIZE_NUMPY))


def _path(folder: Path, lesson: Lesson) -> Path:
    return folder / FOLDER / f"lesson-{lesson.id}.json"


def recordings(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the addresses of all recordings in the document of a lesson."""
    for card in found["cards"]:
        yield from filter(None, [card["run"], *(card["stops"]["runs"] if card["stops"] else ())])


def files(found: Mapping[str, Any]) -> list[str]:
    """Return the addresses of all files that the document of a lesson names."""
    return sorted({*recordings(found), *(card["tree"] for card in found["cards"] if card["tree"])})


def spoken(lesson: Lesson) -> list[Lesson]:
    """Return a lesson in all its languages, itself first."""
    others = [library.lessons(language).get(lesson.id) for language in library.spoken(lesson.id)]
    return [lesson, *(other for other in others if other is not None and other.language != lesson.language)]


def write(store: Store, lesson: Lesson, server: str) -> bool:
    """Write a lesson that was made, and its handout, in each language. Return whether they draw pictures."""
    found = made(store.folder, lesson)
    assert found is not None
    for one in spoken(lesson):
        store.write(address(one), page_of(one, found, server))
        store.write(HANDOUT.format(name(one)), _handout(one))
    store.keep(str(_path(store.folder, lesson).relative_to(store.folder)), *files(found["document"]))
    return bool(found["pictures"])


def _handout(lesson: Lesson) -> Html:
    """Return the page of a lesson's handout, which ends with the note for the teacher."""
    says = SAYS[lesson.language]
    back = f'<p class="fl-way"><a href="{html.escape(address(lesson))}">‹ {says["lesson"]}</a></p>'
    body = f"{back}<h1>{html.escape(lesson.title)}</h1>{handout.markup(lesson)}"
    return page(f"{says['handout']}: {lesson.title}", body, {}, "lessons", language=lesson.language)


def page_of(lesson: Lesson, found: Mapping[str, Any], server: str, course: bool = False) -> Html:
    """Return the page of a lesson. found : what was made of it. course : whether the page is that of a package."""
    own = document.of(lesson)
    for card, known in zip(own["cards"], found["document"]["cards"], strict=True):
        card |= {name: known[name] for name in PARTS}
    data = {
        "kind": "lesson", "lesson": own, "server": server, "course": course,
        "plotly": PLOTLY if found["pictures"] else "", "colors": orjson.loads(found["colors"]),
    }  # fmt: skip
    others = {} if course else {one.language: address(one) for one in spoken(lesson)[1:]}
    paper = f'<a href="{html.escape(HANDOUT.format(name(lesson)))}">{SAYS[lesson.language]["handout"]}</a>'
    body = f"""{ways(lesson.language, others)}<h1>{html.escape(lesson.title)}</h1>
<div class="fl-lesson-page">
<div><div class="fl-lesson"></div><div class="fl-stops"></div></div>
<div><div class="fl-player"></div>
<div class="fl-story st-key-{html.escape(found["page"])}-inspect" lang="en"></div><div class="fl-hand"></div></div>
</div>
{"" if course else f'<p class="fl-away">{paper}</p>'}"""
    return page(lesson.title, body, data, "lessons", nav=not course, language=lesson.language)
