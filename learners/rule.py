"""Rules: the compiled functions of learners and users, which take part in a loop over steps.

A rule has the arguments of its kind, and beyond them names the parameters that it reads. The loop passes arrays of
numbers; a few lines of compiled code pick out of them what the rule has named:

    @compiled
    def present(x: Vector, turn: Turn, gamma: float) -> None:
        predict(x, turn)
        explore(turn, gamma)
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numba
import numpy as np
from numba import types

from datasets.parameters import Declared
from learners.base import Array
from learners.compiled import inlined, ready
from learners.compiled.generated import written


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of rule. signature : its type in compiled code. holder : which argument has the `numbers`, from 0."""

    signature: Any
    holder: int = 0


@dataclass(frozen=True, eq=False)
class BoundRule:
    """Rules that take part in a loop. names : what they read of their owner, as `numbers` has it.

    functions : without arguments of their own, compiled when they are first called. kinds : of each.
    """

    names: tuple[str, ...]
    functions: tuple[Any, ...]
    kinds: tuple[Kind, ...]

    @cached_property
    def ready(self) -> tuple[Any, ...]:
        """The functions, compiled."""
        return tuple(ready(rule, kind.signature) for rule, kind in zip(self.functions, self.kinds, strict=True))

    def numbers(self, owner: Declared, replicates: int) -> Array:
        """Return what the rules read of a learner or user, (R, ·). A choice is its place among the choices."""
        found = np.empty((replicates, len(self.names)))
        for i, name in enumerate(self.names):
            value = getattr(owner, name)
            found[:, i] = owner.parameter(name).choices.index(value) if isinstance(value, str) else value
        return found


@cache
def bind(kinds: tuple[Kind, ...], rules: tuple[Any, ...]) -> BoundRule:
    """Return rules of these kinds, and the names of all that they read, in the order in which they name it."""
    own = [_arguments(rule)[len(kind.signature.args) :] for rule, kind in zip(rules, kinds, strict=True)]
    names = tuple(dict.fromkeys(name for part in own for name in part))
    each = zip(rules, kinds, own, strict=True)
    return BoundRule(
        names, tuple(_picked(rule, kind, tuple(map(names.index, part))) for rule, kind, part in each), kinds
    )


def call(function: Any, rules: tuple[Any, ...], *arguments: Any) -> Any:
    """Call a compiled function whose first arguments are rules that are `ready`.

    Its signature follows from the arguments of the first call; their types are always the same.
    """
    if function.bound is None:
        kinds = (types.FunctionType(rule.result.signature) for rule in rules)
        ready(function, (*kinds, *map(numba.typeof, arguments)))
    return function(*rules, *arguments)


def written_by_hand(learner: Any, base: type[Any]) -> bool:
    """Return whether a learner presents or updates by methods of its own, in plain Python, and not by its rules."""
    methods = ((getattr(learner, name), getattr(base, name)) for name in ("present", "update"))
    return any(getattr(method, "__func__", None) is not inherited for method, inherited in methods)


def _arguments(rule: Any) -> tuple[str, ...]:
    return tuple(inspect.signature(rule.py_func).parameters)


@cache
def _picked(rule: Any, kind: Kind, places: Sequence[int]) -> Any:
    """Return a rule that takes the arguments of its kind alone, and its own ones from these places of the numbers."""
    if not places:
        return rule
    given = list(_arguments(rule)[: len(kind.signature.args)])
    passed = ", ".join([*given, *(f"{given[kind.holder]}.numbers[{place}]" for place in places)])
    name = "_".join([rule.__name__, *map(str, places)])
    called, file = rule.__name__, rule.py_func.__code__.co_filename
    whole = inlined(rule.py_func)
    return written(name, given, f"{called}({passed})", rule.__module__, file, **{called: whole})
