"""Classification files: what is read, what is refused and in which words."""

import csv
import gzip
import io
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import create, find_files, read_classification
from datasets.tables.classification_file import ClassificationFile, label_words
from tests.cases import cases

SHARED = Path(__file__).parents[3] / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the real data are not part of the repository")
few = settings(max_examples=40, deadline=None)


pytestmark = pytest.mark.usefixtures("cache_folder")


def written(folder: Path, text: str | bytes, name: str = "mine.csv") -> Path:
    path = folder / name
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def raw(path: Path):
    return read_classification(path, unit_length=False, cached=False)


def refusal(path: Path) -> str:
    with pytest.raises(ValueError) as error:
        raw(path)
    assert "\n" not in str(error.value) and str(path.parent) not in str(error.value)
    return str(error.value)


# ---- by hand -------------------------------------------------------------------------------------------


@cases(
    "text",
    [
        "1,0.5,a\n2,-3e1,b\n",
        "1;0.5;a\n2;-30;b\n",
        "1;0,5;a\n2;-30,0;b\n",
        "1\t0.5\ta\n2\t-30.0\tb\n",
        "1 0.5  a\n 2\t-30 b",
        " 1, .5 , a \r\n\r\n2,-30,b\r\n",
        '"1","0.5","a"\n"2","-30","b"\n',
        "x,y,kind\n1,0.5,a\n2,-30,b\n",
    ],
)
@cases("name", ["mine.csv", "mine.txt.gz"])
def test_the_same_table_written_in_different_ways(tmp_path, text, name):
    data = raw(written(tmp_path, text, name))
    assert data.features.tolist() == [[1, 0.5], [2, -30]] and data.features.dtype == np.float64
    assert data.labels.tolist() == [0, 1] and data.names == ("a", "b")
    assert data.id == "classification-file"
    assert data.params == {
        "path": str(tmp_path / name),
        "unit_length": False,
        "label": "",
        "words": "0 and 1",
        "missing": "refuse",
        "least": 1,
    }
    few_each = ("class 'a' has 1 example only", "class 'b' has 1 example only")
    header = ("the first line was taken for the names of the columns",)
    named = text.startswith("x")
    label = f"label: column 3{' ' + repr('kind') if named else ''} (a, b; 2 values), guessed"
    assert data.notes == ((header if named else ()) + (label,) + few_each)


def test_words_become_one_feature_for_each_value(tmp_path):
    text = "red,1,more,yes\nblue,2,2,no\nred,3,1,yes\n"
    data = raw(written(tmp_path, text))
    #                               blue red  .  1  2  more
    assert data.features.tolist() == [[0, 1, 1, 0, 0, 1], [1, 0, 2, 0, 1, 0], [0, 1, 3, 1, 0, 0]]
    assert data.labels.tolist() == [1, 0, 1] and data.names == ("no", "yes")
    assert data.notes[-1] == "2 columns of words are 5 features of 0 and 1, one for each value"


def test_labels_that_are_numbers_stand_in_their_order(tmp_path):
    data = raw(written(tmp_path, "1,10.\n2,9\n3,-1\n4,10\n"))
    assert data.names == ("-1", "9", "10") and data.labels.tolist() == [2, 1, 0, 2]
    many = raw(written(tmp_path, "".join(f"{i},{i % 12}\n" for i in range(24))))
    assert many.names == tuple(map(str, range(12))) and many.notes == (
        "label: column 2 (0, 1, 2, 3, …; 12 values), guessed",
        "12 classes have fewer than 3 examples",
    )


@cases(
    "text, header",
    [
        ("a,b,c\n1,2,3\n4,5,6\n", True),
        ("0,1,label\n1,2,3\n4,5,6\n", True),
        ("colour,size,kind\nred,big,x\nblue,small,y\nred,big,x\n", True),
        ("red,big,x\nblue,small,y\nred,big,x\n", False),
        ("1,2,x\n4,5,y\n", False),
        ("a,2,x\nb,5,y\n", False),
    ],
)
def test_a_header_is_recognised(tmp_path, text, header):
    data = raw(written(tmp_path, text))
    assert data.examples == text.count("\n") - header
    assert ("the first line was taken for the names of the columns" in data.notes) is header


