"""Multilabel ARFF files, whose label columns are declared in an XML file (Mulan) or in @relation (MEKA)."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import numpy as np

from datasets.base import Array
from datasets.limits import check_bytes, check_names, check_peak, name
from datasets.multilabel import MAX_LABELS
from datasets.tables.arff import MAX_NUMBERS, read_arff
from datasets.tables.arff_table import Arff, encoded
from datasets.tables.text_files import check_file

_MAX_XML = 1_000_000  # bytes
_MEKA = re.compile(r"(?:^|[\s:])-C\s+([-+]?\d{1,9})(?!\S)")


def parse_arff(path: Path, count: int = 0, xml: Path | None = None) -> dict[str, Array]:
    """Return the arrays `features` (N, d), `labels` (N, K) and `names` (K,).

    `count` is the number of label columns. They come last, or first where @relation has a positive `-C`.
    If `count` is 0, the file `xml` names the label columns; without it, `-C` gives their number.

    Raises
    ------
    ValueError : one sentence with the file's name, the line and what is wrong.
    """
    table = read_arff(path)
    table.refuse_missing()
    columns = _named(table, xml) if xml is not None and count == 0 else _counted(table, count)
    chosen = set(columns)
    others = [column for column in range(len(table.attributes)) if column not in chosen]
    if not others:
        raise ValueError(f"{path.name} has no features: all of its {len(columns)} columns are labels")
    check_size(path.name, len(table.lines), sum(table.attributes[column].width for column in others), len(columns))
    width, n = sum(table.attributes[column].width for column in others), len(table.lines)
    check_bytes(path.name, n * (8 * width + len(columns)))
    held = table.stored.nbytes + (0 if table.columns is None else table.columns.nbytes)
    words = any(table.attributes[column].values for column in others)
    check_peak(path.name, held + 8 * n * (width + len(columns) + (len(others) if words else 0)))
    names = np.array([table.attributes[column].name for column in columns], dtype=str)
    return {"features": encoded(table, others), "labels": _labels(table, columns), "names": names}


def xml_beside(path: Path) -> Path | None:
    """Return the file of label names next to an ARFF file, such as yeast.xml for yeast.arff.gz or yeast-train.arff."""
    base = path.name.removesuffix(".gz").removesuffix(".arff")
    for stem in (base, base.removesuffix("-train").removesuffix("-test")):
        if (xml := path.with_name(stem + ".xml")).is_file():
            return xml
    return None


def check_size(name: str, examples: int, features: int, labels: int, more: str = "") -> None:
    """Raise ValueError for too many labels or numbers; `more` is " or more" while the examples are being counted."""
    if labels > MAX_LABELS:
        raise ValueError(f"{name} has {labels} labels; at most {MAX_LABELS} are allowed")
    if (numbers := examples * (features + labels)) > MAX_NUMBERS:
        raise ValueError(
            f"{name} has {examples} examples{more} with {features + labels} features and labels, all stored, that is "
            f"{numbers} numbers; at most {MAX_NUMBERS} are allowed"
        )


def _named(table: Arff, xml: Path) -> list[int]:
    """Return the columns named in an XML file, in the order of the ARFF file."""
    names = _label_names(xml)
    known = {attribute.name for attribute in table.attributes}
    if strange := [name for name in names if name not in known]:
        raise ValueError(f"{xml.name} names the label {strange[0][:60]!r}, but {table.name} has no such attribute")
    chosen = set(names)
    return [column for column, attribute in enumerate(table.attributes) if attribute.name in chosen]


def _label_names(xml: Path) -> list[str]:
    """Return the names in the elements <label name="…">, at any depth."""
    check_file(xml, "file of label names")
    if xml.stat().st_size > _MAX_XML:
        raise ValueError(f"{xml.name} has more than the {_MAX_XML / 1e6:.0f} MB that are allowed")
    try:
        text = xml.read_bytes().decode("utf-8-sig")
        if "<!DOCTYPE" in text:  # nested entities could expand to enormous texts
            raise ValueError(f"{xml.name} has a DOCTYPE, which label names do not need")
        root = ElementTree.fromstring(text)
    except UnicodeDecodeError:
        raise ValueError(f"{xml.name} is not UTF-8 text") from None
    except ElementTree.ParseError as error:
        raise ValueError(f"{xml.name}, line {error.position[0]}: this is not XML") from None
    names = [element.get("name", "") for element in root.iter() if element.tag.rpartition("}")[2] == "label"]
    if not names or not all(names):
        raise ValueError(f'{xml.name} must have the label names, as in <label name="sun"/>')
    check_names(xml.name, len(names))
    for label in names:
        name(xml.name, 0, label, "label")
    if len(set(names)) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise ValueError(f"{xml.name} names the label {twice[:60]!r} twice")
    return names


def _counted(table: Arff, count: int) -> list[int]:
    """Return the first or last columns, `count` of them or as many as @relation says."""
    total = len(table.attributes)
    meka = _MEKA.search(table.relation)
    declared = int(meka[1]) if meka else 0
    if meka and declared == 0:
        raise ValueError(f"{table.name} has '-C 0' in @relation, which must be a number of labels other than 0")
    if not (count or declared):
        stem = table.name.removesuffix(".gz").removesuffix(".arff")
        raise ValueError(
            f"{table.name} does not say which columns are labels, since there is neither {stem}.xml with their names "
            "beside it nor '-C' in @relation; give their number as `labels`"
        )
    k = count or abs(declared)
    if k >= total:
        source = "labels" if count else f"'-C {declared}' in @relation"
        columns = "1 column" if total == 1 else f"{total} columns"
        raise ValueError(f"{table.name} has {columns}, too few for {k} labels and at least one feature ({source})")
    return list(range(k) if declared > 0 else range(total - k, total))


def _labels(table: Arff, columns: list[int]) -> Array:
    """Return the labels, (N, K) bool; raise ValueError for one that is not 0 or 1."""
    numbers = table.dense(columns)
    for column, place in zip(columns, numbers.T, strict=True):
        attribute = table.attributes[column]
        if attribute.kind == "nominal":
            if not set(attribute.values) <= {"0", "1"}:
                values = ", ".join(attribute.values[:3]) + (", …" if len(attribute.values) > 3 else "")
                what = f"a label must be declared with the values 0 and 1, but {attribute.name!r} has {values[:80]}"
                raise ValueError(f"{table.name}: {what}")
            place[:] = np.array(attribute.values, dtype=float)[place.astype(int)]
        wrong = (place != 0) & (place != 1)
        if wrong.any():
            row = int(wrong.argmax())
            what = f"the label {attribute.name!r} must be 0 or 1, got {place[row]:g}"
            raise ValueError(f"{table.name}, line {table.lines[row]}: {what}")
    return numbers.astype(bool)
