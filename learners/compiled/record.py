"""Records: what compiled code sees of one replicate, declared once.

A record is a named tuple. Annotated are the type of a field, float64 if it is left out, and the axes of an array. From
this follow its type in compiled code, arrays with room for R replicates, and the view of one of them:

>>> from typing import Annotated, Any, NamedTuple
>>> Turn = NamedTuple("Turn", [
...     ("t", Annotated[int, GIVEN]), ("scores", Annotated[Array, "K"]), ("shown", Annotated[Array, "int64 n"]),
...     ("gamma", Annotated[Any, "float64"]),
... ])
>>> kind_of(Turn).types[1:]
(Array(float64, 1, 'C', False, aligned=True), Array(int64, 1, 'C', False, aligned=True), float64)
>>> turns = room(Turn, 2, K=3, n=1)
>>> turns.scores.shape, turns.shown.dtype, turns.gamma
((2, 3), dtype('int64'), array([0., 0.]))
>>> view(Turn).py_func(turns, 1, 7)
Turn(t=7, scores=array([0., 0., 0.]), shown=array([0]), gamma=np.float64(0.0))
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_type_hints

import numba
import numpy as np
from numba import types

from datasets.base import Array
from learners.compiled.generated import written

GIVEN = "given"  # marks a field that belongs to a step: a view is given its value, and replicates have none to keep
TYPES = ("float64", "int64", "int32", "int8", "bool")
T = TypeVar("T", bound=tuple[Any, ...])


class Field(NamedTuple):
    """The declaration of a field. axes : their names, none for a number; a numeral is a length."""

    dtype: Any
    axes: tuple[str, ...]
    given: bool


@cache
def fields(record: Any) -> dict[str, Field]:
    """Return the fields of a record by name."""
    found = {}
    for name, hint in get_type_hints(record, include_extras=True).items():
        kind, *marks = get_args(hint)
        words = [word for mark in marks if mark != GIVEN for word in mark.split()]
        typed = words[:1] if words[:1] and words[0] in TYPES else []
        dtype = typed[0] if typed else kind if kind in (int, bool) else float
        found[name] = Field(np.dtype(dtype), tuple(words[len(typed) :]), GIVEN in marks)
    return found


def kind_of(record: Any) -> Any:
    """Return the type of a record of one replicate in compiled code."""
    kinds = [numba.from_dtype(field.dtype) for field in fields(record).values()]
    axes = [len(field.axes) for field in fields(record).values()]
    arrays = [types.Array(kind, n, "C") if n else kind for kind, n in zip(kinds, axes, strict=True)]
    return types.NamedTuple(arrays, record)  # type: ignore[attr-defined]


def room(record: type[T], replicates: int, arrays: dict[str, Array] | None = None, **sizes: int) -> T:
    """Return the record for R replicates: every array has the axis of the replicates in front, a number becomes (R,).

    arrays : fields that exist already. All others are 0, with axes of these sizes. Given fields are 0 or empty.
    """
    made: dict[str, Any] = dict(arrays or {})
    for name, field in fields(record).items():
        if field.given:
            made[name] = np.zeros((0,) * len(field.axes), field.dtype) if field.axes else field.dtype.type(0).item()
        elif name not in made:
            shape = (sizes[axis] if axis in sizes else int(axis) for axis in field.axes)
            made[name] = np.zeros((replicates, *shape), field.dtype)
    return cast(Any, record)(**made)  # type: ignore[no-any-return]


@cache
def view(record: Any, cut: str = "") -> Any:
    """Return the compiled function of the record of R replicates, a number r, and the given fields, that returns r's.

    cut : an axis of which only a first part is looked at; its length then comes after r.
    """
    given = [name for name, field in fields(record).items() if field.given]
    parts = []
    for name, field in fields(record).items():
        axes = field.axes[: field.axes.index(cut) + 1] if cut in field.axes else ()
        index = ["r", *(f":{cut}" if axis == cut else ":" for axis in axes)]
        parts.append(name if field.given else f"many.{name}[{', '.join(index)}]")
    arguments = ["many", "r", *([cut] if cut else []), *given]
    name, home = f"view_of_{record.__name__}", record.__module__
    file = sys.modules[home].__file__ or home
    return written(name, arguments, f"Record({', '.join(parts)})", home, file, Record=record)


def copied(many: T, **lengths: int) -> T:
    """Return a copy of the record of R replicates, with the first part of these axes alone."""
    parts = {}
    for name, field in fields(type(many)).items():
        value = getattr(many, name)
        cut = (slice(None), *(slice(lengths.get(axis)) for axis in field.axes))
        parts[name] = value if field.given else value[cut].copy()
    return cast(Any, type(many))(**parts)  # type: ignore[no-any-return]
