"""Movies: features that leak nothing, files of MovieLens, and one-item recommendation against a slow reference."""

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
from learners import Simulation, create_user
from learners import create as create_learner
from learners.catalogue import learner_classes, user_classes
from learners.ranking.base import Context
from learners.ranking.candidates.shared import SharedRows
from learners.ranking.world.stability import _top
from learners.ranking.world.stock import Stock

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
    """At the shape of MovieLens 100K: about 100,000 ratings (±10 %), at least 20 each, nobody twice, 4 the most frequent."""
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
        ValueError, match=r"^features must be at most 9 for these ratings, got 50: the first half of the "
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


# ---- slots ---------------------------------------------------------------------------------------------


def test_only_slots_count():
    """Two queries of three documents, two slots: discounts 1, .631, 0; the best is the sum over the first two, and R is
    the largest norm with them: 5 + .631 · 4 = 7.524."""
    x = np.array([[3.0], [4.0], [5.0], [1.0], [0.0], [2.0]])
    data = RankingData("two", {}, x, np.array([0, 3, 6]), x.T.copy(), weights=np.array([[1.0]]), slots=2)
    np.testing.assert_allclose(data.gamma, [1, 0.63093, 0], atol=1e-5)
    assert abs(data.radius - (5 + 0.63093 * 4)) < 1e-4
    sim = Simulation("preference-perceptron", data, create_user("strict-alpha"), seed=0)
    sim.advance(1)  # w = 0 shows them in order
    query = int(sim.last.query[0])
    best, now = [(5 + 0.63093 * 4, 3 + 0.63093 * 4), (2 + 0.63093, 1.0)][query]
    assert abs(sim.history["average-regret"][0, 0] - (best - now)) < 1e-4
    gain = (5 + 0.63093 * 4) - (3 + 0.63093 * 4) if query == 0 else 2 + 0.63093 - 1
    np.testing.assert_allclose(sim.learner.w, [[gain]], atol=1e-4)


def test_as_many_slots_as_documents_change_nothing():
    rng = np.random.default_rng(0)
    plain = RankingData(
        "plain", {}, rng.normal(size=(40, 3)), np.arange(0, 41, 4), rng.integers(0, 5, (1, 40)).astype(float)
    )
    slotted = dataclasses.replace(plain, slots=4)
    runs = [Simulation("perturbed-perceptron", data, "depth", replicates=3, seed=1) for data in (plain, slotted)]
    for run in runs:
        run.advance(70)
    for metric in runs[0].history:
        if not metric.startswith("ndcg"):  # which is cut at the slots
            np.testing.assert_array_equal(runs[0].history[metric], runs[1].history[metric])


# ---- one item after the other ----------------------------------------------------------------------------


class Reference:
    """The preference perceptron on movies that are used up, for one replicate, in plain Python."""

    def __init__(self, data, task):
        self.data, self.task = data, task
        self.w = np.zeros(data.dimension)
        self.left = list(range(data.longest))
        self.regret, self.shown = [], []

    def step(self, choose):
        """`choose(y, left)` is the user."""
        u, g, x = self.data.utility[self.task], self.data.grades[self.task], self.data.features.astype(float)
        if len(self.left) < 2:
            self.left = list(range(self.data.longest))
        scores = x @ self.w
        y = max(self.left, key=lambda i: (scores[i], -i))
        self.regret.append(max(u[i] for i in self.left) - u[y])
        best = max(g[i] for i in self.left)
        answer = choose(y, self.left)
        self.w = self.w + x[answer] - x[y]
        self.left = [i for i in self.left if i not in (y, answer)]
        self.shown.append(y)
        return y, answer, (2 ** g[y] - 1) / (2**best - 1), 1 if g[y] == best else 2


def chooser(data, task, alpha):
    def choose(y, left):
        u = data.utility[task]
        gap = max(u[i] for i in left) - u[y]
        enough = [i for i in left if u[i] >= u[y] + alpha * gap - 1e-12]
        return y if gap <= 0 else min(enough, key=lambda i: u[i])

    return choose


