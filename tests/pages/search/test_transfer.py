"""A search engine as a file: it goes on elsewhere with the same ranking, and a wrong file ends in a sentence."""

import json

import pytest

from pages.ui.search import transfer
from pages.ui.search.person import Searcher
from tests.pages.search.conftest import small

HERE = {"numpy": "2.0", "pandas": "2.3"}


@pytest.fixture
def taught(person):
    for number, query in enumerate(("sort table", "merge array", "count tree", "split text", "fill table")):
        person.search(query)
        person.done([number % 3, 4])
    return person


def text(person) -> bytes:
    return transfer.export(person, HERE).encode()


def test_an_export_goes_on_elsewhere_in_the_same_way(taught):
    other = Searcher(small(), seed=9)
    assert transfer.take_over(other, text(taught), HERE) == ""
    assert other.log == taught.log and other.live.state() == taught.live.state()
    for query in ("sort table", "merge", "count names"):
        here, there = (p.rankings(query)[1] for p in (taught, other))
        assert {k: y.tolist() for k, y in here.items()} == {k: y.tolist() for k, y in there.items()}
    for person in (taught, other):  # coins included
        person.search("sort a tree")
        person.shown = person.live.trial.mixed.ranking.tolist()
        person.done([1])
        person.search("sort a tree")
        person.taught = {k: lesson.shown.tolist() for k, lesson in person.live.lessons.items()}
    assert taught.shown == other.shown and taught.taught == other.taught


def test_the_file_holds_no_more_than_it_needs(taught):
    kept = json.loads(text(taught))
    assert set(kept) == {"format", "version", "packages", "features", "fixed", "engine", "searches"}
    assert [search["kind"] for search in kept["searches"]] == ["teach", "compare"] * 2 + ["teach"]
    assert len(text(taught)) < transfer.MOST_BYTES / 10


def test_other_versions_are_said(taught):
    said = transfer.take_over(Searcher(small()), text(taught), {"numpy": "2.1", "scipy": "1.16"})
    assert said == (
        "numpy was 2.0 and is 2.1 here; scipy was missing and is 1.16 here; pandas was 2.3 and is missing here. "
        "Some functions and their order may therefore differ."
    )


def changed(person, *path, to):
    kept = json.loads(text(person))
    inner = kept
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return json.dumps(kept).encode()


def test_another_ranker_tuned_by_hand_is_said(taught):
    said = transfer.take_over(Searcher(small()), changed(taught, "fixed", to="0"), HERE)
    assert said.startswith("The hand-tuned ranker here has other weights")


WRONG = [
    (b"", "it is no JSON text"),
    (b"\xff\xfe", "it is no JSON text"),
    (b"{", "it is no JSON text"),
    (b"[" * 100_000, "it is no JSON text"),
    (b'{"format": NaN}', "it is no JSON text"),
    (b'{"format": 1' + b"0" * 5000 + b"}", "it is no JSON text"),
    (b"[]", "its format is not “feedback-lab-search”"),
    (b" " * 2_000_001, "The file has 2.0 MB; an engine has at most 2 MB."),
]


@pytest.mark.parametrize(("content", "words"), WRONG, ids=range(len(WRONG)))
def test_what_is_no_engine_ends_in_a_sentence(content, words):
    with pytest.raises(ValueError) as error:
        transfer.take_over(Searcher(small()), content, HERE)
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("path", "to", "words"),
    [
        (["format"], "x", "its format is not"),
        (["version"], 2, "The file has version 2; this page reads version 1."),
        (["version"], True, "The file has version True; this page reads version 1."),
        (["features"], {"number": 3, "hash": "x"}, "ranks by other features"),
        (["features"], None, "ranks by other features"),
        (["packages"], [], "The file is damaged: packages must be an object."),
        (["packages"], {"numpy": 2}, "packages.numpy must be a text"),
        (["engine"], None, "The engine in the file is damaged: the state must be an object, got NoneType."),
        (["engine", "learners", "perturbed-perceptron", "weights"], [[0]], "damaged: weights of perturbed-perceptron"),
        (["engine", "learners", "perturbed-perceptron", "wins"], -1, "wins of perturbed-perceptron must be a whole"),
        (["searches"], None, "The file is damaged: searches must be a list."),
        (["searches"], [{}] * 10_001, "searches may have 10,000 items and has 10,001."),
        (["searches", 2], 7, "The file is damaged: searches[2] must be an object."),
        (["searches", 0, "query"], "x" * 401, "searches[0].query may have 400 letters and has 401."),
        (["searches", 0, "clicked"], [1], "searches[0].clicked[0] must be a text."),
        (["searches", 0, "kind"], "<b>", "searches[0].kind must be one of 'teach', 'compare'."),
        (["searches", 1, "learner"], "svm", "searches[1].learner must be one of '', 'preference-perceptron'"),
        (["searches", 1, "learner"], "", "searches[1].learner must be named where the search compares."),
        (["searches", 0, "learner"], "perturbed-perceptron", "searches[0].learner must be named where"),
        (["searches", 1, "outcome"], True, "searches[1].outcome must be a whole number."),
        (["searches", 1, "outcome"], 2, "searches[1].outcome must be at most 1."),
        (["searches", 1, "outcome"], 0.5, "searches[1].outcome must be a whole number."),
    ],
)
def test_a_damaged_engine_ends_in_a_sentence_and_changes_nothing(taught, path, to, words):
    other = Searcher(small())
    other.search("sort table")
    other.done([1])
    before = other.live.state(), list(other.log)
    with pytest.raises(ValueError) as error:
        transfer.take_over(other, changed(taught, *path, to=to), HERE)
    assert words in str(error.value) and len(str(error.value)) < 300
    assert (other.live.state(), other.log) == before and other.found is not None
