"""Scenes against the record of each step, and how documents and examples look."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from learners import Simulation
from learners.interleaving import Comparison
from learners.run.watch import Watch
from pages.ui.race.faces import LETTERS, NAMES, examples, images, names
from pages.ui.race.scene import PLACES
from tests.pages.scenes import SCENES, watched

STEPS = 40
RANKED = [
    ("perturbed-perceptron", "toy-ranking", "cascade"),
    ("perturbed-perceptron", "digits-search", "scan"),  # images, and more documents than are drawn
    ("preference-perceptron", "web-search", "strict-alpha"),  # who does not click
    ("perturbed-perceptron", "movies", "cascade"),  # one slot
]
NAMED = {"ranking": "ranking", "classification": "answer", "multilabel": "labels"}


def run(learner, data, user=None, steps=STEPS, replicates=2):
    simulation = Simulation(learner, data, user, replicates=replicates, seed=1)
    simulation.advance(steps=steps)
    return simulation


def drawn(simulation, replicate=0, steps=STEPS):
    """The columns of each step, one dictionary a step, from what a watch notes."""
    watch = Watch(simulation, replicate)
    kind = NAMED[simulation.learner.family]
    columns = SCENES[kind].columns(watch.advance(steps), simulation.dataset)
    assert all(values.dtype.kind in "iub" or (values == values.round()).all() for values in columns.values())
    return [{name: values[i] for name, values in columns.items()} for i in range(steps)]


@pytest.mark.parametrize("learner, data, user", RANKED, ids=[row[1] for row in RANKED])
def test_a_list_is_that_of_the_step(learner, data, user):
    simulation, r = run(learner, data, user), 1
    for t, row in enumerate(drawn(simulation, r), start=1):
        step = simulation.at(t)
        n, slots = int(step.lengths[r]), simulation.dataset.slots
        shown, predicted = step.shown.ranking[r][:n].tolist(), step.shown.predicted[r][:n].tolist()
        top = max(step.grades[r].max(), 1)
        for i, document in enumerate(row["doc"]):
            if document < 0:
                continue
            place = row["place"][i] if "place" in row else i
            if place >= 0:
                assert shown[place] == document
            else:
                assert slots and shown.index(document) >= slots, "only what is not shown has no place"
            assert row["predicted"][i] == predicted.index(document)
            assert row["green"][i] == round(100 * step.grades[r][document] / top)
            if "row" in row:
                assert row["row"][i] == step.documents[r][document]
        if not slots:
            rank = int(simulation.history["rank-of-best"][t - 1, r])
            assert shown[rank - 1] == row["best"] and row["best"] in row["doc"], "the best document is always drawn"
            first = min(PLACES, n) - 1
            assert row["doc"][:first].tolist() == shown[:first]


@pytest.mark.parametrize("learner, data, user", RANKED[:2], ids=["cascade", "scan"])
def test_clicks_mistakes_and_swaps_are_those_of_the_step(learner, data, user):
    simulation = run(learner, data, user, steps=100)
    seen = set()
    for t, row in enumerate(drawn(simulation, steps=100), start=1):
        step = simulation.at(t)
        shown, response = step.shown.ranking, step.response
        grades = np.take_along_axis(step.grades, shown, axis=1)
        wrong = simulation.user.mistaken(grades, response)[0]
        for i, document in enumerate(row["doc"]):
            place = shown[0].tolist().index(document)
            clicked = bool(response.clicks[0][place])
            expected = {(True, False): 1, (True, True): 2, (False, True): 3, (False, False): 0}[clicked, wrong[place]]
            assert row["mark"][i] == expected
            seen.add(expected)
            pair = row["pair"][i]
            assert (pair > 0) == bool(step.shown.pairs.swapped[0][place])
            if pair:
                partner = int(step.shown.pairs.partner[0][place])
                assert pair == (1 if partner > place else 2), "the upper one has its partner below"
    assert seen == {0, 1, 2, 3}


def test_a_user_who_does_not_click_moves_documents_up():
    simulation, moved = run("preference-perceptron", "web-search", "strict-alpha"), 0
    for t, row in enumerate(drawn(simulation), start=1):
        step = simulation.at(t)
        shown, improved = step.shown.ranking[0].tolist(), step.feedback_ranking[0].tolist()
        for document, to in zip(row["doc"], row["returned"], strict=True):
            rises = improved.index(document) < shown.index(document)
            assert to == (improved.index(document) if rises else -1)
            moved += rises
    assert moved > 10


def test_the_best_document_stands_in_the_last_row_where_it_is_far_down():
    simulation = run("random-ranking", "web-search", "cascade", steps=60)
    far = 0
    for t, row in enumerate(drawn(simulation, steps=60), start=1):
        rank = int(simulation.history["rank-of-best"][t - 1, 0])
        assert row["place"].tolist() == [*range(PLACES - 1), max(PLACES, rank) - 1]
        far += rank > PLACES
    assert far > 5


def test_of_one_recommendation_what_the_learner_wanted_and_what_the_user_wanted_are_drawn_as_well():
    simulation = run("perturbed-perceptron", "movies", "cascade", steps=60)
    swapped = 0
    for t, row in enumerate(drawn(simulation, steps=60), start=1):
        step = simulation.at(t)
        first = [step.shown.ranking[0][0], step.feedback_ranking[0][0], step.shown.predicted[0][0]]
        assert set(row["doc"]) - {-1} == set(first)
        assert row["place"].tolist() == [0, -1, -1]
        swapped += step.shown.pairs.swapped[0][0]
    assert swapped > 5


@pytest.mark.parametrize("learner", ["perceptron", "banditron", "banditron-labels"])
def test_an_answer_is_that_of_the_step(learner):
    simulation, r, explored = run(learner, "digits", steps=60), 1, 0
    for t, row in enumerate(drawn(simulation, r, steps=60), start=1):
        step = simulation.at(t)
        assert (row["row"], row["truth"]) == (step.row[r], step.truth[r])
        assert row["played"].tolist() == np.atleast_1d(step.shown.label[r]).tolist()
        assert row["predicted"].tolist() == np.atleast_1d(step.shown.predicted[r]).tolist()
        assert row["explored"] == step.shown.explored[r]
        explored += row["explored"]
    assert explored or learner == "perceptron"


@pytest.mark.parametrize("learner", ["multilabel-ucb", "online-binary-relevance", "random-labels"])
def test_a_set_is_that_of_the_step(learner):
    simulation, r = run(learner, "multilabel-synthetic"), 1
    for t, row in enumerate(drawn(simulation, r), start=1):
        step = simulation.at(t)
        size, order, truth = int(step.shown.size[r]), step.shown.order[r], step.truth[r]
        shown = [k for k in row["shown"] if k >= 0]
        assert shown == order[:size].tolist()[:12] and row["more"][0] == max(0, size - 12)
        assert [bool(x) for x in row["right"][: len(shown)]] == truth[shown].tolist()
        missed = sorted(set(np.flatnonzero(truth)) - set(order[:size].tolist()))
        assert [k for k in row["missed"] if k >= 0] == missed[:12] and row["more"][1] == max(0, len(missed) - 12)


def test_a_comparison_says_who_put_a_document_there_and_who_won():
    simulation = Comparison("perturbed-perceptron", "web-search", "noisy-grades", sample=2, replicates=2, seed=0)
    simulation.advance(steps=STEPS)
    columns = SCENES["comparison"].columns(Watch(simulation, 1).advance(STEPS), simulation.dataset)
    for t in range(1, STEPS + 1):
        trial = simulation.at(t)
        assert columns["outcome"][t - 1] == trial.outcome[1]
        for i, document in enumerate(columns["doc"][t - 1]):
            place = trial.mixed.ranking[1].tolist().index(document)
            assert columns["team"][t - 1, i] == trial.mixed.teams[1][place]
            assert columns["fixed"][t - 1, i] == trial.mixed.second[1].tolist().index(document)
            assert columns["predicted"][t - 1, i] == trial.mixed.first[1].tolist().index(document)


@pytest.mark.parametrize("learner, data, user", [
    *RANKED, ("banditron", "digits", None), ("multilabel-ucb", "multilabel-synthetic", None),
])  # fmt: skip
def test_steps_may_come_in_parts(learner, data, user):
    """A watch notes the same as the record of each step, and cut at any step it gives the same columns."""
    simulation = run(learner, data, user)
    scene = SCENES[NAMED[simulation.learner.family]]
    slow = scene.columns(watched(simulation, range(1, STEPS + 1), 1), simulation.dataset)
    watch = Watch(simulation, 1)
    parts = [scene.columns(watch.advance(k), simulation.dataset) for k in (1, 16, STEPS - 17)]
    for name, values in slow.items():
        np.testing.assert_array_equal(values, np.concatenate([part[name] for part in parts]), err_msg=name)


def test_every_scene_reads_columns_that_its_family_gives():
    for learner, data, user, kind in (
        ("perturbed-perceptron", "toy-ranking", "cascade", "ranking"), ("banditron", "digits", None, "answer"),
        ("multilabel-ucb", "multilabel-synthetic", None, "labels"),
    ):  # fmt: skip
        simulation = run(learner, data, user, steps=10)
        assert set(SCENES[kind].watched) <= set(Watch(simulation, 0).columns)
    compared = Comparison("perturbed-perceptron", "web-search", "noisy-grades", sample=2, seed=0)
    compared.advance(steps=5)
    assert set(SCENES["comparison"].watched) <= set(Watch(compared, 0).columns)


def test_the_image_of_a_row_is_where_the_browser_looks_for_it():
    rng = np.random.default_rng(0)
    features = rng.random((7, 6))
    found = images(features, (2, 3))["images"]
    sheet = np.asarray(Image.open(io.BytesIO(base64.b64decode(found["src"].split(",")[1]))))
    assert sheet.shape == (found["rows"] * 2, found["columns"] * 3)
    for row in range(7):
        down, across = divmod(row, found["columns"])
        tile = sheet[2 * down : 2 * down + 2, 3 * across : 3 * across + 3]
        assert (tile == np.rint(255 * (1 - features[row] / features[row].max())).reshape(2, 3)).all()


def test_faces_that_are_too_many_are_left_out():
    assert images(np.ones((100_001, 64)), (8, 8)) == {}
    assert names(("x",) * (NAMES + 1)) == {}
    assert len(names(("x" * 200,))["names"][0]) == LETTERS
    assert examples(np.ones((3, 9)), None) == {}, "nothing tells these apart"
    assert examples(np.eye(9)[:2], None) == {"names": ["feature 1", "feature 2"]}
