"""Compiled functions whose few lines follow from a declaration and are written by the program."""

from __future__ import annotations

from typing import Any

from learners.compiled.function import inlined


def written(name: str, arguments: list[str], returns: str, home: str, file: str, **known: Any) -> Any:
    """Return a compiled function that returns an expression of its arguments and of what is `known` by name.

    home, file : the module to which it belongs, and where it lies. Two functions of a module need names of their own,
    under which they are kept.

    >>> written("add", ["a", "b"], "a + b", __name__, __file__)(1, 2)
    3
    """
    source = f"def {name}({', '.join(arguments)}):\n    return {returns}\n"
    names = {"__name__": home, **known}
    exec(compile(source, file, "exec"), names)
    return inlined(names[name])
