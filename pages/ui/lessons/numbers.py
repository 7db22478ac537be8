"""Finds numbers in the texts of a lesson that nothing in it vouches for: no fact, step, setting or declared reason."""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from math import isfinite
from typing import Any

from learners.spec import RunSpec
from pages.ui.lessons.languages import COMMA
from pages.ui.lessons.lesson import Card, Lesson
from pages.ui.lessons.series import SeriesRun

# digits that are no part of a name, such as d1, 3PR or NDCG@10, with commas between thousands and with decimals
NUMBER = re.compile(r"(?<![\w@.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w@])")
SWAPPED = re.compile(r"(?<![\w@.,])(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?(?![\w@])")  # 1.000,5
YEARS = range(1900, 2100)


def found(text: str, language: str = "en") -> list[str]:
    """Return the numbers of a text as they are written, in order. Formulas, code and years are left out.

    >>> found("In 2018, d1 fell 29 times in 5,000 steps ($0.8^{10}$), to 0.11; NDCG@10 of 3PR.")
    ['29', '5,000', '0.11']
    >>> found("29-mal in 5.000 Schritten, 0,11.", "de")
    ['29', '5.000', '0,11']
    """
    plain = re.sub(r"\$[^$]*\$|`[^`]*`", " ", text)
    numbers = [match.group() for match in (SWAPPED if language in COMMA else NUMBER).finditer(plain)]
    return [n for n in numbers if not (re.fullmatch(r"\d{4}", n) and int(n) in YEARS)]


def value(number: str, language: str = "en") -> Decimal:
    """Return what a number says.

    >>> value("5,000"), value("5.000,5", "de")
    (Decimal('5000'), Decimal('5000.5'))
    """
    return Decimal(number.replace(".", "").replace(",", ".") if language in COMMA else number.replace(",", ""))


def texts(card: Card) -> Iterator[str]:
    """Yield what a card states. Options are guesses, and the only texts that may say what they like."""
    yield card.text
    if card.found is not None:
        yield card.found.text
    if card.ask is not None:
        yield from (card.ask.question, card.ask.after, *card.ask.wrong.values())


def unfounded(lesson: Lesson, known: Mapping[str, set[Decimal]]) -> Iterator[tuple[Card, str]]:
    """Yield what is wrong with the numbers of each card, without capital and full stop.

    known : what the runs of each card are made with, by its id. Other cards may repeat a number that one vouches for.
    """
    vouched = set().union(*known.values(), *(_stated(card) for card in lesson.cards))
    vouched |= {100 * number for number in vouched}  # as a percentage
    for card in lesson.cards:
        written = {
            number: value(number, lesson.language) for text in texts(card) for number in found(text, lesson.language)
        }
        told = {value(number) for number in card.told if NUMBER.fullmatch(number)}
        for number, says in written.items():
            if says not in vouched | told:
                yield (
                    card,
                    (
                        f"the text says {number}, for which no fact, step or setting vouches; add a fact, or say under "
                        f"[cards.told] where the number comes from"
                    ),
                )
        for number in card.told:
            if not NUMBER.fullmatch(number) or value(number) not in written.values():
                yield card, f"told explains the number {number[:60]}, which no text of the card has"


def parameters(setup: RunSpec | SeriesRun, data: Any) -> set[Decimal]:
    """Return the numbers with which a run is made: parameters, also those left as they are, and sizes of the data."""
    if isinstance(setup, SeriesRun):
        return set(_numbers([setup.replicates, setup.steps, *dict(setup.values).values()]))
    made = [*setup.made(), *([setup.made_user()] if setup.user is not None else [])]
    values: list[Any] = [setup.replicates, setup.steps, setup.seed, *vars(setup.family.shape(data)).values()]
    for one in (*made, data):
        values += one.params.values()
    return set(_numbers(values))


def _stated(card: Card) -> set[Decimal]:
    """Return the numbers that a card declares: of its facts, steps, question and settings."""
    begin, end = card.t or 0, card.play.to if card.play is not None and card.play.to is not None else 0
    values: list[Any] = [begin, end, end - begin, *card.settings.values()]
    measures = [fact.measure for fact in card.facts]
    if card.ask is not None:
        values += [card.ask.low, card.ask.high]
        measures += [card.ask.truth] if card.ask.truth is not None else []
    values += [part for measure in measures for part in (measure.t, measure.over)]
    values += [fact.value for fact in card.facts if fact.holds != "event"]
    values += [value for fact in card.facts for value in (fact.data_seeds, *fact.settings.values())]
    values += [card.hand.searches, card.hand.then] if card.hand is not None else []
    return set(_numbers(values))


def _numbers(values: Iterable[Any]) -> Iterator[Decimal]:
    """Yield what is a number among values and lists of them."""
    for one in values:
        if isinstance(one, str):
            yield from map(value, NUMBER.findall(one))
        elif isinstance(one, list | tuple):
            yield from _numbers(one)
        elif isinstance(one, int | float | Decimal) and not isinstance(one, bool) and isfinite(one):
            yield abs(Decimal(repr(float(one)) if isinstance(one, float) else one))
