"""Numbers with their nouns, and lengths of time."""


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


def duration(seconds: float) -> str:
    """Return a length of time in words.

    >>> [duration(s) for s in (0.25, 42, 600, 9000)]
    ['0.2 s', '42 s', '10 min', '2.5 h']
    """
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds >= 2 else f"{max(0.1, seconds):.1f} s".replace(".0", "")
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
