"""Counts what a class predicted: without names, in this server's memory, and for some hours only."""

import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from learners.tables import PrintedTable
from pages.ui.lessons.languages import SAYS, number
from pages.ui.lessons.lesson import Ask, Lesson

CODES, PEOPLE, HOURS = 200, 1000, 12.0  # classes at once, answers to a question, hours after the last answer
BINS = 12  # of the numbers between low and high
FORM = re.compile(r"[A-Za-z0-9-]{3,24}")


def problem(code: str) -> str:
    """Return a sentence on what is wrong with the code of a class, "" if nothing is.

    >>> problem("room-12"), problem("a b")
    ('', 'class must be 3 to 24 letters, digits or hyphens, got a b; nothing is counted.')
    """
    if not code or FORM.fullmatch(code):
        return ""
    return f"class must be 3 to 24 letters, digits or hyphens, got {code[:60]}; nothing is counted."


def new_code() -> str:
    """Return the code of a new class, which nobody guesses by chance."""
    return f"{secrets.randbelow(10**6):06d}"


def place_of(ask: Ask, value: Any) -> int | None:
    """Return the option or the bin in which a prediction is counted, None for what is none.

    >>> place_of(Ask("number", "How many?", "", low=0, high=12), 12.0)
    11
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if ask.kind == "choice":
        return value if isinstance(value, int) and 0 <= value < len(ask.options) else None
    if ask.kind == "number" and ask.low <= value <= ask.high:
        return min(int((value - ask.low) / (ask.high - ask.low) * BINS), BINS - 1)
    return None


@dataclass
class _Class:
    """The counts of a class, by lesson and card, and when it was last used."""

    counts: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    used: float = 0.0


class PredictionTally:
    """The counts of all classes. clock : function that returns the time in seconds.

    >>> from pages.ui.lessons.lesson import Ask
    >>> tally, ask = PredictionTally(), Ask("choice", "Does it flip?", "", ("yes", "no"))
    >>> tally.add("room-12", "flip", "guess", ask, 1)
    True
    >>> tally.counts("room-12", "flip", "guess", ask)
    [0, 1]
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._classes: dict[str, _Class] = {}
        self._lock = threading.Lock()

    def add(self, code: str, lesson: str, card: str, ask: Ask, value: Any) -> bool:
        """Count a prediction. Return whether it was counted: what does not answer the question, or too much, is not."""
        place = place_of(ask, value)
        if place is None or not FORM.fullmatch(code):
            return False
        now = self._clock()
        with self._lock:
            self._forget(now)
            if code not in self._classes and len(self._classes) >= CODES:
                return False
            found = self._classes.setdefault(code, _Class())
            found.used = now
            counts = found.counts.setdefault((lesson, card), _none(ask))
            if sum(counts) >= PEOPLE or place >= len(counts):
                return False
            counts[place] += 1
            return True

    def counts(self, code: str, lesson: str, card: str, ask: Ask) -> list[int]:
        """Return how many of a class predicted each option, or a number in each bin."""
        with self._lock:
            self._forget(self._clock())
            found = self._classes.get(code)
            return list(found.counts.get((lesson, card), _none(ask))) if found else _none(ask)

    def _forget(self, now: float) -> None:
        for code in [code for code, each in self._classes.items() if now - each.used > 3600 * HOURS]:
            del self._classes[code]

    def __len__(self) -> int:
        return len(self._classes)


def _none(ask: Ask) -> list[int]:
    return [0] * (len(ask.options) if ask.kind == "choice" else BINS)


def of_lesson(tally: PredictionTally, code: str, lesson: Lesson) -> dict[str, Any]:
    """Return the counts of every question of a lesson, as the browser shows them; drawn curves are not counted."""
    found: dict[str, Any] = {}
    for card in lesson.cards:
        if card.ask is not None and card.ask.kind != "curve":
            counts = tally.counts(code, lesson.id, card.id, card.ask)
            binned = {"counts": counts, "low": card.ask.low, "high": card.ask.high}
            found[card.id] = counts if card.ask.kind == "choice" else binned
    return found


def rows(ask: Ask, counts: list[int], language: str = "en") -> list[tuple[str, int]]:
    """Return the options, or the bins, each with its count.

    >>> rows(Ask("number", "How many?", "", low=0, high=24, unit="flips"), [3, 1])
    [('0 to 12 flips', 3), ('12 to 24 flips', 1)]
    """
    if ask.kind == "choice":
        return list(zip(ask.options, counts, strict=True))
    width = (ask.high - ask.low) / len(counts)
    ends = [(ask.low + i * width, ask.low + (i + 1) * width) for i in range(len(counts))]
    says, unit = SAYS[language]["between"], ask.unit
    words = [
        says.format(low=number(low, language), high=number(high, language), unit=unit).strip() for low, high in ends
    ]
    return list(zip(words, counts, strict=True))


COLUMNS = ("lesson", "card", "question", "answer", "count")


def to_csv(tally: PredictionTally, code: str, lesson: Lesson) -> str:
    """Return a row for each answer that a class could give to the questions of a lesson, with how many gave it."""
    found = [
        (lesson.id, card.id, card.ask.question, answer, n)
        for card in lesson.cards
        if card.ask is not None and card.ask.kind != "curve"
        for answer, n in rows(card.ask, tally.counts(code, lesson.id, card.id, card.ask), lesson.language)
    ]
    return PrintedTable(COLUMNS, tuple(found)).csv()


TALLY = PredictionTally()
