"""Rated movies for ranking refinement: Personality Diagnosis by hand, and data in which nothing leaks."""

import numpy as np
import pytest

from datasets import create, load
from datasets.movies.personality_diagnosis import predict
from datasets.movies.rated_movies import rated
from datasets.movies.ratings import Ratings
from learners import Simulation, create_user

SMALL = {"users": 60, "movies": 90, "ratings": 40}
PLAIN = SMALL | {"keywords": 0}
NONE = float("nan")


@pytest.fixture(scope="module")
def small():
    return load("rated-movies", **PLAIN)


@pytest.fixture(scope="module")
def ratings():
    return create("movies", **SMALL).rated()


def prepared(ratings, **params):
    given = {"training": 20, "known": 10, "sigma": 2.5, "data_seed": 0} | params
    return rated("test", {}, ratings, **given)


# ---- the collaborative filter --------------------------------------------------------------------------------


def test_personality_diagnosis_by_hand():
    """σ = 1/√2, so that P(x | y) ∝ e^−(x − y)². The person said 4 and 2 of movies 0 and 1.

    User 0 has 4, 3: e^0 / Z(4) · e^−1 / Z(3); user 1 has 5 and none: e^−1 / Z(5) · 1/5. With q = 1/e:
    Z(5) = 1 + q + q⁴ + q⁹ + q¹⁶ = 1.386319, Z(4) = 1 + 2q + q⁴ + q⁹ = 1.754198, Z(3) = 1 + 2q + 2q⁴ = 1.772390.
    P_0 ∝ .367879 / (1.754198 · 1.772390) = .118323, P_1 ∝ .367879 / (1.386319 · 5) = .053073: .690343 and .309657.
    Movie 2: user 0 has 1, user 1 has 5. Movie 3: user 0 has 2, user 1 none, which the mean 20 / 6 replaces.
    """
    training = np.array([[4, 3, 1, 2], [5, NONE, 5, NONE]], dtype=float)
    found = predict(training, np.array([4, 2, NONE, NONE]), sigma=np.sqrt(0.5))
    p = 0.690343
    np.testing.assert_allclose(found[2:], [p + 5 * (1 - p), 2 * p + 20 / 6 * (1 - p)], rtol=1e-5)


def test_personality_diagnosis_at_its_ends():
    """A movie that nobody rated gets the mean; a small σ picks the most similar user, however unlikely."""
    training = np.array([[5, 5, NONE, 1], [1, 1, NONE, 5]], dtype=float)
    assert predict(training, np.full(4, NONE))[2] == pytest.approx(3)
    np.testing.assert_allclose(predict(training, np.full(4, NONE)), [3, 3, 3, 3])  # nothing known: both as likely
    for said in ([4, NONE, NONE, NONE], [5, 1, NONE, 1]):
        with np.errstate(all="raise", under="ignore"):
            found = predict(training, np.array(said, dtype=float), sigma=0.01)
        np.testing.assert_allclose(found, [5, 5, 3, 1])
    flat = predict(training, np.array([5, 5, NONE, NONE]), sigma=1e6)
    np.testing.assert_allclose(flat, [3, 3, 3, 3], atol=1e-6)
    with pytest.raises(ValueError, match="no training user rated a movie"):
        predict(np.full((2, 3), NONE), np.full(3, NONE))


# ---- the data ------------------------------------------------------------------------------------------------


def test_shapes(small, ratings):
    assert small.queries == 40 and small.tasks == 1 and small.dimension == 19
    assert set(np.unique(small.grades)) <= {0, 1, 2, 3, 4} and np.isfinite(small.base).all()
    assert small.base.min() >= 1 and small.base.max() <= 5
    assert set(np.unique(small.features[:, :18])) == {0, 1} and (small.features[:, 18] >= 0).all()
    assert len(small.document_names) == small.lengths.sum() and len(set(small.query_names)) == 40
    counts = np.bincount(ratings.user)
    for q, name in enumerate(small.query_names):
        assert small.lengths[q] == counts[int(name.split()[1]) - 1] - 10  # but for those told to the filter


