"""Works in pieces: generators that yield between two pieces, so that whoever runs them can stop or let others in."""

from collections.abc import Callable, Generator
from typing import TypeVar

T = TypeVar("T")
Pieces = Generator[None, None, T]  # yields between pieces of the work, and returns what came of it


def finished(pieces: Pieces[T]) -> T:
    """Do a work in pieces to its end, and return what it returns.

    >>> finished(whole(lambda: 3))
    3
    """
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            found: T = end.value
            return found


def whole(do: Callable[[], T]) -> Pieces[T]:
    """Return a work that is a single piece."""
    return do()
    yield  # which makes it a generator
