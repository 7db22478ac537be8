"""Numbers with their nouns."""

from __future__ import annotations


def named(number: int, noun: str) -> str:
    """Return a noun in the form that stands behind a number.

    >>> named(1, "click"), named(2, "click"), named(2, "search"), named(0, "query")
    ('click', 'clicks', 'searches', 'queries')
    """
    if number == 1:
        return noun
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}es" if noun.endswith("ch") else f"{noun}s"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "search"), counted(12, "search")
    ('1 search', '12 searches')
    """
    return f"{number} {named(number, noun)}"
