"""The features of a function that was found: a few dozen raw features, and those cut into bins and combined.

Every edge of a bin is declared here. None is fitted to the texts, so a weight means the same with every version of the
libraries.
"""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from datasets.base import Array
from datasets.functions.corpus import KINDS
from datasets.functions.places import PACKAGES, TITLES

GRAIN = 65536  # raw features are multiples of 1 / GRAIN, so that sums of them are the same on every machine

# where a number becomes 1
LARGEST_FEATURE = {
    "mentions": 500, "summary-length": 60, "body-length": 3000, "parameters-number": 30, "depth": 4, "name-words": 7,
    "name-letters": 40,
}  # fmt: skip


@dataclass(frozen=True)
class Raw:
    """A raw feature between 0 and 1, and the bins into which it is cut.

    edges : where bins begin, ascending, without the first; a feature without edges is only used as it is.
    bins : the bins in words, one more than edges.
    """

    id: str
    words: str
    edges: tuple[float, ...] = ()
    bins: tuple[str, ...] = ()


_AMOUNTS = ("no {0}", "up to a third of the {1}", "up to half of the {1}", "up to two thirds of the {1}", "most {1}",
            "every {0}")  # fmt: skip


def _share(id: str, where: str, one: str = "query word", all: str = "query words") -> Raw:
    """Declare the share of the words of one text that stand in another; `one` and `all` name a word and the words."""
    bins = tuple(f"{amount.format(one, all)} in {where}" for amount in _AMOUNTS)
    return Raw(id, f"share of the {all} in {where}", (1 / GRAIN, 0.34, 0.51, 0.67, 1.0), bins)


def _score(id: str, words: str) -> Raw:
    """Declare a score between 0 and 1 with narrow bins where most scores are."""
    edges = (1 / GRAIN, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65)
    spans = pairwise((0, *edges[1:], 1))
    return Raw(id, words, edges, (f"{words}: 0", *(f"{words}: {a:g} to {b:g}" for a, b in spans)))


def _pairs(id: str, where: str) -> Raw:
    """Declare the share of the pairs of neighbouring query words that are neighbours in a text, in the same order."""
    bins = tuple(f"{amount} of neighbouring query words in {where}" for amount in ("no pair", "a pair", "every pair"))
    return Raw(id, f"share of the pairs of neighbouring query words in {where}", (1 / GRAIN, 1.0), bins)


def _number(id: str, words: str, edges: tuple[int, ...]) -> Raw:
    """Declare a number, on a logarithmic scale up to `LARGEST_FEATURE`, where it becomes 1."""
    spans = zip((0, *edges), edges, strict=False)
    bins = [f"{words}: {a}" + ("", f" or {b - 1}", f" to {b - 1}")[min(b - a, 3) - 1] for a, b in spans]
    cuts = tuple(float(logarithmic(edge - 0.5, LARGEST_FEATURE[id])) for edge in edges)
    return Raw(id, words, cuts, (*bins, f"{words}: {edges[-1]} or more"))


def logarithmic(number: Array | float, most: float) -> Array:
    """Return log(1 + number) / log(1 + most), at most 1."""
    found: Array = np.minimum(1.0, np.log1p(number) / np.log1p(most))
    return found


RAW: tuple[Raw, ...] = (
    _share("name", "the name"),
    _share("place", "the module or class"),
    _share("summary", "the first sentence"),
    _share("parameters", "the parameters"),
    _share("see-also", "See Also"),
    _share("body", "the text"),
    _share("anywhere", "name, module, or text"),
    _score("score-all", "match of the whole entry"),
    _score("score-name", "match of the name"),
    _score("score-summary", "match of the first sentence"),
    _score("score-parameters", "match of the parameters"),
    _score("score-see-also", "match of See Also"),
    _score("score-body", "match of the text"),
    _share("name-covered", "the query", "word of the name", "words of the name"),
    _score("summary-covered", "share of the words of the first sentence in the query"),
    Raw(
        "first-match",
        "how early the first sentence has a query word",
        (1 / GRAIN, 0.18, 0.3, 0.45, 0.9),
        tuple(
            f"first query word in the first sentence: {place}"
            for place in ("none", "6th word or later", "4th or 5th word", "3rd word", "2nd word", "1st word")
        ),
    ),
    _pairs("pairs-name", "the name"),
    _pairs("pairs-summary", "the first sentence"),
    Raw("exact-name", "the query is the name"),
    Raw("exact-place", "the query is the name with its module or package"),
    Raw("begins", "the name begins with the query's first word"),
    Raw("ends", "the name ends with the query's last word"),
    _share("part", "parts of the name's words"),
    Raw("rarest-name", "the query's rarest word is in the name"),
    Raw("rarest-summary", "the query's rarest word is in the first sentence"),
    Raw("package-asked", "the query names the package"),
    _number("mentions", "docstrings that name it", (1, 2, 3, 5, 10, 20, 50, 100)),
    _number("summary-length", "words of the first sentence", (4, 6, 8, 10, 13, 17, 25)),
    _number("body-length", "words of the text", (20, 50, 100, 150, 250, 400, 700, 1200)),
    _number("parameters-number", "number of parameters", (1, 2, 3, 4, 6, 9, 14)),
    _number("depth", "depth of the module or class", (1, 2, 3)),
    _number("name-words", "words of the name", (2, 3, 4, 5)),
    _number("name-letters", "letters of the name", (4, 6, 8, 11, 15, 20, 27)),
    Raw("examples", "the text has examples"),
    Raw("legacy", "the text calls it deprecated, legacy, or discouraged"),
    *(Raw(f"kind-{kind}", f"is {'an' if kind[0] in 'ao' else 'a'} {kind}") for kind in KINDS),
    *(Raw(f"package-{package}", f"is in {TITLES[package]}") for package in PACKAGES),
)
NUMBER = {raw.id: i for i, raw in enumerate(RAW)}

