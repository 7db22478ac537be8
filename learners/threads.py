"""Linear algebra in one thread, since small products take many times as long in threads that wait for each other."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any


@cache
def _controller() -> Any:
    return import_module("threadpoolctl").ThreadpoolController()  # comes with scikit-learn


def one_thread() -> Any:
    """Return a context in which BLAS and LAPACK run in one thread.

    >>> with one_thread():
    ...     1 + 1
    2
    """
    return _controller().limit(limits=1, user_api="blas")
