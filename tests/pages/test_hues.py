"""A learner has one colour on every page, in every demo, lesson and figure."""

from itertools import combinations
from pathlib import Path

import pytest

from learners.catalogue import learner_classes
from pages.ui.draw.charts import COLORS, DASHES, Look
from pages.ui.draw.hues import _HUES, NUMBER, hues, own
from pages.ui.families import labs
from pages.ui.figures.catalogue import figures
from pages.ui.figures.draw import styles
from pages.ui.form.form import Form
from pages.ui.gallery.demos import DEMOS
from pages.ui.home import page as home
from pages.ui.home.thumbnails import _moving_setup
from pages.ui.lessons.library import lessons
from pages.ui.play import payload
from pages.ui.search.person import LEARNERS
from pages.ui.search.results import _PLACE
from tests.conftest import ROOT
from tests.pages.modes import SHOWN


def setups():
    """Yield every race that a lab, a demo or a card of a lesson opens with, under its name."""
    for name, lab in SHOWN.items():
        yield f"lab {name}", lab.ask_run(Form({}))
    for demo in DEMOS:
        if (page := Path(demo.page).stem) in labs():
            yield f"demo {demo.id}", labs()[page].ask_run(Form(demo.settings))
    for lesson in lessons().values():
        for card in (card for card in lesson.cards if card.lab in labs()):
            yield f"lesson {lesson.id}, {card.id}", labs()[card.lab].ask_run(Form(card.settings))


def shown(setup):
    """Return the number of the colour of each learner, as the browser is told."""
    return [COLORS.index(learner["color"]) for learner in payload.learners(setup, Look())]


def test_learners_with_a_chosen_colour_are_in_the_catalogue_and_all_have_one():
    listed = [id for ids in _HUES for id in ids]
    assert len(listed) == len(set(listed)) and set(listed) <= set(learner_classes())
    assert {own(id) for id in learner_classes()} == set(range(NUMBER))


def test_the_lead_learners_have_one_colour_wherever_they_race():
    """The first of each learner in a race has its own colour; no race that opens by itself has two that claim one."""
    for name, setup in setups():
        first = {id: hue for id, hue in reversed(list(zip(setup.ids, shown(setup), strict=True)))}
        assert first == {id: own(id) for id in first}, name
        assert len(set(first.values())) == len(first), name


def test_learners_of_figures_have_their_colours_unless_an_earlier_one_claims_it():
    for figure in figures().values():
        drawn, given = styles(figure), {}
        for panel in figure.panels:
            for series in panel.series:
                if not series.reference and series.name not in given:
                    given[series.name] = series.learner
        claimed = set()
        for name, id in given.items():
            if id and own(id) not in claimed:
                assert drawn[name].slot == own(id), (figure.id, name)
            claimed |= {own(id)} if id else set()
        looks = [(style.slot, style.dash, style.round) for name, style in drawn.items() if name in given]
        assert len(set(looks)) == len(looks), figure.id


def test_home_and_search_show_the_two_of_the_first_lesson_in_their_colours():
    """Their style sheets give the first blue and the second orange."""
    for ids in (_moving_setup().ids, list(LEARNERS)):
        assert hues(ids) == [0, 1]
    assert list(_PLACE.values()) == [0, 1]
    for sheet in (ROOT / "pages/ui/home/js/home.css", ROOT / "pages/ui/search/js/results.css"):
        text = sheet.read_text("utf-8")
        assert '[data-slot="0"] { --fl-own: var(--st-blue-color' in text
        assert '[data-slot="1"] { --fl-own: var(--st-orange-color' in text
    assert home.PICTURES.exists()


@pytest.mark.parametrize("ids", [*combinations(["perturbed-perceptron"] * 3 + ["preference-perceptron", "mine"], 4)])
def test_learners_of_a_race_differ_and_another_with_the_same_takes_a_second_choice(ids):
    found = hues(ids)
    assert sorted(found) == list(range(NUMBER)) and found[0] == own(ids[0])
    look = Look().raced(ids)
    assert [COLORS.index(color) for color in look.colors] == found
    assert [DASHES.index(dash) for dash in look.dashes] == found


def test_the_fifth_takes_the_colour_that_the_fewest_have():
    assert hues(["banditron"] * 5) == [3, 0, 1, 2, 3]
    assert own("mine") == own("mine") and own("mine") in range(NUMBER)
