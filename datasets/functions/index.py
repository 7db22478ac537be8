"""An index over the functions: what matches a query, best first, and the features of each match."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock

import numpy as np

from datasets.base import Array
from datasets.functions import features, fields, snippets
from datasets.functions.corpus import DocumentedFunction, functions
from datasets.functions.matching import Matcher
from datasets.functions.places import PACKAGES
from datasets.functions.query import Query, understand

# how much a field counts in the first stage
BOOSTS = {"name": 3.0, "near": 1.2, "place": 0.8, "summary": 1.5, "parameters": 0.3, "see also": 0.3, "body": 0.6}
COVERED = 0.5  # a function without a word of the query loses up to this share of its score, by the weight of the word
MENTIONED = 0.05  # a function that others name m times counts 1 + 0.05 · ln(1 + m) times as much

_building = Lock()  # of two sessions that ask at the same time, one builds and the other waits


@dataclass(frozen=True)
class Hit:
    """The functions that a query found.

    query : the query, cleaned. words : its words as they were searched for, mended where misspelt.
    rows : (n,) numbers of functions, best first by BM25 over the fields.
    raw : (n, m) float32 raw features. features : (n, d) float32, rows of length about 1.
    problem : a sentence where nothing is found, a part of the query is left out, or a word was mended, or else "".
    """

    query: str
    words: tuple[str, ...]
    rows: Array
    raw: Array = field(repr=False)
    features: Array = field(repr=False)
    problem: str = ""


class Index:
    """An index over functions: `search` finds, `describe` gives features, `snippet` shows where words match.

    functions : the functions by row. feature_names : the d features in words.

    >>> from datasets.functions.corpus import DocumentedFunction
    >>> small = Index([DocumentedFunction("a", "a", "sort_rows", "function", "Sort the rows.", ""),
    ...                DocumentedFunction("a", "a", "sum", "function", "Add up the rows.", "")])
    >>> small.search("sorting rows").rows
    array([0, 1])
    >>> small.snippet(1, "row")
    [('Add up the ', False), ('rows', True), ('.', False)]
    """

    def __init__(self, found: Sequence[DocumentedFunction]) -> None:
        self.functions = tuple(found)
        self.feature_names = features.names()
        self._fields = fields.build(self.functions)
        self._matcher = Matcher(self.functions, self._fields)
        self._idf = self._inverse_frequencies()

    def search(self, query: str, most: int = 40) -> Hit:
        """Return at most `most` functions in which a word of the query occurs, best first.

        Ties are broken by the row. A long query is cut after 200 letters or 12 words, which `problem` says.

        Raises
        ------
        ValueError : for a query that is no text, or `most` below 1.
        """
        if most < 1:
            raise ValueError(f"most must be at least 1, got {most}")
        asked = understand(query, self._fields.vocabulary)
        if not asked.known:
            return self._found(asked, np.zeros(0, dtype=int), {}, np.zeros(0))
        scores = self._scores(asked)
        total = self._total(asked, scores)
        matches = np.flatnonzero(total)
        if len(matches) > most:
            least = np.partition(total[matches], -most)[-most]
            matches = matches[total[matches] >= least]
        rows = matches[np.argsort(-total[matches], kind="stable")[:most]]
        return self._found(asked, rows, scores, total)

    def describe(self, query: str, rows: Array) -> Hit:
        """Return the features of given functions (n,) for a query, in the order given, whether they match or not.

        Raises
        ------
        ValueError : for a query that is no text, or a row that is not one of a function.
        """
        given = np.asarray(rows, dtype=int).reshape(-1)
        if len(given) and not 0 <= given.min() <= given.max() < len(self.functions):
            raise ValueError(f"rows must be in [0, {len(self.functions) - 1}], got {given.min()} to {given.max()}")
        asked = understand(query, self._fields.vocabulary)
        scores = self._scores(asked)
        return self._found(asked, given, scores, self._total(asked, scores))

    def snippet(self, row: int, query: str, length: int = 200) -> list[tuple[str, bool]]:
        """Return a passage of at most `length` letters in pieces, with True for the words that match the query.

        It is the first sentence of the function if a word of the query is in it, or else where the text has most of
        them close together.
        """
        asked = understand(query, self._fields.vocabulary)
        return snippets.passage(self.functions[row], asked.words, length)

    def _idf_of(self, asked: Query) -> Array:
        """Return the inverse document frequency (words,) of each word of a query."""
        both = zip(asked.meant, asked.near, strict=True)
        return np.array([self._idf[meant if len(meant) else near].max(initial=0.0) for meant, near in both])

    def _total(self, asked: Query, scores: dict[str, Array]) -> Array:
        """Return the scores (N,) by which a search finds functions, rounded to be the same on every machine."""
        idf = self._idf_of(asked)
        there = np.any([score > 0 for score in scores.values()], axis=0)
        covered = (idf[:, None] * there).sum(axis=0) / max(float(idf.sum()), 1e-9)
        total = sum(BOOSTS[name] * score.sum(axis=0) for name, score in scores.items())
        total = total * (1 - COVERED + COVERED * covered) * (1 + MENTIONED * np.log1p(self._matcher.mentions))
        found: Array = np.round(total, 4)
        return found

    def _found(self, asked: Query, rows: Array, scores: dict[str, Array], total: Array) -> Hit:
        if asked.known:
            held = {name: score[:, rows] for name, score in scores.items()}
            raw = self._matcher.raw(asked, rows, self._idf_of(asked), held, total[rows] / max(float(total.max()), 1e-9))
        else:
            raw = self._matcher.constant[rows].astype(np.float32)
        return Hit(asked.text, asked.words, rows, raw, features.expand(raw, len(asked.words)), asked.problem)

    def _inverse_frequencies(self) -> Array:
        """Return ln(1 + (N − n + ½) / (n + ½)) for each stem that n of the N functions have, in some field at most."""
        n, total = np.zeros(len(self._fields.vocabulary)), len(self.functions)
        for held in self._fields.by_name.values():
            n = np.maximum(n, np.diff(held.weights.indptr))
        return np.round(np.log1p((total - n + 0.5) / (n + 0.5)), 4)

    def _scores(self, asked: Query) -> dict[str, Array]:
        """Return the BM25 scores (words, N) by field; of several stems that stand for a word, the best counts."""
        highest = [self._idf[meant].max() if len(meant) else np.inf for meant in asked.meant]
        found = {name: self._score(name, asked.meant, [np.inf] * len(highest)) for name in self._fields.by_name}
        found["near"] = self._score("name", asked.near, highest)
        return found

    def _score(self, name: str, groups: Sequence[Array], highest: Sequence[float]) -> Array:
        """Return the BM25 scores (words, N) of a field, with inverse document frequencies of at most `highest`."""
        weights = self._fields.by_name[name].weights
        scores = np.zeros((len(groups), len(self.functions)))
        for score, numbers, most in zip(scores, groups, highest, strict=True):
            for number in numbers:
                a, b = weights.indptr[number], weights.indptr[number + 1]
                here = weights.indices[a:b]
                score[here] = np.maximum(score[here], weights.data[a:b] * min(self._idf[number], most))
        return scores


@lru_cache(maxsize=4)
def _index(packages: tuple[str, ...]) -> Index:
    found = functions(packages)
    if not found:
        raise ValueError(f"no docstrings were found in {', '.join(packages)}; `python -OO` removes them")
    return Index(found)


def index(packages: Iterable[str] = PACKAGES) -> Index:
    """Return the index over the functions of these packages, built once in each process.

    Raises
    ------
    ValueError : for an unknown package, or where none of them has any docstring.
    """
    with _building:
        return _index(tuple(packages))
