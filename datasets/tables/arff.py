"""A strict reader of ARFF files, the format of Weka, Mulan and MEKA; SciPy's reader does not support sparse rows.

Every error is a `ValueError` of one sentence that begins with the file's name (not its path).
"""

import re
from array import array
from collections.abc import Iterator, Sized
from math import isfinite
from operator import lt
from pathlib import Path

import numpy as np

from datasets.limits import check_names, check_peak, name
from datasets.tables.arff_table import Arff, Attribute
from datasets.tables.text_files import MAX_VALUE, blocks, check_lines, number

MAX_NUMBERS = 100_000_000  # stored numbers
# Rows that match are parsed the fast way; unusual and faulty rows take the slow one.
_UNUSUAL = re.compile("[_'\"]")
_PAIR = r"\s*+[0-9]++\s++[-+.0-9eE]++\s*+"
_PLAIN_PAIRS = re.compile(rf"\{{{_PAIR}(?:,{_PAIR})*+\}}")

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_QUOTED = r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+\""""
_PIECE = re.compile(rf"""(?:[^,'"]++|{_QUOTED})*+""")
_WORD = re.compile(rf"""(?:[^\s'"]++|{_QUOTED})++""")
_CODE = re.compile(rf"""(?:[^%'"]++|{_QUOTED})*+""")

_ATTRIBUTE = re.compile(rf"""@attribute\s+({_QUOTED}|[^\s{{'"]+)\s*(.*)""", re.IGNORECASE)


class _Fault(ValueError):
    """An error in a line whose number is not known yet."""


def read_arff(path: Path) -> Arff:
    """Read the rows of an ARFF file, dense or sparse (`{3 1, 7 0.5}`), plain or gzip.

    Attributes are numeric (numeric, real, integer) or nominal (`{red, 'light blue'}`). Values are separated by commas,
    or in a row without commas by blanks; `?` marks a missing value and `%` starts a comment. At most 1 GB of text, 1.5
    million lines and 100 million numbers are allowed. Call `text_files.check_file` on the path first.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "a.arff"
    >>> _ = file.write_text("@relation a\\n@attribute b real\\n@attribute c {no, yes}\\n@data\\n0.5, yes\\n?, no\\n")
    >>> table = read_arff(file)
    >>> table.attributes[1], table.stored.tolist()
    (Attribute(name='c', values=('no', 'yes')), [[0.5, 1.0], [nan, 0.0]])
    """
    relation, attributes, rows = "", dict[str, Attribute](), None
    names = 0
    check_lines(path)
    for here, line in _lines(path):
        try:
            keyword = line.split(None, 1)[0].split("{")[0].lower()
            if rows is not None:
                rows.add(line, here)
                check_peak(path.name, rows.bytes)
            elif keyword == "@relation":
                relation = name(path.name, here, _relation(line[len("@relation") :].strip()), "relation")
            elif keyword == "@attribute":
                attribute = _attribute(line)
                for text in (attribute.name, *attribute.values):
                    name(path.name, here, text)
                check_names(path.name, names := names + 1 + len(attribute.values))
                if attribute.name in attributes:
                    raise _Fault(f"the attribute {_shown(attribute.name)} is declared twice")
                attributes[attribute.name] = attribute
            elif line.lower() == "@data":
                if not attributes:
                    raise _Fault("@data comes before any @attribute")
                rows = _Rows(tuple(attributes.values()))
            else:
                raise _Fault(f"expected @relation, @attribute or @data, got {_shown(line)}")
        except _Fault as fault:
            raise ValueError(f"{path.name}, line {here}: {fault}") from None
    if rows is None:
        raise ValueError(f"{path.name} has no @data")
    if not rows.lines:
        raise ValueError(f"{path.name} has no rows after @data")
    return rows.table(path.name, relation)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each line, without comments and blank lines."""
    for first, block in blocks(path):
        for here, raw in enumerate(block.split(b"\n"), start=first):
            try:
                line = raw.decode().strip()
            except UnicodeDecodeError:
                raise ValueError(f"{path.name}, line {here}: this is not UTF-8 text") from None
            if line := _without_comment(line):
                yield here, line


def _attribute(line: str) -> Attribute:
    """Return the attribute declared by a line `@attribute name type`."""
    found = _ATTRIBUTE.fullmatch(line)
    if not found:
        raise _Fault(f"an attribute must be written '@attribute name type', got {_shown(line)}")
    name, kind = _unquoted(found[1]), found[2]
    if kind.lower() in ("numeric", "real", "integer"):
        return Attribute(name)
    if not (kind.startswith("{") and kind.endswith("}")):
        raise _Fault(f"the attribute {_shown(name)} must be numeric or have its values in {{}}, got {_shown(kind)}")
    values = tuple(_unquoted(piece) for piece in _pieces(kind[1:-1]))
    if values == ("",):
        raise _Fault(f"the attribute {_shown(name)} is declared without values")
    if len(set(values)) < len(values):
        raise _Fault(f"the attribute {_shown(name)} is declared with a value that occurs twice")
    return Attribute(name, values)


def _relation(text: str) -> str:
    return _unquoted(text) if re.fullmatch(_QUOTED, text) else text


class _Rows:
    """A collector of parsed rows."""

    def __init__(self, attributes: tuple[Attribute, ...]) -> None:
        self.attributes = attributes
        self.places = [{value: float(i) for i, value in enumerate(a.values)} for a in attributes]
        self.converters = [p.__getitem__ if p else float for p in self.places]
        self.sparse = False
        self.lines, self.stored = array("q"), array("d")
        self.columns, self.starts = array("i"), array("q", [0])

    @property
    def bytes(self) -> int:
        """The memory that the rows take."""
        return sum(held.itemsize * len(held) for held in (self.stored, self.columns, self.lines, self.starts))

    def add(self, line: str, here: int) -> None:
        """Parse and add the row in line number `here`; raise `_Fault` if it is malformed."""
        sparse = line.startswith("{")
        if not self.lines:
            self.sparse = sparse
        elif sparse != self.sparse:
            kinds = ("sparse", "dense") if sparse else ("dense", "sparse")
            raise _Fault("a {} row after {} ones; all must be written in the same way".format(*kinds))
        if sparse:
            self._add_sparse(line)
            self.starts.append(len(self.stored))
        else:
            self._add_dense(line)
        self.lines.append(here)
        if len(self.stored) > MAX_NUMBERS:
            raise _Fault(f"these are more than the {MAX_NUMBERS} numbers that are allowed")

    def _add_dense(self, line: str) -> None:
        if not _UNUSUAL.search(line):
            try:
                raw = line.split(",") if "," in line else line.split()
                row = [convert(token) for convert, token in zip(self.converters, raw, strict=True)]
                if isfinite(sum(row)) and max(row) <= MAX_VALUE and min(row) >= -MAX_VALUE:
                    self.stored.fromlist(row)
                    return
            except (KeyError, ValueError):
                pass
        tokens = _pieces(line)
        if len(tokens) == 1 and len(self.attributes) > 1:
            tokens = _words(line)
        if len(tokens) != len(self.attributes):
            raise _Fault(f"{_count(tokens, 'value')} in this row, but {_count(self.attributes, 'attribute')} declared")
        self.stored.fromlist([self._value(column, token) for column, token in enumerate(tokens)])

    def _add_sparse(self, line: str) -> None:
        if _PLAIN_PAIRS.fullmatch(line):
            flat = line[1:-1].replace(",", " ").split()
            try:
                columns = list(map(int, flat[::2]))
                row = [self.converters[column](token) for column, token in zip(columns, flat[1::2], strict=True)]
                in_order = all(map(lt, columns, columns[1:]))
                if in_order and max(row) <= MAX_VALUE and min(row) >= -MAX_VALUE:
                    self.columns.fromlist(columns)
                    self.stored.fromlist(row)
                    return
            except (KeyError, ValueError, IndexError):
                pass
        if not line.endswith("}"):
            raise _Fault("the row begins with { but does not end with }")
        before = -1
        inside = line[1:-1].strip()
        for piece in _pieces(inside) if inside else []:
            index, *value = piece.split(None, 1)[:2] or [""]
            if not (index.isascii() and index.isdigit() and value):
                raise _Fault(f"a value of a sparse row must be written as in '3 0.5', got {_shown(piece)}")
            column = int(index) if len(index) < 10 else 10**9
            if column >= len(self.attributes):
                raise _Fault(f"there is no column {index[:20]}, since {_count(self.attributes, 'attribute')} declared")
            if column <= before:
                raise _Fault(f"the columns must increase along the row, got {column} after {before}")
            self.columns.append(column)
            self.stored.append(self._value(column, value[0]))
            before = column

    def _value(self, column: int, piece: str) -> float:
        name, places = self.attributes[column].name, self.places[column]
        if piece == "?":
            return float("nan")
        text = _unquoted(piece)
        if not places:
            found = number(text)
            if not abs(found) <= MAX_VALUE:
                allowed = f"a number from -{MAX_VALUE:g} to {MAX_VALUE:g}"
                raise _Fault(f"the value of {_shown(name)} must be {allowed}, got {_shown(text)}")
            return found
        if text not in places:
            raise _Fault(f"the value {_shown(text)} is not among those that {_shown(name)} is declared with")
        return places[text]

    def table(self, name: str, relation: str) -> Arff:
        """Return all rows as arrays."""
        lines, stored = np.asarray(self.lines), np.asarray(self.stored)
        if not self.sparse:
            return Arff(name, relation, self.attributes, lines, stored.reshape(-1, len(self.attributes)))
        return Arff(name, relation, self.attributes, lines, stored, np.asarray(self.columns), np.asarray(self.starts))


def _pieces(text: str) -> list[str]:
    """Split a text at commas outside quotation marks; the pieces keep their quotation marks.

    >>> _pieces("1, 'a, b' ,?")
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
            raise _Fault(f"a quotation mark is not closed: {_shown(text[at:])}")
    return found


def _words(text: str) -> list[str]:
    """Split a text at blanks outside quotation marks; the pieces keep their quotation marks.

    >>> _words("1 'a b'  ?")
    ['1', "'a b'", '?']
    """
    return _WORD.findall(text)


def _unquoted(piece: str) -> str:
    r"""Return the text of a piece without its quotation marks and escapes.

    >>> print(_unquoted(r"'don\'t'"), _unquoted("plain"))
    don't plain
    """
    if not piece.startswith(("'", '"')):
        return piece
    if not re.fullmatch(_QUOTED, piece):
        raise _Fault(f"there is text outside the quotation marks: {_shown(piece)}")
    return re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[1]), piece[1:-1])


def _without_comment(line: str) -> str:
    """Return the line up to the first % outside quotation marks."""
    code = _CODE.match(line) if "%" in line else None
    return code[0].strip() if code and line[code.end() : code.end() + 1] == "%" else line


def _shown(text: str) -> str:
    """Return the text as it appears in an error message, truncated if it is long."""
    return repr(text if len(text) <= 30 else text[:30] + "…")


def _count(items: Sized, noun: str) -> str:
    """Return the number of items in words, such as `1 value is` or `3 values are`."""
    return f"{len(items)} {noun} is" if len(items) == 1 else f"{len(items)} {noun}s are"