def test_documents_are_the_movies_rated_and_grades_the_stars(small, ratings):
    stars = {(u, ratings.names[m]): s for u, m, s in zip(ratings.user, ratings.movie, ratings.stars, strict=True)}
    for q, name in enumerate(small.query_names):
        user = int(name.split()[1]) - 1
        names = [small.document_names[row] for row in small.documents(q)]
        assert len(set(names)) == len(names)
        assert [stars[user, movie] - 1 for movie in names] == small.grades[0][small.documents(q)].tolist()


def test_genres_and_years(small):
    genres = small.notes[-1].removeprefix("features are ").split(", ")
    years = [int(name.split("(")[1][:4]) for name in small.document_names]
    for row in range(0, len(years), 97):
        own = small.document_names[row].split(" · ")[1].split(", ")
        assert [g for g, flag in zip(genres, small.features[row], strict=True) if flag == 1 and g != "year"] == sorted(
            own
        )
    np.testing.assert_allclose(np.diff(small.features[:, 18]), np.diff(years) / 10, atol=1e-5)


def test_the_base_ranker_does_not_see_what_is_ranked(small, ratings):
    """Reversing the stars of all documents, but not the known ratings or the training users', changes nothing."""
    again = prepared(ratings)
    np.testing.assert_array_equal(again.base, small.base)
    ranked = {(int(n.split()[1]) - 1, small.document_names[row])
              for q, n in enumerate(small.query_names) for row in small.documents(q)}  # fmt: skip
    turned = np.array([
        6 - s if (u, ratings.names[m]) in ranked else s
        for u, m, s in zip(ratings.user, ratings.movie, ratings.stars, strict=True)
    ])  # fmt: skip
    other = prepared(Ratings(ratings.user, ratings.movie, turned, ratings.names, ratings.user_names))
    np.testing.assert_array_equal(other.base, small.base)
    np.testing.assert_array_equal(other.features, small.features)
    np.testing.assert_array_equal(other.grades, 4 - small.grades)


def test_the_base_ranker_is_personality_diagnosis(small, ratings):
    """For a user: the training users' ratings, those told (the user's movies that are no documents), and `predict`."""
    users = {int(n.split()[1]) - 1 for n in small.query_names}
    table = np.full((60, 90), NONE)
    table[ratings.user, ratings.movie] = ratings.stars
    training = table[[u for u in range(60) if u not in users]]
    assert len(training) == 20
    place = {name: j for j, name in enumerate(ratings.names)}
    for q in (0, 7):
        movies = [place[small.document_names[row]] for row in small.documents(q)]
        told = table[int(small.query_names[q].split()[1]) - 1].copy()
        told[movies] = NONE
        assert (~np.isnan(told)).sum() == 10
        np.testing.assert_allclose(predict(training, told, 2.5)[movies], small.base[small.documents(q)])


def test_the_same_parameters_make_the_same_data(small):
    again, other = load("rated-movies", **PLAIN), load("rated-movies", **PLAIN, data_seed=1)
    np.testing.assert_array_equal(again.base, small.base)
    assert other.query_names != small.query_names
    fewer = load("rated-movies", **PLAIN, training=5, known=3)
    assert fewer.queries == 55 and "5 training users and 3 ratings" in fewer.notes[0]
    size = create("rated-movies", **SMALL).size()
    assert (size.queries, size.features) == (40, 51) and size.documents >= small.longest


def test_keywords_say_what_a_movie_is_like(small):
    """Each is there for a fifth of the movies, and people like some better and some less, by more than chance."""
    data = load("rated-movies", **SMALL)
    assert data.dimension == 51 and data.notes[-1].endswith(", year, 32 keywords")
    np.testing.assert_array_equal(data.features[:, :19], small.features)
    np.testing.assert_array_equal(data.base, small.base)
    _, first = np.unique(data.document_names, return_index=True)
    words = data.features[first][:, 19:]
    assert set(np.unique(words)) == {0, 1} and (abs(words.mean(axis=0) - 0.2) < 0.03).all()

    def differences(shuffled):
        """Mean square of how much better a user likes movies with a keyword than those without."""
        found = []
        for q in range(data.queries):
            rows = data.documents(q)
            g = data.grades[0][rows] - data.grades[0][rows].mean()
            g = np.random.default_rng(q).permutation(g) if shuffled else g
            z = data.features[rows, 19:] - data.features[rows, 19:].mean(axis=0)
            found.append((g @ z) ** 2 / len(rows))
        return np.mean(found)

    assert differences(shuffled=False) > 1.15 * differences(shuffled=True)


