"""Movies: features that leak nothing, files of MovieLens, and the download."""

import dataclasses
import hashlib
import io
import zipfile

import numpy as np
import pytest

import datasets.movies.movielens
from datasets import SOURCES, create, find_files, load
from datasets.downloads.base import folder
from datasets.movies.ratings import Ratings
from datasets.movies.recommendation import recommendation
from datasets.movies.text import read
from datasets.ranking import RankingData
from learners import Simulation
from tests.cases import cases

SMALL = {"users": 60, "movies": 90, "ratings": 30, "features": 6}


@pytest.fixture(scope="module")
def small():
    return load("movies", **SMALL)


def tiny(n=9, tasks=3, slots=1, seed=0):
    """Few movies with one slot or more, which are used up."""
    rng = np.random.default_rng(seed)
    return RankingData(
        "tiny", {}, rng.normal(size=(n, 3)), np.array([0, n]), rng.integers(1, 6, (tasks, n)).astype(float),
        weights=rng.normal(size=(tasks, 3)), slots=slots, consumable=True,
        task_names=tuple(f"user {k}" for k in range(tasks)), document_names=tuple(f"film {j}" for j in range(n)),
    )  # fmt: skip


# ---- from ratings to wishes ------------------------------------------------------------------------------


def test_shapes_and_names(small):
    assert small.tasks == 30 and small.dimension == 6 and small.queries == 1 and small.slots == 1 and small.consumable
    assert small.features.dtype == np.float32 and small.longest == len(small.document_names) <= 90
    assert small.document_names[0].startswith("Movie 1 (") and " · " in small.document_names[0]
    assert set(np.unique(small.grades)) <= {1, 2, 3, 4, 5} and len(set(small.task_names)) == 30
    norms = np.sqrt((small.features.astype(float) ** 2).sum(axis=1))
    assert abs(norms.max() - 1) < 1e-6 and abs(small.radius - norms.max()) < 1e-9
    size = create("movies", **SMALL).size()
    assert (size.queries, size.documents, size.features) == (1, 90, 6)


def test_the_same_parameters_make_the_same_data(small):
    again, other = load("movies", **SMALL), load("movies", **SMALL, data_seed=1)
    np.testing.assert_array_equal(again.features, small.features)
    np.testing.assert_array_equal(again.grades, small.grades)
    assert other.features.shape != small.features.shape or (other.features != small.features).any()


def test_synthetic_ratings_look_like_movielens():
    """At the shape of MovieLens 100K: about 100,000 ratings (±10 %), at least 20 per user, no pair twice, mostly 4."""
    ratings = create("movies").rated()
    assert 90_000 < len(ratings.user) < 110_000
    assert np.bincount(ratings.user).min() >= 20
    assert len(np.unique(ratings.user * 1682 + ratings.movie)) == len(ratings.user)
    assert np.bincount(ratings.stars, minlength=6).argmax() == 4 and 3.3 < ratings.stars.mean() < 4
    counts = np.sort(np.bincount(ratings.movie, minlength=1682))
    assert counts[-168:].sum() > 0.3 * counts.sum()  # a tenth of the movies has a third of the ratings


def halves(ratings, data_seed=0):
    """Which users give the features: by the notes of the data, none of them is a task."""
    data = recommendation("test", {}, ratings, 4, 1.0, data_seed)
    tasks = [ratings.user_names.index(name) for name in data.task_names]
    return data, np.isin(np.arange(len(ratings.user_names)), tasks)


