"""Small files that grow when they are read stay within the stated memory and time, or are refused in a sentence."""

import re
import time

import numpy as np
import pytest
from scipy.sparse import csr_array

from datasets.limits import MAX_NAME, PEAK_MB, READ_SECONDS
from datasets.tables import classification_file, multilabel_file, packing
from tests.attack import memory
from tests.attack.bombs import BOMBS
from tests.conftest import ALWAYS_LATER

SOON = (  # those that every run of CI takes
    "label_name_of_20_mb", "few_numbers_that_spread",
    pytest.param("table_of_166000_rows_of_3000", marks=ALWAYS_LATER),
)  # fmt: skip


@pytest.mark.parametrize("name", SOON)
def test_a_bomb_is_refused_within_the_limits(name, tmp_path):
    reader, write = BOMBS[name]
    took = memory.read(reader, write(tmp_path))
    assert took.outcome == "refused" and took.one_sentence, took
    assert took.peak_mb < PEAK_MB / 2 and took.cpu < READ_SECONDS, took


def test_control_characters_between_the_lines_of_a_table_are_blank_lines(tmp_path):
    """The state before divided by the number of values in such a line, 0."""
    path = tmp_path / "mine.csv"
    path.write_text("\x0b\n1 2 a\n\x0c\n3 4 b\n")
    assert classification_file.read(path, unit_length=False, cached=False).features.tolist() == [[1, 2], [3, 4]]
    path.write_text("\x0b\n\x0b\n")
    with pytest.raises(ValueError, match=r"mine\.csv has no examples, only blank lines or comments"):
        classification_file.read(path, cached=False)


def test_names_that_are_too_long_are_refused_in_every_table(tmp_path):
    long = "n" * (MAX_NAME + 1)
    most = f"may have at most {MAX_NAME} characters, got 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…'"
    for text, fault in (
        (f"a,{long},c\n1,2,x\n3,4,y\n", f"mine.csv, line 1: a column name {most}"),
        (f"red,2,x\n{long},4,y\n", f"mine.csv: a value of column 1 {most}"),
        (f"@relation a\n@attribute {long} real\n@data\n1\n", f"mine.csv, line 2: a name {most}"),
        (f"@relation a\n@attribute b {{x,{long}}}\n@data\nx\n", f"mine.csv, line 2: a name {most}"),
        (f"x 1:2\n{long} 1:3\n", f"mine.csv, line 2: a label {most}"),
    ):
        (tmp_path / "mine.csv").write_text(text)
        with pytest.raises(ValueError, match=re.escape(fault)):
            classification_file.read(tmp_path / "mine.csv", cached=False)
    (tmp_path / "mine.arff").write_text("@relation a\n@attribute b real\n@attribute c {0,1}\n@data\n1,0\n")
    (tmp_path / "mine.xml").write_text(f'<labels><label name="{long}"/></labels>')
    with pytest.raises(ValueError, match=re.escape(f"mine.xml: a label {most}")):
        multilabel_file.read(tmp_path / "mine.arff", cached=False)


def test_the_data_of_a_file_count_before_they_are_made(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_DATA_MB", "1")
    (tmp_path / "sparse.svm").write_text("".join(f"{i % 2} {' '.join(f'{j}:1' for j in range(1, 101))}\n"
                                                 for i in range(1000)))  # fmt: skip
    (tmp_path / "words.csv").write_text("".join(f"{i},w{i % 150},{i % 2}\n" for i in range(2000)))
    (tmp_path / "spread.svm").write_text("1,2 900:1\n" * 200)
    (tmp_path / "spread.arff").write_text(
        "@relation 'a: -C 1'\n"
        + "".join(f"@attribute a{i} {{0,1}}\n" for i in range(900))
        + "@data\n"
        + "{5 1}\n" * 200
    )
    for name, read, needed in (
        ("sparse.svm", classification_file.read, 2),
        ("words.csv", classification_file.read, 3),
        ("spread.svm", multilabel_file.read, 2),
        ("spread.arff", multilabel_file.read, 2),
    ):
        said = f"{name} needs {needed} MB of memory or more; at most 1 MB are allowed here (FEEDBACK_LAB_DATA_MB)"
        with pytest.raises(ValueError, match=re.escape(said)):
            read(tmp_path / name, cached=False)


def test_a_file_of_label_names_with_one_twice_is_refused_at_once(tmp_path):
    """The state before compared every name with every other: half a minute for 1 MB."""
    names = "".join(f'<label name="{i}"/>' for i in range(40_000))
    (tmp_path / "mine.arff").write_text("@relation a\n@attribute b real\n@attribute c {0,1}\n@data\n1,0\n")
    (tmp_path / "mine.xml").write_text(f'<labels>{names}<label name="39999"/></labels>')
    began = time.process_time()
    with pytest.raises(ValueError, match=r"^mine\.xml names the label '39999' twice$"):
        multilabel_file.read(tmp_path / "mine.arff", cached=False)
    assert time.process_time() - began < 5


def test_many_columns_of_words_become_features(tmp_path):
    """The state before added the codes of a column, whole numbers of 8 bits, to a place from 128 on."""
    (tmp_path / "mine.csv").write_text("".join(f"{','.join('ab'[i % 2] * 80)},{'xy'[i % 2]}\n" for i in range(4)))
    data = classification_file.read(tmp_path / "mine.csv", unit_length=False, cached=False)
    assert data.dimension == 160 and data.features[1].tolist() == [0, 1] * 80


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_scaling_some_rows_at_a_time_gives_the_numbers_of_all_at_once(kind, monkeypatch):
    rng = np.random.default_rng(0)
    dense = (rng.normal(size=(500, 17)) * (rng.random((500, 17)) < 0.4)).astype(kind)
    for rows in (dense, csr_array(dense)):
        monkeypatch.setattr(packing, "_PART", 10**9)
        whole = packing.unit_rows(rows)
        monkeypatch.setattr(packing, "_PART", 40)
        parts = packing.unit_rows(rows)
        for scaled, given in ((whole, dense), (parts, dense)):
            table = scaled if isinstance(scaled, np.ndarray) else scaled.toarray()
            assert np.allclose(np.linalg.norm(table, axis=1)[given.any(axis=1)], 1, atol=1e-6)
        assert (whole != parts).sum() == 0 and np.array_equal(rows if rows is dense else rows.toarray(), dense)


def test_a_column_of_too_many_words_is_refused_by_name_whatever_its_first_rows_are(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.tables.text_files._BLOCK_LINES", 300)
    (tmp_path / "mine.csv").write_text("".join(f"{i % 7},w{i},{'xy'[i > 900]}\n" for i in range(1000)))
    with pytest.raises(ValueError, match=r"line 1: column 2 has \d+ different values, so they must be numbers"):
        classification_file.read(tmp_path / "mine.csv", cached=False)