@pytest.mark.parametrize("make", [lambda: tiny(n=23, tasks=3), lambda: load("movies", **SMALL)], ids=["tiny", "movies"])
@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_shrinking_candidates_against_the_reference(make, alpha):
    """Five users and 60 steps (on the tiny set each starts anew several times): what is shown and answered, regret, NDCG
    and the rank of the best within the slot."""
    data = make()
    sim = Simulation("preference-perceptron", data, create_user("item-alpha", alpha=alpha), replicates=5, seed=0)
    references = [Reference(data, r % data.tasks) for r in range(5)]
    ndcg, rank = np.empty((60, 5)), np.empty((60, 5))
    for t in range(60):
        sim.advance(1)
        step = sim.last
        for r, ref in enumerate(references):
            before = list(ref.left) if len(ref.left) >= 2 else list(range(data.longest))
            y, answer, ndcg[t, r], rank[t, r] = ref.step(chooser(data, ref.task, alpha))
            assert step.shown.ranking[r, 0] == y and step.feedback_ranking[r, 0] == answer, (t, r)
            assert step.lengths[r] == len(before)
            assert np.flatnonzero(np.isfinite(step.utility[r])).tolist() == before
            assert np.flatnonzero(step.grades[r] >= 0).tolist() == before
            assert sorted(step.shown.ranking[r, : len(before)]) == before
    regret = np.array([ref.regret for ref in references]).T
    steps = np.arange(1, 61)[:, None]
    np.testing.assert_allclose(sim.history["average-regret"], np.cumsum(regret, axis=0) / steps, atol=1e-6)
    np.testing.assert_allclose(sim.history["cumulative-regret"], np.cumsum(regret, axis=0), atol=1e-5)
    np.testing.assert_allclose(sim.history["ndcg@5"], ndcg, atol=1e-9)
    np.testing.assert_array_equal(sim.history["rank-of-best"], rank)
    np.testing.assert_allclose(sim.learner.w, [ref.w for ref in references], atol=1e-5)
    assert (sim.history["bound"] >= sim.history["average-regret"]).all()  # Theorem 1, as items are ranked by one slot


