"""Linear algebra in one thread, since small products take many times as long in threads that wait for each other."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any


class _Limit:
    """The number of `one_thread` contexts in use, in all threads: the first sets the limit, the last to go lifts it."""

    lock, inside = Lock(), 0
    limit: Any = None


@cache
def _controller() -> Any:
    return import_module("threadpoolctl").ThreadpoolController()  # comes with scikit-learn


@contextmanager
def one_thread() -> Iterator[None]:
    """Return a context in which BLAS and LAPACK run in one thread.

    >>> with one_thread():
    ...     1 + 1
    2
    """
    with _Limit.lock:
        if not _Limit.inside:
            _Limit.limit = _controller().limit(limits=1, user_api="blas")
        _Limit.inside += 1
    try:
        yield
    finally:
        with _Limit.lock:
            _Limit.inside -= 1
            if not _Limit.inside:
                _Limit.limit.restore_original_limits()