# rankings of what was found by one raw feature, and the bins of a place in them
RANKERS = (
    "score-all", "score-name", "score-summary", "score-parameters", "score-see-also", "score-body", "name-covered",
    "summary-covered", "mentions",
)  # fmt: skip
PLACES = (1, 2, 3, 5, 10, 20)  # the last place of each bin

_KIND = tuple(f"kind-{kind}" for kind in KINDS)
_PACKAGE = tuple(f"package-{package}" for package in PACKAGES)
# groups of exclusive features, beside single ones, of which every pair of bins is a feature
CROSSES: tuple[tuple[str, str], ...] = (
    ("name", "summary"), ("name", "body"), ("name", "mentions"), ("name", "name-words"), ("name", "name-covered"),
    ("name", "part"), ("summary", "body"), ("summary", "mentions"),
    ("package", "name"), ("package", "summary"), ("package", "mentions"), ("package", "kind"), ("package", "place"),
    ("kind", "name"), ("kind", "summary"), ("kind", "mentions"), ("kind", "name-words"),
    ("asked", "name"), ("asked", "summary"), ("asked", "mentions"), ("asked", "name-words"), ("asked", "package"),
    ("asked", "kind"),
)  # fmt: skip
_GROUPS = {
    "package": tuple(f"in {TITLES[package]}" for package in PACKAGES),
    "kind": tuple(f"{'an' if kind[0] in 'ao' else 'a'} {kind}" for kind in KINDS),
    "asked": ("query of one word", "query of two words", "query of three or more words"),
}


def _bins(id: str) -> tuple[str, ...]:
    return _GROUPS.get(id) or RAW[NUMBER[id]].bins


@cache
def names() -> tuple[str, ...]:
    """Return the d features in words: the raw ones, their bins, places in rankings, and pairs of bins.

    >>> names()[0], len(names())
    ('share of the query words in the name', 975)
    """
    found = [raw.words for raw in RAW]
    found += [words for raw in RAW for words in raw.bins]
    for id in RANKERS:
        found += [f"{words} by {RAW[NUMBER[id]].words}" for words in _PLACES]
    found += [f"{a}, and {b}" for left, right in CROSSES for a in _bins(left) for b in _bins(right)]
    return tuple(found)


_PLACES = ("first", "second", "third", "fourth or fifth", "6th to 10th", "11th to 20th", "later than 20th")
_BLOCKS = sum(1 for raw in RAW if raw.bins) + len(RANKERS) + len(CROSSES)  # one indicator of each is 1
RAW_SCALE = 0.25  # a row's raw features have a length of about 3
INDICATOR = float(np.float32((0.5 / _BLOCKS) ** 0.5))


def expand(raw: Array, asked: int) -> Array:
    """Return the features (n, d) float32 of what a query of `asked` words found, from its raw features (n, m).

    The indicators of a row have length 0.7; so have, roughly, its raw features.
    """
    n = len(raw)
    cuts = {r.id: np.digitize(raw[:, i], r.edges) for i, r in enumerate(RAW) if r.bins}
    columns = list(cuts.values())
    sizes = [len(r.bins) for r in RAW if r.bins]
    for id in RANKERS:
        order = np.argsort(-raw[:, NUMBER[id]], kind="stable")
        place = np.empty(n, dtype=int)
        place[order] = np.arange(1, n + 1)
        columns.append(np.searchsorted(PLACES, place))
        sizes.append(len(_PLACES))
    cuts["package"] = raw[:, [NUMBER[id] for id in _PACKAGE]].argmax(axis=1)
    cuts["kind"] = raw[:, [NUMBER[id] for id in _KIND]].argmax(axis=1)
    cuts["asked"] = np.full(n, min(max(asked, 1), 3) - 1)
    for left, right in CROSSES:
        width = len(_bins(right))
        columns.append(cuts[left] * width + cuts[right])
        sizes.append(len(_bins(left)) * width)
    starts = len(RAW) + np.concatenate([[0], np.cumsum(sizes)])
    features = np.zeros((n, int(starts[-1])), dtype=np.float32)
    features[:, : len(RAW)] = raw * np.float32(RAW_SCALE)
    features[np.arange(n)[:, None], np.stack(columns, axis=1) + starts[:-1]] = INDICATOR
    return features