@pytest.mark.parametrize("user", ["item-alpha", "item-better", "item-best", "expected-alpha"])
def test_no_movie_is_shown_twice(small, user):
    """Until they are used up: n movies last for n / 2 steps at least. And none that was answered is shown later."""
    sim = Simulation("preference-perceptron", small, user, replicates=4, seed=2)
    gone = [set() for _ in range(4)]
    for _ in range(small.longest // 2 - 1):
        sim.advance(1)
        for r in range(4):
            y, answer = int(sim.last.shown.ranking[r, 0]), int(sim.last.feedback_ranking[r, 0])
            assert y not in gone[r] and answer not in gone[r]
            gone[r] |= {y, answer}
            assert int(sim.last.lengths[r]) >= 2
    assert all(len(g) >= small.longest // 2 - 1 for g in gone)


def test_users_start_anew_each_for_himself():
    """Seven movies. Taken away two by two, one is left after three steps: then all are offered again; the second replicate,
    which takes one at a time, has three left by then."""
    stock = Stock(tiny(n=7, tasks=2), np.array([0, 1]))
    for a in range(3):
        before = stock.offered
        stock.take(np.array([[2 * a, 2 * a + 1], [a, a]]))
        assert before is not stock.offered
    assert stock.count.tolist() == [7, 4] and stock.offered[1].tolist() == [False] * 3 + [True] * 4
    np.testing.assert_array_equal(stock.utility[0], tiny(n=7, tasks=2).utility[0])
    assert np.isinf(stock.utility[1]).tolist() == [True] * 3 + [False] * 4
    assert sorted(stock.order[1, :4]) == [3, 4, 5, 6] and sorted(stock.order[1]) == list(range(7))


def test_the_stock_against_brute_force():
    """Random takes from a stock of 31 for two slots: the order puts what is offered first; the best utilities and grades."""
    rng, data = np.random.default_rng(0), tiny(n=31, tasks=4, slots=2)
    stock, left = Stock(data, np.arange(4)), [set(range(31)) for _ in range(4)]
    for _ in range(60):
        taken = rng.integers(0, 31, (4, 3))
        stock.take(taken)
        for r in range(4):
            left[r] -= set(taken[r].tolist())
            left[r] = left[r] if len(left[r]) >= 2 else set(range(31))
            assert set(np.flatnonzero(stock.offered[r])) == left[r] == set(stock.order[r, : stock.count[r]].tolist())
            best = sorted((data.utility[r, i] for i in left[r]), reverse=True)[:2]
            np.testing.assert_array_equal(stock.best(2, 2)[0][r], best)
            assert stock.best(1, 1)[0][r, 0] == best[0]
            assert stock.best(1, 1)[1][r, 0] == max(data.grades[r, i] for i in left[r])


@pytest.mark.parametrize("slots", [1, 2, 5, 30])
@pytest.mark.parametrize("id", sorted(id for id, cls in learner_classes().items() if cls.family == "ranking"))
def test_every_learner_recommends(id, slots):
    """Every ranking learner on movies that are used up, also through the few that are left at the end; the same seed gives
    the same numbers, however the run is sliced; no metric of regret is below 0."""
    data = tiny(n=12, tasks=3, slots=slots)
    user = "item-alpha" if slots == 1 else "strict-alpha"
    first, second = (Simulation(create_learner(id), data, user, replicates=3, seed=1) for _ in range(2))
    first.advance(40)
    for _ in range(8):
        second.advance(5)
    for metric in first.history:
        np.testing.assert_array_equal(first.history[metric], second.history[metric])
    assert np.diff(first.history["cumulative-regret"], axis=0, prepend=0).min() > -1e-9


@pytest.mark.parametrize("id", sorted(id for id, cls in user_classes().items() if cls.family == "ranking"))
def test_every_user_answers(id):
    for slots in (1, 3):
        sim = Simulation("preference-perceptron", tiny(n=12, slots=slots), id, replicates=3, seed=1)
        sim.advance(30)
        assert np.isfinite(sim.history["average-regret"]).all()


def test_learning_beats_chance(small):
    """With exact feedback the average regret of the perceptron falls below half of that of random movies."""
    runs = {}
    for id in ("preference-perceptron", "random-ranking"):
        sim = Simulation(id, small, create_user("item-alpha", alpha=1.0), replicates=30, seed=0)
        sim.advance(30)
        runs[id] = sim.history["average-regret"][-1].mean()
    assert runs["preference-perceptron"] < 0.6 * runs["random-ranking"]


# ---- the arithmetic of shared candidates -----------------------------------------------------------------


def test_shared_rows_are_the_same_arithmetic():
    rng = np.random.default_rng(0)
    x, w, c = rng.normal(size=(8, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 8))
    gamma = np.where(np.arange(8) < 2, [1.0, 0.63] + [0.5] * 6, 0.0)
    shared, plain = (Context(f, gamma, slots=2) for f in (SharedRows(x, 4), np.tile(x, (4, 1, 1))))
    np.testing.assert_allclose(shared.scores(w), plain.scores(w))
    np.testing.assert_allclose(shared.combine(c), plain.combine(c))
    a, b = (rng.permuted(np.tile(np.arange(8), (4, 1)), axis=1) for _ in range(2))
    np.testing.assert_allclose(shared.feature_difference(a, b), plain.feature_difference(a, b), atol=1e-12)
    np.testing.assert_array_equal(np.asarray(shared.features), plain.features)
    np.testing.assert_allclose(np.einsum("rnd,rd->rn", shared.features, w), plain.scores(w))


def test_ranking_of_what_is_offered():
    """With one slot only the first is sorted; ties by number, and what is not offered behind."""
    offered = np.array([[True, False, True, True, False]])
    order = np.argsort(~offered, axis=1, kind="stable")
    scores = np.array([[1.0, 9.0, 2.0, 2.0, 9.0]])
    lengths = np.array([3])
    one = Context(np.zeros((1, 5, 1)), np.eye(5)[0], lengths, 1, offered, order).rank(scores)[0]
    assert one[0] == 2 and set(one[:3]) == {0, 2, 3} and set(one[3:]) == {1, 4}
    two = Context(np.zeros((1, 5, 1)), np.ones(5), lengths, 2, offered, order).rank(scores)[0]
    assert two.tolist() == [2, 3, 0, 1, 4]


def test_long_lists_have_the_same_top_ten():
    rng = np.random.default_rng(0)
    for scores in (rng.normal(size=(4, 2, 60)), rng.integers(0, 4, (4, 2, 60)).astype(float)):
        k = np.array([[10], [7]])
        order = np.argsort(-scores, axis=-1, kind="stable")
        expected = np.zeros(scores.shape, dtype=bool)
        np.put_along_axis(expected, order, np.broadcast_to(np.arange(60) < k, scores.shape), axis=-1)
        np.testing.assert_array_equal(_top(scores, k), expected)


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


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8", "utf-8-sig"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
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


@pytest.mark.parametrize(
    "layout, file, text, sentence",
    [
        (ml100k, "u.data", "7\t1\t5\t1\n7\t2\t6\t1\n", "u.data, line 2: a rating must be written user, movie, rating and time between tabs, the rating a whole number from 1 to 5, got '7\\t2\\t6\\t1'"),
        (ml100k, "u.data", "7 1 5 1\n", "u.data, line 1: a rating must be written user, movie, rating and time between tabs, the rating a whole number from 1 to 5, got '7 1 5 1'"),
        (ml100k, "u.data", "7\t1\t5\t1\n\n7\t2\t5\t1\n", "u.data, line 2: a rating must be written user, movie, rating and time between tabs, the rating a whole number from 1 to 5, got ''"),
        (ml100k, "u.data", "7\t1\t5\t1\n7\t3\t5\t1\n", "u.data, line 2: movie 3 is not in u.item"),
        (ml100k, "u.data", "7\t1\t5\t1\n8\t1\t5\t1\n7\t1\t4\t1\n", "u.data, line 3: user 7 rates movie 1 twice"),
        (ml100k, "u.data", "", "u.data is empty"),
        (ml100k, "u.data", "\n", "u.data has no ratings"),
        (ml100k, "u.item", "1|Toy Story\n", "u.item, line 1: a movie must be written number|title|…|19 genres, got '1|Toy Story'"),
        (ml100k, "u.item", ITEMS + ITEMS, "u.item, line 3: movie 1 is there twice"),
        (ml100k, "u.item", "\n", "u.data, line 1: movie 1 is not in u.item"),
        (ml1m, "ratings.dat", "1::1::4.5::3\n", "ratings.dat, line 1: a rating must be written user::movie::rating::time, the rating a whole number from 1 to 5, got '1::1::4.5::3'"),
        (ml1m, "ratings.dat", "1::1::4\n1::1::4::3::2\n", "ratings.dat, line 1: a rating must be written user::movie::rating::time, the rating a whole number from 1 to 5, got '1::1::4'"),
        (ml1m, "movies.dat", "one::Toy Story::Comedy\n", "movies.dat, line 1: a movie must be written number::title::genres, got 'one::Toy Story::Comedy'"),
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
    monkeypatch.setattr("datasets.movies.text.MAX_BYTES", 20)
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
        ValueError, match=r"^movielens ml-1m is not downloaded yet; press Download on the Data page, or "
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
    assert sentence(spec, error.value) == "what grouplens.org sent of movielens ml-1m was damaged on the way; try again"
    monkeypatch.setattr(datasets.movies.movielens, "_LARGEST", 5)
    with pytest.raises(ValueError, match=r"^movielens ml-1m is larger than it should be, so it was not kept$"):
        spec.fetch(tmp_path)


def test_the_licence_is_told():
    for edition in ("ml-100k", "ml-1m"):
        source = SOURCES[create("movielens", edition=edition).label]
        assert "GroupLens" in source.licence and "grouplens.org" in source.origin


def test_the_discounts_in_bounds_follow_the_slots():
    """γ = 1, .631, .5, …: the smallest ratio .631 and the largest drop .369; with two slots of five .631 falls to 0."""
    from learners.ranking.world.measurement import Measures
    from learners.ranking.world.truth import World
    from learners.theory import BOUNDS

    seen = []
    rng = np.random.default_rng(0)
    plain = RankingData("plain", {}, rng.normal(size=(10, 3)), np.array([0, 5, 10]), np.ones((1, 10)))
    for data in (plain, dataclasses.replace(plain, slots=2)):
        learner = create_learner("perturbed-perceptron")
        sim = Simulation(learner, data, "cascade")
        found = Measures(World(data, 1), sim.learner, 1, 1.0)
        with pytest.MonkeyPatch.context() as patch:
            bound = dataclasses.replace(
                BOUNDS["proposition-5"], evaluate=lambda m: seen.append((m.ratio, m.drop)) or m.t
            )
            patch.setitem(BOUNDS, "proposition-5", bound)
            sim.environment._measures = found
            sim.advance(1)
    np.testing.assert_allclose(seen, [(0.63093, 0.36907), (0.0, 0.63093)], atol=1e-5)