def test_nothing_leaks_from_the_users_who_are_simulated():
    """All ratings of the second half changed: the same features bit for bit, other wishes. One rating of the first half
    changed: other features."""
    ratings = create("movies", **SMALL).rated()
    data, second = halves(ratings)
    assert second.sum() == 30
    of_second = second[ratings.user]
    stars = np.where(of_second, 6 - ratings.stars, ratings.stars)
    other, same_half = halves(dataclasses.replace(ratings, stars=stars))
    np.testing.assert_array_equal(second, same_half)
    np.testing.assert_array_equal(other.features, data.features)
    assert (other.weights != data.weights).any() and other.document_names == data.document_names
    # ratings of the second half taken away
    kept = ~of_second | (np.arange(len(of_second)) % 2 == 0)
    fewer = Ratings(ratings.user[kept], ratings.movie[kept], ratings.stars[kept], ratings.names, ratings.user_names)
    np.testing.assert_array_equal(halves(fewer)[0].features, data.features)
    first = int(np.flatnonzero(~of_second)[0])
    stars = ratings.stars.copy()
    stars[first] = 6 - stars[first] if stars[first] != 3 else 1
    assert (halves(dataclasses.replace(ratings, stars=stars))[0].features != data.features).any()


@pytest.mark.parametrize("ridge", [0.0, 2.0])
def test_features_and_wishes_against_plain_numpy(ridge):
    """The SVD of the dense matrix; each user's normal equations; ratings where there are some, else imputed ones."""
    ratings = create("movies", **SMALL).rated()
    data = recommendation("test", {}, ratings, 6, ridge, 0)
    second = np.isin(ratings.user_names, data.task_names)
    known = [ratings.names.index(name) for name in data.document_names]
    stars = np.zeros((60, 90))
    stars[ratings.user, ratings.movie] = ratings.stars
    means = stars[:, known].sum(axis=1) / (stars[:, known] > 0).sum(axis=1)
    assert known == np.flatnonzero((stars[~second] > 0).any(axis=0)).tolist()
    centred = np.where(stars > 0, stars - means[:, None], 0.0)[:, known]
    _, values, q = np.linalg.svd(centred[~second], full_matrices=False)
    x = q[:6].T * np.sqrt(values[:6])
    x /= np.sqrt((x**2).sum(axis=1)).max()
    np.testing.assert_allclose(np.abs(data.features), np.abs(x), atol=1e-5)  # signs are free
    x = data.features.astype(float)
    for k, user in enumerate(np.flatnonzero(second)):
        seen = stars[user, known] > 0
        penalty = ridge * (x**2).sum(axis=1).mean()
        rows, wish = np.vstack([x[seen], np.sqrt(penalty) * np.eye(6)]), centred[user, seen]
        w = np.linalg.lstsq(rows, np.concatenate([wish, np.zeros(6)]), rcond=None)[0]
        np.testing.assert_allclose(data.weights[k], w, atol=1e-8)
        imputed = np.clip(np.floor(means[user] + x @ w + 0.5), 1, 5)
        np.testing.assert_array_equal(data.grades[k], np.where(seen, stars[user, known], imputed))


def test_more_features_than_users_are_refused():
    with pytest.raises(
        ValueError, match=r"^features must be at most 9 for these ratings, got 50: the first half has 10 users"
    ):
        load("movies", users=20, movies=40)
    assert load("movies", users=20, movies=40, ratings=20, features=9).dimension == 9


def test_data_with_slots_are_checked():
    with pytest.raises(ValueError, match=r"^slots must be at least 1, or None for all positions, got 0$"):
        tiny(slots=0)
    with pytest.raises(
        ValueError, match=r"^consumable documents need slots, and a single query that offers all of them$"
    ):
        tiny(slots=None)
    with pytest.raises(ValueError, match=r"^document_names must be 9 names or none, got 1$"):
        dataclasses.replace(tiny(), document_names=("one",))
    some = tiny().only(slice(1, 3))
    assert some.tasks == 2 and some.task_names == ("user 1", "user 2")
    np.testing.assert_array_equal(some.utility, tiny().utility[1:])


# ---- files of MovieLens ---------------------------------------------------------------------------------