def test_libsvm_becomes_a_table_where_asked(tmp_path):
    """All its numbers are kept, zeros too, so that semi-supervised learners take it; a wide file is refused."""
    path = written(tmp_path, "1 1:3\n2 3:4\n1 2:5\n2 1:1\n", "mine.libsvm")
    data = ClassificationFile(path=str(path), unit_length=False, dense=True).build()
    assert not data.sparse and data.features.tolist() == [[3, 0, 0], [0, 0, 4], [0, 5, 0], [1, 0, 0]]
    wide = written(tmp_path, "1 30000:1\n2 1:1\n", "wide.libsvm")
    with pytest.raises(ValueError, match=r"wide\.libsvm has 30000 features; at most 20000 are allowed"):
        ClassificationFile(path=str(wide), dense=True).build()


def test_libsvm_stays_sparse(tmp_path):
    text = "# made by hand\n+1 1:0.5 2000000:-2 # comment\n\n-1 \n+1 2:0 3:1e1\n"
    data = raw(written(tmp_path, text, "mine.libsvm"))
    assert data.sparse and data.features.shape == (3, 2_000_000) and data.features.nnz == 3
    assert data.features[[0, 0, 2], [0, 1_999_999, 2]].tolist() == [0.5, -2, 10]
    assert data.names == ("-1", "1") and data.labels.tolist() == [1, 0, 1]
    words = raw(written(tmp_path, "spam 1:1\nham 2:1\nspam 1:2\n", "mine.txt"))
    assert words.names == ("ham", "spam") and words.labels.tolist() == [1, 0, 1]


def test_arff(tmp_path):
    text = (
        "% made by hand\n@RELATION 'a b'\n@attribute 'x y' REAL\n@attribute colour {red, 'light blue', never}\n"
        "@attribute paid {0,1}\n@attribute kind {b, a, unused}\n@DATA\n% here\n0.5,'light blue',1,b\n-2,red,0,a\n"
    )
    data = raw(written(tmp_path, text, "mine.arff"))
    assert data.features.tolist() == [[0.5, 0, 1, 1], [-2, 1, 0, 0]]
    assert data.names == ("b", "a") and data.labels.tolist() == [0, 1]  # in the order of the declaration
    numeric = text.replace("{b, a, unused}", "{2,10,1}").replace(",b\n", ",10\n").replace(",a\n", ",2\n")
    assert raw(written(tmp_path, numeric, "mine.arff")).names == ("2", "10")


def test_unit_length(tmp_path):
    path = written(tmp_path, "3,4,a\n0,0,b\n1e-200,0,a\n")
    assert np.allclose(read_classification(path, cached=False).features, [[0.6, 0.8], [0, 0], [1, 0]])
    sparse = written(tmp_path, "1 1:3 2:4\n2\n1 1:1e-200\n", "mine.svm")
    data = read_classification(sparse, cached=False)
    assert data.sparse and np.allclose(data.features.toarray(), [[0.6, 0.8], [0, 0], [1, 0]])


def test_pictures_are_seen(tmp_path):
    def shape(value, width, label="a"):
        row = ",".join([str(value)] * width)
        return raw(written(tmp_path, f"{row},{label}\n{row},b\n")).image_shape

    assert shape(1, 64) == (8, 8) and shape(0.5, 784) == (28, 28)
    assert shape(-1, 64) is None and shape(1, 63) is None


def test_numbers_that_need_care(tmp_path):
    data = raw(written(tmp_path, "99999999999999999999,18446744073709551615,a\n1,-1,b\n"))
    assert data.features.tolist() == [[1e20, 2.0**64], [1, -1]]


