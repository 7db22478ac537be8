"""Simulated users who look for a function: what they type, and how well another function would do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.base import Array
from datasets.functions.corpus import Function
from datasets.functions.words import COMMON, split, stem

PACKAGE_NAMED = 0.2  # share of the users who type the package as well
FROM_TEXT = 0.5  # share of the users who type a word of the first sentence


def ask(functions: Sequence[Function], queries: int, rng: np.random.Generator) -> tuple[Array, list[str]]:
    """Draw the functions (Q,) that users look for, by row, and the queries that they type."""
    chances = np.array([1.0 + function.mentions for function in functions])
    sought = rng.choice(len(functions), queries, p=chances / chances.sum())
    return sought, [_typed(functions[row], rng) for row in sought]


def _typed(function: Function, rng: np.random.Generator) -> str:
    parts = split(function.name.rsplit(".", 1)[-1])
    keep = int(rng.integers(1, min(len(parts), 2) + 1))
    typed = [parts[i] for i in np.sort(rng.choice(len(parts), keep, replace=False))]
    others = [word for word in split(function.summary) if len(word) > 2 and word not in COMMON and word not in typed]
    if others and rng.random() < FROM_TEXT:
        typed.append(others[int(rng.integers(len(others)))])
    if rng.random() < PACKAGE_NAMED:
        typed.insert(0, function.package)
    return " ".join(typed)


def grade(functions: Sequence[Function], sought: Array, offered: Array) -> Array:
    """Return the grades (Q, n) of the functions offered to users who look for others, by name and module."""
    names = [(f.name.rsplit(".", 1)[-1], frozenset(stem(w) for w in split(f.name))) for f in functions]
    grades = np.zeros(offered.shape)
    for q, row in enumerate(sought):
        wanted, (name, words) = functions[row], names[row]
        for i, other in enumerate(offered[q]):
            there, (called, has) = functions[other], names[other]
            common = len(words & has)
            if other == row:
                grades[q, i] = 4
            elif called == name:
                grades[q, i] = 3
            elif there.module == wanted.module and 2 * common >= len(words):
                grades[q, i] = 2
            elif there.module == wanted.module or (there.package == wanted.package and common):
                grades[q, i] = 1
    return grades
