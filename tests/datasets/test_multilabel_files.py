"""Multilabel files: what is read, what is refused and in which words."""

import gzip
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import create, file_cache, load, read_multilabel
from datasets.base import ExampleSize
from datasets.tables.arff import read_arff
from datasets.tables.arff_table import encoded
from tests.cases import cases

SAMPLE = Path(__file__).parents[3] / "shared" / "data" / "yeast"
needs_sample = pytest.mark.skipif(not SAMPLE.is_dir(), reason="the sample data are not part of the repository")
HEAD = "@relation a\n@attribute x numeric\n@attribute c {red, green}\n@attribute s {0,1}\n@attribute r {0,1}\n@data\n"


pytestmark = pytest.mark.usefixtures("cache_folder")


def written(folder: Path, text: str | bytes, name: str = "a.arff") -> Path:
    path = folder / name
    content = text.encode() if isinstance(text, str) else text
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") and isinstance(text, str) else content)
    return path


def refusal(path: Path, **options) -> str:
    with pytest.raises(ValueError) as error:
        read_multilabel(path, **options)
    assert "\n" not in str(error.value) and str(path.parent) not in str(error.value)
    return str(error.value)


def xml(*names: str) -> str:
    labels = "".join(f'<label name="{name}"></label>' for name in names)
    return (
        f'<?xml version="1.0" encoding="utf-8"?><labels xmlns="http://mulan.sourceforge.net/labels">{labels}</labels>'
    )


# ---- what is read -----------------------------------------------------------------------------------------


def test_a_dense_file_by_hand(tmp_path):
    text = (
        "\ufeff% made by hand\r\n"
        "@RELATION 'what is it' % a comment\r\n"
        "@Attribute\t'the \\'x\\'' REAL\r\n"
        '@attribute "c,d"{red,\'light blue\', "50%"}\r\n'
        "@attribute on {1,0} % in the other order\r\n"
        "@attribute w integer\r\n\r\n"
        "@attribute sun {0,1}\r\n"
        "@attribute rain numeric\r\n"
        "@DATA\r\n"
        "1.5, 'light blue', 1, 3, 0, 1.0\r\n"
        "% nothing\r\n\r\n"
        '-2e0,"50%",0,1,1,0\r\n'
        "0\tred\t1\t'4'\t1\t0"  # no end of line
    )
    path = written(tmp_path, text)
    data = read_multilabel(path, labels=2, unit_length=False)
    assert data.features.tolist() == [[1.5, 0, 1, 0, 1, 3], [-2, 0, 0, 1, 0, 1], [0, 1, 0, 0, 1, 4]]
    assert data.labels.tolist() == [[False, True], [True, False], [True, False]]
    assert data.names == ("sun", "rain") and data.notes == () and data.model is None
    assert data.features.dtype == np.float64 and data.labels.dtype == bool
    assert data.id == "multilabel-file"
    assert data.params == {"path": str(path), "labels": 2, "unit_length": False, "constant": False}
    table = read_arff(path)
    assert table.relation == "what is it" and not table.sparse and table.lines.tolist() == [11, 14, 15]
    assert [a.name for a in table.attributes] == ["the 'x'", "c,d", "on", "w", "sun", "rain"]
    assert table.attributes[1].values == ("red", "light blue", "50%") and table.attributes[1].kind == "nominal"
    assert table.attributes[0].kind == "numeric"


def test_a_sparse_file_by_hand(tmp_path):
    rows = "{0 2.5, 2 1}\n{}\n{ 1\t'green' ,3 1 } % last\n"
    data = read_multilabel(written(tmp_path, HEAD + rows), labels=2, unit_length=False)
    assert data.features.tolist() == [[2.5, 1, 0], [0, 1, 0], [0, 0, 1]]  # what is left out is the first value
    assert data.labels.tolist() == [[True, False], [False, False], [False, True]]
    other = "@attribute x real\n@attribute l {1,0}\n@data\n{0 1}\n{1 0}\n"
    assert read_multilabel(written(tmp_path, other), labels=1).labels.tolist() == [[True], [False]]


