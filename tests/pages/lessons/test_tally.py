"""The counts of a class: what is counted, what is forgotten, and that there are never too many."""

import csv
import io

import pytest

from pages.ui.lessons import tally
from pages.ui.lessons.lesson import Ask, read
from pages.ui.lessons.tally import PredictionTally, place_of
from tests.pages.lessons.sample import SAMPLE

CHOICE = Ask("choice", "Which?", "", ("a", "b", "c"))
NUMBER = Ask("number", "How many?", "", low=0.0, high=24.0)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_options_and_numbers_find_their_place():
    assert [place_of(CHOICE, value) for value in (0, 2, 3, -1, 1.5, True, "1", None)] == [0, 2] + [None] * 6
    assert [place_of(NUMBER, value) for value in (0, 1.9, 2, 24, 24.1, -1, float("nan"))] == [0, 0, 1, 11] + [None] * 3
    assert place_of(Ask("curve", "Draw", ""), 1) is None


def test_classes_lessons_and_cards_are_counted_apart():
    counts = PredictionTally()
    assert counts.add("room-12", "flip", "guess", CHOICE, 1) and counts.add("room-12", "flip", "guess", CHOICE, 1)
    assert counts.add("room-13", "flip", "guess", CHOICE, 0) and counts.add("room-12", "regret", "guess", CHOICE, 2)
    assert counts.counts("room-12", "flip", "guess", CHOICE) == [0, 2, 0]
    assert counts.counts("room-13", "flip", "guess", CHOICE) == [1, 0, 0]
    assert counts.counts("room-12", "flip", "other", CHOICE) == [0, 0, 0]
    assert not counts.add("a b", "flip", "guess", CHOICE, 1) and len(counts) == 2


def test_what_nobody_used_for_hours_is_forgotten():
    clock = Clock()
    counts = PredictionTally(clock)
    counts.add("room-12", "flip", "guess", CHOICE, 1)
    clock.now = 3600 * tally.HOURS
    assert counts.counts("room-12", "flip", "guess", CHOICE) == [0, 1, 0]
    clock.now += 1
    assert counts.counts("room-12", "flip", "guess", CHOICE) == [0, 0, 0] and len(counts) == 0


def test_there_are_never_too_many(monkeypatch):
    monkeypatch.setattr(tally, "CODES", 2)
    monkeypatch.setattr(tally, "PEOPLE", 3)
    counts = PredictionTally()
    assert counts.add("one", "flip", "guess", CHOICE, 0) and counts.add("two", "flip", "guess", CHOICE, 0)
    assert not counts.add("three", "flip", "guess", CHOICE, 0) and len(counts) == 2
    assert [counts.add("one", "flip", "guess", CHOICE, 1) for _ in range(3)] == [True, True, False]
    assert counts.counts("one", "flip", "guess", CHOICE) == [1, 2, 0]


def test_a_class_is_a_table_of_answers_without_names():
    counts, lesson = PredictionTally(), read(SAMPLE, "flipping")
    asks = {card.id: card.ask for card in lesson.cards if card.ask is not None}
    for card, value in (("why", 1), ("why", 1), ("why", 0), ("guess", 49.9), ("guess", 0)):
        assert counts.add("room-12", "flipping", card, asks[card], value)
    counts.add("room-13", "flipping", "why", asks["why"], 2)
    head, *found = csv.reader(io.StringIO(tally.to_csv(counts, "room-12", lesson)))
    assert head == ["lesson", "card", "question", "answer", "count"]
    assert {(lesson, card, question) for lesson, card, question, _, _ in found} == {
        ("flipping", card, asks[card].question) for card in ("guess", "why")
    }
    assert [(answer, n) for _, card, _, answer, n in found if card == "why"] == [
        *zip(asks["why"].options, "120", strict=True)
    ]
    numbers = [(answer, n) for _, card, _, answer, n in found if card == "guess"]
    assert len(numbers) == tally.BINS and [n for _, n in numbers] == ["1", *["0"] * (tally.BINS - 2), "1"]
    assert numbers[0][0].startswith("0 to 4.17")


@pytest.mark.parametrize("code", ["ab", "x" * 25, "a b", "<b>", "ä12", "a\n12"])
def test_other_codes_are_refused_in_words(code):
    assert tally.problem(code).startswith("class must be 3 to 24 letters, digits or hyphens, got ")
