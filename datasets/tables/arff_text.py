"""The pieces of a line of an ARFF file: commas, quotation marks, comments."""

from __future__ import annotations

import re
from collections.abc import Sized

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
QUOTED = r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\""""
_PIECE = re.compile(rf"""(?:[^,'"]++|{QUOTED})*+""")
_WORD = re.compile(rf"""(?:[^\s'"]++|{QUOTED})++""")
_CODE = re.compile(rf"""(?:[^%'"]++|{QUOTED})*+""")


class Fault(ValueError):
    """What is wrong with a line, still without the line's number."""


def pieces(text: str) -> list[str]:
    """The pieces between the commas, as they are written; a comma in quotation marks is none.

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
    """The pieces between blanks, as they are written; a blank in quotation marks is none.

    >>> words("1 'a b'  ?")
    ['1', "'a b'", '?']
    """
    return _WORD.findall(text)


def unquoted(piece: str) -> str:
    r"""The text that a piece stands for.

    >>> print(unquoted(r"'don\'t'"), unquoted("plain"))
    don't plain
    """
    if not piece.startswith(("'", '"')):
        return piece
    if not re.fullmatch(QUOTED, piece):
        raise Fault(f"there is more here than a text in quotation marks: {shown(piece)}")
    return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), piece[1:-1])


def without_comment(line: str) -> str:
    """The line up to the first % that is not in quotation marks."""
    code = _CODE.match(line) if "%" in line else None
    return code[0].strip() if code and line[code.end() : code.end() + 1] == "%" else line


def shown(text: str) -> str:
    """The text as it stands in an error, cut where it is long."""
    return repr(text if len(text) <= 30 else text[:30] + "…")


def count(items: Sized, noun: str) -> str:
    """So many of them, in words: `1 value is`, `3 values are`."""
    return f"{len(items)} {noun} is" if len(items) == 1 else f"{len(items)} {noun}s are"