def test_missing_values_are_read_but_refused_by_the_loader(tmp_path):
    table = read_arff(written(tmp_path, HEAD + "?,red,1,0\n1,?,0,1\n2,'green',0,0\n"))
    assert np.array_equal(table.stored[:2], [[np.nan, 0, 1, 0], [1, np.nan, 0, 1]], equal_nan=True)
    sparse = read_arff(written(tmp_path, HEAD + "{0 1}\n{1 ?, 2 1}\n"))
    assert sparse.sparse and np.isnan(sparse.dense([2, 1])[1, 1]) and sparse.dense([2, 1])[1, 0] == 1
    assert encoded(sparse, [0, 2]).tolist() == [[1, 0], [0, 1]]


def test_unit_length(tmp_path):
    text = "@attribute x real\n@attribute y real\n@attribute l {0,1}\n@data\n3,4,0\n0,0,1\n1e-300,0,1\n-1e30,1e30,0\n"
    data = read_multilabel(written(tmp_path, text), labels=1)
    root = 0.5**0.5
    assert np.allclose(data.features, [[0.6, 0.8], [0, 0], [1, 0], [-root, root]], rtol=1e-15)
    assert data.notes == ("1 example has only zeros as features",)
    assert read_multilabel(tmp_path / "a.arff", labels=1, unit_length=False).features[0].tolist() == [3, 4]


def test_labels_from_an_xml_file(tmp_path):
    rows = "1,red,0,1\n2,green,1,0\n"
    for name, beside in [
        ("m.arff", "m.xml"),
        ("n.arff.gz", "n.xml"),
        ("o-train.arff", "o.xml"),
        ("p-test.arff.gz", "p.xml"),
    ]:
        path = written(tmp_path, HEAD + rows, name)
        written(tmp_path, xml("r", "s"), beside)
        data = read_multilabel(path)
        assert data.names == ("s", "r") and data.labels.tolist() == [[False, True], [True, False]]
        written(tmp_path, xml("s"), beside)
        assert read_multilabel(path).features.shape == (2, 4)  # labels may stand anywhere
        assert read_multilabel(path, labels=2).names == ("s", "r")  # a number that is given comes first
    given = written(tmp_path, xml("r"), "mine")
    assert read_multilabel(path, given).names == ("r",)  # as does a file that is named
    nested = '<labels><label name="s"><label name="r"/></label></labels>'
    assert read_multilabel(path, written(tmp_path, nested, "tree.xml")).names == ("s", "r")


@cases(
    "relation, labels, names",
    [
        ("'a: -C 2'", 0, ("p", "q")),
        ("'a: -C -2'", 0, ("r", "s")),
        ("a: -C 1", 0, ("p",)),
        ('"a: -split-number 3 -C -1 -V 2"', 0, ("s",)),
        ("'a: -C 2'", 1, ("p",)),
        ("'a: -C -2'", 3, ("q", "r", "s")),
        ("a", 3, ("q", "r", "s")),
    ],
)
def test_labels_from_the_header_of_meka(tmp_path, relation, labels, names):
    columns = "".join(f"@attribute {name} {{0,1}}\n" for name in "pqrs")
    path = written(tmp_path, f"@relation {relation}\n{columns}@data\n0,1,0,1\n1,0,1,0\n")
    assert read_multilabel(path, labels=labels).names == names