def test_large_data_are_single_precision(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.tables.encoding.LARGE", 3)
    assert raw(written(tmp_path, "1,2,a\n3,4,b\n")).features.dtype == np.float32


# ---- the column of the label ---------------------------------------------------------------------------

LETTERS = "".join(
    f"{letter},{','.join(str((7 * row + c * c) % 16) for c in range(16))}\n"
    for row, letter in enumerate("TIDNGSBAJM" * 6)
)


def test_a_label_that_stands_first_is_found(tmp_path):
    """As in UCI's letter-recognition, once read in silence as 16 classes and 41 features."""
    path = written(tmp_path, LETTERS, "letter-recognition.data")
    data = raw(path)
    assert data.features.shape == (60, 16) and data.names == tuple("ABDGIJMNST")
    assert "".join(data.names[k] for k in data.labels) == "TIDNGSBAJM" * 6
    assert data.features[1].tolist() == [(7 + c * c) % 16 for c in range(16)]
    assert data.notes == ("label: column 1 (T, I, D, N, …; 10 values), guessed",)
    assert label_words(path) == "column 1 (T, I, D, N, …; 10 values), guessed"


@cases(
    "text, place, name",
    [
        ("a,1,2\na,3,4\nb,5,6\n", 1, ""),
        ("1,2,a\n3,4,a\n5,6,b\n", 3, ""),
        ("a,1,2\nb,3,4\nc,5,6\n", 3, ""),  # names of the rows
        ("a,x,2\na,y,4\nb,x,6\n", 3, ""),  # words in other columns too
        ("a,1,x\na,3,y\nb,5,x\n", 3, ""),
        ("1,2,0\n3,4,1\n5,6,0\n", 3, ""),
        ("u,Class,v\n1,a,0\n3,b,1\n5,a,0\n", 2, "Class"),
        ("target,1x1,1x2\n0,7,0\n1,8,1\n0,9,0\n", 1, "target"),
        ("label,0,1\n0,7,0\n1,8,1\n0,9,0\n", 1, "label"),
        ("class,u,label\n0,7,0\n1,8,1\n0,9,0\n", 3, "label"),  # two such names decide nothing
        ("letter,u,v\na,1,2\na,3,4\nb,5,6\n", 1, "letter"),
    ],
)
def test_the_column_of_the_label_is_guessed(tmp_path, text, place, name):
    path = written(tmp_path, text)
    column = f"column {place}" + (f" {name!r}" if name else "")
    assert label_words(path).startswith(column + " (") and label_words(path).endswith("values), guessed")
    data = raw(path)
    assert any(note == f"label: {label_words(path)}" for note in data.notes)
    rows = [line.split(",") for line in text.splitlines()[bool(name) :]]
    assert [data.names[k] for k in data.labels] == [row[place - 1] for row in rows]


@cases("wanted, place", [("first", 0), ("last", 3), ("2", 1), ("kind", 1), (" 04 ", 3), ("3", 2)])
def test_the_column_of_the_label_can_be_chosen(tmp_path, wanted, place):
    rows = ["0,cat,5,1", "1,dog,6,1", "0,cat,7,2"]
    path = written(tmp_path, "size,kind,2nd,3rd\n" + "\n".join(rows))
    data = read_classification(path, unit_length=False, label=wanted, cached=False)
    table = [row.split(",") for row in rows]
    assert [data.names[k] for k in data.labels] == [row[place] for row in table]
    assert data.features.shape == (3, 3 if place == 1 else 4) and not data.notes[1].endswith("guessed")
    if place == 2:
        assert data.features.tolist() == [[0, 1, 0, 1], [1, 0, 1, 1], [0, 1, 0, 2]]
    spec = create("classification-file", path=str(path), label=wanted, unit_length=False)
    assert spec.build().params["label"] == wanted and (spec.build().labels == data.labels).all()


BY_NAME = "label must be first, last, the number of a column from 1 to"


@cases(
    "text, wanted, sentence",
    [
        ("1,2,a\n3,4,b\n", "4", "label must be first, last, the number of a column from 1 to 3, got '4'"),
        ("1,2,a\n3,4,b\n", "0", "label must be first, last, the number of a column from 1 to 3, got '0'"),
        ("x,y,kind\n1,2,a\n3,4,b\n", "Kind",
         f"{BY_NAME} 3 or the name of one column (x, y, kind), got 'Kind'"),
        ("x,x,kind\n1,2,a\n3,4,b\n", "x",
         f"{BY_NAME} 3 or the name of one column (x, x, kind), got 'x'"),
        ("1 1:1\n2 1:2\n", "last", "label must be first in a LIBSVM file, whose lines begin with it, got 'last'"),
        ("@relation r\n@attribute x real\n@attribute c {a,b}\n@data\n1,a\n", "y",
         f"{BY_NAME} 2 or the name of one column (x, c), got 'y'"),
    ],
)  # fmt: skip
def test_a_column_that_is_not_there_ends_in_one_sentence(tmp_path, text, wanted, sentence):
    with pytest.raises(ValueError) as error:
        read_classification(written(tmp_path, text), label=wanted)
    assert str(error.value) == sentence


def test_the_label_of_arff_and_libsvm_is_where_the_format_has_it(tmp_path):
    text = "@relation r\n@attribute class {a,b}\n@attribute x real\n@attribute c {u,v}\n@data\na,1,v\nb,2,u\na,3,v\n"
    path = written(tmp_path, text, "mine.arff")
    assert raw(path).names == ("u", "v") and "last attribute" in label_words(path)
    chosen = read_classification(path, unit_length=False, label="class", cached=False)
    assert chosen.names == ("a", "b") and chosen.features.tolist() == [[1, 0, 1], [2, 1, 0], [3, 0, 1]]
    sparse = written(tmp_path, "1 1:1\n2 1:2\n", "mine.svm")
    assert "first value of each line" in label_words(sparse)
    assert read_classification(sparse, label="first").names == ("1", "2")


def test_what_is_kept_on_disk_depends_on_the_label(tmp_path):
    path = written(tmp_path, LETTERS)
    assert read_classification(path).classes == 10
    last = {line.rsplit(",", 1)[1] for line in LETTERS.splitlines()}
    assert read_classification(path, label="last").classes == len(last) != 10
    assert read_classification(path).classes == 10


def test_the_shares_of_a_file_count(tmp_path):
    """They were checked and then forgotten: every file was trained on by one fifth."""
    path = written(tmp_path, LETTERS)
    data = create("classification-file", path=str(path), training=0.5, labelled=0.5).build()
    assert (data.params["training"], data.params["labelled"]) == (0.5, 0.5)


# ---- what is refused -----------------------------------------------------------------------------------

MANY = "".join(f"1,w{i},{i % 2}\n" for i in range(201))
REFUSED = "missing values are not allowed unless missing is drop rows, drop columns, median or most frequent"
ARFF = "@relation r\n@attribute x real\n@attribute c {a,b}\n@data\n"


@cases(
    "text, sentence",
    [
        ("", "{name} is empty"),
        ("\n% only\n#this\n", "{name} has no examples, only blank lines or comments"),
        ("1,2,a\n3,4,a\n", "{name} has only the class 'a'; at least 2 are needed"),
        ("1,2,a\n3,?,b\n", "{name}, line 2: column 2 has no value; " + REFUSED),
        ("1,2,a\n\n3,,b\n", "{name}, line 3: column 2 has no value; " + REFUSED),
        ("x,y,c\n1,2,a\n3,NaN,b\n", "{name}, line 3: column 2 ('y') has no value; " + REFUSED),
        ("1,2,a\n3,4,\n5,6,b\n", "{name}, line 2: column 3 has no value; " + REFUSED),
        ("1,2,a\n3,4,?\n5,6,b\n", "{name}, line 2: column 3 has no value; " + REFUSED),
        ("1,2,a\n?,nan,b\n", "{name}, line 2: column 1 has no value; " + REFUSED),
        ("1,a\n1e400,b\n", "{name}, line 2: column 1 must be a number from -1e+30 to 1e+30, got inf"),
        ("1,a\n-inf,b\n", "{name}, line 2: column 1 must be a number from -1e+30 to 1e+30, got -inf"),
        ("1,a\n1e31,b\n", "{name}, line 2: column 1 must be a number from -1e+30 to 1e+30, got 1e+31"),
        ("1,2,a\n3,b\n", "{name}, line 2: 2 values, but 3 are expected"),
        ("1,2,a\n3,4,5,b\n1\n", "{name}, line 2: 4 values, but 3 are expected"),
        ("1 2 a\n\n3\n", "{name}, line 3: 1 value, but 3 are expected"),
        ('1,"2,a\n3,4,b\n', "{name}, line 1: the quotation marks do not match"),
        ('1,2,a\n"3"4,4,b\n', "{name}, line 2: the quotation marks do not match"),
        ("a\nb\n", "{name} has no features, only labels"),
        ("1,0.5\n2,3.7\n", "{name}, line 1: a label must be a whole number or a word, got 0.5; "
                           "a number to be predicted is not a class"),
        ("1,1\n2,2\n3,3.7\n", "{name}, line 3: a label must be a whole number or a word, got 3.7; "
                              "a number to be predicted is not a class"),
        ("".join(f"1,{i}\n" for i in range(1001)), "{name} has 1001 classes; at most 1000 are allowed"),
        ("".join(f"1,w{i}\n" for i in range(1001)), "{name} has 1001 classes; at most 1000 are allowed"),
        (MANY, "{name}, line 1: column 2 has 201 different values, so they must be numbers, got 'w0'; "
               "a column of words may have at most 200"),
        ("".join(f"{i},{i % 2}\n" for i in range(300)) + "3o,1\n",
         "{name}, line 301: column 1 has 301 different values, so they must be numbers, got '3o'; "
         "a column of words may have at most 200"),
        ("1," + "x" * 201 + "\n2,b\n",
         "{name}: a label may have at most 200 letters, got 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"),
        (b"1,a\n2,\xff\n", "{name}, line 2: this is not UTF-8 text"),
        (b"1,a\n2,\0\n", "{name}, line 2: a zero byte, so this is not a text file"),
        (",".join("1" * 20_002) + "\n", "{name} has 20001 features; at most 20000 are allowed"),
        # LIBSVM
        ("1 1:1\n2 0:1 1:2\n", "{name}, line 2: the features must be numbered from 1, got '0:1'"),
        ("1 0:1\n", "{name}, line 1: the features must be numbered from 1, got '0:1'"),
        ("1 1:1\n1 2:1\n", "{name} has only the class '1'; at least 2 are needed"),
        ("1 1:1\n\n2 1=1\n", "{name}, line 3: a feature must be written number:value, got '1=1'"),
        ("1 1:1\n2 2:1 1:1\n", "{name}, line 2: the feature numbers must increase along the line, got 1 after 2"),
        ("1 1:1\n2 1:1 1:1\n", "{name}, line 2: the feature numbers must increase along the line, got 1 after 1"),
        ("1 1:1\n2 -1:1\n",
         "{name}, line 2: a feature's number must be a whole number from 1 to 2000000, got '-1'"),
        ("1 1:1\n2 2000001:1\n",
         "{name}, line 2: a feature's number must be a whole number from 1 to 2000000, got '2000001'"),
        ("1 1:1\n2 99999999999999999999:1\n",
         "{name}, line 2: a feature's number must be a whole number from 1 to 2000000, got '99999999999999999999'"),
        ("1 1:1\n2 1:nan\n",
         "{name}, line 2: the value of feature 1 must be a number from -1e+30 to 1e+30, got 'nan'"),
        ("1 1:1\n2 1:1e400\n",
         "{name}, line 2: the value of feature 1 must be a number from -1e+30 to 1e+30, got '1e400'"),
        ("1 1:1\n2 1:\n", "{name}, line 2: the value of feature 1 must be a number from -1e+30 to 1e+30, got ''"),
        ("1 1:1\n2 1:1_0\n",
         "{name}, line 2: the value of feature 1 must be a number from -1e+30 to 1e+30, got '1_0'"),
        ("1 1:1\n1:2\n", "{name}, line 2: the line must begin with a label, got '1:2'"),
        ("1 1:1\n? 1:2\n", "{name}, line 2: the line must begin with a label, got '?'"),
        ("1 1:1\n1,2 1:2\n", "{name}, line 2: an example can have only one label, got '1,2'"),
        ("1 1:1\n3.7 1:2\n", "{name}, line 2: a label must be a whole number or a word, got 3.7; "
                             "a number to be predicted is not a class"),
        ("1 qid:1 1:1\n2 qid:1 1:2\n", "{name}, line 1: there is a qid, got 'qid:1'; this is a ranking file"),
        (b"1 1:1\n\xff 1:1\n", "{name}, line 2: this is not UTF-8 text"),
        # ARFF
        (ARFF, "{name} has no rows after @data"),
        ("@relation r\n", "{name} has no @data"),
        (ARFF + "1,a\n2,c\n", "{name}, line 6: the value 'c' is not among those that 'c' is declared with"),
        (ARFF + "1,a\nx,b\n", "{name}, line 6: the value of 'x' must be a number from -1e+30 to 1e+30, got 'x'"),
        (ARFF + "1,a\n?,b\n", "{name}, line 6: column 1 ('x') has no value; " + REFUSED),
        (ARFF + "1,a\n2,?\n", "{name}, line 6: column 2 ('c') has no value; " + REFUSED),
        (ARFF + "1,a\n2,a\n", "{name} has only the class 'a'; at least 2 are needed"),
        (ARFF.replace("{a,b}", "real") + "1,2\n3,2.5\n",
         "{name}, line 6: a label must be a whole number or a word, got 2.5; a number to be predicted is not a class"),
    ],
)  # fmt: skip
@cases("name", ["mine.data", "mine.data.gz"])
def test_bad_files_end_in_one_sentence(tmp_path, text, sentence, name):
    if not text and name.endswith("gz"):
        sentence = "{name} has no examples, only blank lines or comments"
    assert refusal(written(tmp_path, text, name)) == sentence.format(name=name)


def test_arff_that_lies_about_its_columns(tmp_path):
    for row in ("2,3,b", "b"):
        sentence = refusal(written(tmp_path, ARFF + f"1,a\n{row}\n", "mine.arff"))
        assert sentence.startswith("mine.arff, line 6: ") and "2 attributes are declared" in sentence


def test_what_is_no_file(tmp_path):
    assert refusal(tmp_path / "none.csv") == "there is no file 'none.csv'"
    assert refusal(tmp_path) == f"{tmp_path.name} is a folder, not a classification file"
    for bad in ("", " ", "~nobody-of-that-name/x", "a\0b"):
        with pytest.raises(ValueError, match=r"path must name a classification file, got|there is no file"):
            create("classification-file", path=bad).size()


def test_limits(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.tables.encoding.MAX_NUMBERS", 5)
    path = written(tmp_path, "1,2,a\n1,2,b\n1,2,c\n")
    numbers = "mine.csv has 3 examples or more with 2 features, that is 6 numbers; at most 5 are allowed"
    assert refusal(path) == numbers
    path = written(tmp_path, "u,0\nv,1\n")
    assert raw(path).features.shape == (2, 2)
    path = written(tmp_path, "u,0\nv,1\nw,2\n")  # the limit is that of the features and not of the columns
    assert refusal(path) == numbers.replace("2 features, that is 6", "3 features, that is 9")
    monkeypatch.setattr("datasets.tables.sparse_text.MAX_STORED", 2)
    path = written(tmp_path, "1 1:1\n2 1:1 2:1\n")
    assert refusal(path) == "mine.csv has more than the 2 values other than 0 that are allowed"
    monkeypatch.setattr("datasets.tables.text_files.MAX_LINES", 2)
    assert refusal(written(tmp_path, "1,a\n2,b\n3,c\n")) == "mine.csv has more than the 2 lines that are allowed"


@pytest.mark.long
@pytest.mark.parametrize("block", [1, 50, 100_000])
def test_what_is_read_does_not_depend_on_the_blocks(tmp_path, monkeypatch, block):
    monkeypatch.setattr("datasets.tables.text_files._BLOCK", block)
    monkeypatch.setattr("datasets.tables.text_files._BLOCK_LINES", 3)
    rows = [f"{i},{i if i < 90 else 'many'},{'True' if i % 2 else 'no'},{i % 3}\n" for i in range(100)]
    path = written(tmp_path, "".join(rows))
    data = raw(path)
    assert data.features.shape == (100, 1 + 91 + 2) and data.features.sum(axis=1).tolist() == [
        i + 2 for i in range(100)
    ]
    assert np.array_equal(data.labels, np.arange(100) % 3)
    assert refusal(written(tmp_path, "".join(rows) + "\n1,2,no,\n")) == (
        "mine.csv, line 102: column 4 has no value; " + REFUSED
    )


# ---- round trips ---------------------------------------------------------------------------------------

numbers = st.floats(-1e6, 1e6, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-6)
word = st.text("abcxyz äÖ-'.", min_size=1, max_size=6).map(str.strip).filter(
    lambda w: w and w.lower() not in {"nan", "na", "."} and not w.startswith("'") and "'" not in w
)  # fmt: skip
tables = st.integers(1, 5).flatmap(
    lambda d: st.lists(
        st.tuples(st.lists(numbers, min_size=d, max_size=d), word, word), min_size=2, max_size=12
    ).filter(lambda rows: len({label for *_, label in rows}) > 1)
)  # fmt: skip


def same(data, rows):
    """Whether the data are these rows of numbers, a word, and a label."""
    words = sorted({w for _, w, _ in rows})
    one_hot = [[float(w == other) for other in words] for _, w, _ in rows]
    expected = np.hstack([np.array([x for x, *_ in rows]), one_hot])
    assert np.allclose(data.features, expected, rtol=1e-14, atol=0)
    assert [data.names[k] for k in data.labels] == [label for *_, label in rows]
    return True


@few
@given(tables, st.sampled_from([",", ";", "\t"]), st.booleans())
def test_a_table_written_as_csv_is_read_back(rows, separator, header):
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator, quoting=csv.QUOTE_NONNUMERIC)
    if header:
        writer.writerow([*(f"x{i}" for i in range(len(rows[0][0]))), "HEAD", "LABEL"])
    writer.writerows([*x, w, label] for x, w, label in rows)
    with tempfile.TemporaryDirectory() as folder:
        assert same(raw(written(Path(folder), file.getvalue())), rows)


@few
@given(tables)
def test_a_table_written_as_arff_is_read_back(rows):
    def declared(column):
        return "{" + ",".join(f"'{w}'" for w in sorted({row[column] for row in rows})) + "}"

    text = "@relation r\n" + "".join(f"@attribute x{i} numeric\n" for i in range(len(rows[0][0])))
    text += f"@attribute word {declared(1)}\n@attribute label {declared(2)}\n@data\n"
    text += "".join(f"{','.join(map(repr, x))},'{w}','{label}'\n" for x, w, label in rows)
    with tempfile.TemporaryDirectory() as folder:
        assert same(raw(written(Path(folder), text, "mine.arff")), rows)


@few
@given(tables)
def test_a_table_written_as_libsvm_is_read_back(rows):
    rows = [(x, "", label.replace(" ", "_")) for x, _, label in rows]
    if len({label for *_, label in rows}) < 2 or not any(v for x, *_ in rows for v in x):
        return
    text = "".join(
        f"{label} {' '.join(f'{i}:{v!r}' for i, v in enumerate(x, 1) if v)}\n" for x, _, label in rows
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        data = raw(written(Path(folder), text, "mine.svm"))
    full = np.array([x for x, *_ in rows])
    width = data.features.shape[1]
    assert np.array_equal(data.features.toarray(), full[:, :width]) and not full[:, width:].any()
    assert [data.names[k] for k in data.labels] == [label for *_, label in rows]


@few
@given(st.text("01:,;\t \n\"'?.-eax@{}%#", max_size=60))
def test_any_text_is_read_or_refused_in_a_sentence(text):
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), text)
        try:
            data = raw(path)
        except ValueError as error:
            assert str(error).startswith("mine.csv") and "\n" not in str(error)
        else:
            assert data.classes >= 2 and len(data.labels) == data.features.shape[0]


