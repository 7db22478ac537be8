"""Compiled functions. They are compiled at first use and kept on disk, so that a second start need not wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of numbers and arrays, which then runs without the interpreter lock.

    >>> @compiled
    ... def double(x):
    ...     return 2 * x
    >>> double(4)
    8
    """
    return numba.njit(nogil=True, cache=True, _nrt=False)(function)


def ready(function: Any, signature: Any) -> Any:
    """Return the function, compiled for one signature and for no other."""
    function.compile(signature)
    function.disable_compile()
    return function