def test_an_svmlight_file_by_hand(tmp_path):
    text = "# a comment\n7,1 1:0.5 3:-2 # here\n\n2:1e1\r\n 3:1\n10\n"
    for name in ("a.svm", "a.txt", "a.gz"):
        data = read_multilabel(written(tmp_path, text, name), unit_length=False)
        assert data.features.tolist() == [[0.5, 0, -2], [0, 10, 0], [0, 0, 1], [0, 0, 0]]
        assert data.names == ("1", "7", "10")
        assert np.argwhere(data.labels).tolist() == [[0, 0], [0, 1], [3, 2]]
    wide = read_multilabel(tmp_path / "a.svm", labels=12)
    assert wide.names == tuple(map(str, range(1, 13))) and np.argwhere(wide.labels).tolist() == [[0, 0], [0, 6], [3, 9]]
    assert wide.notes == ("the labels 2, 3, 4 and 6 more are never on", "1 example has only zeros as features")
    zero = read_multilabel(written(tmp_path, "0,2 1:1\n2 1:1\n", "b.svm"), labels=4)
    assert zero.names == ("0", "1", "2", "3")
    assert zero.notes == ("the labels 1 and 3 are never on", "the label 2 is always on")


def test_the_form_is_seen_from_the_content(tmp_path):
    data = read_multilabel(written(tmp_path, "% x\n\n" + HEAD + "1,red,0,1\n", "a.dat"), labels=2)
    assert data.names == ("s", "r")


# ---- what is refused --------------------------------------------------------------------------------------

ROW_FAULTS = [
    ("1,red,0", "3 values are in this row, but 4 attributes are declared"),
    ("1,red,0,1,0", "5 values are in this row, but 4 attributes are declared"),
    ("1,red,0,1,", "5 values are in this row, but 4 attributes are declared"),
    ("1", "1 value is in this row, but 4 attributes are declared"),
    ("1,red,0,1,{5}", "5 values are in this row, but 4 attributes are declared"),
    ("x,red,0,1", "the value of 'x' must be a number from -1e+30 to 1e+30, got 'x'"),
    (",red,0,1", "the value of 'x' must be a number from -1e+30 to 1e+30, got ''"),
    ("1_0,red,0,1", "the value of 'x' must be a number from -1e+30 to 1e+30, got '1_0'"),
    ("nan,red,0,1", "the value of 'x' must be a number from -1e+30 to 1e+30, got 'nan'"),
    ("1e400,red,0,1", "the value of 'x' must be a number from -1e+30 to 1e+30, got '1e400'"),
    ("-2e30,red,0,1", "the value of 'x' must be a number from -1e+30 to 1e+30, got '-2e30'"),
    ("1,blue,0,1", "the value 'blue' is not among those that 'c' is declared with"),
    ("1,Red,0,1", "the value 'Red' is not among those that 'c' is declared with"),
    ("1,,0,1", "the value '' is not among those that 'c' is declared with"),
    ("1,'?',0,1", "the value '?' is not among those that 'c' is declared with"),
    ("1,red,2,1", "the value '2' is not among those that 's' is declared with"),
    ("1,red,1.0,1", "the value '1.0' is not among those that 's' is declared with"),
    ("?,red,0,1", "the value of 'x' is missing"),
    ("1, ? ,0,1", "the value of 'c' is missing"),
    ("1,red,0,?", "the value of 'r' is missing"),
    ("1,'red,0,1", 'a quotation mark is not closed: "\'red,0,1"'),
    ("1,re'd,0,1", 'a quotation mark is not closed: "\'d,0,1"'),
    ("1,'red'x,0,1", "there is text outside the quotation marks: \"'red'x\""),
    ("{0 1}", "a sparse row after dense ones; all must be written in the same way"),
    (b"1,r\xffd,0,1", "this is not UTF-8 text"),
    (b"1,red,0,1\0", "a zero byte, so this is not a text file"),
]
SPARSE_FAULTS = [
    ("{0 1, 4 1}", "there is no column 4, since 4 attributes are declared"),
    ("{99999999999999999999999 1}", "there is no column 99999999999999999999, since 4 attributes are declared"),
    ("{-1 1}", "a value of a sparse row must be written as in '3 0.5', got '-1 1'"),
    ("{0}", "a value of a sparse row must be written as in '3 0.5', got '0'"),
    ("{0 1,}", "a value of a sparse row must be written as in '3 0.5', got ''"),
    ("{0:1}", "a value of a sparse row must be written as in '3 0.5', got '0:1'"),
    ("{0 1", "the row begins with { but does not end with }"),
    ("{2 1, 0 1}", "the columns must increase along the row, got 0 after 2"),
    ("{2 1, 2 1}", "the columns must increase along the row, got 2 after 2"),
    ("{0 1 2}", "the value of 'x' must be a number from -1e+30 to 1e+30, got '1 2'"),
    ("{1 blue}", "the value 'blue' is not among those that 'c' is declared with"),
    ("{0 1, 1 ?, 3 1}", "the value of 'c' is missing"),
    ("1,red,0,1", "a dense row after sparse ones; all must be written in the same way"),
]
CASES = [("0.5,red,0,1", *case) for case in ROW_FAULTS] + [("{0 0.5, 3 1}", *case) for case in SPARSE_FAULTS]


