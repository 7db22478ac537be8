"""Compiled functions. They are compiled at first use and kept on disk, so that a second start need not wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.core import sigutils
from numba.core.compiler_lock import global_compiler_lock


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of numbers and arrays, which then runs without the interpreter lock.

    >>> @compiled
    ... def double(x):
    ...     return 2 * x
    >>> double(4)
    8
    """
    return numba.njit(nogil=True, cache=True)(function)


def ready(function: Any, signature: Any) -> Any:
    """Compile a compiled function for this signature and no other, unless that is done, and return it.

    It can then be an argument of compiled code whose signature says `types.FunctionType(signature)` there.

    Raises
    ------
    ValueError : if the function is bound to another signature.

    >>> @compiled
    ... def double(x):
    ...     return 2 * x
    >>> ready(double, numba.float64(numba.float64))(4)
    8.0
    """
    arguments, _ = sigutils.normalize_signature(signature)
    with global_compiler_lock:
        if tuple(arguments) not in function.overloads:
            if not function._can_compile:
                raise ValueError(f"{function.__name__} is bound to {function.signatures[0]}, got {signature}")
            function.compile(signature)
        function.disable_compile()
    return function
