"""The raw features of what a query found: how its words match names and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from datasets.base import Array
from datasets.functions.corpus import Function
from datasets.functions.features import GRAIN, NUMBER
from datasets.functions.fields import Constants
from datasets.functions.places import DISTRIBUTIONS, SHORT
from datasets.functions.words import split, stem

_IN_FIELD = {"name": "name", "module": "module", "summary": "summary", "parameters": "parameters",
             "see also": "see-also", "body": "body"}  # fmt: skip
_ASKED = {**SHORT, **{word: package for package, name in DISTRIBUTIONS.items() for word in (package, *split(name))}}


def raw_features(
    functions: Sequence[Function],
    constants: Constants,
    known_idf: Array,
    text: str,
    words: Sequence[str],
    groups: Sequence[Array],
    rows: Array,
    scores: Mapping[str, Array],
) -> Array:
    """Return the raw features (n, m) float32 of the functions in `rows`, each between 0 and 1.

    scores : the BM25 scores (words, n) of each field.
    """
    raw = constants.raw[rows].astype(float)
    idf = np.array([known_idf[group].max() if len(group) else 0.0 for group in groups])
    known = max(1, len(groups))
    there = {name: found > 0 for name, found in scores.items()}
    for field, id in _IN_FIELD.items():
        raw[:, NUMBER[id]] = there[field].sum(axis=0) / known
        if f"score-{id}" in NUMBER:
            raw[:, NUMBER[f"score-{id}"]] = scores[field].sum(axis=0) / (2.2 * max(idf.sum(), 1e-9))
    raw[:, NUMBER["anywhere"]] = np.any(list(there.values()), axis=0).sum(axis=0) / known
    rarest = int(idf.argmax())
    raw[:, NUMBER["rarest-name"]] = there["name"][rarest]
    raw[:, NUMBER["rarest-summary"]] = there["summary"][rarest]
    asked = {_ASKED[word] for word in words if word in _ASKED}
    stems = [stem(word) for word in words]
    whole = "".join(split(text))
    joined = {stem(a + b) for a, b in pairwise(words)}
    pairs = set(pairwise(stems))
    for i, row in enumerate(rows):
        function, names = functions[row], constants.names[row]
        name = [stem(word) for word in names]
        summary = [stem(word) for word in split(function.summary)]
        meant = {*stems, *joined}
        hits = [word in meant for word in name]
        raw[i, NUMBER["name-covered"]] = sum(hits) / max(1, len(name))
        within = [word in meant for word in summary]
        raw[i, NUMBER["summary-covered"]] = sum(within) / max(1, len(summary))
        raw[i, NUMBER["first-match"]] = 1 / (1 + within.index(True)) if any(within) else 0.0
        if pairs:
            for id, held in (("pairs-name", name), ("pairs-summary", summary)):
                raw[i, NUMBER[id]] = len(pairs & set(pairwise(held))) / len(pairs)
        raw[i, NUMBER["exact-name"]] = whole in constants.letters[row]
        raw[i, NUMBER["exact-place"]] = whole in constants.places[row]
        raw[i, NUMBER["begins"]] = bool(name) and name[0] == stems[0]
        raw[i, NUMBER["ends"]] = bool(name) and name[-1] == stems[-1]
        raw[i, NUMBER["part"]] = any(len(a) > 2 and a != b and a in b for a in stems for b in names)
        raw[i, NUMBER["package-asked"]] = function.package in asked
    found: Array = (np.round(np.clip(raw, 0, 1) * GRAIN) / GRAIN).astype(np.float32)
    return found
