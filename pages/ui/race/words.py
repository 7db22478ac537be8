"""Pieces of the sentences in which inspectors tell what happened."""

from collections.abc import Iterable, Sequence
from typing import cast

from learners import wording
from pages.ui.counting import named
from pages.ui.plain import Ours, visible

BY_HAND = "A person answered this step."
RAISED = str.maketrans("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def listed(names: Iterable[str], most: int = 5) -> str:
    """Return names as a list in words, cut after the first `most`.

    >>> listed(["d1", "d4", "d2"]), listed(["d1", "d4", "d2"], most=1)
    ('d1, d4 and d2', 'd1 and 2 more')
    """
    names = list(names)
    shown = names if len(names) <= most + 1 else [*names[:most], f"{len(names) - most:,} more"]
    return wording.listed(shown)


def number(x: float) -> Ours:
    """Return a number with three digits, or as many as a large one has before the point.

    >>> number(1234.5), number(-0.123456), number(1.5e-7)
    ('1,234', '−0.123', '1.5·10⁻⁷')
    """
    x = float(x) + 0.0
    if 1e3 <= abs(x) < 1e15:
        return Ours(f"{x:,.0f}".replace("-", "−"))
    digits, _, power = f"{x:.3g}".replace("-", "−").partition("e")
    raised = power.replace("+", "").replace("−0", "−").translate(RAISED)
    return cast(Ours, f"{digits}·10{raised}" if power else digits)


def count(n: int, thing: str) -> str:
    """Return how many there are of a thing.

    >>> count(0, "click"), count(1, "click"), count(1500, "pair")
    ('no clicks', '1 click', '1,500 pairs')
    """
    return f"{n:,} {named(n, thing)}" if n else f"no {named(0, thing)}"


def short(name: str, most: int = 48) -> str:
    """Return a title in quotation marks, cut if it is long.

    >>> short("Toy Story (1995)"), short("A" * 60, most=5)
    ('“Toy Story (1995)”', '“AAAA…”')
    """
    name = visible(name)
    return f"“{name if len(name) <= most else name[: most - 1] + '…'}”"


def sentence(text: str) -> str:
    """Return a text as a sentence, with a capital letter and a full stop.

    >>> sentence("no stump helps any more"), sentence("w stays.")
    ('No stump helps any more.', 'W stays.')
    """
    return text[:1].upper() + text[1:].rstrip(". ") + "."


def joined(sentences: Sequence[str]) -> str:
    """Return sentences one after the other, without empty ones.

    >>> joined(["It rained.", "", "It stopped."])
    'It rained. It stopped.'
    """
    return " ".join(text for text in sentences if text)
