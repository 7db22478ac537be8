"""The fingerprint of compiled code: a hash of everything that it depends on, so that it is never used when stale."""

import dis
import hashlib
import platform
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite.binding import get_host_cpu_name
from numba.core import config, types
from numba.core.dispatcher import Dispatcher
from numba.core.extending import _Intrinsic as Intrinsic
from numba.core.types.containers import BaseNamedTuple, BaseTuple


def fingerprint(function: Any, arguments: Iterable[Any], result: Any, processor: Any) -> str:
    """Return a hash of a function, what it calls, its constants, the types it is compiled for, and the processor.

    Comments, docstrings and places in files do not count.

    Raises
    ------
    TypeError : if the function uses anything whose changes would go unnoticed.
    """
    digest = hashlib.blake2b(digest_size=16)
    told = [*machine(), repr(processor), _spelled(result), *(_spelled(argument) for argument in arguments)]
    for part in (*told, *_function(function, set())):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


@cache
def machine() -> tuple[str, ...]:
    """Return the versions and the kind of processor on which all compiled code depends."""
    versions = (numba.__version__, llvmlite.__version__, np.__version__, platform.python_version())
    return (*versions, platform.python_implementation(), platform.machine(), get_host_cpu_name(), *_options())


def _options() -> tuple[str, ...]:
    """Return numba's settings, given by environment variables, that change the code."""
    return tuple(str(getattr(config, name)) for name in ("OPT", "BOUNDSCHECK", "CPU_NAME", "CPU_FEATURES"))


def _spelled(kind: Any) -> str:
    """Return a type in words. numba's own words leave out the names of the fields of a named tuple."""
    if isinstance(kind, BaseTuple):
        fields = ""
        if isinstance(kind, BaseNamedTuple):
            fields = _class(kind.instance_class)
        return f"{fields}({', '.join(_spelled(item) for item in kind)})"
    if isinstance(kind, types.FunctionType):
        of = kind.signature
        return f"function({', '.join(_spelled(item) for item in of.args)}) {_spelled(of.return_type)}"
    return str(kind)


def _class(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__} {getattr(cls, '_fields', '')}"


def _function(function: FunctionType, seen: set[int]) -> Iterator[str]:
    """Describe a function and, once, everything that it refers to."""
    yield f"{function.__module__}.{function.__qualname__}"
    if id(function) in seen:
        return
    seen.add(id(function))
    yield repr(function.__defaults__)
    yield from _code(function.__code__, documented=function.__doc__ is not None)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield from _value(name, function.__globals__[name], function, seen)
    for name, cell in cells.items():
        if not isinstance(cell.cell_contents, Dispatcher):  # two such functions would have one name
            raise TypeError(f"{function.__qualname__} must take {name} as an argument, not from around it")
        yield from _value(name, cell.cell_contents, function, seen)


def _names(code: CodeType) -> list[str]:
    """Return the global names in the code, in alphabetical order."""
    found = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found.update(_names(inner))
    return sorted(found)


def _code(code: CodeType, documented: bool = False) -> Iterator[str]:
    """Describe what the code does, without its docstring and its place in a file."""
    yield repr((code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_argcount, code.co_flags))
    for constant in (None, *code.co_consts[1:]) if documented else code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)


def _value(name: str, value: Any, user: FunctionType, seen: set[int]) -> Iterator[str]:
    """Describe what a name stands for in the function that uses it."""
    yield name
    if isinstance(value, Dispatcher):
        yield from _function(value.py_func, seen)
    elif isinstance(value, Intrinsic):  # it generates code itself
        yield from _function(value._defn, seen)
    elif isinstance(value, tuple):
        yield _class(type(value))
        for item in value:
            yield from _value(name, item, user, seen)
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape} {value.strides}"
        yield hashlib.blake2b(np.ascontiguousarray(value).tobytes()).hexdigest()
    elif value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic | np.dtype | Enum):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, ModuleType):
        yield value.__name__
        if id(value) not in seen:
            seen.add(id(value))
            for attribute in sorted(set(user.__code__.co_names) & vars(value).keys()):
                if isinstance(vars(value)[attribute], Dispatcher | int | float | tuple | np.ndarray):
                    yield from _value(attribute, vars(value)[attribute], user, seen)
    elif isinstance(value, types.Type):
        yield _spelled(value)
    elif isinstance(value, type):
        yield _class(value)
    elif callable(value) and hasattr(value, "__name__"):  # of Python, NumPy or numba, whose versions count
        yield f"{getattr(value, '__module__', '')}.{value.__name__}"
    else:
        raise TypeError(
            f"{user.__qualname__} uses {name}, a {type(value).__name__}, which compiled code cannot depend on"
        )
