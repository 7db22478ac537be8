"""Ranking data with folds: which files are found, how they are put together, and what is refused in which words."""

import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest

from datasets import create, file_cache, find_files, load
from datasets.letor.folds import read
from datasets.letor.layouts import layouts
from datasets.letor.order import document_order
from datasets.letor.parts import leads
from learners import Simulation
from tests.cases import cases

SAMPLE = Path(__file__).parents[3] / "shared" / "data" / "lightgbm_lambdarank"
needs_sample = pytest.mark.skipif(not SAMPLE.is_dir(), reason="the sample data are not part of the repository")


pytestmark = pytest.mark.usefixtures("cache_folder")


def text(*qids, documents=2, first=1, d=2):
    """Documents of these queries; the features tell the query and the place of the document."""
    lines = []
    for q in qids:
        for i in range(documents):
            values = " ".join(f"{first + j}:{(q + 1) * 10 + i + j}" for j in range(d))
            lines.append(f"{i} qid:{q} {values} # docid = {i}")
    return "\n".join(lines) + "\n"


PARTS = {k: (10 * k, 10 * k + 1) for k in range(1, 6)}  # queries of S1 … S5


def turned(k):
    """The parts that train, validate and test in fold k, as LETOR turns them."""
    s = [(k - 1 + i) % 5 + 1 for i in range(5)]
    return s[:3], s[3:4], s[4:]


def files(layout):
    if layout == "parts":
        return {f"S{k}.txt": text(*PARTS[k]) for k in PARTS}
    if layout == "single":
        return {"train.txt": text(1, 2), "vali.txt": text(3), "test.txt": text(4, 5)}
    return {
        f"Fold{k}/{name}.txt": text(*(q for s in part for q in PARTS[s]))
        for k in PARTS
        for name, part in zip(("train", "vali", "test"), turned(k), strict=True)
    }


def put(folder, contents):
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = content.encode() if isinstance(content, str) else content
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") and content[:2] != b"\x1f\x8b" else content)
    return folder


def pack(path, contents):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return path


def refusal(path):
    with pytest.raises(ValueError) as error:
        read(path)
    assert "\n" not in str(error.value) and str(path.parent) not in str(error.value)
    return str(error.value)


def names(data):
    """The queries of every fold, by name."""
    return [[[int(data.query_names[q]) for q in part] for part in fold] for fold in data.folds]


# ---- what is read -----------------------------------------------------------------------------------------


@cases("layout", ["parts", "folds"])
@cases("form", ["folder", "deep folder", "zip", "deep zip", "one file"])
def test_the_five_folds_of_letor(tmp_path, layout, form):
    contents = files(layout)
    if "deep" in form:
        contents = {f"MQ2008/data/{name}": content for name, content in contents.items()}
    if "zip" in form:
        path = pack(tmp_path / "mine.zip", contents)
    else:
        path = put(tmp_path, contents)
        if form == "one file":
            path = tmp_path / ("S3.txt" if layout == "parts" else "Fold4/vali.txt")
    data = read(path)
    assert data.queries == 10 and len(data.features) == 20 and data.id == "letor-folds"
    expected = [[sorted(q for s in part for q in PARTS[s]) for part in turned(k)] for k in PARTS]
    assert [[sorted(part) for part in fold] for fold in names(data)] == expected
    for q in range(10):  # each stored with its own documents
        number = int(data.query_names[q])
        rows = data.documents(q)
        rows = rows[np.argsort(data.grades[0, rows])]  # as in the file
        assert data.features[rows].tolist() == [[(number + 1) * 10 + i, (number + 1) * 10 + i + 1] for i in range(2)]
        assert data.grades[0, rows].tolist() == [0, 1]
    again = read(path)
    assert names(again) == names(data) and np.array_equal(again.features, data.features)
    assert np.array_equal(again.weights, data.weights)


