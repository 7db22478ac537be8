"""A strict reader of ARFF files, the format of Weka, Mulan and MEKA; SciPy's reader does not support sparse rows.

Every error is a `ValueError` of one sentence that begins with the file's name (not its path).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from datasets.limits import check_names, check_peak, name
from datasets.tables.arff_rows import MAX_NUMBERS, Rows
from datasets.tables.arff_table import Arff, Attribute, encoded
from datasets.tables.arff_text import QUOTED, Fault, pieces, shown, unquoted, without_comment
from datasets.tables.text_files import blocks, check_lines

__all__ = ["MAX_NUMBERS", "Arff", "Attribute", "encoded", "read_arff"]

_ATTRIBUTE = re.compile(rf"""@attribute\s+({QUOTED}|[^\s{{'"]+)\s*(.*)""", re.IGNORECASE)


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
    for number, line in _lines(path):
        try:
            keyword = line.split(None, 1)[0].split("{")[0].lower()
            if rows is not None:
                rows.add(line, number)
                check_peak(path.name, rows.bytes)
            elif keyword == "@relation":
                relation = name(path.name, number, _relation(line[len("@relation") :].strip()), "relation")
            elif keyword == "@attribute":
                attribute = _attribute(line)
                for text in (attribute.name, *attribute.values):
                    name(path.name, number, text)
                check_names(path.name, names := names + 1 + len(attribute.values))
                if attribute.name in attributes:
                    raise Fault(f"the attribute {shown(attribute.name)} is declared twice")
                attributes[attribute.name] = attribute
            elif line.lower() == "@data":
                if not attributes:
                    raise Fault("@data comes before any @attribute")
                rows = Rows(tuple(attributes.values()))
            else:
                raise Fault(f"expected @relation, @attribute or @data, got {shown(line)}")
        except Fault as fault:
            raise ValueError(f"{path.name}, line {number}: {fault}") from None
    if rows is None:
        raise ValueError(f"{path.name} has no @data")
    if not rows.lines:
        raise ValueError(f"{path.name} has no rows after @data")
    return rows.table(path.name, relation)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each line, without comments and blank lines."""
    for first, block in blocks(path):
        for number, raw in enumerate(block.split(b"\n"), start=first):
            try:
                line = raw.decode().strip()
            except UnicodeDecodeError:
                raise ValueError(f"{path.name}, line {number}: this is not UTF-8 text") from None
            if line := without_comment(line):
                yield number, line


def _attribute(line: str) -> Attribute:
    """Return the attribute declared by a line `@attribute name type`."""
    found = _ATTRIBUTE.fullmatch(line)
    if not found:
        raise Fault(f"an attribute must be written '@attribute name type', got {shown(line)}")
    name, kind = unquoted(found[1]), found[2]
    if kind.lower() in ("numeric", "real", "integer"):
        return Attribute(name)
    if not (kind.startswith("{") and kind.endswith("}")):
        raise Fault(f"the attribute {shown(name)} must be numeric or have its values in {{}}, got {shown(kind)}")
    values = tuple(unquoted(piece) for piece in pieces(kind[1:-1]))
    if values == ("",):
        raise Fault(f"the attribute {shown(name)} is declared without values")
    if len(set(values)) < len(values):
        raise Fault(f"the attribute {shown(name)} is declared with a value that occurs twice")
    return Attribute(name, values)


def _relation(text: str) -> str:
    return unquoted(text) if re.fullmatch(QUOTED, text) else text
