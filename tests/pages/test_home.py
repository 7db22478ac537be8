"""The home page: its cards and where they lead, and pictures that are those of the demos' own runs."""

import itertools
import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from pages.ui.draw import svg
from pages.ui.gallery import demos
from pages.ui.gallery.demos import DEMOS, LEVELS
from pages.ui.home import page as home
from pages.ui.home import thumbnails
from pages.ui.home.starts import starts
from pages.ui.lessons import lesson
from pages.ui.lessons.library import lessons
from tests.conftest import ROOT
from tests.pages.test_pages import open_page

BY_ID = {demo.id: demo for demo in DEMOS}

pytestmark = pytest.mark.usefixtures("unestimated")


def test_every_picture_is_up_to_date():
    assert not thumbnails.stale(), "out of date: run python -m pages.ui.home.thumbnails and look at what it made"


def test_no_picture_is_left_over():
    assert {path.stem for path in thumbnails.FOLDER.iterdir()} == {*BY_ID, "moving"}


def test_a_changed_setting_makes_a_picture_old(monkeypatch, tmp_path):
    changed = replace(BY_ID["flip"], settings=BY_ID["flip"].settings | {"steps": "510"})
    monkeypatch.setattr(thumbnails, "DEMOS", (changed, BY_ID["movies"]))
    assert thumbnails.stale() == ["flip"]  # its steps, not those of the ranking that moves, which takes fewer
    monkeypatch.setattr(thumbnails, "FOLDER", tmp_path)
    assert thumbnails.stale() == ["flip", "movies"]  # missing


def test_a_chart_that_a_lab_does_not_have_is_refused():
    with pytest.raises(ValueError, match="the demo flip asks for the chart 'nonsense'; stability has"):
        thumbnails.shown(replace(BY_ID["flip"], picture="nonsense"))


@pytest.mark.parametrize("id", ["flip", "movies", "digit", "two-moons"])
def test_a_picture_made_again_is_the_one_that_is_kept(id):
    """Curves of the same seed are the same on every machine; of the other kinds of pictures, there is one of each."""
    assert thumbnails.shown(BY_ID[id]).svg() == thumbnails.path_of(BY_ID[id]).read_text("utf-8")


@pytest.mark.parametrize("path", sorted(thumbnails.FOLDER.glob("*.svg")), ids=lambda path: path.stem)
def test_pictures_are_small_safe_and_follow_the_theme(path):
    text = path.read_text("utf-8")
    assert len(text) < 8000
    root = ElementTree.fromstring(text)
    tags = {element.tag.rsplit("}", 1)[1] for element in root.iter()}
    assert tags <= {"svg", "title", "g", "path", "rect", "image"} and root[0].text
    colors = set(re.findall(r'(?:stroke|fill)="([^"n][^"]*)"', text))
    assert not colors & set(svg.INK) or path.stem == "two-moons"  # colours of classes are the same in both themes


def test_the_ranking_that_moves_is_a_real_run():
    kept = json.loads(thumbnails.MOVING.read_text("utf-8"))
    assert kept == thumbnails.moving()
    best = kept["best"]
    first, second = ([order.index(best) + 1 for order, _, _ in x["steps"]] for x in kept["learners"])
    assert max(second) <= 2 and max(first) == 10  # what the words beside it say
    flip = next(i for i in range(1, len(first)) if first[i] == 10 != first[i - 1])
    order, clicks, wrong = kept["learners"][0]["steps"][flip - 1]
    assert clicks and any(wrong) and order[clicks[0]] != best  # a wrong click was the last straw
    assert [x["title"] for x in kept["learners"]] == ["Preference perceptron", "Perturbed perceptron (3PR)"]


def test_every_card_leads_to_a_page_that_exists_with_its_settings():
    content = home.content()
    links = [*content["starts"], *content["demos"]]
    assert len({link["key"] for link in links}) == len(links) == len(home.targets())
    for link in links:
        page, query = home.targets()[link["key"]]
        parts = urlsplit(link["href"])
        assert parts.path == Path(page).stem and dict(parse_qsl(parts.query)) == query
        assert (ROOT / page).exists()