# ---- the data set, its cache, finding files ------------------------------------------------------------


def test_the_data_set_and_its_size(tmp_path, monkeypatch):
    written(tmp_path, "3,4,a\n0,1,b\n")
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path))
    spec = create("classification-file", path="mine.csv")
    size = spec.size()
    assert (size.examples, size.features, size.classes, size.bytes) == (2, 2, 2, 2 * 2 * 8 + 2 * 8)
    assert spec.build() is spec.build() and np.allclose(spec.build().features, [[0.6, 0.8], [0, 1]])
    written(tmp_path, "1 3:1\n2 1:1\n", "other.csv")
    spec.path = "other.csv"
    assert (spec.size().features, spec.size().bytes) == (3, 2 * 8 + 2 * 4 + 3 * 4 + 2 * 8)
    assert isinstance(spec, ClassificationFile) and spec.build().sparse


def test_what_was_read_before_comes_from_the_cache(tmp_path, cache_folder, monkeypatch):
    tables = {"mine.csv": "1,red,a\n2,blue,b\n" * 3, "mine.svm": "1 1:1\n2 3:2\n" * 3}
    for name, text in tables.items():
        path = written(tmp_path, text, name)
        first = read_classification(path)
        with monkeypatch.context() as patch:
            patch.setattr("datasets.tables.classification_file._parse", None)
            again, plain = read_classification(path), read_classification(path, unit_length=False)
        assert again.names == first.names and again.notes == first.notes and (again.labels == first.labels).all()
        assert abs(again.features - first.features).sum() == 0
        assert plain.radius == {"mine.csv": np.sqrt(5), "mine.svm": 2}[name]
    for entry in cache_folder.glob("*.npz"):
        entry.write_bytes(b"broken")
    assert read_classification(tmp_path / "mine.csv").names == ("a", "b")