def test_a_training_file_with_a_test_file(tmp_path):
    put(tmp_path, files("single"))
    for path in (tmp_path, tmp_path / "train.txt", tmp_path / "test.txt"):
        assert names(read(path)) == [[[1, 2], [3], [4, 5]]]
    (tmp_path / "vali.txt").unlink()
    data = read(tmp_path)
    assert names(data) == [[[1, 2], [], [4, 5]]]
    assert data.notes == ("there is no validation file, so no query validates",)


def test_files_as_lightgbm_has_them(tmp_path):
    """No qid, query sizes beside, gzip; features 1 to 2 in the one and 1 to 3 in the other; a query of one document."""
    put(
        tmp_path,
        {
            "rank.train.gz": "1 1:1\n0 1:2\n2 2:3\n0 2:4\n1 1:5\n", "rank.train.query": "2\n1\n2\n",
            "rank.test": "1 3:6\n0 1:7\n", "rank.test.query": "2\n", "other.train": "1 1:1\n",
        },
    )  # fmt: skip
    data = read(tmp_path / "rank.train.gz")
    expected = np.array([[1, 0, 0], [2, 0, 0], [0, 4, 0], [5, 0, 0], [0, 0, 6], [7, 0, 0]])
    places = [*document_order(np.array([2, 2])), *4 + document_order(np.array([2]))]  # file by file
    assert np.array_equal(data.features, expected[places])
    assert data.grades.tolist() == [np.array([1, 0, 0, 1, 1, 0])[places].tolist()]
    assert data.query_names == ("train 1", "train 3", "test 1")
    assert [[part.tolist() for part in fold] for fold in data.folds] == [[[0, 1], [], [2]]]
    assert data.notes == (
        "rank.train.gz: dropped 1 query with a single document",
        "each file numbers its queries by itself, so equal numbers mean different queries",
        "there is no validation file, so no query validates",
    )
    zipped = pack(tmp_path / "z.zip", {f"a/{p.name}": p.read_bytes() for p in tmp_path.glob("rank*")})
    assert np.array_equal(read(zipped).features, data.features)


def test_features_numbered_from_0_in_some_of_the_files(tmp_path):
    put(tmp_path, {"train.txt": text(1, d=3), "test.txt": text(2, d=2, first=0)})
    data = read(tmp_path)
    one = document_order(np.array([2])).tolist()
    expected = np.array([[[0, 20, 21, 22], [0, 21, 22, 23]], [[30, 31, 0, 0], [31, 32, 0, 0]]])
    assert np.array_equal(data.features, expected[:, one].reshape(4, 4))
    assert data.notes[0] == "the features are numbered from 0"


def test_large_data_are_single_precision(tmp_path, monkeypatch):
    put(tmp_path, files("single"))
    monkeypatch.setattr("datasets.letor.merge.LARGE", 5)
    assert read(tmp_path).features.dtype == np.float32


def test_the_second_opening_parses_nothing_until_a_file_changes(tmp_path, monkeypatch):
    put(tmp_path, files("folds"))
    first = read(tmp_path)
    monkeypatch.setattr("datasets.letor.merge.parse", lambda *_, **__: pytest.fail("parsed again"))
    assert names(read(tmp_path)) == names(first)
    put(tmp_path, {"Fold3/test.txt": text(*PARTS[1])})
    with pytest.raises(pytest.fail.Exception):
        read(tmp_path)


def test_names_of_files_in_any_case_and_of_letor_2():
    found = layouts(["x/FOLD1/TrainingSet.txt", "x/FOLD1/ValidationSet.txt", "x/FOLD1/TestSet.txt", "x/readme.txt"])
    assert [layout.files for layout in found] == [
        ["x/FOLD1/TrainingSet.txt", "x/FOLD1/ValidationSet.txt", "x/FOLD1/TestSet.txt"]
    ]


def test_folds_come_before_parts():
    both = [*files("folds"), *files("parts"), "train.txt", "test.txt"]
    assert [layout.kind for layout in layouts(both)] == ["folds", "parts", "single"]


