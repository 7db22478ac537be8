"""Each lesson from its first card to its last, on the real server, with wrong answers and with right ones."""

import re

import pytest

from pages.ui.lessons.library import lessons
from tests.browser.pupil import Pupil

ALWAYS = ("flip", "perturbation", "reordering")  # in which there is each kind of card
AGAIN = ("guesses", "reordering")  # which ask in each way that there is, and whose runs are short


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=[pytest.mark.thorough] * (id not in ALWAYS)) for id in lessons()]
)
def test_a_lesson_is_gone_through(visit, id):
    lesson = lessons()[id]
    me = visit(f"/lessons?lesson={id}", width=1280, height=720)
    pupil = Pupil(me, lesson, right=lesson.number % 2 == 1)
    pupil.go_through()
    if id in AGAIN:
        pupil.start_over()
        pupil.right = not pupil.right
        pupil.go_through()
    _ends(me, lesson)


def _ends(me, lesson):
    """The last card gives two things to try and the whole lab, which opens with its settings and draws a curve."""
    links = me.page.locator(".fl-card .fl-c-final a")
    assert links.count() == 3
    for link, each in zip(links.all()[:2], lesson.next, strict=True):
        assert f"/{each.page}?" in link.get_attribute("href")
    links.nth(2).click()
    me.page.wait_for_url(re.compile(f"/{lesson.cards[-1].lab}\\b"))
    me.charts().key("End")
    me.wait_until(lambda: any(me.curves()))