def test_files_that_may_hold_classification_data_are_found(tmp_path):
    for name, text in {
        "a.csv": "", "b.data.gz": "", "c.tra": "", "d.tes": "", "e.arff": "", "f.libsvm": "", "g.tsv": "",
        "h.txt": "1,2,3\n", "i.txt": "1 1:0.5 2:3\n", "j.dat": "0.5\t-1e3\tword\n", "k": "1;2;x\n",
        "no.txt": "some words, and 3 more\n", "no.md": "1,2,3\n", "rank.txt": "1 qid:1 1:2\n", ".hidden.csv": "",
        "no2.txt": "1  2  " * 2000 + "and some words\n",
    }.items():  # fmt: skip
        written(tmp_path, text, name)
    found = [path.name for path in find_files(tmp_path, family="classification")]
    assert found == [
        "a.csv", "b.data.gz", "c.tra", "d.tes", "e.arff", "f.libsvm", "g.tsv", "h.txt", "i.txt", "j.dat", "k",
    ]  # fmt: skip
    assert [path.name for path in find_files(tmp_path)] == ["f.libsvm", "i.txt", "rank.txt"]


# ---- real data -----------------------------------------------------------------------------------------


@needs_shared
@pytest.mark.parametrize(
    "name, shape, classes, image",
    [
        ("pendigits/pendigits.tra.gz", (7494, 16), 10, None),
        ("pendigits/pendigits.tes.gz", (3498, 16), 10, None),
        ("optdigits/optdigits.tra.gz", (3823, 64), 10, (8, 8)),
        ("optdigits/optdigits.tes.gz", (1797, 64), 10, (8, 8)),
        ("nursery/nursery.arff.gz", (12960, 27), 5, None),
    ],
)
def test_real_files(name, shape, classes, image):
    data = read_classification(SHARED / name)
    assert data.features.shape == shape and data.classes == classes and data.image_shape == image
    assert np.allclose(data.norms, 1)
    if classes == 10:
        label = f"label: column {shape[1] + 1} ("
        assert data.names == tuple("0123456789") and len(data.notes) == 1 and data.notes[0].startswith(label)
        counts = {3823: [376, 389, 380, 389, 387, 376, 377, 387, 380, 382]}.get(shape[0])
        assert counts is None or np.bincount(data.labels).tolist() == counts
    else:
        assert data.names == ("not_recom", "recommend", "very_recom", "priority", "spec_prior")
        assert np.bincount(data.labels).tolist() == [4320, 2, 328, 4266, 4044]
        assert data.notes[0] == "class 'recommend' has 2 examples only"


