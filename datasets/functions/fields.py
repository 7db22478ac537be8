"""The words of the fields of all functions, as numbers in the order of the text and as weights of BM25."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from datasets.base import Array
from datasets.functions.corpus import DocumentedFunction
from datasets.functions.words import joined, split, stem, tokens

SATURATION = 1.2  # k₁ of BM25
SHORTEST_PIECE = 4  # letters of a piece of a name that is found
HIGHEST = SATURATION + 1  # the weight that a word approaches as it is repeated
LENGTHS = {"name": 0.5, "place": 0.3, "summary": 0.75, "parameters": 0.75, "see also": 0.75, "body": 0.75}  # b of BM25


class Vocabulary(dict[str, int]):
    """The number of each stem, in the order in which they first occur.

    whole : for each word that occurs in a name, its number. pieces : for each text of at least four letters with which
    words of names begin or end, their numbers.
    """

    def __init__(self) -> None:
        self.whole: dict[str, int] = {}
        self.pieces: dict[str, list[int]] = {}
        self._of_token = _Numbers(self)

    def add(self, word: str) -> int:
        """Return the number of the stem of a word; a new stem gets the next number."""
        return self.setdefault(stem(word), len(self))

    def name(self, word: str) -> int:
        """Return the number of the stem of a word of a name, and note the word and its pieces."""
        number = self.add(word)
        if word not in self.whole:
            self.whole[word] = number
            for k in range(SHORTEST_PIECE, len(word)):
                for piece in {word[:k], word[-k:]}:
                    self.pieces.setdefault(piece, []).append(number)
        return number

    def numbers(self, text: str) -> Iterable[int]:
        """Return the numbers of the stems of a text; `DataFrame` counts as data, frame, and dataframe."""
        return chain.from_iterable(map(self._of_token.__getitem__, tokens(text)))


class _Numbers(dict[str, tuple[int, ...]]):
    """The numbers of the stems that a token falls into, computed once for each token."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def __missing__(self, token: str) -> tuple[int, ...]:
        parts = split(token)
        found = tuple(self._vocabulary.add(word) for word in (*parts, *(["".join(parts)] if len(parts) > 1 else [])))
        self[token] = found
        return found


@dataclass(frozen=True)
class Words:
    """Numbers of words in the order of the text; those of function i are numbers[starts[i]:starts[i + 1]]."""

    numbers: Array
    starts: Array

    def of(self, rows: Array) -> tuple[Array, Array, Array]:
        """Return the words (t,) of the functions in `rows` (n,), one after the other, with owner and place of each.

        owner : (t,) place in `rows` of the function that has the word. place : (t,) its place in the text, from 0.
        """
        lengths = self.starts[rows + 1] - self.starts[rows]
        owner = np.repeat(np.arange(len(rows)), lengths)
        place = np.arange(len(owner)) - (np.cumsum(lengths) - lengths)[owner]
        return self.numbers[self.starts[rows][owner] + place], owner, place


@dataclass(frozen=True)
class SearchField:
    """One field of N functions: its words, and for V stems a csc_array (N, V) of BM25 weights between 0 and 2.2.

    The weights are without the inverse document frequency.
    """

    words: Words
    weights: Any


@dataclass(frozen=True)
class Fields:
    """The vocabulary, the fields by name, and the words of the names alone, without aliases and joined parts.

    In the field "place" are package, module, and the class of a method."""

    vocabulary: Vocabulary
    by_name: dict[str, SearchField]
    names: Words


def build(functions: Sequence[DocumentedFunction]) -> Fields:
    """Return the fields of the functions."""
    vocabulary = Vocabulary()
    held: dict[str, list[list[int]]] = {field: [] for field in LENGTHS}
    names = [[vocabulary.name(word) for word in split(function.last)] for function in functions]
    for function in functions:
        held["name"].append([vocabulary.add(word) for word in called(function)])
        place = f"{function.package} {function.module} {function.name.removesuffix(function.last)}"
        held["place"].append(list(vocabulary.numbers(place)))
        held["summary"].append(list(vocabulary.numbers(function.summary)))
        held["parameters"].append(list(vocabulary.numbers(" ".join(function.parameters))))
        held["see also"].append(list(vocabulary.numbers(function.see_also)))
        held["body"].append(list(vocabulary.numbers(function.body)))
    fields = {field: _field(_words(lists), len(vocabulary), LENGTHS[field]) for field, lists in held.items()}
    return Fields(vocabulary, fields, _words(names))


def called(function: DocumentedFunction) -> list[str]:
    """Return the words of a function's name and aliases, and neighbouring parts of the name joined, each once.

    The class of a method is no part of its name but of its place.

    >>> called(DocumentedFunction("a", "a.b", "KMeans", "class", "", "", aliases=("a.Lloyd",)))
    ['k', 'means', 'kmeans', 'lloyd']
    """
    parts = split(function.last)
    aliases = [word for alias in function.aliases for word in split(alias.rsplit(".", 1)[-1])]
    return list(dict.fromkeys((*parts, *joined(parts), *aliases)))


def _words(lists: list[list[int]]) -> Words:
    lengths = np.array([len(words) for words in lists], dtype=np.int64)
    numbers = np.fromiter(chain.from_iterable(lists), dtype=np.int32, count=int(lengths.sum()))
    return Words(numbers, np.concatenate([[0], np.cumsum(lengths)]))


def _field(words: Words, vocabulary: int, normalised: float) -> SearchField:
    """Return a field; `normalised` is b of BM25, how much longer texts count less."""
    from scipy.sparse import csc_array

    lengths = np.diff(words.starts)
    rows = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    ones = np.ones(len(rows), dtype=np.float32)
    weights = csc_array((ones, (rows, words.numbers)), shape=(len(lengths), vocabulary))
    weights.sum_duplicates()
    relative = lengths / max(1.0, float(lengths.mean()) if len(lengths) else 1.0)
    below = SATURATION * (1 - normalised + normalised * relative[weights.indices])
    weights.data = (weights.data * HIGHEST / (weights.data + below)).astype(np.float32)
    return SearchField(words, weights)
