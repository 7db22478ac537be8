"""A person at the search engine: turns, clicks, what is kept, and a crowd that takes over."""

import numpy as np

from datasets.functions.tuned import tuned_weights
from learners.interleaving.live import SLOTS
from pages.ui.search.person import LEARNERS, Searcher
from tests.pages.search.conftest import found, small

ONE, THREE = LEARNERS


def test_searches_take_turns_and_learners_take_turns(person):
    kinds, learners = [], []
    for number in range(1, 9):
        person.search("sort table")
        kinds.append(person.kind)
        assert person.number == number
        person.done([0])
        assert person.number == number and person.ended
        learners.append(person.log[-1].learner)
    assert kinds == ["teach", "compare"] * 4
    assert learners == ["", ONE, "", THREE, "", ONE, "", THREE]
    assert (person.live.taught, person.live.compared) == (4, 4)


def test_it_begins_as_the_ranker_tuned_by_hand(person):
    query, rankings = person.rankings("merge rows")
    scores = query.features.astype(float) @ tuned_weights()
    best = np.argsort(-scores, kind="stable").tolist()
    assert [ranking.tolist() for ranking in rankings.values()] == [best] * 3
    assert not person.changed and person.top_changes(5) == []


def test_a_click_moves_the_function_up(person):
    person.search("table")
    place = int(np.flatnonzero(person.live.lessons[ONE].shown == found(person, "fill_table"))[0])
    last = person.live.lessons[ONE].shown[SLOTS - 1]
    person.done([int(last)])
    assert place >= 0 and person.live.lessons[ONE].moved[int(last)][1] < SLOTS
    assert person.changed and person.top_changes(5)
    assert person.log[0].clicked == (person.index.functions[person.found.rows[last]].qualified,)


def test_a_new_query_ends_the_search_with_the_clicks_there_are(person):
    person.search("sort table")
    person.marked = {1, 2}
    person.search("merge array")
    assert [len(search.clicked) for search in person.log] == [2] and person.kind == "compare"
    assert person.marked == set() and not person.ended


def test_without_clicks_nothing_happens(person):
    person.search("sort table")
    person.done([])
    person.search("merge array")
    person.done([99, -1])
    assert person.log == [] and person.kind == "teach" and person.number == 1 and not person.changed


def test_a_query_that_finds_nothing_says_so_and_can_be_followed(person):
    for query in ("", "   ", "qqqqq", "!!!", "日本語", "\x00"):
        person.search(query)
        assert person.found is None and person.problem, query
        person.done([0])
    person.search("sort")
    assert person.found is not None and not person.problem and person.log == []


def test_a_very_long_query_is_cut_and_says_so(person):
    person.search("sort table " * 1000)
    assert person.found is not None and len(person.found.query) <= 200 and "first 200 letters" in person.problem


def test_ideas_that_were_searched_come_last(person):
    first = person.ideas(3)
    person.search("sort")
    person.done([0])
    assert person.ideas(3) == first
    person.log.append(type(person.log[0])(first[0], "teach", ("x",)))
    assert first[0] not in person.ideas(10)


def test_a_crowd_takes_over_and_can_be_undone(person):
    person.search("sort table")
    person.done([2])
    before, log = person.live.state(), list(person.log)
    person.search("merge table")
    person.marked = {1}
    person.crowd_goes_on({id: np.zeros(len(person.live.fixed)) for id in LEARNERS})
    assert not person.live.weights(ONE).any() and person.before_crowd is not None
    assert person.kind == "compare" and not person.ended and person.marked == set(), "the search begins again"
    assert person.found.query == "merge table" and person.log == log
    person.undo_crowd()
    assert person.live.state() == before and person.log == log and person.before_crowd is None
    assert person.found.query == "merge table" and not person.ended


def test_a_crowd_leaves_a_search_that_has_ended_where_it_is(person):
    person.search("sort table")
    person.done([2])
    lessons = person.live.lessons
    person.crowd_goes_on({ONE: np.ones(len(person.live.fixed))})
    assert person.ended and person.live.lessons is lessons
    person.search("merge table")
    person.done([0])
    assert person.before_crowd is None, "the next search makes the crowd final"
    person.undo_crowd()
    assert person.live.weights(ONE)[0] != tuned_weights()[0]


def test_two_people_do_not_hear_each_other():
    one, other = Searcher(small()), Searcher(small())
    one.search("sort table")
    one.done([3])
    assert one.changed and not other.changed and other.log == []