def test_cards_say_how_long_and_how_hard():
    for demo in DEMOS:
        assert demo.level in LEVELS and 1 <= demo.minutes <= 10, demo.id
        run = thumbnails.shown(demo)
        speed = dict(demo.settings).get("speed", "")
        if isinstance(run, thumbnails.LabPicture) and speed.isdigit():
            assert run.setup.steps / int(speed) <= 60 * demo.minutes, f"{demo.id} plays longer than its card says"
    assert {demo.level for demo in DEMOS} == set(LEVELS)
    assert [start["number"] for start in starts()] == [lessons()[start["id"]].number for start in starts()]
    assert [start["id"] for start in starts()] == ["flip", "perturbation", "regret"]
    assert all(start["level"] == LEVELS[0] and start["minutes"] <= 10 for start in starts())


def test_lessons_and_demos_have_the_same_levels():
    assert LEVELS == lesson.LEVELS


def test_home_never_speaks_of_where_one_left():
    assert "where you left" not in json.dumps(home.content())


def test_a_sketch_says_when_there_is_nothing_to_draw():
    with pytest.raises(ValueError, match="nothing to draw"):
        svg.lines([(0, np.array([1, 2]), np.array([np.nan, np.nan]))])
    with pytest.raises(ValueError, match="nothing to draw"):
        svg.sketch({"data": [], "layout": {"xaxis": {"range": [0, 1]}, "yaxis": {"range": [0, 1]}}})


def test_a_sketch_keeps_every_turn_of_a_curve():
    x = np.arange(1000)
    y = np.where(x == 500, 10.0, 1.0)
    path = re.findall(r'd="([^"]+)" stroke="var', svg.lines([(0, x, y)]))[1]
    first, *steps = (int(n) for n in re.findall(r"-?\d+", path)[1::2])
    assert min(itertools.accumulate(steps, initial=first)) == svg.EDGE  # one step of a thousand is still seen
    assert len(path) < 80


def test_ranks_stand_upside_down():
    rising = svg.lines([(0, np.array([0, 1]), np.array([1.0, 10.0]))])
    falling = svg.lines([(0, np.array([0, 1]), np.array([1.0, 10.0]))], upside_down=True)
    assert rising != falling


def test_the_demo_of_a_link_is_one_of_the_gallery():
    pages = {demo.page for demo in BY_ID.values()}
    assert sorted(id for page in pages for id in demos.parameter(page).choices) == sorted(BY_ID)


@pytest.mark.parametrize("page, demo", [("bandit", "similarity"), ("refinement", "informative"), ("sweep", "slots")])
def test_the_demo_of_another_page_is_refused_in_a_sentence(page, demo):
    """It was compared with settings that this page does not have, and ended in a traceback."""
    app = open_page(page, demo=demo, steps="20", replicates="1")
    assert not app.exception
    said = " ".join(w.value for w in app.warning).replace("\N{WORD JOINER}", "").replace("\\", "")
    assert "demo must be" in said and f"got {demo}." in said


def test_a_few_demos_stand_first_and_all_of_them_are_there():
    demos_shown = home.content()["demos"]
    assert [demo["id"] for demo in demos_shown if demo["first"]] == list(home.FIRST) and len(home.FIRST) == 6
    assert len(demos_shown) == len(DEMOS) and {demo["group"] for demo in demos_shown if demo["first"]} == {
        demo.group for demo in DEMOS
    }, "one of each topic"


def test_every_page_is_in_the_navigation():
    text = (ROOT / "app.py").read_text("utf-8")
    listed = re.findall(r'page\("(\w+)"|"pages/(\w+)\.py"', text)
    assert {name for pair in listed for name in pair if name} == {path.stem for path in (ROOT / "pages").glob("*.py")}
