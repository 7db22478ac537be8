"""A lesson as a document: what the runner is given in the app, and what is added where there is no server."""

import json
import re

import pytest

from pages.ui.families import labs
from pages.ui.lessons import document, tree
from pages.ui.lessons.document import CardRun
from pages.ui.lessons.facts import Runs, setup_of
from pages.ui.lessons.library import lessons

pytestmark = pytest.mark.usefixtures("shelf")


@pytest.fixture
def lesson(shelf):
    return lessons()["flipping"]


def player(runs):
    """Plays what a card asks for; the address tells the settings apart."""

    def play(lab, settings):
        setup = setup_of(labs()[lab], settings)
        return CardRun(f"{lab}-{setup.user.values.get('noise')}.flab", [runs.simulation(setup, 1, setup.steps)])

    return play


def test_every_key_is_said_in_the_docstring(lesson):
    made = document.for_files(lesson, player(Runs()), trees=False)
    parts = [made, *made["cards"], *(card["ask"] or {} for card in made["cards"]), made["cards"][3]["stops"]]
    said = set(re.findall(r"`(\w+)`", document.__doc__))
    assert not {key for part in parts for key in part} - said
    assert json.loads(json.dumps(made, allow_nan=False)) == made
    assert (made["format"], made["version"]) == ("feedback-lab lesson", 1)


def test_the_app_and_files_have_the_same_cards(lesson):
    app, files = document.of(lesson), document.for_files(lesson, player(Runs()), trees=False)
    added = {"run", "truth", "stops", "tree"}
    for ours, theirs in zip(app["cards"][:-1], files["cards"][:-1], strict=True):
        assert {key: value for key, value in theirs.items() if key not in added} == ours
    assert all(files[key] == app[key] for key in app if key != "cards")


def test_files_have_what_a_server_would_be_asked_for(lesson):
    runs = Runs()
    meet, guess, why, noise, hand = document.for_files(lesson, player(runs), trees=False)["cards"]
    assert (meet["run"], meet["truth"], meet["stops"]) == ("stability-0.2.flab", None, None)
    card = lesson.cards[1]
    flips = runs.simulation(setup_of(labs()["stability"], card.settings), 1, 200).history["flips"][199, 0]
    assert guess["truth"] == flips and why["truth"] is None
    stops = noise["stops"]
    assert stops["key"] == "noise" and stops["texts"][stops["at"]] == "0.1"
    assert stops["runs"] == [f"stability-{float(text)}.flab" for text in stops["texts"]]
    assert len(set(stops["runs"])) == len(stops["runs"]) >= 4
    assert (hand["run"], hand["tree"], hand["done"]) == (None, None, "read")
    assert hand["hand"]["href"] == "lessons?lesson=flipping&card=5"


def test_a_card_by_hand_becomes_a_small_tree(lesson):
    made = tree.grow(lesson.cards[-1])
    assert (made["of"], made["more"], made["wanted"]) == (2, 50, {"of": "topic", "what": "<em>digit 3</em>"})
    assert sorted(made["lists"]) == ["", "0", "1", "2"] and len(made["ends"]) == 9
    assert made["counts"] is True
    first = [made["faces"][row] for row in made["lists"][""]]
    clicked = {branch: tree.places(first, branch) for branch in range(3)}
    assert {first[place - 1]["grade"] for place in clicked[0]} == {1.0}
    assert {first[place - 1]["grade"] for place in clicked[1]} == {0.0} and clicked[2] == []
    best = {path: [made["faces"][row]["grade"] for row in end["after"][:3]] for path, end in made["ends"].items()}
    assert sum(best["00"]) > sum(best["11"]), "what is clicked moves to the top"
    assert made["ends"]["22"]["after"] == made["lists"][""], "who clicks nothing teaches nothing"
    assert all(len(end["y"]) == len(made["chart"]["x"]) for end in made["ends"].values())
    assert len(json.dumps(made)) < 60_000
