"""The lessons as cards, each a link as a whole: all of them on their own page, and the first ones on the home page."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.ui.component import component
from pages.ui.form.settings import begin_anew
from pages.ui.lessons.languages import LEVELS
from pages.ui.lessons.lesson import Lesson
from pages.ui.lessons.words import line_to_html

SCRIPTS = Path(__file__).parent / "js"
PAGE, NAME = "pages/lessons.py", "lesson"  # the page of the lessons, and the key of its link that names one


def says(lesson: Lesson) -> dict[str, Any]:
    """Return what the card of a lesson says. Its number is that of the lesson, wherever the card stands."""
    return {
        "id": lesson.id, "number": lesson.number, "title": lesson.title, "text": line_to_html(lesson.lead),
        "minutes": lesson.minutes, "level": LEVELS[lesson.language][lesson.level],
    }  # fmt: skip


def content(lessons: Iterable[Lesson], query: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return all that the list shows. query : what every link has besides the lesson."""
    return [
        says(lesson) | {"key": lesson.id, "href": f"lessons?{urlencode({NAME: lesson.id} | dict(query))}"}
        for lesson in lessons
    ]


def style() -> str:
    """Return the style sheet of the cards."""
    return (SCRIPTS / "starts.css").read_text("utf-8")


def show(key: str, lessons: Mapping[str, Lesson], query: Mapping[str, str]) -> None:
    """Draw the list, and open what the person chooses."""
    data = {"starts": content(lessons.values(), query)}
    wanted = _component(key=key, data=data, on_open_change=lambda: None).open
    if isinstance(wanted, str) and wanted in lessons:
        begin_anew()
        st.switch_page(PAGE, query_params={NAME: wanted} | dict(query))


_component = component(
    "shelf", SCRIPTS / "list.js", style(), html='<div class="fl-shelf"><ul class="fl-starts"></ul></div>'
)
