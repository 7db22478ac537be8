"""Ranking files: what is read, what is refused and in which words, and the cache."""

import gzip
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_svmlight_file

from datasets import create, file_cache, file_in, find_files, load, read_letor
from datasets.letor.file import LetorFile
from datasets.letor.order import document_order
from datasets.ranking import discounts
from tests.cases import cases

SAMPLE = Path(__file__).parents[3] / "shared" / "data" / "lightgbm_lambdarank"
needs_sample = pytest.mark.skipif(not SAMPLE.is_dir(), reason="the sample data are not part of the repository")


pytestmark = pytest.mark.usefixtures("cache_folder")


def written(folder: Path, text: str | bytes, name: str = "rank.txt") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def in_file_order(data):
    """The features and grades of the data as they stand in the file."""
    back = np.argsort(document_order(data.lengths))
    return data.features[back], data.grades[:, back]


def refusal(path: Path, sizes: Path | None = None) -> str:
    with pytest.raises(ValueError) as error:
        read_letor(path, sizes)
    assert "\n" not in str(error.value) and str(path.parent) not in str(error.value)
    return str(error.value)


def test_a_small_file_by_hand(tmp_path):
    text = (
        "\ufeff# made by hand\r\n"
        "2 qid:10 1:0.5 3:-2 # docid = GX_1\r\n"
        "\r\n"
        "0 qid:10 2:1e1#no space\r\n"
        "1 qid:4\r\n"
        "0.5 qid:4 1:+1 2:0"  # no end of line
    )
    data = read_letor(written(tmp_path, text))
    features, grades = in_file_order(data)
    assert features.tolist() == [[0.5, 0, -2], [0, 10, 0], [0, 0, 0], [1, 0, 0]]
    assert data.features.dtype == np.float64
    assert grades.tolist() == [[2, 0, 1, 0.5]]
    assert data.starts.tolist() == [0, 2, 4]
    assert data.query_names == ("10", "4") and data.notes == ()
    assert data.id == "letor-file" and data.params == {"path": str(tmp_path / "rank.txt")}


def test_features_numbered_from_0_and_one_grade_only(tmp_path):
    data = read_letor(written(tmp_path, "1 qid:1 0:3 1:4\n1 qid:1 1:5\n"))
    assert in_file_order(data)[0].tolist() == [[3, 4], [0, 5]]
    assert data.grades.tolist() == [[1, 1]]
    assert data.notes == ("the features are numbered from 0",)