FLAGS = "|".join(["0"] * 3 + ["1"] + ["0"] * 1 + ["1"] + ["0"] * 13)  # Animation, Comedy
ITEMS = f"1|Toy Story (1995)|01-Jan-1995||http://x|{FLAGS}\n2|Café Müller (1990)|||x|{'|'.join('0' * 19)}\n"
DATA = "7\t1\t5\t881250949\n9\t2\t3\t881250950\n9\t1\t4\t881250951\n"
FILMS = "1::Toy Story (1995)::Animation|Children's|Comedy\n3952::Misérables, Les (1995)::Drama\n"
STARS = "1::1::5::978300760\n2::3952::3::978302109\n2::1::4::978301968\n"


def write(folder, name, text, encoding="latin-1"):
    (folder / name).write_bytes(text.encode(encoding))


def ml100k(folder, encoding="latin-1"):
    write(folder, "u.data", DATA, encoding)
    write(folder, "u.item", ITEMS, encoding)
    return folder


def ml1m(folder):
    write(folder, "ratings.dat", STARS)
    write(folder, "movies.dat", FILMS)
    return folder


def packed(path, **files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(f"ml/{name.replace('_', '.')}", text.encode("latin-1"))
    return path


@cases("encoding", ["latin-1", "utf-8", "utf-8-sig"])
@cases("ending", ["\n", "\r\n"])
def test_movielens_100k(tmp_path, encoding, ending):
    write(tmp_path, "u.data", DATA.replace("\n", ending), encoding)
    write(tmp_path, "u.item", ITEMS.replace("\n", ending), encoding)
    for path in (tmp_path, tmp_path / "u.data"):
        found = read(path)
        assert (
            found.user.tolist() == [0, 1, 1] and found.movie.tolist() == [0, 1, 0] and found.stars.tolist() == [5, 3, 4]
        )
        assert found.names == ("Toy Story (1995) · Animation, Comedy", "Café Müller (1990)")
        assert found.user_names == ("user 7", "user 9")


def test_movielens_1m(tmp_path):
    ml1m(tmp_path)
    archive = packed(tmp_path / "ml-1m.zip", ratings_dat=STARS, movies_dat=FILMS)
    for path in (tmp_path, tmp_path / "ratings.dat", archive):
        found = read(path)
        assert (
            found.user.tolist() == [0, 1, 1] and found.movie.tolist() == [0, 1, 0] and found.stars.tolist() == [5, 3, 4]
        )
        assert found.names == ("Toy Story (1995) · Animation, Children's, Comedy", "Misérables, Les (1995) · Drama")


RATING_100K = (
    "a rating must be written user, movie, rating and time between tabs, the rating a whole number from 1 to 5"
)
RATING_1M = "a rating must be written user::movie::rating::time, the rating a whole number from 1 to 5"


@cases(
    "layout, file, text, sentence",
    [
        (ml100k, "u.data", "7\t1\t5\t1\n7\t2\t6\t1\n", f"u.data, line 2: {RATING_100K}, got '7\\t2\\t6\\t1'"),
        (ml100k, "u.data", "7 1 5 1\n", f"u.data, line 1: {RATING_100K}, got '7 1 5 1'"),
        (ml100k, "u.data", "7\t1\t5\t1\n\n7\t2\t5\t1\n", f"u.data, line 2: {RATING_100K}, got ''"),
        (ml100k, "u.data", "7\t1\t5\t1\n7\t3\t5\t1\n", "u.data, line 2: movie 3 is not in u.item"),
        (ml100k, "u.data", "7\t1\t5\t1\n8\t1\t5\t1\n7\t1\t4\t1\n", "u.data, line 3: user 7 rates movie 1 twice"),
        (ml100k, "u.data", "", "u.data is empty"),
        (ml100k, "u.data", "\n", "u.data has no ratings"),
        (
            ml100k, "u.item", "1|Toy Story\n",
            "u.item, line 1: a movie must be written number|title|…|19 genres, got '1|Toy Story'",
        ),
        (ml100k, "u.item", ITEMS + ITEMS, "u.item, line 3: movie 1 is there twice"),
        (ml100k, "u.item", "\n", "u.data, line 1: movie 1 is not in u.item"),
        (ml1m, "ratings.dat", "1::1::4.5::3\n", f"ratings.dat, line 1: {RATING_1M}, got '1::1::4.5::3'"),
        (ml1m, "ratings.dat", "1::1::4\n1::1::4::3::2\n", f"ratings.dat, line 1: {RATING_1M}, got '1::1::4'"),
        (
            ml1m, "movies.dat", "one::Toy Story::Comedy\n",
            "movies.dat, line 1: a movie must be written number::title::genres, got 'one::Toy Story::Comedy'",
        ),
    ],
)  # fmt: skip
def test_bad_files_are_refused_in_a_sentence(tmp_path, layout, file, text, sentence):
    layout(tmp_path)
    write(tmp_path, file, text)
    with pytest.raises(ValueError) as error:
        create("movielens-file", path=str(tmp_path)).size()
    assert str(error.value) == sentence


def test_missing_and_strange_files(tmp_path, monkeypatch):
    def refused(path, sentence):
        with pytest.raises(ValueError) as error:
            create("movielens-file", path=str(path)).build()
        assert str(error.value) == sentence

    refused(tmp_path / "none", "there is no file 'none'")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", "empty has neither u.data nor ratings.dat, so it is not MovieLens 100K or 1M")
    write(tmp_path / "empty", "u.data", DATA)
    refused(tmp_path / "empty", "empty has u.data but not u.item, where the titles are")
    refused(tmp_path / "empty" / "u.data", "empty has u.data but not u.item, where the titles are")
    write(tmp_path, "ratings.csv", "1,2,3")
    refused(
        tmp_path / "ratings.csv", "ratings.csv is neither a folder nor a zip file nor one of u.data and ratings.dat"
    )
    write(tmp_path, "ml.zip", "no zip")
    refused(tmp_path / "ml.zip", "ml.zip is not a zip file, although its name ends in .zip")
    whole = packed(tmp_path / "ml-1m.zip", ratings_dat=STARS * 50, movies_dat=FILMS).read_bytes()
    damaged = bytearray(whole)
    damaged[60:90] = b"x" * 30
    (tmp_path / "bad.zip").write_bytes(damaged)
    with pytest.raises(ValueError, match=r"^bad\.zip is a damaged zip file: it is cut off or was changed$"):
        read(tmp_path / "bad.zip")
    refused("x" * 5000, f"{'x' * 80} cannot be read: File name too long")
    monkeypatch.setattr("datasets.movies.text.MAX_TITLES", 20)
    refused(ml100k(tmp_path), "u.item has 0 MB; at most 0 MB are allowed")
    monkeypatch.undo()
    monkeypatch.setattr("datasets.movies.text.MAX_RATINGS", 1)
    refused(ml100k(tmp_path), "u.data has more than the 1 ratings that are allowed")
    monkeypatch.undo()
    monkeypatch.setattr("datasets.movies.text.MAX_CELLS", 3)
    refused(ml100k(tmp_path), "u.data has 2 users and 2 movies; at most 0 million of users × movies are allowed")


def real(folder, users=40, movies=50):
    """Files in the format of 1M with made-up ratings."""
    ratings = create("movies", users=users, movies=movies, ratings=25).rated()
    lines = [f"{u + 1}::{m + 1}::{s}::1" for u, m, s in zip(ratings.user, ratings.movie, ratings.stars, strict=True)]
    write(folder, "ratings.dat", "\n".join(lines) + "\n")
    write(folder, "movies.dat", "".join(f"{j + 1}::Film {j + 1} (1999)::Drama|War\n" for j in range(movies)))
    return ratings


def test_a_file_gives_what_its_ratings_give(tmp_path, monkeypatch):
    ratings = real(tmp_path)
    spec = create("movielens-file", path=str(tmp_path), features=5)
    data = spec.build()
    expected = recommendation("x", {}, ratings, 5, 3.0, 0)
    np.testing.assert_array_equal(data.features, expected.features)
    np.testing.assert_array_equal(data.grades, expected.grades)
    assert data.document_names[0].endswith(" (1999) · Drama, War") and data.id == "movielens-file"
    size = spec.size()
    assert (size.queries, size.documents, size.features) == (1, 50, 5)
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path.parent))
    again = load("movielens-file", path=tmp_path.name, features=5)
    np.testing.assert_array_equal(again.features, data.features)
    sim = Simulation("preference-perceptron", again, "item-better", replicates=3)
    sim.advance(5)


