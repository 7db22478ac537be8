"""One fold of ranking data: what is learned on, what is measured on, and what is refused in which words."""

import zipfile

import numpy as np
import pytest

from datasets import check_dataset, create, load
from datasets.letor.folds import read as read_folds
from datasets.letor.split import LetorSplit, read
from learners import Simulation, create_user
from learners.ranking.measured.held_out import HeldOut
from tests.cases import cases
from tests.datasets.test_letor_folds import PARTS, SAMPLE, files, needs_sample, put, text, turned

pytestmark = pytest.mark.usefixtures("cache_folder")


def queries_of(parts):
    return tuple(str(q) for s in parts for q in PARTS[s])


@cases("packed", [False, True])
@cases("layout", ["folds", "parts"])
@cases("fold", [1, 4])
def test_a_fold_has_its_training_and_test_queries(tmp_path, layout, fold, packed):
    """The queries of the fold as LETOR turns the parts, without those for validation; the features tell the query."""
    put(tmp_path, files(layout))
    path = tmp_path
    if packed:
        path = tmp_path / "all.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files(layout).items():
                archive.writestr(name, content)
    data = load("letor-split", path=str(path), fold=fold)
    train, _, test = turned(fold)
    for part, expected in ((data, queries_of(train)), (data.test, queries_of(test))):
        assert part.query_names == expected
        for q, name in enumerate(expected):
            x = part.features[part.documents(q), 0]
            np.testing.assert_array_equal(np.sort(x), [(int(name) + 1) * 10, (int(name) + 1) * 10 + 1])
            np.testing.assert_array_equal(part.grades[0, part.documents(q)], x - x.min())
    np.testing.assert_array_equal(data.weights, data.test.weights)
    assert data.test.test is None and data.folds == ()


def test_it_agrees_with_the_data_set_of_all_folds(tmp_path):
    """The same documents in each query as `letor-folds` has them; only their order within a query may differ."""
    put(tmp_path, files("folds"))
    whole = read_folds(tmp_path, cached=False)
    for fold in range(1, 6):
        data = read(tmp_path, fold, cached=False)
        for part, role in ((data, 0), (data.test, 2)):
            held = whole.folds[fold - 1][role]
            assert {whole.query_name(int(q)) for q in held} == set(part.query_names)
            for q in held:
                mine = part.documents(part.query_names.index(whole.query_name(int(q))))
                rows = whole.documents(int(q))
                assert sorted(map(tuple, part.features[mine])) == sorted(map(tuple, whole.features[rows]))


def test_a_single_fold_by_its_folder_and_by_its_files(tmp_path):
    put(tmp_path, files("folds"))
    found = [load("letor-split", path=str(tmp_path / name)) for name in ("Fold2", "Fold2/train.txt")]
    assert found[0].query_names == queries_of(turned(2)[0])
    assert found[1].query_names == queries_of(turned(1)[0])  # a file of a fold stands for all folds, as elsewhere


def test_files_of_different_width_are_aligned(tmp_path):
    put(tmp_path, {"train.txt": text(1, 2, d=2), "test.txt": text(1, 3, d=4)})
    data = load("letor-split", path=str(tmp_path))
    assert data.features.shape == (4, 4) and data.test.features.shape == (4, 4)
    assert (data.features[:, 2:] == 0).all() and (data.test.features[:, 2:] > 0).all()
    assert data.query_names == ("1", "2") and data.test.query_names == ("1", "3")  # each file numbers its own


def test_what_is_wrong_is_said_in_a_sentence(tmp_path):
    put(tmp_path, files("single"))
    with pytest.raises(ValueError, match=r"^\w+ holds one fold, so fold must be at most 1, got 2$"):
        load("letor-split", path=str(tmp_path), fold=2)
    (tmp_path / "test.txt").unlink()
    with pytest.raises(ValueError, match="has no split into training and test queries"):
        load("letor-split", path=str(tmp_path))
    both = files("folds") | {"Fold1/test.txt": text(*PARTS[1])}
    put(tmp_path / "both", both)
    with pytest.raises(ValueError, match="query 10 is both a training query and a test query of that fold"):
        load("letor-split", path=str(tmp_path / "both"))
    with pytest.raises(ValueError, match="path must name a folder or file with folds, got an empty text"):
        create("letor-split").size()


