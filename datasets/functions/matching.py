"""The raw features of what a query found: how its words match names and texts."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from datasets.base import Array
from datasets.functions.corpus import KINDS, DocumentedFunction
from datasets.functions.features import GRAIN, LARGEST_FEATURE, NUMBER, RAW, logarithmic
from datasets.functions.fields import HIGHEST, Fields, Words
from datasets.functions.places import DISTRIBUTIONS, PACKAGES, SHORT
from datasets.functions.query import Query
from datasets.functions.words import split

_IN_FIELD = {"name": "name", "place": "place", "summary": "summary", "parameters": "parameters",
             "see also": "see-also", "body": "body"}  # fmt: skip
_LEGACY = re.compile(r"\b(deprecated|legacy|discouraged|obsolete|superseded)\b", re.IGNORECASE)
# the words by which a person names a package
_ASKED = {**SHORT, **{word: package for package, name in DISTRIBUTIONS.items() for word in (package, *split(name))}}


class Matcher:
    """Knows what holds of N functions whatever the query is, and compares queries with them.

    mentions : (N,) how often other functions name each. constant : (N, m) the raw features that do not depend on the
    query, 0 elsewhere.
    """

    def __init__(self, functions: Sequence[DocumentedFunction], fields: Fields) -> None:
        self._fields = fields
        self.mentions = np.array([function.mentions for function in functions], dtype=int)
        self.constant = _constant(functions)
        self._package = [function.package for function in functions]
        self._letters = [frozenset(_letters(n.rsplit(".", 1)[-1]) for n in (f.name, *f.aliases)) for f in functions]
        self._places = [frozenset(map(_letters, _longer(f))) for f in functions]

    def raw(self, query: Query, rows: Array, idf: Array, scores: Mapping[str, Array], total: Array) -> Array:
        """Return the raw features (n, m) float32 of the functions in `rows` (n,), each between 0 and 1.

        idf : (words,) inverse document frequency of each word of the query. scores : BM25 scores (words, n) by field,
        and as "near" those of words that are only part of a name. total : (n,) the score of the search, 1 for the best.
        """
        raw = self.constant[rows]
        columns = raw.T  # a view: columns[j] is a raw feature of all rows
        there = {field: found > 0 for field, found in scores.items()}
        highest = HIGHEST * max(float(idf.sum()), 1e-9)
        for field, id in _IN_FIELD.items():
            columns[NUMBER[id]] = there[field].mean(axis=0)
            if f"score-{id}" in NUMBER:
                columns[NUMBER[f"score-{id}"]] = scores[field].sum(axis=0) / highest
        columns[NUMBER["score-all"]] = total
        columns[NUMBER["part"]] = (there.pop("near") & ~there["name"]).mean(axis=0)
        columns[NUMBER["anywhere"]] = np.any(list(there.values()), axis=0).mean(axis=0)
        rarest = int(idf.argmax())
        columns[NUMBER["rarest-name"]] = there["name"][rarest]
        columns[NUMBER["rarest-summary"]] = there["summary"][rarest]
        self._words(columns, query, rows)
        self._letters_of(columns, query, rows)
        found: Array = (np.round(raw.clip(0, 1) * GRAIN) / GRAIN).astype(np.float32)
        return found

    def _words(self, columns: Array, query: Query, rows: Array) -> None:
        """Fill in which words of the name and of the first sentence match, and in which order."""
        meant = np.unique(np.concatenate((*query.meant, *query.near)))
        names, summaries = self._fields.names, self._fields.by_name["summary"].words
        for words, id in ((names, "name"), (summaries, "summary")):
            number, owner, place = words.of(rows)
            hit = np.isin(number, meant)
            length = np.bincount(owner, minlength=len(rows))
            columns[NUMBER[f"{id}-covered"]] = np.bincount(owner[hit], minlength=len(rows)) / np.maximum(1, length)
            columns[NUMBER[f"pairs-{id}"]] = _pairs(query.stems, number, owner, len(rows))
            if id == "summary":
                at, first = np.unique(owner[hit], return_index=True)
                columns[NUMBER["first-match"], at] = 1 / (1 + place[hit][first])
        columns[NUMBER["begins"]] = _at(names, rows, 0) == query.stems[0]
        columns[NUMBER["ends"]] = _at(names, rows, -1) == query.stems[-1]

    def _letters_of(self, columns: Array, query: Query, rows: Array) -> None:
        """Fill in what is compared letter by letter: whole names."""
        whole = _letters(query.text)
        asked = {_ASKED[word] for word in query.words if word in _ASKED}
        columns[NUMBER["exact-name"]] = [whole in self._letters[row] for row in rows]
        columns[NUMBER["exact-place"]] = [whole in self._places[row] for row in rows]
        columns[NUMBER["package-asked"]] = [self._package[row] in asked for row in rows]


def _pairs(stems: Sequence[int], number: Array, owner: Array, rows: int) -> Array:
    """Return the share (rows,) of the neighbours in the query that are neighbours in the text, in this order."""
    pairs = {pair for pair in pairwise(stems) if -1 not in pair}
    found = np.zeros(rows)
    within = owner[1:] == owner[:-1]
    for a, b in pairs:
        found[owner[1:][within & (number[:-1] == a) & (number[1:] == b)]] += 1  # once for each text
    return found / max(1, len(stems) - 1)


def _at(words: Words, rows: Array, place: int) -> Array:
    """Return the first (place 0) or the last (place −1) word of each function in `rows`, −2 where there is none."""
    starts, ends = words.starts[rows], words.starts[rows + 1]
    at = starts if place == 0 else ends - 1
    if not len(words.numbers):
        return np.full(len(rows), -2)
    return np.where(starts < ends, words.numbers[at.clip(0, len(words.numbers) - 1)], -2)


def _constant(functions: Sequence[DocumentedFunction]) -> Array:
    """Return the raw features (N, m) that do not depend on the query, and 0 elsewhere."""
    raw = np.zeros((len(functions), len(RAW)))

    def put(id: str, values: Sequence[float]) -> None:
        found = np.array(values, dtype=float)
        raw[:, NUMBER[id]] = logarithmic(found, LARGEST_FEATURE[id]) if id in LARGEST_FEATURE else found

    put("mentions", [f.mentions for f in functions])
    put("summary-length", [len(split(f.summary)) for f in functions])
    put("body-length", [f.body.count(" ") + bool(f.body) for f in functions])
    put("parameters-number", [len(f.parameters) for f in functions])
    put("depth", [f.qualified.count(".") - 1 for f in functions])
    put("name-words", [len(split(f.last)) for f in functions])
    put("name-letters", [len(f.last) for f in functions])
    put("examples", [f.examples for f in functions])
    put("legacy", [bool(_LEGACY.search(f"{f.summary} {f.body[:1000]}")) for f in functions])
    for kind in KINDS:
        put(f"kind-{kind}", [f.kind == kind for f in functions])
    for package in PACKAGES:
        put(f"package-{package}", [f.package == package for f in functions])
    rounded: Array = np.round(raw.clip(0, 1) * GRAIN) / GRAIN
    return rounded


def _letters(name: str) -> str:
    """Return the letters and digits of a name, in small letters."""
    return "".join(split(name))


def _longer(function: DocumentedFunction) -> list[str]:
    """Return the names of a function with a part of its place: SVC is also svm.SVC, sklearn.SVC, sklearn.svm.SVC."""
    parts = f"{function.module}.{function.name}".split(".")
    found = [".".join(parts[k:]) for k in range(len(parts) - 1)]
    found.append(f"{function.package}.{parts[-1]}")
    short = [f"{s}{name.removeprefix(p)}" for s, p in SHORT.items() for name in found if name.startswith(f"{p}.")]
    return [*found, *short, *function.aliases]