# ---- what is refused --------------------------------------------------------------------------------------

EXPECTED = (
    "expected Fold1 … Fold5 with train.txt, vali.txt and test.txt, or S1.txt … S5.txt, or a training file with a test "
    "file"
)
NO_SPLIT = f"mine has no split into training and test queries; {EXPECTED}"
NO_PART = f"is not part of a split into training and test queries; {EXPECTED}"


@cases(
    "contents, at, sentence",
    [
        ({"a.txt": text(1)}, "", NO_SPLIT),
        ({"a.txt": text(1)}, "a.txt", f"a.txt {NO_PART}"),
        ({"a.train": text(1)}, "a.train", f"a.train {NO_PART}"),
        ({f"S{k}.txt": text(k) for k in range(1, 5)}, "", NO_SPLIT),
        ({"none": text(1)}, "x.zip", "there is no file 'x.zip'"),
        ({"x.zip": text(1)}, "x.zip", "x.zip is not a zip file, although its name ends in .zip"),
        ({f"{d}/{n}": text(i) for d in "ab" for i, n in enumerate(("train.txt", "test.txt"))}, "",
         "mine holds 2 data sets (a/, b/); choose one of them"),
        (files("parts") | {"S3.txt": text(30, 11)}, "",
         "query 11 is in S1.txt and in S3.txt; the parts must hold different queries, told apart by their qid"),
        (files("folds") | {"Fold1/test.txt": text(10)}, "",
         "query 10 is in Fold1/train.txt and in Fold1/test.txt; the parts must hold different queries, told apart "
         "by their qid"),
        (files("folds") | {"Fold2/test.txt": text(99)}, "",
         "query 99 in Fold2/test.txt is not in the first fold, which must hold all queries"),
        (files("folds") | {"Fold2/test.txt": text(10, documents=3)}, "",
         "query 10 has 3 documents in Fold2/test.txt, but 2 in the first fold"),
        (files("folds") | {"Fold2/test.txt": text(20)}, "",
         "query 20 in Fold2/test.txt is also a training query of that fold"),
        (files("folds") | {"Fold2/test.txt": "1 1:1\n0 1:1\n"}, "",
         "Fold2/test.txt has no qid, by which its queries could be found in the first fold"),
        (files("folds") | {"Fold2/test.txt": text(10, documents=1)}, "",
         "fold 2 has no test query with two documents or more"),
        (files("single") | {"test.txt": "x"}, "",
         "test.txt, line 1: the grade must be a number from 0 to 100, got 'x'"),
        (files("single") | {"test.txt": ""}, "", "test.txt is empty"),
        (files("single") | {"vali.txt": text(7, documents=1)}, "",
         "every query in vali.txt has a single document; a ranking needs at least 2"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(tmp_path, contents, at, sentence):
    folder = tmp_path / "mine"
    folder.mkdir()
    put(folder, contents)
    assert refusal(folder / at) == sentence


def test_limits(tmp_path, monkeypatch):
    path = pack(tmp_path / "bomb.zip", files("single"))
    monkeypatch.setattr("datasets.letor.parts.MAX_BYTES", 60)
    assert refusal(path) == "train.txt unpacks to 0 MB; at most 0 MB are allowed"
    monkeypatch.undo()
    monkeypatch.setattr("datasets.letor.merge.MAX_NUMBERS", 10)
    monkeypatch.setattr(file_cache, "folder", lambda: tmp_path / "cache")
    assert refusal(path) == "the files have 20 numbers together; at most 10 are allowed"
    monkeypatch.setattr("datasets.letor.parts._ENTRIES", 1)
    put(tmp_path / "many", files("single"))
    assert refusal(tmp_path / "many") == "many has more than 1 files; name the folder of one data set"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_archive_can_write_nowhere_else(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    contents = {"../../train.txt": text(1, 2), "../../test.txt": text(3), "/etc/x": "y", "../evil.txt": "z"}
    data = read(pack(inside / "a.zip", contents))
    assert names(data) == [[[1, 2], [], [3]]]
    assert [p.name for p in tmp_path.iterdir()] == ["inside"] and [p.name for p in inside.iterdir()] == ["a.zip"]


def test_damaged_archives(tmp_path):
    path = pack(tmp_path / "a.zip", files("single"))
    whole = path.read_bytes()
    path.write_bytes(whole.replace(whole[60:70], b"0123456789", 1))
    assert refusal(path) == "a.zip is a damaged zip file: it is cut off or was changed"
    path.write_bytes(whole[: len(whole) // 2])
    assert refusal(path) == "a.zip is not a zip file, although its name ends in .zip"


def test_a_path_must_be_given():
    with pytest.raises(ValueError, match="path must name a folder or file with folds, got an empty text"):
        create("letor-folds").size()


# ---- finding them -----------------------------------------------------------------------------------------


def test_one_file_stands_for_each_data_set(tmp_path, monkeypatch):
    put(tmp_path, {f"MQ/{name}": content for name, content in files("folds").items()})
    put(tmp_path / "parts", files("parts"))
    put(tmp_path / "one", files("single") | {"rank.train": text(1), "rank.test": text(2), "lonely.train": text(3)})
    pack(tmp_path / "a.zip", files("folds"))
    pack(tmp_path / "b.zip", files("folds") | files("parts"))  # folds come first
    pack(tmp_path / "two.zip", {f"{d}/{name}": c for d in "xy" for name, c in files("single").items()})
    pack(tmp_path / "ml-100k.zip", {"u.data": "1"})
    (tmp_path / "broken.zip").write_bytes(b"PK")
    found = [p.relative_to(tmp_path).as_posix() for p in find_files(tmp_path, "folds")]
    assert found == ["MQ/Fold1/train.txt", "a.zip", "b.zip", "one/rank.train", "one/train.txt", "parts/S1.txt"]
    assert not leads(tmp_path / "none.txt") and not leads(tmp_path / "MQ" / "Fold1" / "test.txt")
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path))
    for name in ("MQ/Fold1/train.txt", "MQ", "a.zip", "parts/S1.txt"):
        assert load("letor-folds", path=name).queries == 10
        assert create("letor-folds", path=name).size().documents == 2


def test_learners_are_measured_on_the_folds(tmp_path):
    data = read(put(tmp_path, files("parts")))
    sim = Simulation("ndcg-boost", data, replicates=6)
    sim.advance(steps=2)
    for r in range(6):
        parts = [[int(data.query_names[q]) for q in part] for part in sim.environment.folds[r]]
        assert [sorted(part) for part in parts] == [
            sorted(q for s in part for q in PARTS[s]) for part in turned(r % 5 + 1)
        ]
    Simulation("preference-perceptron", data).advance(steps=3)  # other labs use all queries


# ---- the sample -------------------------------------------------------------------------------------------


@needs_sample
def test_the_sample_of_lightgbm():
    data = load("letor-folds", path=str(SAMPLE / "rank.train.gz"))
    assert data.features.shape == (3772, 300) and [len(part) for part in data.folds[0]] == [200, 0, 50]
    alone = load("letor-file", path=str(SAMPLE / "rank.train.gz"))
    assert alone.folds == () and np.array_equal(alone.features, data.features[:3004])  # seen as before elsewhere
    assert find_files(SAMPLE, "folds") == [SAMPLE / "rank.train.gz"]
    final = {}
    for id in ("ndcg-boost", "linear-regression-ranking", "random-scores"):
        sim = Simulation(id, data)
        sim.advance(steps=100)
        final[id] = sim.history["ndcg@10"][-1, 0]
    assert final["ndcg-boost"] > final["linear-regression-ranking"] + 0.02 > final["random-scores"] + 0.1
    assert 0.73 < final["ndcg-boost"] < 0.76
