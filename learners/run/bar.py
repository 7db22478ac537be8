"""The progress bar that people know, in a terminal and in a notebook, for those who ask for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

OFTEN = 0.2  # seconds between two looks of a bar at a run


@contextmanager
def bar(wanted: Any, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar, if wanted, while something goes on; yield a function that is told how much is done.

    >>> with bar(False, total=10) as tell:
    ...     tell(5)
    """
    if not isinstance(wanted, bool):
        raise ValueError(f"progress must be True or False, got {wanted!r:.60}")
    if not wanted:
        yield lambda done: None
        return
    from tqdm.auto import tqdm  # type: ignore[import-untyped]

    with tqdm(total=total, unit=" steps", unit_scale=True) as shown:

        def tell(done: int) -> None:
            shown.update(done - shown.n)

        yield tell