@cases("good, row, fault", CASES)
@cases("name", ["a.arff", "a.arff.gz"])
def test_a_bad_row_is_named(tmp_path, good, row, fault, name):
    row = row if isinstance(row, bytes) else row.encode()
    text = b"% a\n" + HEAD.encode() + good.encode() + b"\n\n" + row + b"\n" + good.encode() + b"\n"
    path = written(tmp_path, gzip.compress(text) if name.endswith("gz") else text, name)
    assert refusal(path, labels=2) == f"{name}, line 10: {fault}"


@cases(
    "line, fault",
    [
        ("@attribute x", "the attribute 'x' must be numeric or have its values in {}, got ''"),
        ("@attribute x string", "the attribute 'x' must be numeric or have its values in {}, got 'string'"),
        ("@attribute x date 'yy'", "the attribute 'x' must be numeric or have its values in {}, got \"date 'yy'\""),
        ("@attribute x {a, b", "the attribute 'x' must be numeric or have its values in {}, got '{a, b'"),
        ("@attribute x {}", "the attribute 'x' is declared without values"),
        ("@attribute x {a, b, a}", "the attribute 'x' is declared with a value that occurs twice"),
        ("@attribute p real", "the attribute 'p' is declared twice"),
        ("@attribute 'x numeric", "an attribute must be written '@attribute name type', got \"@attribute 'x numeric\""),
        ("@attribute", "an attribute must be written '@attribute name type', got '@attribute'"),
        ("1,2,3", "expected @relation, @attribute or @data, got '1,2,3'"),
        ("@inputs a, b", "expected @relation, @attribute or @data, got '@inputs a, b'"),
    ],
)  # fmt: skip
def test_a_bad_line_of_the_header_is_named(tmp_path, line, fault):
    path = written(tmp_path, f"@relation a\n@attribute p real\n{line}\n@data\n1,2\n")
    assert refusal(path, labels=1) == f"a.arff, line 3: {fault}"


PLAIN = "@attribute x real\n@attribute s {0,1}\n@data\n1,0\n"