@needs_shared
def test_nursery_as_csv_is_the_same(tmp_path):
    text = gzip.decompress((SHARED / "nursery" / "nursery.arff.gz").read_bytes()).decode()
    rows = text[text.index("@data") + 5 :].strip() + "\n"
    data, arff = raw(written(tmp_path, rows)), raw(SHARED / "nursery" / "nursery.arff.gz")
    assert data.features.shape == arff.features.shape == (12960, 27)
    assert sorted(data.features.sum(axis=0)) == sorted(arff.features.sum(axis=0))
    assert [data.names[k] for k in data.labels] == [arff.names[k] for k in arff.labels]


@needs_shared
def test_all_real_files_are_found():
    names = {path.name for path in find_files(SHARED, family="classification")}
    assert {"pendigits.tra.gz", "optdigits.tes.gz", "nursery.arff.gz"} <= names


def test_words_as_numbers_and_rare_classes_left_out(tmp_path):
    """As [V] §1.6.1 has the nursery: 8 features, and no class of two examples."""
    rows = ["low,1,a", "high,2,b", "low,3,a", "middle,4,b", "low,5,rare"]
    path = written(tmp_path, "@relation r\n@attribute size {low,middle,high,huge}\n@attribute x real\n"
                   "@attribute c {rare,a,b}\n@data\n" + "\n".join(rows) + "\n", "mine.arff")  # fmt: skip
    data = read_classification(path, unit_length=False, words="numbers", least=2)
    assert data.features.tolist() == [[0, 1], [2, 2], [0, 3], [1, 4]]
    assert data.names == ("a", "b") and data.labels.tolist() == [0, 1, 0, 1]
    assert data.notes[-1] == "classes with fewer than 2 examples are left out: 'rare' (1)"
    whole = read_classification(path, unit_length=False)  # the other reading is kept apart on disk
    assert whole.features.shape == (5, 4) and whole.classes == 3
    again = ClassificationFile(path=str(path), words="numbers", least=2).build()
    assert again.features.shape == (4, 2) and again.params["least"] == 2
    with pytest.raises(ValueError, match=r"mine\.arff: least must leave at least 2 classes, but only 0 have 3"):
        read_classification(path, least=3)