def test_files_of_movies_are_found(tmp_path):
    ml1m(tmp_path)
    (tmp_path / "a").mkdir()
    ml100k(tmp_path / "a")
    packed(tmp_path / "ml-1m.zip", ratings_dat=STARS)
    packed(tmp_path / "other.zip", ratings_dat=STARS)
    found = [str(p.relative_to(tmp_path)) for p in find_files(tmp_path, "movies")]
    assert found == ["a/u.data", "ml-1m.zip", "ratings.dat"]


# ---- the download -----------------------------------------------------------------------------------------


def served(monkeypatch, content, right=True):
    """grouplens.org in place, with this content and its checksum or another."""
    asked = []

    def urlopen(request):
        asked.append(request.full_url)
        return io.BytesIO(content)

    monkeypatch.setattr(datasets.movies.movielens, "urlopen", urlopen)
    monkeypatch.setitem(datasets.movies.movielens.MD5, "ml-1m", hashlib.md5(content if right else b"").hexdigest())
    return asked


def test_what_is_downloaded_is_checked_and_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_DOWNLOADS", str(tmp_path / "kept"))
    real(tmp_path)
    texts = {name.replace(".", "_"): (tmp_path / name).read_text("latin-1") for name in ("ratings.dat", "movies.dat")}
    content = packed(tmp_path / "ml-1m.zip", **texts).read_bytes()
    spec = create("movielens", edition="ml-1m", features=5)
    with pytest.raises(
        ValueError, match=r"^movielens ml-1m is not downloaded yet; press Download in the catalogue, or "
    ):
        spec.size()
    asked = served(monkeypatch, content)
    arrays = spec.fetch(tmp_path)
    assert (
        asked == ["https://files.grouplens.org/datasets/movielens/ml-1m.zip"] and not (tmp_path / "ml-1m.zip").exists()
    )
    folder().mkdir()
    np.savez(spec.file, **arrays)
    data, expected = spec.build(), load("movielens-file", path=str(tmp_path), features=5)
    np.testing.assert_array_equal(data.features, expected.features)
    assert data.document_names == expected.document_names and data.task_names == expected.task_names
    assert spec.size() == create("movielens-file", path=str(tmp_path), features=5).size()


def test_another_checksum_is_refused(tmp_path, monkeypatch):
    from datasets.downloads.process import sentence

    served(monkeypatch, b"something else", right=False)
    spec = create("movielens", edition="ml-1m")
    with pytest.raises(ValueError, match="checksum") as error:
        spec.fetch(tmp_path)
    assert (
        sentence(spec, error.value)
        == "the copy of movielens ml-1m from grouplens.org was damaged in transit; try again"
    )
    monkeypatch.setattr(datasets.movies.movielens, "_LARGEST", 5)
    with pytest.raises(ValueError, match=r"^movielens ml-1m is larger than it should be, so it was not kept$"):
        spec.fetch(tmp_path)


def test_the_licence_is_told():
    for edition in ("ml-100k", "ml-1m"):
        source = SOURCES[create("movielens", edition=edition).label]
        assert "GroupLens" in source.licence and "grouplens.org" in source.origin
