"""Words of texts and of identifiers, reduced to their stems, so that "sorting" finds `argsort` and `sort_values`."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

_COMMON = "a an and are as at be can do does each for how i in is it its of on or that the this to with"
COMMON = frozenset(_COMMON.split())  # left out of a query that has other words
LONGEST_WORD = 40  # letters of a word; longer ones are cut

_WORD = re.compile(r"[^\W_]+")
_CAPITALS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDINGS = (
    ("ification", "if"), ("ifying", "if"), ("ifier", "if"), ("ified", "if"), ("ify", "if"),
    ("ization", "iz"), ("isation", "iz"), ("izing", "iz"), ("ising", "iz"), ("izer", "iz"), ("ized", "iz"),
    ("ised", "iz"), ("ize", "iz"), ("ise", "iz"),
    ("ation", "at"), ("ating", "at"), ("ator", "at"), ("ated", "at"), ("ate", "at"),
    ("ical", "ic"), ("ing", ""), ("ion", ""), ("ed", ""), ("er", ""), ("or", ""), ("ly", ""), ("e", ""),
)  # fmt: skip


def tokens(text: str) -> list[str]:
    """Return the stretches of letters and digits of a text.

    >>> tokens("np.read_csv(KMeans)")
    ['np', 'read', 'csv', 'KMeans']
    """
    return _WORD.findall(text)


def split(text: str) -> list[str]:
    """Return the words of a text in small letters; identifiers fall apart at `_` and at capitals.

    >>> split("RandomForestClassifier, read_csv and log1p")
    ['random', 'forest', 'classifier', 'read', 'csv', 'and', 'log1p']
    """
    return [part.lower()[:LONGEST_WORD] for word in _WORD.findall(text) for part in _CAPITALS.split(word)]


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return a word without its English ending, if enough of it is left.

    >>> [stem(word) for word in ("sorting", "sorted", "sorts", "classifier", "classification", "matrices", "axis")]
    ['sort', 'sort', 'sort', 'classif', 'classif', 'matric', 'axis']
    """
    if not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending, put in _ENDINGS:
        left = len(word) - len(ending)
        if word.endswith(ending) and left >= (4 if len(ending) <= 2 else 3):
            word = word[:left] + put
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeilosz":
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def joined(parts: Sequence[str]) -> list[str]:
    """Return neighbouring words written as one: people type "group by" for `groupby` and "kmeans" for `KMeans`.

    >>> joined(["mini", "batch", "k", "means"])
    ['minibatch', 'batchk', 'kmeans']
    """
    return [a + b for a, b in pairwise(parts)]
