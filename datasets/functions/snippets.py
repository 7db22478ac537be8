"""Passages of a function's text in which the words of a query are marked."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from datasets.functions.corpus import DocumentedFunction
from datasets.functions.words import joined, split, stem

_PIECE = re.compile(r"[^\W_]+|[\W_]+")


@dataclass(frozen=True)
class _Piece:
    """A word or what stands between words, where it begins, and the stems of the query that it matches."""

    text: str
    start: int
    stems: frozenset[str]


def passage(function: DocumentedFunction, words: tuple[str, ...], length: int) -> list[tuple[str, bool]]:
    """Return at most `length` letters of a function's text in pieces, with True for the words that match.

    It is the first sentence, if a word is in it or nowhere else, or the part of the text with most of the words.

    >>> text = "There is much to say about it. The rows are sorted."
    >>> example = DocumentedFunction("a", "a", "f", "function", "Do it.", text)
    >>> passage(example, ("sort", "row"), 30)
    [('…The ', False), ('rows', True), (' are ', False), ('sorted', True), ('.', False)]
    """
    meant = frozenset(stem(word) for word in (*words, *joined(words)))
    first = _pieces(function.summary, meant)
    text = first
    if not any(piece.stems for piece in first):
        body = _pieces(function.body, meant)
        text = body if any(piece.stems for piece in body) else first
    begin = _begin(text, length)
    shown, left = [("…", False)] if begin else [], length - bool(begin)
    for piece in text[begin:]:
        if left < len(piece.text):
            shown += [("…", False)] if left else []
            break
        left -= len(piece.text)
        shown.append((piece.text, bool(piece.stems)))
    return [("".join(t for t, _ in group), hit) for hit, group in groupby(shown, key=lambda part: part[1])]


def _pieces(text: str, meant: frozenset[str]) -> list[_Piece]:
    """Return the words of a text and what stands between them."""
    found = []
    for match in _PIECE.finditer(text):
        word = match.group()
        found.append(_Piece(word, match.start(), _stems(word) & meant if word[0].isalnum() else frozenset()))
    return found


@lru_cache(maxsize=50_000)
def _stems(word: str) -> frozenset[str]:
    """Return the stems of a word's parts and of the whole."""
    return frozenset(map(stem, (*split(word), word.lower())))


def _begin(text: list[_Piece], length: int) -> int:
    """Return the number of the piece with which a passage begins that has as many words of the query as possible."""
    hits = [piece for piece in text if piece.stems]
    most, best = 0, 0
    for i, piece in enumerate(hits):
        near = [other.stems for other in hits[i : i + length] if other.start < piece.start + length * 3 // 4]
        if len(frozenset().union(*near)) > most:
            most, best = len(frozenset().union(*near)), piece.start
    if best <= length // 4:
        return 0
    return next(i for i, piece in enumerate(text) if piece.start >= best - length // 4 and piece.text[0].isalnum())