def test_the_second_time_it_comes_from_the_cache(tmp_path, monkeypatch):
    put(tmp_path, files("folds"))
    first = read(tmp_path, 3)
    monkeypatch.setattr("datasets.letor.merge.parse", lambda *given: pytest.fail("it parses again"))
    again = read(tmp_path, 3)
    for one, other in ((first, again), (first.test, again.test)):
        np.testing.assert_array_equal(one.features, other.features)
        np.testing.assert_array_equal(one.weights, other.weights)
        assert one.query_names == other.query_names
    with pytest.raises(pytest.fail.Exception):
        read(tmp_path, 2)


@cases("id", ["letor-file", "letor-folds", "letor-split"])
def test_the_scale_is_declared_and_holds(tmp_path, id):
    """Not guessed from the grades 0 and 1 of the file; grades beyond the scale are refused."""
    put(tmp_path, {"train.txt": text(1, 2), "test.txt": text(3, documents=4)})
    path = str(tmp_path / "train.txt")
    assert load(id, path=path).top_grade is None
    data = load(id, path=path, scale="0 to 4")
    assert data.top_grade == 4 and data.params["scale"] == "0 to 4"
    user = create_user("dependent-click")
    Simulation("preference-perceptron", data, user).advance(steps=2)
    with pytest.raises(ValueError, match=f"{id} declares no such scale"):
        Simulation("preference-perceptron", load(id, path=path), user)
    if id != "letor-file":
        with pytest.raises(ValueError, match="declared to be whole numbers from 0 to 1, got"):
            load(id, path=path, scale="0 to 1")


@needs_sample
def test_the_sample_of_lightgbm():
    """200 queries to learn on and 50 to measure on, with grades 0 to 4. After 1,000 searches with dependent clicks, the
    more clicks tell, the better is the ranking by w on queries that nobody saw; 10 replicates of 3PR gave .726 ± .005
    (perfect), .709 ± .012 (navigational), .684 ± .007 (informational) and .630 ± .021 (almost random). No knowledge
    reaches .583, and the least-squares fit of the grades of all training queries .712."""
    data = load("letor-split", path=str(SAMPLE / "rank.train.gz"), scale="0 to 4")
    assert data.queries == 200 and data.test.queries == 50 and data.features.shape == (3004, 300)
    alone = load("letor-file", path=str(SAMPLE / "rank.test.gz"))
    np.testing.assert_array_equal(data.test.grades, alone.grades)
    bytes_of_both = data.features.nbytes + data.test.features.nbytes
    assert LetorSplit(path=str(SAMPLE / "rank.train.gz")).size().bytes > bytes_of_both
    look = HeldOut(data, np.array([0])).look
    assert look(np.zeros((1, 300)))[0] == pytest.approx(0.5831, abs=1e-4)
    assert look(data.weights)[0] == pytest.approx(0.7117, abs=1e-3)
    reached = []
    for behaviour in ("perfect", "navigational", "informational", "almost random"):
        user = create_user("dependent-click", behaviour=behaviour)
        sim = Simulation("perturbed-perceptron", data, user, replicates=10, seed=0)
        sim.advance(steps=1000)
        reached.append(sim.history["held-out-ndcg@10"][-1].mean())
    np.testing.assert_allclose(reached, [0.726, 0.709, 0.684, 0.630], atol=0.001)


@needs_sample
def test_it_keeps_the_promises_of_a_data_set():
    check_dataset(LetorSplit, path=str(SAMPLE / "rank.train.gz"))
