"""Tables that could lose or merge something in silence: missing values, comments, large labels, commas."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from datasets import create, read_classification
from datasets.tables.holes import CHOICES
from tests.cases import cases

HOLES = "age,colour,size,kind\n30,red,1,a\n,red,2,b\n50,?,3,a\n80,blue,NA,b\n70,red,5,\n60,blue,6,a\n"
FIRST = ("the first line was taken for the names of the columns",)


def written(folder: Path, text: str, name: str = "mine.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def read(path: Path, **options):
    return read_classification(path, unit_length=False, cached=False, **options)


def test_rows_with_holes_are_left_out(tmp_path):
    data = read(written(tmp_path, HOLES + "20,blue,7,b\n"), missing="drop rows")
    assert data.features.tolist() == [[30, 0, 1, 1], [60, 1, 0, 6], [20, 1, 0, 7]] and data.labels.tolist() == [0, 0, 1]
    assert "1 of 7 rows (line 6) without a label left out" in data.notes
    assert "3 of 7 rows (line 3, line 4, line 5) with an empty cell left out" in data.notes


def test_columns_with_holes_are_left_out(tmp_path):
    data = read(written(tmp_path, "x,y,z,c\n1,2,u,a\n3,,v,b\n5,6,,a\n"), missing="drop columns")
    assert data.features.tolist() == [[1], [3], [5]] and data.labels.tolist() == [0, 1, 0]
    assert "column 2 ('y') (1 empty), column 3 ('z') (1 empty) left out" in data.notes
    with pytest.raises(ValueError, match=r"^mine\.csv has no columns left: each has an empty cell$"):
        read(written(tmp_path, "x,c\n1,a\n,b\n"), missing="drop columns")


@pytest.mark.parametrize(("how", "age", "size"), [("median", 55, 2.5), ("most frequent", 30, 3)])
def test_holes_are_filled(tmp_path, how, age, size):
    """Of 30, 50, 60 and 80 the median is 55, and of 1, 2, 3 and 3 it is 2.5; the row without a label does not count."""
    text = HOLES.replace("6,a", "3,a")  # sizes 1, 2, 3, 3
    data = read(written(tmp_path, text), missing=how)
    assert data.features.tolist() == [
        [30, 0, 1, 1],
        [age, 0, 1, 2],
        [50, 1, 0, 3],
        [80, 1, 0, size],
        [60, 1, 0, 3],
    ]  # fmt: skip; blue and red are equally frequent, and the first in the alphabet is taken
    assert data.labels.tolist() == [0, 1, 0, 1, 0]
    words = "the median, or the most frequent word," if how == "median" else "the most frequent value"
    assert data.notes[:1] == FIRST
    assert "1 of 6 rows (line 6) without a label left out" in data.notes
    assert (
        f"3 empty cells filled with {words} of the column, over all rows of the file and without their labels: "
        f"column 1 ('age') {age}, column 2 ('colour') blue, column 3 ('size') {size}" in data.notes
    )


def test_what_cannot_be_mended_is_refused(tmp_path):
    nothing = written(tmp_path, "x,y,c\n1,,a\n3,,b\n")
    with pytest.raises(ValueError, match=r"mine\.csv: column 2 \('y'\) has no value to fill its cells from"):
        read(nothing, missing="median")
    with pytest.raises(ValueError, match=r"mine\.csv has no rows left: each has an empty cell"):
        read(nothing, missing="drop rows")


def test_arff_with_holes(tmp_path):
    text = "@relation r\n@attribute x real\n@attribute u {red,blue}\n@attribute c {a,b}\n@data\n"
    path = written(tmp_path, text + "1,red,a\n?,red,b\n5,?,a\n7,blue,?\n8,blue,a\n", "mine.arff")
    assert read(path, missing="median").features.tolist() == [[1, 1, 0], [5, 1, 0], [5, 1, 0], [8, 0, 1]]
    with pytest.raises(ValueError, match="has only the class 'a'"):
        read(path, missing="drop rows")


def test_holes_are_found_in_every_block_of_lines(tmp_path, monkeypatch):
    """A column of many different numbers with a hole stays one of numbers, wherever blocks begin."""
    monkeypatch.setattr("datasets.tables.text_files._BLOCK", 50)
    monkeypatch.setattr("datasets.tables.text_files._BLOCK_LINES", 3)
    rows = [f"{i / 7 if i % 50 else ''},{'?' if i in (3, 4, 5) else 'uv'[i % 2]},{i % 3}\n" for i in range(400)]
    data = read(written(tmp_path, "".join(rows)), missing="median")
    known = [i / 7 for i in range(400) if i % 50]
    assert data.features[::50, 0].tolist() == [np.median(known)] * 8 and data.features.shape == (400, 3)
    dropped = read(written(tmp_path, "".join(rows)), missing="drop rows")
    assert dropped.examples == 400 - 8 - 3


def test_the_choice_is_a_parameter_that_the_cache_keeps_apart(tmp_path):
    path = written(tmp_path, "x,y,c\n1,2,a\n3,,b\n5,6,a\n")
    found = {how: create("classification-file", path=str(path), missing=how) for how in CHOICES}
    with pytest.raises(ValueError, match="missing values are not allowed unless missing is drop rows, drop columns"):
        found["refuse"].build()
    assert found["median"].build().features.shape == (3, 2) and found["drop columns"].build().dimension == 1
    assert found["median"].build().params["missing"] == "median"
    with pytest.raises(ValueError, match="missing must be one of refuse, drop rows"):
        create("classification-file", path=str(path), missing="guess")


# ---- rows that look like comments


def test_rows_that_begin_like_a_comment_are_rows(tmp_path):
    data = read(written(tmp_path, "colour,x,y\n#ff0000,1,a\n#00ff00,2,b\nblue,3,a\n%b,4,b\n"))
    assert data.examples == 4 and data.features.shape == (4, 5)
    assert "3 lines that begin with # or % are data, having 3 values: 2, 3, 5" in data.notes


def test_comments_are_noted(tmp_path):
    data = read(written(tmp_path, "% made, by, hand\n# here\n1,0.5,a\n# another\n2,-30,b\n"))
    assert data.features.tolist() == [[1, 0.5], [2, -30]]
    assert "2 lines above the data that begin with # or % are left out: 1, 2" in data.notes
    assert "1 line that begins with # or % is left out, not having 3 values: 4" in data.notes


# ---- labels that floats merge


@pytest.mark.parametrize("name", ["mine.csv", "mine.svm"])
def test_large_labels_stay_distinct(tmp_path, name):
    """2⁵³ and 2⁵³ + 1 are one float; both are shown with all their digits, and in order."""
    labels = ["9007199254740993", "7", "9007199254740992", "12345678901234567890", "-9007199254740993"]
    rows = [f"{label} 1:{i}" if name.endswith("svm") else f"{i},{label}" for i, label in enumerate(labels)]
    data = read(written(tmp_path, "\n".join(rows) + "\n", name))
    assert data.names == tuple(sorted(labels, key=int))
    assert [data.names[k] for k in data.labels] == labels


def test_a_large_label_has_one_name_however_it_is_written(tmp_path):
    data = read(written(tmp_path, "1,+9007199254740993\n2,9007199254740993.0\n3,09007199254740993\n4,8\n"))
    assert data.names == ("8", "9007199254740993") and data.labels.tolist() == [1, 1, 1, 0]


def test_large_labels_of_arff_are_refused(tmp_path):
    text = "@relation r\n@attribute x real\n@attribute c real\n@data\n1,9007199254740993\n2,7\n"
    with pytest.raises(ValueError, match=r"line 5: a label must be a word, or a whole number below 2\^53 in size"):
        read(written(tmp_path, text, "mine.arff"))


# ---- commas


def test_a_comma_that_could_separate_thousands_is_noted(tmp_path):
    noted = read(written(tmp_path, "1,000\tu\ta\n2,500\tv\tb\n", "mine.tsv"))
    assert noted.features[:, 0].tolist() == [1, 2.5]
    assert "the comma is read as the decimal mark: 1,000 is 1" in noted.notes
    clear = read(written(tmp_path, "1,25\tu\ta\n2,500\tv\tb\n", "mine.tsv"))
    assert not any("comma" in note for note in clear.notes)


def test_a_word_of_many_letters_among_decimal_commas_is_refused_before_the_end_of_time(tmp_path):
    """Its letters were once looked at as often as it has letters, which took hours."""
    text = "weight;kind\n" + "1,5;a\n2,5;b\n" * 20 + "1,5;" + "y" * 1_000_000
    with pytest.raises(ValueError, match="a label may have at most 200 letters"):
        read(written(tmp_path, text))


# ---- too many lines


@cases(
    ("id", "name", "text"),
    [
        ("letor-file", "a.txt.gz", "0 qid:1 1:nan\n"),
        ("classification-file", "a.csv.gz", "1,2,3\n1,b\n"),
        ("classification-file", "a.arff.gz", "@relation r\n@attribute x\n"),
        ("multilabel-file", "a.svm.gz", "1,2 1:nan\n"),
        ("multilabel-file", "a.arff.gz", "@relation r\n@attribute x\n"),
    ],
)
def test_lines_are_counted_before_any_is_parsed(tmp_path, monkeypatch, id, name, text):
    """A few kilobytes of gzip may hold millions of lines; the fault of the first is not met."""
    monkeypatch.setattr("datasets.tables.text_files.MAX_LINES", 50)
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode() * 50))
    with pytest.raises(ValueError, match=rf"^{name} has more than the 50 lines that are allowed$"):
        create(id, path=str(path)).build()
