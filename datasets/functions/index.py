"""An index over the functions: what matches a query, best first, and the features of each match."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from datasets.base import Array
from datasets.functions import features, fields
from datasets.functions.corpus import Function, functions
from datasets.functions.matching import raw_features
from datasets.functions.places import PACKAGES
from datasets.functions.words import COMMON, joined, split, stem

MOST_LETTERS, MOST_WORDS = 200, 12  # of a query; the rest is left out
BOOSTS = {"name": 3.0, "module": 0.8, "summary": 1.5, "parameters": 0.3, "see also": 0.3, "body": 0.6}  # first stage


@dataclass(frozen=True)
class Found:
    """What a query found.

    query : the query, cleaned. words : its words. rows : (n,) numbers of functions, best first by BM25 over the fields.
    raw : (n, m) float32 raw features. features : (n, d) float32, rows of length about 1.
    problem : a sentence where nothing is found or a part of the query is left out, else "".
    """

    query: str
    words: tuple[str, ...]
    rows: Array
    raw: Array = field(repr=False)
    features: Array = field(repr=False)
    problem: str = ""


class Index:
    """An index over functions; `search` finds, `snippet` shows where a word matches.

    functions : the functions by row. feature_names : the d features in words. raw_names : the m raw ones.
    """

    def __init__(self, found: Sequence[Function]) -> None:
        self.functions = tuple(found)
        self.feature_names = features.names()
        self.raw_names = tuple(raw.words for raw in features.RAW)
        self.vocabulary, self.fields = fields.build(self.functions)
        self.of_function = fields.constants(self.functions)
        self.idf = self._idf()

    def search(self, query: str, most: int = 40) -> Found:
        """Return at most `most` functions in which a word of the query occurs, best first.

        A query is cut after 200 letters or 12 words, which `problem` says. Ties are broken by how often functions are
        named by others, then by their row.

        Raises
        ------
        ValueError : for a query that is no text, or `most` below 1.
        """
        if not isinstance(query, str):
            raise ValueError(f"a query must be a text, got {type(query).__name__}")
        if most < 1:
            raise ValueError(f"most must be at least 1, got {most}")
        text, words, problem = clean(query)
        groups = self._groups(words)
        if not any(len(group) for group in groups):
            problem = problem or (f"No function has the words “{text}”." if words else "Type a word or two.")
            return self._empty(text, words, problem)
        scores = self._all_scores(groups)
        total = sum(BOOSTS[name] * score.sum(axis=0) for name, score in scores.items())
        total = np.round(total, 4)
        matches = np.flatnonzero(total > 0)
        order = np.lexsort((matches, -self.of_function.mentions[matches], -total[matches]))
        rows = matches[order[:most]]
        return self._found(text, words, problem, rows, groups, scores)

    def describe(self, query: str, rows: Array) -> Found:
        """Return the features of given functions (n,) for a query, in the order given, whether they match or not.

        Raises
        ------
        ValueError : as for `search`.
        """
        text, words, problem = clean(query)
        groups = self._groups(words)
        if not any(len(group) for group in groups):
            return self._empty(text, words, problem or "Type a word or two.")
        return self._found(text, words, problem, np.asarray(rows), groups, self._all_scores(groups))

    def _all_scores(self, groups: Sequence[Array]) -> dict[str, Array]:
        return {name: self._scores(name, groups) for name in fields.FIELDS}

    def _found(
        self,
        text: str,
        words: tuple[str, ...],
        problem: str,
        rows: Array,
        groups: list[Array],
        scores: dict[str, Array],
    ) -> Found:
        raw = raw_features(
            self.functions,
            self.of_function,
            self.idf,
            text,
            words,
            groups,
            rows,
            {name: score[:, rows] for name, score in scores.items()},
        )
        return Found(text, words, rows, raw, features.expand(raw, len(words)), problem)

    def snippet(self, row: int, query: str, length: int = 200) -> list[tuple[str, bool]]:
        """Return a passage of the function's text in pieces, with True for the words that match the query."""
        words = {stem(word) for word in clean(query)[1]}
        words |= {stem(pair) for pair in joined(list(clean(query)[1]))}
        function = self.functions[row]
        text = function.summary
        pieces: list[tuple[str, bool]] = []
        for piece in re.split(r"([^\W_]+)", text[:length]):
            if piece:
                pieces.append((piece, any(stem(part) in words for part in [piece.lower(), *split(piece)])))
        return pieces

    def _groups(self, words: Sequence[str]) -> list[Array]:
        """Return for each word of the query the numbers of the stems that stand for it."""
        pairs = [stem(pair) for pair in joined(list(words))]
        found = []
        for i, word in enumerate(words):
            meant = {stem(word), *pairs[max(0, i - 1) : i + 1]}
            found.append(np.array(sorted(self.vocabulary[s] for s in meant if s in self.vocabulary), dtype=int))
        return found

    def _idf(self) -> Array:
        """Return ln(1 + (N − n + ½) / (n + ½)) for each stem that n of the N functions have."""
        n, total = np.zeros(len(self.vocabulary)), len(self.functions)
        for held in self.fields.values():
            n = np.maximum(n, np.diff(held.counts.indptr))
        return np.round(np.log1p((total - n + 0.5) / (n + 0.5)), 4)

    def _scores(self, name: str, groups: Sequence[Array]) -> Array:
        """Return the BM25 scores (words, N) of a field."""
        held = self.fields[name].weights
        found = np.zeros((len(groups), held.shape[0]))
        for i, group in enumerate(groups):
            for word in group:
                a, b = held.indptr[word], held.indptr[word + 1]
                here = held.indices[a:b]
                found[i, here] = np.maximum(found[i, here], held.data[a:b] * self.idf[word])
        return found

    def _empty(self, text: str, words: tuple[str, ...], problem: str) -> Found:
        raw = np.zeros((0, len(features.RAW)), dtype=np.float32)
        return Found(text, words, np.zeros(0, dtype=int), raw, features.expand(raw, 1), problem)


def clean(query: str) -> tuple[str, tuple[str, ...], str]:
    """Return a query without control characters, its words, and a sentence if a part was left out.

    >>> clean("  sort\\tthe <b>rows</b> ")
    ('sort the <b>rows</b>', ('sort', 'b', 'rows'), '')
    """
    text = unicodedata.normalize("NFKC", query[: 50 * MOST_LETTERS])
    text = " ".join("".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in text).split())
    problem = ""
    if len(text) > MOST_LETTERS:
        text, problem = text[:MOST_LETTERS].rstrip(), f"Only the first {MOST_LETTERS} letters of the query are used."
    words = list(dict.fromkeys(split(text)))
    words = [word for word in words if word not in COMMON] or words
    if len(words) > MOST_WORDS:
        problem = problem or f"Only the first {MOST_WORDS} words of the query are used."
    return text, tuple(words[:MOST_WORDS]), problem


@cache
def _index(packages: tuple[str, ...]) -> Index:
    return Index(functions(packages))


def index(packages: Iterable[str] = PACKAGES) -> Index:
    """Return the index over the functions of these packages, built once in each process.

    Raises
    ------
    ValueError : for an unknown package, or where none of them has any docstring (`python -OO` removes them).
    """
    return _index(tuple(packages))