@cases(
    "text, name, labels, sentence",
    [
        (b"", "a.arff", 0, "a.arff is empty"),
        (b"% a\n\n", "a.arff", 0, "a.arff has no @data"),
        (b"@relation a\n@attribute x real\n", "a.arff", 0, "a.arff has no @data"),
        (b"@relation a\n@data\n", "a.arff", 0, "a.arff, line 2: @data comes before any @attribute"),
        (b"@attribute x real\n@data\n% none\n", "a.arff", 0, "a.arff has no rows after @data"),
        (b"@data", "a.arff.gz", 0, "a.arff.gz is not a gzip file, although its name ends in .gz"),
        (gzip.compress(PLAIN.encode() * 9, mtime=0)[:-12], "a.arff.gz", 0,
         "a.arff.gz is a damaged gzip file: it is cut off or was changed"),
        (b"1,2 1:0.5\n", "a.arff", 0, "a.arff, line 1: expected @relation, @attribute or @data, got '1,2 1:0.5'"),
        (PLAIN, "a.arff.gz", 0,
         "a.arff.gz does not say which columns are labels, since there is neither a.xml with their names beside it "
         "nor '-C' in @relation; give their number as `labels`"),
        (PLAIN, "a.arff", 2, "a.arff has 2 columns, too few for 2 labels and at least one feature (labels)"),
        (PLAIN, "a.arff", 999, "a.arff has 2 columns, too few for 999 labels and at least one feature (labels)"),
        ("@relation 'a: -C -2'\n" + PLAIN, "a.arff", 0,
         "a.arff has 2 columns, too few for 2 labels and at least one feature ('-C -2' in @relation)"),
        ("@relation 'a: -C 0'\n" + PLAIN, "a.arff", 0,
         "a.arff has '-C 0' in @relation, which must be a number of labels other than 0"),
        ("@relation 'a: -C 1'\n" + PLAIN + "2,1\n", "a.arff", 0, "a.arff, line 6: the label 'x' must be 0 or 1, got 2"),
        (HEAD + "1,red,0,1\n", "a.arff", 3,
         "a.arff: a label must be declared with the values 0 and 1, but 'c' has red, green"),
        (b"# a\n\n#b", "a.svm", 0, "a.svm has no examples, only blank lines or comments"),
        (b"1,2\n3\n", "a.svm", 0, "a.svm has no features; a line should look like '1,3,7 4:0.5 9:1'"),
        (b"1:1\n2:1\n", "a.svm", 0, "a.svm has no labels; a line should look like '1,3,7 4:0.5 9:1'"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a.svm", 0, "a.svm, line 3: a zero byte, so this is not a text file"),
        (b"1 1:1\n2,5 1:1\n", "a.svm", 4, "a.svm, line 2: the label 5 is none of 4 labels from 1 to 4 (labels)"),
        (b"0 1:1\n\n2,4 1:1\n", "a.svm", 4, "a.svm, line 3: the label 4 is none of 4 labels from 0 to 3 (labels)"),
    ],
)  # fmt: skip
def test_files_that_hold_no_multilabel_data(tmp_path, text, name, labels, sentence):
    assert refusal(written(tmp_path, text, name), labels=labels) == sentence


@cases(
    "line, fault",
    [
        ("1,x 1:1", "a label must be a whole number of at least 0, as in '1,3,7 4:0.5 9:1', got 'x'"),
        ("1,,2 1:1", "a label must be a whole number of at least 0, as in '1,3,7 4:0.5 9:1', got ''"),
        ("-1 1:1", "a label must be a whole number of at least 0, as in '1,3,7 4:0.5 9:1', got '-1'"),
        ("1.0 1:1", "a label must be a whole number of at least 0, as in '1,3,7 4:0.5 9:1', got '1.0'"),
        ("1, 2 1:1", "a label must be a whole number of at least 0, as in '1,3,7 4:0.5 9:1', got ''"),
        ("9999999999 1:1", "a label must be a whole number of at least 0, as in '1,3,7 4:0.5 9:1', got '9999999999'"),
        ("1 2", "a feature must be written number:value, got '2'"),
        ("1 0:1 1:1", "features are numbered from 1, as in '1,3,7 4:0.5 9:1', got '0:1'"),
        ("0:1", "features are numbered from 1, as in '1,3,7 4:0.5 9:1', got '0:1'"),
        ("1 -1:1", "a feature's number must be a whole number from 1 to 100000000, got '-1'"),
        ("1 qid:3 1:1", "a feature's number must be a whole number from 1 to 100000000, got 'qid'"),
        ("1 2:1 1:1", "the feature numbers must increase along the line, got 1 after 2"),
        ("1 2:nan", "the value of feature 2 must be a number from -1e+30 to 1e+30, got 'nan'"),
        ("1 2:", "the value of feature 2 must be a number from -1e+30 to 1e+30, got ''"),
        ("1 2:1e31", "the value of feature 2 must be a number from -1e+30 to 1e+30, got '1e31'"),
        (b"1 2:\xff", "this is not UTF-8 text"),
    ],
)
def test_a_bad_line_of_an_svmlight_file_is_named(tmp_path, line, fault):
    line = line if isinstance(line, bytes) else line.encode()
    path = written(tmp_path, b"1,2 1:1 # x\n\n" + line + b"\n", "a.svm")
    assert refusal(path) == f"a.svm, line 3: {fault}"


@cases(
    "text, sentence",
    [
        (xml("s", "t"), "a.xml names the label 't', but a.arff has no such attribute"),
        (xml("s", "s"), "a.xml names the label 's' twice"),
        (xml(), 'a.xml must have the label names, as in <label name="sun"/>'),
        ("<labels><label/></labels>", 'a.xml must have the label names, as in <label name="sun"/>'),
        (xml("x", "c", "s", "r"), "a.arff has no features: all of its 4 columns are labels"),
        (xml("c"), "a.arff: a label must be declared with the values 0 and 1, but 'c' has red, green"),
        ("", "a.xml is empty"),
        ("\n<labels>", "a.xml, line 2: this is not XML"),
        (b"\xff\xfe<", "a.xml is not UTF-8 text"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a/>', "a.xml has a DOCTYPE, which label names do not need"),
        (" " * 1_000_001, "a.xml has more than the 1 MB that are allowed"),
    ],
)
def test_bad_label_names(tmp_path, text, sentence):
    path = written(tmp_path, HEAD + "1,red,0,1\n")
    written(tmp_path, text, "a.xml")
    assert refusal(path) == sentence


def test_limits(tmp_path, monkeypatch):
    with (tmp_path / "large.arff").open("wb") as file:
        file.truncate(200_600_000)
    assert refusal(tmp_path / "large.arff") == "large.arff has 201 MB; at most 200 MB are allowed"
    columns = "".join(f"@attribute a{i} {{0,1}}\n" for i in range(1002))
    for relation in ("@relation 'a: -C 1001'\n", "@relation 'a: -C -1001'\n"):
        many = written(tmp_path, relation + columns + "@data\n{0 1}\n")
        assert refusal(many) == "a.arff has 1001 labels; at most 1000 are allowed"
    numbers = ",".join(map(str, range(1001)))
    assert refusal(written(tmp_path, f"{numbers} 1:1\n", "b.svm")) == "b.svm has 1001 labels; at most 1000 are allowed"
    wide = "".join(f"@attribute a{i} numeric\n" for i in range(70_000)) + "@data\n" + "{69999 1}\n" * 1500
    assert refusal(written(tmp_path, wide, "wide.arff.gz"), labels=1) == (
        "wide.arff.gz has 1500 examples with 70000 features and labels, all stored, that is 105000000 numbers; "
        "at most 100000000 are allowed"
    )
    assert refusal(written(tmp_path, "1 60000000:1\n" * 2, "wide.svm")) == (
        "wide.svm has 2 examples or more with 60000000 features and labels, all stored, that is 120000000 numbers; "
        "at most 100000000 are allowed"
    )
    monkeypatch.setattr("datasets.tables.arff.MAX_NUMBERS", 7)
    assert refusal(written(tmp_path, HEAD + "1,red,0,1\n" * 2), labels=2) == (
        "a.arff, line 8: these are more than the 7 numbers that are allowed"
    )


def test_what_is_no_file(tmp_path):
    assert refusal(tmp_path / "none.arff") == "there is no file 'none.arff'"
    (tmp_path / "folder").mkdir()
    assert refusal(tmp_path / "folder") == "folder is a folder, not a multilabel file"
    path = written(tmp_path, PLAIN)
    assert refusal(path, xml=tmp_path / "none.xml") == "there is no file 'none.xml'"
    for bad in ("", " ", "~nobody-of-that-name/x", "a\0b"):
        with pytest.raises(ValueError, match=r"path must name a multilabel file, got|there is no file"):
            create("multilabel-file", path=bad).size()


# ---- round trips ------------------------------------------------------------------------------------------

values = st.one_of(st.just(0.0), st.floats(-1e30, 1e30), st.floats(-1, 1, width=16))


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from(["dense", "sparse", "svm"]), st.booleans(), st.booleans())
def test_what_is_written_is_read(draw, form, packed, unit_length):
    n, d, k = (draw.draw(st.integers(1, m)) for m in (8, 5, 4))
    x = np.array(draw.draw(st.lists(values, min_size=n * d, max_size=n * d))).reshape(n, d)
    y = np.array(draw.draw(st.lists(st.booleans(), min_size=n * k, max_size=n * k))).reshape(n, k)
    x[0, -1] = 1.0  # so that all features occur
    y[-1, 0] = True
    rows = []
    for features, labels in zip(x.tolist(), y.astype(int).tolist(), strict=True):
        cells = [repr(v) for v in features] + [str(v) for v in labels]
        if form == "svm":
            pairs = [f"{j}:{v!r}" for j, v in enumerate(features, 1) if v]
            rows.append(" ".join([",".join(str(j) for j, v in enumerate(labels, 1) if v), *pairs]))
        elif form == "sparse":
            rows.append("{" + ", ".join(f"{j} {v}" for j, v in enumerate(cells) if float(v)) + "}")
        else:
            rows.append(draw.draw(st.sampled_from([",", ", ", "\t"])).join(cells))
    kept = np.array([bool(row.strip()) for row in rows])  # a blank line is no example
    if form != "svm":
        rows = [
            "@relation round\n",
            *(f"@attribute f{j} numeric" for j in range(d)),
            *(f"@attribute {j} {{0,1}}" for j in range(1, k + 1)),
            "@data",
            *rows,
        ]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("datasets.tables.text_files._BLOCK_LINES", draw.draw(st.integers(1, 20)))
        path = written(Path(folder), "\n".join(rows), "r.gz" if packed else "r.txt")
        data, again = (read_multilabel(path, labels=k, unit_length=unit_length) for _ in range(2))
    if unit_length:
        largest = np.maximum(np.abs(x).max(axis=1, keepdims=True), 1e-307)
        lengths = largest * np.linalg.norm(x / largest, axis=1, keepdims=True)
        normal = kept & (largest[:, 0] > 1e-290)
        assert np.allclose(data.features[normal[kept]], x[normal] / lengths[normal], rtol=1e-12, atol=1e-15)
        found = np.linalg.norm(data.features, axis=1)
        assert np.all((np.abs(found - 1) < 1e-12) | (found == 0))
        assert np.array_equal(found == 0, ~x[kept].any(axis=1))
    else:
        assert np.array_equal(data.features, x[kept])
    assert np.array_equal(data.labels, y[kept])
    assert data.names == tuple(str(j) for j in range(1, k + 1))
    never = [note for note in data.notes if note.endswith("never on")]
    assert bool(never) == (not y[kept].any(axis=0).all())
    for field in ("features", "labels", "names", "notes", "params"):
        assert np.array_equal(getattr(data, field), getattr(again, field))


# ---- notes, cache, parameters, the real file --------------------------------------------------------------


def test_labels_that_are_never_or_always_on_are_kept_and_named(tmp_path):
    path = written(tmp_path, HEAD + "1,red,0,1\n2,green,0,1\n")
    data = read_multilabel(path, labels=2)
    assert data.labels.tolist() == [[False, True], [False, True]]
    assert data.notes == ("the label s is never on", "the label r is always on")
    columns = "".join(f"@attribute l{i} {{0,1}}\n" for i in range(1, 8))
    path = written(tmp_path, f"@attribute x real\n{columns}@data\n1,0,0,0,0,1,1,1\n")
    assert read_multilabel(path, labels=7).notes == (
        "the labels l1, l2, l3 and 1 more are never on",
        "the labels l5, l6 and l7 are always on",
    )


def test_the_second_opening_parses_nothing_unless_something_changed(tmp_path, cache_folder, monkeypatch):
    path = written(tmp_path, HEAD + "1,red,0,1\n2,green,0,1\n")
    first = read_multilabel(path, labels=2)
    monkeypatch.setattr("datasets.tables.multilabel_file.parse_arff", lambda *_: pytest.fail("parsed again"))
    second = read_multilabel(path, labels=2, unit_length=False)
    assert np.array_equal(second.labels, first.labels) and second.features[1].tolist() == [2, 0, 1]
    for other in ({"labels": 1}, {"xml": written(tmp_path, xml("s"), "m.xml")}, {"labels": 2, "cached": False}):
        with pytest.raises(pytest.fail.Exception):
            read_multilabel(path, **other)
    monkeypatch.undo()
    monkeypatch.setattr(file_cache, "folder", lambda: cache_folder)
    for entry in cache_folder.iterdir():
        file_cache.save(entry.stem, {"features": np.ones(3)})
    assert np.array_equal(read_multilabel(path, labels=2).features, first.features)


def test_as_a_data_set(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path))
    written(tmp_path, HEAD + "1,red,0,1\n2,green,0,1\n")
    spec = create("multilabel-file", path="a.arff", labels=2)
    assert spec.size() == ExampleSize(examples=2, features=3, classes=2, bytes=2 * 3 * 8 + 2 * 2)
    assert spec.build() is spec.build() and spec.family == "multilabel"
    assert spec.build().params["path"] == str(tmp_path / "a.arff")
    assert np.allclose(np.linalg.norm(spec.build().features, axis=1), 1)
    for refuse in (lambda k: create("multilabel-file", labels=k), lambda k: read_multilabel(tmp_path, labels=k)):
        with pytest.raises(ValueError, match=r"^labels must be a whole number in \[0, 1000\], got -1$"):
            refuse(-1)


