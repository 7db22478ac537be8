"""Simulated users who look for a function: what they type, and how well another function would do."""

from collections.abc import Sequence

import numpy as np

from datasets.base import Array
from datasets.functions.corpus import DocumentedFunction
from datasets.functions.words import COMMON, split, stem

MOST_PARTS = 3  # words of the name that a user types
PACKAGE_TYPED = 0.2  # share of the users who type the package as well
SUMMARY_TYPED = 0.5  # share of the users who type a word of the first sentence


def ask(functions: Sequence[DocumentedFunction], queries: int, rng: np.random.Generator) -> tuple[Array, list[str]]:
    """Draw the functions (Q,) that users look for, by row, and the queries that they type, as `FunctionSearch` says."""
    chances = np.array([1.0 + function.mentions for function in functions])
    sought = rng.choice(len(functions), queries, p=chances / chances.sum())
    return sought, [_typed(functions[row], rng) for row in sought]


def _typed(function: DocumentedFunction, rng: np.random.Generator) -> str:
    parts = split(function.last)
    keep = int(rng.integers(1, min(len(parts), MOST_PARTS) + 1))
    first = int(rng.integers(len(parts) - keep + 1))
    typed = parts[first : first + keep]
    others = [word for word in split(function.summary) if len(word) > 2 and word not in COMMON and word not in typed]
    if others and rng.random() < SUMMARY_TYPED:
        typed.append(others[int(rng.integers(len(others)))])
    if rng.random() < PACKAGE_TYPED:
        typed.insert(0, function.package)
    return " ".join(typed)


def grade(functions: Sequence[DocumentedFunction], sought: Array, offered: Array) -> Array:
    """Return the grades (Q, n) of functions offered (Q, n) to users who look for others (Q,), all given by row.

    >>> names = ("b", "sort_rows"), ("c", "sort_rows"), ("b", "sort"), ("b", "add"), ("c", "rows"), ("c", "add")
    >>> held = [DocumentedFunction("a", *name, "function", "", "") for name in names]
    >>> grade(held, np.array([0]), np.array([[0, 1, 2, 3, 4, 5]]))
    array([[4., 3., 2., 1., 1., 0.]])
    """
    words = [frozenset(map(stem, split(function.last))) for function in functions]
    places = [function.qualified.removesuffix(function.last) for function in functions]
    grades = np.zeros(np.shape(offered))
    for q, wanted in enumerate(sought):
        for i, row in enumerate(offered[q]):
            common = len(words[wanted] & words[row])
            if row == wanted:
                grades[q, i] = 4
            elif functions[row].last == functions[wanted].last:
                grades[q, i] = 3
            elif places[row] == places[wanted]:
                grades[q, i] = 2 if 2 * common >= len(words[wanted]) else 1
            elif common and functions[row].package == functions[wanted].package:
                grades[q, i] = 1
    return grades
