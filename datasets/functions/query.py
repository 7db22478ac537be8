"""Queries as people type them: cleaned, cut to a length that can be answered, and with misspelt words mended."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.base import Array
from datasets.functions.fields import Vocabulary
from datasets.functions.places import SHORT
from datasets.functions.words import COMMON, joined, split, stem

MOST_LETTERS, MOST_WORDS = 200, 12  # the rest of a query is left out
SHORTEST_MISSPELT = 4  # letters of a word that may be misspelt
MEANT = {**SHORT, "df": "dataframe"}
ALIKE = 0.75  # of 1, how alike a misspelt word and the one that is meant must be


@dataclass(frozen=True)
class Query:
    """A query, cleaned.

    text, words : the query, and its words in small letters. stems : for each word the number of its stem, −1 where no
    function has it. meant : for each word the numbers of all stems that stand for it. near : likewise of words of names
    that begin or end with it, or abbreviate it. problem : a sentence if a part of the query is left out or a word was
    mended, or else "".
    """

    text: str
    words: tuple[str, ...]
    stems: tuple[int, ...]
    meant: tuple[Array, ...]
    near: tuple[Array, ...] = ()
    problem: str = ""

    @property
    def known(self) -> bool:
        """Whether some function has one of the words."""
        return any(len(numbers) for numbers in (*self.meant, *self.near))


def understand(query: str, vocabulary: Vocabulary) -> Query:
    """Return a query with the stems of its words; a word that no function has becomes one that begins or looks alike.

    Raises
    ------
    ValueError : for a query that is no text.
    """
    if not isinstance(query, str):
        raise ValueError(f"a query must be a text, got {type(query).__name__}")
    text, words, problem = clean(query)
    meant = _meant(words, vocabulary)
    if not words:
        return Query(text, (), (), (), (), "Type a word or two.")
    mended = {word: _alike(word, vocabulary) for word, numbers in zip(words, meant, strict=True) if not len(numbers)}
    swapped = {word: other for word, other in mended.items() if other}
    if swapped:
        words = tuple(dict.fromkeys(swapped.get(word, word) for word in words))
        meant = _meant(words, vocabulary)
        said = [f"No function has “{word}”; “{other}” is searched for." for word, other in swapped.items()]
        problem = problem or " ".join(said)
    elif not any(len(numbers) for numbers in meant):
        problem = f"No function has {'the word' if len(words) == 1 else 'any of the words of'} “{text}”."
    stems = tuple(vocabulary.get(stem(word), -1) for word in words)
    return Query(text, words, stems, meant, tuple(_near(word, vocabulary) for word in words), problem)


def clean(query: str) -> tuple[str, tuple[str, ...], str]:
    """Return a query without control characters, its words, and a sentence if a part was left out.

    >>> clean("  sort\\tthe <b>rows</b> ")
    ('sort the <b>rows</b>', ('sort', 'b', 'rows'), '')
    """
    text = unicodedata.normalize("NFKC", query[: 50 * MOST_LETTERS])  # before it is cut: signs may become several
    text = " ".join("".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in text).split())
    problem = ""
    if len(text) > MOST_LETTERS or len(query) > 50 * MOST_LETTERS:
        text, problem = text[:MOST_LETTERS].rstrip(), f"Only the first {MOST_LETTERS} letters of the query are used."
    words = list(dict.fromkeys(split(text)))
    words = [word for word in words if word not in COMMON] or words
    if len(words) > MOST_WORDS:
        problem = problem or f"Only the first {MOST_WORDS} words of the query are used."
    return text, tuple(words[:MOST_WORDS]), problem


def _meant(words: Sequence[str], vocabulary: Vocabulary) -> tuple[Array, ...]:
    """Return for each word the numbers of the stems that stand for it: its own, and that of it and a neighbour joined.

    So "group by" finds `groupby`. The names that examples use stand for what they mean as well, "np" for numpy.
    """
    pairs = joined(words)
    found = []
    for i, word in enumerate(words):
        stems = {stem(word), stem(MEANT.get(word, word)), *(stem(pair) for pair in pairs[max(0, i - 1) : i + 1])}
        found.append(np.array(sorted(vocabulary[s] for s in stems if s in vocabulary), dtype=int))
    return tuple(found)


def _near(word: str, vocabulary: Vocabulary) -> Array:
    """Return the numbers of words of names that begin or end with a word, or abbreviate it.

    So "fill" finds `fillna`, and "inverse" finds `inv`.
    """
    found = {vocabulary.whole[word[:k]] for k in range(3, len(word)) if word[:k] in vocabulary.whole}
    found.update(vocabulary.pieces.get(word, ()))
    found.discard(vocabulary.get(stem(word), -1))
    return np.array(sorted(found), dtype=int)


def _alike(word: str, vocabulary: Vocabulary) -> str:
    """Return the word of a name that begins like this one, the shortest, or else looks most like it; "" for none."""
    from difflib import get_close_matches

    if len(word) < SHORTEST_MISSPELT:
        return ""
    known = sorted(name for name in vocabulary.whole if name[0] == word[0])
    longer = [other for other in known if other.startswith(word)]
    return min(longer, key=len) if longer else next(iter(get_close_matches(word, known, 1, ALIKE)), "")
