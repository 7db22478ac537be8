"""A small index of made functions, so that a test needs no libraries to be read."""

from functools import cache

import pytest

from datasets.functions.corpus import DocumentedFunction
from datasets.functions.index import Index
from pages.ui.search.person import Searcher

VERBS = {"sort": "Sort", "merge": "Merge", "count": "Count", "split": "Split", "fill": "Fill"}
THINGS = {
    "table": "the rows of a table",
    "array": "an array",
    "tree": "a tree of names <b>by force</b>",
    "text": "a text",
}
PACKAGES = ("numpy", "pandas")


@cache
def small() -> Index:
    """Return an index of 40 functions, in two packages."""
    known = [
        DocumentedFunction(
            package, package, f"{verb}_{thing}", "function", f"{does} {what}.", f"How to {verb} {what} in {package}."
        )
        for package in PACKAGES
        for verb, does in VERBS.items()
        for thing, what in THINGS.items()
    ]
    return Index(known)


@pytest.fixture
def person() -> Searcher:
    return Searcher(small())


def found(person: Searcher, name: str) -> int:
    """Return the number, among what was found, of the first function of this name."""
    return next(i for i, row in enumerate(person.found.rows) if person.index.functions[row].name == name)
