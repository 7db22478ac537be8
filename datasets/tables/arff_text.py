"""Split lines of an ARFF file: commas, quotation marks and comments."""

from __future__ import annotations

import re
from collections.abc import Sized

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
QUOTED = r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\""""
_PIECE = re.compile(rf"""(?:[^,'"]++|{QUOTED})*+""")
_WORD = re.compile(rf"""(?:[^\s'"]++|{QUOTED})++""")
_CODE = re.compile(rf"""(?:[^%'"]++|{QUOTED})*+""")


class Fault(ValueError):
    """An error in a line whose number is not known yet."""


def pieces(text: str) -> list[str]:
    """Split a text at commas outside quotation marks; the pieces keep their quotation marks.

    >>> pieces("1, 'a, b' ,?")
    ['1', "'a, b'", '?']
    """
    if "'" not in text and '"' not in text:
        return [piece.strip() for piece in text.split(",")]
    found, at = [], -1
    while at < len(text):
        match = _PIECE.match(text, at + 1)
        assert match  # it matches the empty text too
        found.append(match[0].strip())
        at = match.end()
        if text[at : at + 1] not in (",", ""):
            raise Fault(f"a quotation mark is not closed: {shown(text[at:])}")
    return found


def words(text: str) -> list[str]:
    """Split a text at blanks outside quotation marks; the pieces keep their quotation marks.

    >>> words("1 'a b'  ?")
    ['1', "'a b'", '?']
    """
    return _WORD.findall(text)


def unquoted(piece: str) -> str:
    r"""Return the text of a piece without its quotation marks and escapes.

    >>> print(unquoted(r"'don\'t'"), unquoted("plain"))
    don't plain
    """
    if not piece.startswith(("'", '"')):
        return piece
    if not re.fullmatch(QUOTED, piece):
        raise Fault(f"there is text outside the quotation marks: {shown(piece)}")
    return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), piece[1:-1])


def without_comment(line: str) -> str:
    """Return the line up to the first % outside quotation marks."""
    code = _CODE.match(line) if "%" in line else None
    return code[0].strip() if code and line[code.end() : code.end() + 1] == "%" else line


def shown(text: str) -> str:
    """Return the text as it appears in an error message, truncated if it is long."""
    return repr(text if len(text) <= 30 else text[:30] + "…")


def count(items: Sized, noun: str) -> str:
    """Return the number of items in words, such as `1 value is` or `3 values are`."""
    return f"{len(items)} {noun} is" if len(items) == 1 else f"{len(items)} {noun}s are"