@needs_sample
def test_the_real_yeast_data():
    data = load("multilabel-file", path=str(SAMPLE / "yeast.arff.gz"))
    assert data.features.shape == (2417, 103) and data.labels.shape == (2417, 14) and data.notes == ()
    assert data.names == tuple(f"Class{i}" for i in range(1, 15))
    assert np.allclose(np.linalg.norm(data.features, axis=1), 1)
    assert data.labels.sum(axis=1).mean() == pytest.approx(4.237, abs=5e-4)  # as published by Mulan
    assert len(np.unique(data.labels, axis=0)) == 198  # likewise
    plain = read_multilabel(SAMPLE / "yeast.arff.gz", labels=14, unit_length=False)
    with gzip.open(SAMPLE / "yeast.arff.gz", "rt") as file:
        rows = [line.strip().split(",") for line in file.read().split("@data")[1].split("\n") if line.strip()]
    direct = np.array(rows, dtype=float)
    assert np.array_equal(plain.features, direct[:, :103]) and np.array_equal(plain.labels, direct[:, 103:] == 1)


def test_a_constant_feature_keeps_examples_at_length_1(tmp_path):
    """[0.6, 0.8] becomes [0.6, 0.8, 1] / √2; without scaling [3, 4] becomes [3, 4, 1]."""
    file = tmp_path / "a.svm"
    file.write_text("1 1:3 2:4\n2 1:1\n")
    found = read_multilabel(file, constant=True, cached=False).features[0]
    np.testing.assert_allclose(found, np.array([0.6, 0.8, 1.0]) / np.sqrt(2))
    assert read_multilabel(file, constant=True, unit_length=False, cached=False).features[0].tolist() == [3.0, 4.0, 1.0]
