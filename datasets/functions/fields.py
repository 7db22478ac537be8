"""Words of the fields of all functions as sparse counts, so that a query is answered by a few columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from datasets.base import Array
from datasets.functions import features
from datasets.functions.corpus import KINDS, Function
from datasets.functions.places import PACKAGES, SHORT
from datasets.functions.words import joined, split, stem, stems

FIELDS = ("name", "module", "summary", "parameters", "see also", "body")
SATURATION, LENGTHS = 1.2, 0.75  # k1 and b of BM25


@dataclass(frozen=True)
class Field:
    """The words of one field of N functions.

    counts : csc_array (N, V), how often each word of the vocabulary occurs. weights : (N, V) its BM25 weights without
    the inverse document frequency, from 0 to 2.2. lengths : (N,) number of words.
    """

    counts: Any
    weights: Any
    lengths: Array


def words_of(function: Function) -> dict[str, list[str]]:
    """Return the stems of each field; a name also counts with neighbouring parts joined."""
    parts = split(function.name)
    whole = [word for alias in function.aliases for word in split(alias.rsplit(".", 1)[-1])]
    return {
        "name": [stem(word) for word in dict.fromkeys([*parts, *joined(parts), *whole])],
        "module": stems(f"{function.package} {function.module}"),
        "summary": stems(function.summary),
        "parameters": [s for name in function.parameters for s in dict.fromkeys([*stems(name), stem(name)])],
        "see also": stems(function.see_also),
        "body": stems(function.body),
    }


def build(functions: Sequence[Function]) -> tuple[dict[str, int], dict[str, Field]]:
    """Return the vocabulary, stems numbered in the order in which they occur, and the fields."""
    from scipy.sparse import csc_array

    vocabulary: dict[str, int] = {}
    columns: dict[str, list[list[int]]] = {field: [] for field in FIELDS}
    for function in functions:
        for field, words in words_of(function).items():
            columns[field].append([vocabulary.setdefault(word, len(vocabulary)) for word in words])
    fields = {}
    for field, held in columns.items():
        lengths = np.array([len(words) for words in held])
        flat = np.array([word for words in held for word in words], dtype=np.int32)
        rows = np.repeat(np.arange(len(held)), lengths)
        shape = (len(held), len(vocabulary))
        counts = csc_array((np.ones(len(flat), dtype=np.float32), (rows, flat)), shape=shape)
        counts.sum_duplicates()
        relative = lengths / max(1.0, lengths.mean())
        below = SATURATION * (1 - LENGTHS + LENGTHS * relative[counts.indices])
        data = counts.data * (SATURATION + 1) / (counts.data + below)
        weights = csc_array((data.astype(np.float32), counts.indices, counts.indptr), shape=shape)
        fields[field] = Field(counts, weights, lengths)
    return vocabulary, fields


@dataclass(frozen=True)
class Constants:
    """What holds of the N functions whatever the query is.

    mentions : (N,) integers. raw : (N, m) the raw features that do not depend on the query, 0 elsewhere.
    names : N tuples of the words of the name. letters : N names in small letters without signs between.
    places : N sets of longer names in small letters without signs between: with module, package, or class.
    packages : N package names.
    """

    mentions: Array
    raw: Array
    names: tuple[tuple[str, ...], ...]
    letters: tuple[frozenset[str], ...]
    places: tuple[frozenset[str], ...]
    packages: tuple[str, ...]


def constants(functions: Sequence[Function]) -> Constants:
    """Return what holds of the functions whatever the query is."""
    raw = np.zeros((len(functions), len(features.RAW)), dtype=np.float32)
    mentions = np.array([function.mentions for function in functions], dtype=int)

    def put(id: str, values: Sequence[float], most: float = 0) -> None:
        found = np.array(values, dtype=float)
        raw[:, features.NUMBER[id]] = features.logarithmic(found, most) if most else found

    most = features.MOST
    put("mentions", [f.mentions for f in functions], most["mentions"])
    put("summary-length", [len(split(f.summary)) for f in functions], most["summary-length"])
    put("body-length", [f.body.count(" ") + bool(f.body) for f in functions], most["body-length"])
    put("parameters-number", [len(f.parameters) for f in functions], most["parameters"])
    put("depth", [f.module.count(".") for f in functions], most["depth"])
    put("name-words", [len(split(f.name)) for f in functions], most["name-words"])
    put("name-letters", [len(f.name) for f in functions], most["name-letters"])
    put("examples", [f.examples for f in functions])
    put("legacy", [bool(_LEGACY.search(f"{f.summary} {f.body[:1000]}")) for f in functions])
    for kind in KINDS:
        put(f"kind-{kind}", [f.kind == kind for f in functions])
    for package in PACKAGES:
        put(f"package-{package}", [f.package == package for f in functions])
    return Constants(
        mentions, raw,
        tuple(tuple(split(f.name)) for f in functions),
        tuple(frozenset(_letters(n.rsplit(".", 1)[-1]) for n in (f.name, *f.aliases)) for f in functions),
        tuple(frozenset(map(_letters, _longer(f))) for f in functions),
        tuple(f.package for f in functions),
    )  # fmt: skip


_LEGACY = re.compile(r"\b(deprecated|legacy|discouraged|obsolete|superseded)\b", re.IGNORECASE)


def _letters(name: str) -> str:
    return "".join(split(name))


def _longer(function: Function) -> list[str]:
    """Return the names of a function with a part of its place: SVC is also svm.SVC, sklearn.SVC, sklearn.svm.SVC."""
    parts = f"{function.module}.{function.name}".split(".")
    found = [".".join(parts[k:]) for k in range(len(parts) - 1)]
    found.append(f"{function.package}.{parts[-1]}")
    short = [f"{s}{name.removeprefix(p)}" for s, p in SHORT.items() for name in found if name.startswith(f"{p}.")]
    return [*found, *short, *function.aliases]