@pytest.mark.parametrize("fold", [False, True])
def test_a_file_sorted_by_grade_does_not_show_the_best_first(tmp_path, fold):
    """Documents of equal scores are shown as stored: with 0 for all scores, NDCG was 1."""
    text = "".join(f"{4 - i // 4} qid:{q} 1:{i} 2:{q % 7 + 1}\n" for q in range(300) for i in range(20))
    path = written(tmp_path, text, "train.txt")
    if fold:
        written(tmp_path, text, "test.txt")
    data = load("letor-folds" if fold else "letor-file", path=str(path))
    gains = discounts(20)
    ndcg = (2 ** data.grades[0].reshape(-1, 20) - 1) @ gains / ((2.0 ** (4 - np.arange(20) // 4) - 1) @ gains)
    shuffled = np.random.default_rng(0).permuted(np.tile(4 - np.arange(20) // 4, (5000, 1)), axis=1)
    chance = (2.0**shuffled - 1) @ gains / ((2.0 ** (4 - np.arange(20) // 4) - 1) @ gains)
    assert abs(ndcg.mean() - chance.mean()) < 4 * chance.std() / np.sqrt(len(ndcg))
    # the features went with their grades: the first says which line it was
    assert np.array_equal(data.grades[0], 4 - data.features[:, 0] // 4)
    assert len({tuple(row) for row in data.features[:, 0].reshape(-1, 20)}) > 290  # queries differ


ORDER = [2, 4, 1, 0, 3, 5, 6, 10, 8, 9, 7, 12, 11]  # 5, 2 and 6 documents


@cases("block", [1, 3, 10_000])
def test_the_order_of_documents_is_the_same_everywhere(tmp_path, monkeypatch, block):
    monkeypatch.setattr("datasets.letor.order._BLOCK", block)
    assert document_order(np.array([5, 2, 6])).tolist() == ORDER
    lines = [f"{i} qid:{q} 1:{i + 1}\n" for i, q in enumerate([3] * 5 + [1] * 2 + [2] * 6)]
    data = read_letor(written(tmp_path, "".join(lines)), cached=False)
    assert data.grades.tolist() == [ORDER] and data.features[:, 0].tolist() == [i + 1 for i in ORDER]
    assert data.query_names == ("3", "1", "2")


def test_queries_of_one_document_are_dropped_and_counted(tmp_path):
    text = "1 qid:1 1:1\n1 qid:2 1:2\n0 qid:2 1:3\n4 qid:3 2:4\n"
    data = read_letor(written(tmp_path, text))
    features, grades = in_file_order(data)
    assert features.tolist() == [[2, 0], [3, 0]] and grades.tolist() == [[1, 0]]
    assert data.query_names == ("2",)
    assert data.notes == ("dropped 2 queries with a single document",)


@cases(
    "line, fault",
    [
        ("x qid:1 1:1", "the grade must be a number from 0 to 100, got 'x'"),
        ("-1 qid:1 1:1", "the grade must be a number from 0 to 100, got '-1'"),
        ("nan qid:1 1:1", "the grade must be a number from 0 to 100, got 'nan'"),
        ("1_0 qid:1 1:1", "the grade must be a number from 0 to 100, got '1_0'"),
        ("101 qid:1 1:1", "the grade must be a number from 0 to 100, got '101'"),
        ("1,0,3", "the grade must be a number from 0 to 100, got '1,0,3'"),
        ("1 1:1 2:1", "there is no qid, but every line needs one, as in '2 qid:1 1:0.5 2:0.1'"),
        ("1 qidx:1 1:1", "there is no qid, but every line needs one, as in '2 qid:1 1:0.5 2:0.1'"),
        ("1 1:1 qid:1", "there is no qid, but every line needs one, as in '2 qid:1 1:0.5 2:0.1'"),
        ("1", "there is no qid, but every line needs one, as in '2 qid:1 1:0.5 2:0.1'"),
        ("1 qid:a 1:1", "the qid must be a whole number, got 'a'"),
        ("1 qid:1.5 1:1", "the qid must be a whole number, got '1.5'"),
        ("1 qid:99999999999999999999 1:1", "the qid must be a whole number, got '99999999999999999999'"),
        ("1 qid:1 1=1", "a feature must be written number:value, got '1=1'"),
        ("1 qid:1 1: 2", "the value of feature 1 must be a number from -1e+30 to 1e+30, got ''"),
        ("1 qid:1 1:1:1", "the value of feature 1 must be a number from -1e+30 to 1e+30, got '1:1'"),
        ("1 qid:1 1:1_0", "the value of feature 1 must be a number from -1e+30 to 1e+30, got '1_0'"),
        ("1 qid:1 2:nan", "the value of feature 2 must be a number from -1e+30 to 1e+30, got 'nan'"),
        ("1 qid:1 2:-inf", "the value of feature 2 must be a number from -1e+30 to 1e+30, got '-inf'"),
        ("1 qid:1 2:1e400", "the value of feature 2 must be a number from -1e+30 to 1e+30, got '1e400'"),
        ("1 qid:1 2:1e31", "the value of feature 2 must be a number from -1e+30 to 1e+30, got '1e31'"),
        ("1 qid:1 a:1", "a feature's number must be a whole number from 0 to 3000, got 'a'"),
        ("1 qid:1 1.5:1", "a feature's number must be a whole number from 0 to 3000, got '1.5'"),
        ("1 qid:1 -1:1", "a feature's number must be a whole number from 0 to 3000, got '-1'"),
        ("1 qid:1 3001:1", "a feature's number must be a whole number from 0 to 3000, got '3001'"),
        ("1 qid:1 1000000:1", "a feature's number must be a whole number from 0 to 3000, got '1000000'"),
        ("1 qid:1 9999999999:1", "a feature's number must be a whole number from 0 to 3000, got '9999999999'"),
        ("1 qid:1 2:1 1:1", "the feature numbers must increase along the line, got 1 after 2"),
        ("1 qid:1 2:1 2:1", "the feature numbers must increase along the line, got 2 after 2"),
        ("1 qid:1 1:ü", "the value of feature 1 must be a number from -1e+30 to 1e+30, got 'ü'"),
        (b"1 qid:1 1:\xff", "this is not UTF-8 text"),
        (b"1 qid:1 1:0 # \0", "a zero byte, so this is not a text file"),
        ("1 qid:1 " + "x" * 100, "a feature must be written number:value, got 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'"),
    ],
)
@cases("name", ["rank.txt", "rank.txt.gz"])
def test_a_bad_line_is_named(tmp_path, line, fault, name):
    line = line.encode() if isinstance(line, str) else line
    text = b"# comment with an_underscore\n1 qid:1 1:1\n\n0 qid:1 2:1\n" + line + b"\n3 qid:1 1:1\n"
    path = written(tmp_path, gzip.compress(text) if name.endswith("gz") else text, name)
    assert refusal(path) == f"{name}, line 5: {fault}"
    worse = text + b"x\n"  # the first bad line is the one that is named
    written(tmp_path, gzip.compress(worse) if name.endswith("gz") else worse, name)
    assert refusal(path) == f"{name}, line 5: {fault}"


@pytest.mark.parametrize("block", [1, 50, 100_000])
def test_a_bad_line_is_found_behind_many_blocks(tmp_path, monkeypatch, block):
    monkeypatch.setattr("datasets.tables.text_files._BLOCK", block)
    monkeypatch.setattr("datasets.tables.text_files._BLOCK_LINES", 3)
    good = "".join(f"1 qid:{i // 2} 1:{i}\n" for i in range(100))
    assert len(read_letor(written(tmp_path, good)).features) == 100
    assert refusal(written(tmp_path, good + "1 qid:50 0\n")) == (
        "rank.txt, line 101: a feature must be written number:value, got '0'"
    )
    assert refusal(written(tmp_path, good + "\n1 qid:7 1:1\n")) == (
        "rank.txt, line 102: query 7 recurs after another query; "
        "the documents of a query must be adjacent, so sort the file by qid"
    )


def test_qids_in_some_lines_only(tmp_path):
    sizes = written(tmp_path, "2\n", "rank.query")
    path = written(tmp_path, "1 1:1\n0 qid:1 1:2\n")
    assert refusal(path) == (
        "rank.txt, line 2: there is a qid here but not in the previous lines; all lines must have one or none"
    )
    sizes.unlink()
    assert refusal(path) == (
        "rank.txt, line 1: there is no qid, and no file rank.txt.query with the sizes of the queries "
        "is next to it; a line should look like '2 qid:1 1:0.5 2:0.1'"
    )


@cases(
    "text, name, sentence",
    [
        (b"", "rank.txt", "rank.txt is empty"),
        (b"# a\n\n  \n#b", "rank.txt", "rank.txt has no documents, only blank lines or comments"),
        (gzip.compress(b"", mtime=0), "rank.gz", "rank.gz has no documents, only blank lines or comments"),
        (b"1 qid:1 1:1\n", "rank.gz", "rank.gz is not a gzip file, although its name ends in .gz"),
        (gzip.compress(b"1 qid:1 1:1\n" * 99, mtime=0)[:-12], "rank.gz",
         "rank.gz is a damaged gzip file: it is cut off or was changed"),
        (gzip.compress(b"1 qid:1 1:1\n" * 99, mtime=0)[:-8] + b"12345678", "rank.gz",
         "rank.gz is a damaged gzip file: it is cut off or was changed"),
        (gzip.compress(b"1 qid:1 1:1\n", mtime=0)[:10] + b"garbage" * 9, "rank.gz",
         "rank.gz is a damaged gzip file: it is cut off or was changed"),
        (b"\x89PNG\r\n\x1a\n\0\0", "rank.txt", "rank.txt, line 3: a zero byte, so this is not a text file"),
        (b"\xe9\xe8", "rank.txt", "rank.txt, line 1: this is not UTF-8 text"),
        (b"1,2,3\n", "rank.csv", "rank.csv, line 1: the grade must be a number from 0 to 100, got '1,2,3'"),
        (b"1 qid:1\n1 qid:1\n", "rank.txt", "rank.txt has no features; a line should look like '2 qid:1 1:0.5 2:0.1'"),
        (b"1 qid:1 1:1\n1 qid:2 1:1\n", "rank.txt",
         "every query in rank.txt has a single document; a ranking needs at least 2"),
    ],
)  # fmt: skip
def test_files_that_hold_no_ranking_data(tmp_path, text, name, sentence):
    assert refusal(written(tmp_path, text, name)) == sentence


def test_what_is_no_file(tmp_path):
    assert refusal(tmp_path / "none.txt") == "there is no file 'none.txt'"
    (tmp_path / "folder").mkdir()
    assert refusal(tmp_path / "folder") == "folder is a folder, not a ranking file"
    assert "cannot be read: File name too long" in refusal(tmp_path / ("x" * 300))
    for bad in ("", " ", "~nobody-of-that-name/x", "a\0b"):
        with pytest.raises(ValueError, match=r"path must name a ranking file, got|there is no file"):
            create("letor-file", path=bad).size()


def test_limits(tmp_path, monkeypatch):
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(200_600_000)
    assert refusal(path) == "large.txt has 201 MB; at most 200 MB are allowed"
    monkeypatch.setattr("datasets.tables.text_files.MAX_TEXT", 10_000_000)
    bomb = written(tmp_path, gzip.compress(b"1 qid:1 1:1\n" + (b"# " * 30 + b"\n") * 200_000, 1), "bomb.gz")
    assert refusal(bomb) == "bomb.gz unpacks to more than the 10 MB that are allowed"
    monkeypatch.setattr("datasets.tables.text_files.MAX_LINE", 1_000_000)
    endless = written(tmp_path, gzip.compress(b"1 qid:1 1:1\n" + b" " * 9_000_000), "endless.gz")
    assert refusal(endless) == "endless.gz, line 2: the line is longer than 1 MB"
    monkeypatch.setattr("datasets.tables.text_files.MAX_LINES", 1000)
    many = written(tmp_path, "1 qid:1 1:1\n" + "\n" * 1000, "many.txt")
    assert refusal(many) == "many.txt has more than the 1000 lines that are allowed"
    monkeypatch.setattr("datasets.letor.parse.MAX_NUMBERS", 5000)
    wide = written(tmp_path, "1 qid:1 3000:1\n0 qid:1 1:1\n", "wide.txt")
    assert refusal(wide) == (
        "wide.txt has 2 documents or more with 3000 features, that is 6000 numbers; at most 5000 are allowed"
    )


def test_large_data_are_single_precision(tmp_path, monkeypatch):
    monkeypatch.setattr("datasets.letor.parse.LARGE", 3)
    data = read_letor(written(tmp_path, "1 qid:1 2:0.1\n0 qid:1 1:1e30\n"))
    assert data.features.dtype == np.float32 and np.isfinite(data.weights).all()


@cases(
    "sizes, sentence",
    [
        ("2\n2\n", "the query sizes in rank.train.query add up to 4, but rank.train has 3 documents"),
        ("2\n1.0\n", "rank.train.query, line 2: a query's size must be a whole number of at least 1, got '1.0'"),
        ("2\n1 1\n", "rank.train.query, line 2: a query's size must be a whole number of at least 1, got '1 1'"),
        ("3\n0\n", "rank.train.query, line 2: a query's size must be a whole number of at least 1, got '0'"),
        ("4\n-1\n", "rank.train.query, line 2: a query's size must be a whole number of at least 1, got '-1'"),
        ("", "rank.train.query is empty"),
        ("\n", "the query sizes in rank.train.query add up to 0, but rank.train has 3 documents"),
    ],
)
def test_bad_query_sizes(tmp_path, sizes, sentence):
    path = written(tmp_path, "1 1:1\n0 1:2\n0 1:3\n", "rank.train")
    written(tmp_path, sizes, "rank.train.query")
    assert refusal(path) == sentence
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert refusal(path, written(elsewhere, sizes, "rank.train.query")) == sentence


def test_where_query_sizes_come_from(tmp_path):
    text = "1 1:1\n0 1:2\n0 1:3\n1 1:4\n"
    for name, sizes in [
        ("a.train.gz", "a.train.query"),
        ("b.txt", "b.txt.query"),
        ("c.txt", "c.query"),
        ("d", "d.query"),
    ]:
        path = written(tmp_path, gzip.compress(text.encode()) if name.endswith("gz") else text, name)
        written(tmp_path, "2\r\n2", sizes)
        assert read_letor(path).starts.tolist() == [0, 2, 4]
        given = written(tmp_path, "4\n", "mine")
        assert read_letor(path, given).starts.tolist() == [0, 4]  # one that is named comes first
        assert read_letor(path).starts.tolist() == [0, 2, 4]
    with_qid = written(tmp_path, "1 qid:1 1:1\n0 qid:1 1:2\n0 qid:2 1:3\n1 qid:2 1:4\n", "e.txt")
    written(tmp_path, "4\n", "e.query")
    assert read_letor(with_qid).starts.tolist() == [0, 2, 4]  # the lines themselves say it
    assert read_letor(with_qid, tmp_path / "e.query").starts.tolist() == [0, 4]
    assert refusal(with_qid, tmp_path / "f.query") == "there is no file 'f.query'"


values = st.one_of(st.just(0.0), st.floats(-1e30, 1e30), st.floats(-1, 1, width=16))


@settings(max_examples=40, deadline=None)
@given(st.data(), st.booleans(), st.booleans(), st.booleans())
def test_what_is_written_is_read(draw, packed, with_qid, sparse):
    lengths = draw.draw(st.lists(st.integers(1, 5), min_size=1, max_size=6))
    lengths.append(2)
    d = draw.draw(st.integers(1, 5))
    n = sum(lengths)
    x = np.array(draw.draw(st.lists(values, min_size=n * d, max_size=n * d))).reshape(n, d)
    x[0, 0] = x[-1, -1] = 1.0  # so that all features occur
    grades = draw.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    qids = np.repeat(draw.draw(st.permutations(range(len(lengths)))), lengths)
    lines = []
    for row, grade, qid in zip(x, grades, qids, strict=True):
        pairs = " ".join(f"{j}:{v!r}" for j, v in enumerate(row.tolist(), 1) if v or not sparse)
        lines.append(f"{grade} " + (f"qid:{qid} " if with_qid else "") + pairs)
    text = "\n".join(lines).encode()
    block_lines = draw.draw(st.integers(1, 20))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("datasets.tables.text_files._BLOCK_LINES", block_lines)
        path = written(Path(folder), gzip.compress(text) if packed else text, "r.gz" if packed else "r.txt")
        if not with_qid:
            written(Path(folder), "\n".join(map(str, lengths)), "r.query")
        data, again = read_letor(path), read_letor(path)
    many = np.array(lengths) > 1
    kept = np.repeat(many, lengths)
    # a feature that only a dropped query has still counts as one
    features, read_grades = in_file_order(data)
    assert np.array_equal(features, x[kept])
    assert np.array_equal(read_grades, np.array(grades, dtype=float)[None, kept])
    assert data.lengths.tolist() == np.array(lengths)[many].tolist()
    names = qids[np.cumsum(lengths) - 1] if with_qid else np.arange(1, len(lengths) + 1)
    assert data.query_names == tuple(map(str, names[many]))
    for field in ("features", "grades", "starts", "weights", "query_names", "notes", "params"):
        assert np.array_equal(getattr(data, field), getattr(again, field))


def test_the_second_opening_parses_nothing(tmp_path, cache_folder, monkeypatch):
    path = written(tmp_path, "1 qid:1 1:1\n0 qid:1 2:1\n3 qid:2 1:1\n")
    first = read_letor(path)
    (entry,) = cache_folder.iterdir()
    monkeypatch.setattr("datasets.letor.file.parse", lambda *_, **__: pytest.fail("parsed again"))
    second = read_letor(path)
    assert np.array_equal(first.features, second.features) and np.array_equal(first.weights, second.weights)
    assert second.notes == first.notes == ("dropped 1 query with a single document",)
    monkeypatch.undo()
    monkeypatch.setattr(file_cache, "folder", lambda: cache_folder)
    for broken in (b"", b"garbage", entry.read_bytes()[:-30], b"\0" * 500):
        entry.write_bytes(broken)
        assert np.array_equal(read_letor(path).features, first.features)
        assert file_cache.load(entry.stem) is not None  # written anew
    file_cache.save(entry.stem, {"features": np.ones(3)})
    assert np.array_equal(read_letor(path).features, first.features)
    stat = path.stat()
    written(tmp_path, "1 qid:1 1:7\n0 qid:1 2:1\n3 qid:2 1:1\n")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert in_file_order(read_letor(path))[0][0, 0] == 7  # of same size and time, yet another content


def test_the_cache_is_bounded_and_never_in_the_way(tmp_path, cache_folder, monkeypatch):
    monkeypatch.setattr(file_cache, "KEPT_FILES", 3)
    for i in range(6):
        read_letor(written(tmp_path, f"1 qid:1 1:{i}\n0 qid:1 1:1\n"))
    assert len(list(cache_folder.iterdir())) == 3
    for entry in cache_folder.iterdir():
        entry.unlink()
    for age, name in enumerate("abc"):
        file_cache.save(name, {"x": np.ones(9)})
        os.utime(cache_folder / f"{name}.npz", (age, age))
    assert file_cache.load("a") is not None  # used just now, so newer than b
    file_cache.save("d", {"x": np.ones(9)})
    assert sorted(p.stem for p in cache_folder.iterdir()) == ["a", "c", "d"]
    monkeypatch.setattr(file_cache, "SHARE", 0)
    file_cache.save("large", {"x": np.ones(9)})
    assert list(cache_folder.iterdir()) == []
    in_a_file = written(tmp_path, "x", "file") / "cache"
    monkeypatch.setattr(file_cache, "folder", lambda: in_a_file)
    assert read_letor(tmp_path / "rank.txt").queries == 1
    monkeypatch.setattr(file_cache, "folder", lambda: cache_folder)
    monkeypatch.setattr(np, "savez", lambda *_, **__: (_ for _ in ()).throw(OSError("disk full")))
    assert read_letor(tmp_path / "rank.txt").queries == 1
    assert list(cache_folder.iterdir()) == []  # nothing half written is left


def test_files_of_a_folder(tmp_path, monkeypatch):
    line = "1 qid:1 1:1\n"
    (tmp_path / "Fold1").mkdir()
    (tmp_path / ".hidden").mkdir()
    for name in ("Fold1/train.txt", "Fold1/test", "a.svm", "b.letor", "rank.train", ".hidden/a.svm", ".b.svm"):
        written(tmp_path, "# x\n" + line, name)
    written(tmp_path, gzip.compress(b"0 10:0.89 11:0.75\n"), "c.gz")
    written(tmp_path, gzip.compress(line.encode())[:9], "cut.gz")
    for name in ("README", "notes.txt", "d.csv", "rank.query", "e.csv.gz"):
        written(tmp_path, "1 fine day\n", name)
    expected = ["Fold1/test", "Fold1/train.txt", "a.svm", "b.letor", "c.gz", "rank.train"]
    assert [p.relative_to(tmp_path).as_posix() for p in find_files(tmp_path)] == expected
    monkeypatch.setattr("datasets.user_files._FILES", 2)
    assert len(find_files(tmp_path)) == 2
    assert find_files(tmp_path / "none") == []
    assert file_in(tmp_path, "Fold1/test") == (tmp_path / "Fold1" / "test").resolve()
    for bad in ("../x", "/etc/passwd", "none", "", "Fold1", "a\0"):
        with pytest.raises(ValueError, match=r"there is no file .* in the data folder"):
            file_in(tmp_path, bad)


def test_the_data_folder(tmp_path, monkeypatch):
    from datasets import data_folder

    assert data_folder() is None
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    written(tmp_path, "1 qid:1 1:1\n0 qid:1 2:1\n")
    data = load("letor-file", path="rank.txt")
    assert data.queries == 1
    spec = LetorFile(path="rank.txt")
    size = spec.size()
    assert (size.queries, size.documents, size.features) == (1, 2, 2)
    assert spec.build() is spec.build()
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path / "none"))
    with pytest.raises(ValueError, match="FEEDBACK_LAB_DATA must be a folder that exists, got"):
        data_folder()


@needs_sample
def test_the_real_sample():
    train = read_letor(SAMPLE / "rank.train.gz")
    test = load("letor-file", path=str(SAMPLE / "rank.test.gz"))
    sizes = np.loadtxt(SAMPLE / "rank.train.query", dtype=int)
    assert (sizes.sum(), len(sizes), (sizes == 1).sum()) == (3005, 201, 1)
    assert train.lengths.tolist() == sizes[sizes > 1].tolist()
    assert train.features.shape == (3004, 300) and train.notes == ("dropped 1 query with a single document",)
    counts = np.bincount(train.grades[0].astype(int))
    assert np.abs(counts - [645, 1211, 858, 222, 69]).sum() == 1
    assert test.features.shape == (768, 300) and test.queries == 50 and test.notes == ()
    assert np.bincount(test.grades[0].astype(int)).tolist() == [206, 256, 252, 44, 10]
    expected = np.linalg.lstsq(test.features, test.grades[0], rcond=1e-10)[0]
    assert np.allclose(test.weights[0], expected, atol=1e-6)
    direct, grades = load_svmlight_file(str(SAMPLE / "rank.train.gz"))
    kept = np.repeat(sizes > 1, sizes)
    features, read_grades = in_file_order(train)
    assert np.array_equal(features, direct.toarray()[kept])
    assert np.array_equal(read_grades[0], grades[kept])
    assert find_files(SAMPLE) == [SAMPLE / "rank.test.gz", SAMPLE / "rank.train.gz"]
