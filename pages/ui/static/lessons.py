"""The lessons of an edition: documents with their recordings, which the runner of the app plays."""

from __future__ import annotations

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
from pages.ui.lessons import document
from pages.ui.lessons.facts import Runs, setup_of
from pages.ui.lessons.lesson import Lesson
from pages.ui.lessons.series import SeriesRun, places
from pages.ui.recordings.document import SUFFIX, read
from pages.ui.recordings.takeaway import colors
from pages.ui.static import films
from pages.ui.static.films import FOLDER, Wanted
from pages.ui.static.page import PLOTLY, page
from pages.ui.static.store import Store

ID = "lesson-{}.html"
CODE = ("pages/ui/lessons", "pages/ui/answer", "pages/ui/glossary.py", "pages/ui/glossary.toml")


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
    """Return a text that changes with everything that the document of a lesson depends on."""
    return hashlib.sha256(repr((lesson, films.code(*films.CODE, *CODE))).encode()).hexdigest()[:16]


def made(folder: Path, lesson: Lesson) -> dict[str, Any] | None:
    """Return the document of a lesson that was made before, None where it is not there or the lesson has changed."""
    try:
        found: dict[str, Any] = orjson.loads(_path(folder, lesson).read_bytes())
    except (OSError, ValueError):
        return None
    return found["document"] if found["mark"] == mark(lesson) else None


def make(folder: Path, lesson: Lesson) -> None:
    """Make the document of a lesson whose recordings are there: what came out of them, and the searches by hand."""
    runs = Runs()

    def play(lab: str, settings: Mapping[str, str]) -> document.CardRun:
        name = wanted(lesson, lab, settings).name
        return document.CardRun(f"{FOLDER}/{name}{SUFFIX}", _Asked(runs, setup_of(places()[lab], settings)))

    found = {"mark": mark(lesson), "document": document.for_files(lesson, play)}
    disk.write(_path(folder, lesson), orjson.dumps(found, option=orjson.OPT_SERIALIZE_NUMPY))


def _path(folder: Path, lesson: Lesson) -> Path:
    return folder / FOLDER / f"lesson-{lesson.id}.json"


def recordings(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the addresses of all recordings in the document of a lesson."""
    for card in found["cards"]:
        yield from filter(None, [card["run"], *(card["stops"]["runs"] if card["stops"] else ())])


def write(store: Store, lesson: Lesson, server: str) -> bool:
    """Write the page of a lesson whose document is there. Return whether it draws pictures."""
    text, pictures = page_of(store.folder, lesson, server)
    store.write(ID.format(lesson.id), text)
    store.keep(str(_path(store.folder, lesson).relative_to(store.folder)))
    return pictures


def page_of(folder: Path, lesson: Lesson, server: str = "", course: bool = False) -> tuple[str, bool]:
    """Return the page of a lesson, and whether it draws pictures. course : whether it is that of a package."""
    found = made(folder, lesson)
    assert found is not None
    payloads = [read((folder / address).read_bytes()).payload for address in dict.fromkeys(recordings(found))]
    pictures = any(chart["kind"] == "figure" for payload in payloads for chart in payload["charts"])
    data = {
        "kind": "lesson", "lesson": found, "server": server, "course": course, "plotly": PLOTLY if pictures else "",
        "colors": orjson.loads(colors(payloads[0])),
    }  # fmt: skip
    inspectors = " ".join(f"st-key-{payload['page']}-inspect" for payload in payloads[:1])
    body = f"""<h1>{html.escape(lesson.title)}</h1>
<div class="fl-lesson-page">
<div><div class="fl-lesson"></div><div class="fl-stops"></div></div>
<div><div class="fl-player"></div><div class="fl-story {inspectors}"></div><div class="fl-hand"></div></div>
</div>"""
    return page(lesson.title, body, data, "Lessons", nav=not course), pictures
