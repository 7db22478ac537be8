"""The words that are explained where they stand. Their sentences are in glossary.toml and nowhere else.

`marked` finds them in HTML, such as an account or the card of a lesson, and `found` in a title that a script draws.
They become buttons that open a card with the sentence (draw/js/terms.js). Help texts take a sentence by `says`.
"""

import html
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import cast

from learners.catalogue import families
from learners.metric import Metric
from pages.ui.plain import Html

FILE = Path(__file__).with_suffix(".toml")
_TAG = re.compile(r"(<[^>]*>)")
_CLOSED = re.compile(r"</?(code|math|button|a|summary|table|figcaption|h\d)\b")  # in which nothing is marked


@dataclass(frozen=True)
class Term:
    """A word, explained in one sentence. See glossary.toml for the rest."""

    id: str
    names: tuple[str, ...]
    sentence: str
    symbol: str = ""
    lesson: str = ""

    def card(self) -> dict[str, str]:
        """Return what the card in the browser shows."""
        return {"says": self.sentence, "symbol": self.symbol, "lesson": self.lesson}


@cache
def terms() -> dict[str, Term]:
    """Return all terms by their ids."""
    return {id: _term(id, **entry) for id, entry in tomllib.loads(FILE.read_text("utf-8")).items()}


def _term(
    id: str, names: list[str], sentence: str = "", metric: str = "", part: int = 1, symbol: str = "", lesson: str = ""
) -> Term:
    said = sentences(_metrics()[metric].help)[part - 1] if metric else sentence
    return Term(id, tuple(names), re.sub(r" \([^()]*\d{4}[^()]*\)", "", said), symbol, lesson)  # without its source


def sentences(text: str) -> list[str]:
    """Return the sentences of a text.

    >>> sentences("It is 0.5 at step t. In a flip it falls.")
    ['It is 0.5 at step t.', 'In a flip it falls.']
    """
    return re.split(r"(?<=[.?!]) (?=[A-Z])", text)


@cache
def _metrics() -> dict[str, Metric]:
    return {metric.id: metric for family in families().values() for metric in family.metrics}


def says(id: str) -> str:
    """Return the sentence of a term, for a help text.

    >>> says("flip")
    'In a flip the best document falls from rank 1 to the lower half of the predicted ranking.'
    """
    return terms()[id].sentence


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(chain.from_iterable(term.names for term in terms().values()), key=len, reverse=True)
    return re.compile(rf"(?<![\w@-])(?:{'|'.join(map(re.escape, names))})(?![\w*]|-\w)", re.IGNORECASE)


@cache
def _named() -> dict[str, Term]:
    return {name.casefold(): term for term in terms().values() for name in term.names}


def _new(text: str, known: set[str]) -> Iterator[tuple[re.Match[str], Term]]:
    """Yield the terms of a text that are not known yet, each once, and note them."""
    for match in _pattern().finditer(text):
        term = _named()[match[0].casefold()]
        if term.id not in known:
            known.add(term.id)
            yield match, term


def found(text: str) -> list[dict[str, str]]:
    """Return the terms of a title in their order: the words as they stand there, and what the card shows.

    >>> [term["word"] for term in found("Average regret of the predicted ranking")]
    ['Average regret', 'predicted ranking']
    """
    return [{"word": match[0], **term.card()} for match, term in _new(text, set())]


def marked(text: Html, known: set[str] | None = None, here: str = "") -> Html:
    """Return HTML in which each term is a button where it comes first.

    known : ids of terms that were marked before, to which those of this text are added. here : the lesson in which the
    text stands, which needs no link to itself.

    >>> print(marked('<p title="a flip">A <b>flip</b> and <code>flips</code></p>').replace(says("flip"), "…"))
    <p title="a flip">A <b><button type="button" class="fl-term" data-says="…" data-lesson="flip">flip</button></b> \
and <code>flips</code></p>
    """
    known = set() if known is None else known
    pieces, closed = cast(list[Html], _TAG.split(text)), 0
    for i, piece in enumerate(pieces):
        if i % 2:
            if _CLOSED.match(piece):
                closed += -1 if piece.startswith("</") else 1
        elif not closed:
            done = 0
            parts: list[Html] = []
            for match, term in _new(piece, known):
                parts += [Html(piece[done : match.start()]), _button(cast(Html, match[0]), term, here)]
                done = match.end()
            pieces[i] = "".join([*parts, Html(piece[done:])])
    return "".join(pieces)


def _button(word: Html, term: Term, here: str) -> Html:
    more = f' data-symbol="{html.escape(term.symbol)}"' if term.symbol else ""
    more += f' data-lesson="{html.escape(term.lesson)}"' if term.lesson not in ("", here) else ""
    return f'<button type="button" class="fl-term" data-says="{html.escape(term.sentence)}"{more}>{word}</button>'
