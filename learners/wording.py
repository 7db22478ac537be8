"""Words of sentences that are put together."""

from collections.abc import Sequence


def listed(parts: Sequence[str]) -> str:
    """Return one part or more with commas, and "and" before the last.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