def test_users_who_rated_too_little_are_left_out(ratings):
    counts = np.bincount(ratings.user)
    data = prepared(ratings, known=30)
    assert 0 < data.queries < 40 and data.lengths.min() >= 2
    assert f"left out {40 - data.queries} users who rated fewer than 32 movies" in data.notes
    assert data.queries <= (counts >= 32).sum()
    with pytest.raises(ValueError, match="no user rated 102 movies or more, so there is nothing to rank"):
        prepared(ratings, known=100)
    with pytest.raises(ValueError, match="training must be less than the number of users, 60, got 60"):
        prepared(ratings, training=60)


def test_movies_without_genre_or_year():
    rng = np.random.default_rng(0)
    user, movie = np.divmod(np.arange(60), 10)
    names = ("Old (1950)", "New (2000) · Drama", "Plain", *(f"Film {j}" for j in range(7)))
    data = prepared(
        Ratings(user, movie, rng.integers(1, 6, 60), names, tuple("abcdef")), training=2, known=3
    )  # fmt: skip
    assert data.queries == 4 and data.dimension == 2 and data.notes[-1] == "features are Drama, year"
    values = dict(zip(data.document_names, data.features.tolist(), strict=True))
    assert values["New (2000) · Drama"] == [1, 5] and values["Old (1950)"] == [0, 0] and values["Plain"] == [0, 2.5]
    bare = prepared(
        Ratings(user, movie, rng.integers(1, 6, 60), tuple("ABCDEFGHIJ"), tuple("abcdef")), training=2, known=3
    )
    assert not bare.features.any()


def test_files(tmp_path, ratings):
    """MovieLens files of the same ratings give the same queries, grades and base ranker."""
    lines = [f"{u + 1}\t{m + 1}\t{s}\t0" for u, m, s in zip(ratings.user, ratings.movie, ratings.stars, strict=True)]
    (tmp_path / "u.data").write_text("\n".join(lines) + "\n")
    items = [f"{m + 1}|{name.split(' · ')[0]}|01-Jan-1999||http|" + "|".join(["0"] * 7 + ["1"] + ["0"] * 11)
             for m, name in enumerate(ratings.names)]  # fmt: skip
    (tmp_path / "u.item").write_text("\n".join(items) + "\n")
    spec = create("rated-movies-file", path=str(tmp_path / "u.data"))
    data, size = spec.build(), spec.size()
    made = prepared(ratings)
    np.testing.assert_array_equal(data.grades, made.grades)
    np.testing.assert_allclose(data.base, made.base)
    assert data.id == "rated-movies-file" and data.document_names[0].endswith("· Comedy") is (
        "Comedy" in data.document_names[0]
    )
    assert size.queries == data.queries == 40 and size.documents >= data.longest
    for bad in ("", str(tmp_path / "none")):
        with pytest.raises(ValueError):
            create("rated-movies-file", path=bad).build()


# ---- and refinement on them ----------------------------------------------------------------------------------


def test_the_base_ranker_knows_something_and_ratings_more():
    data = load("rated-movies", users=120, movies=200, ratings=50)
    chance = Simulation("judged-first", data, create_user("rater"), replicates=100, seed=0)
    chance.advance(steps=1)
    world = chance.environment
    rng = np.random.default_rng(0)
    random, nothing = ([make(len(g)) for g in world.grades] for make in (rng.random, np.zeros))
    shuffled = world.lists.whole(world.lists.order(random), random)[0]
    assert world.base_name == "Personality Diagnosis"
    assert world.lists.whole(world.lists.base_order, nothing)[0].mean() > shuffled.mean() + 0.02
    refined = Simulation("ranking-refinement", data, create_user("rater"), replicates=100, seed=0)
    refined.advance(steps=20)
    assert refined.history["gain"][-1].mean() > 0.005
