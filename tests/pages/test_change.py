"""The picture of what a step changed: what is recorded is what the records of the steps say, and stays small."""

import numpy as np
import orjson
import pytest

from learners import Simulation
from learners.interleaving import Comparison
from learners.moved import MOST_MOVED
from learners.run.watch import Watch
from pages.ui.draw.charts import Look
from pages.ui.families import labs
from pages.ui.families.classification.change import PLAYED, PREDICTED, TRUE
from pages.ui.families.multilabel.change import RIGHT, SHOWN, WRONG
from pages.ui.form.form import Form
from pages.ui.race.change import largest, levelled
from pages.ui.race.moment import Moment
from tests.pages.scenes import SCENES

STEPS = 60


def drawn(learner, data, user, kind, replicate=1):
    simulation = Simulation(learner, data, user, replicates=2, seed=1)
    simulation.advance(steps=STEPS)
    columns = SCENES[kind].drawn(Watch(simulation, replicate).advance(STEPS), simulation.dataset, 1)
    changed = {name[7:]: values for name, values in columns.items() if name.startswith("change-")}
    scale = 2.0 ** changed.pop("power")
    by = changed.pop("by") * scale[:, 1:]
    changed |= {name: changed[name] * scale[:, :1] for name in ("was", "width") if name in changed}
    changed["now"] = changed["was"] + by
    return simulation, [{name: values[i] for name, values in changed.items()} for i in range(STEPS)]


@pytest.mark.parametrize("learner, data, user", [
    ("preference-perceptron", "toy-ranking", "cascade"), ("perturbed-perceptron", "toy-ranking", "cascade"),
    ("preference-perceptron", "web-search", "strict-alpha"),
])  # fmt: skip
def test_the_pair_is_the_first_that_the_feedback_puts_in_another_order(learner, data, user):
    simulation, rows = drawn(learner, data, user, "ranking")
    pairs = 0
    for t, row in enumerate(rows, start=1):
        step = simulation.at(t)
        n = int(step.lengths[1])
        shown, improved = step.shown.ranking[1][:n], step.feedback_ranking[1][:n]
        up, down, more, tried = row["pair"]
        if (shown == improved).all():
            assert up == down == more == -1 and (row["id"] < 0).all()
            continue
        pairs += 1
        place = int(np.flatnonzero(shown != improved)[0])
        assert (up, down) == (improved[place], shown[place])
        assert improved.tolist().index(up) < improved.tolist().index(down)
        rises = sum(improved.tolist().index(d) < shown.tolist().index(d) for d in shown.tolist())
        assert more == rises - 1
        swaps = step.shown.pairs
        assert tried == (-1 if swaps is None or not swaps.swapped[1].any() else swaps.swapped[1][place])
    assert pairs


def test_classes_predicted_played_and_true_are_there_whether_or_not_they_moved():
    simulation, rows = drawn("banditron", "digits", None, "answer")
    for t, row in enumerate(rows, start=1):
        step = simulation.at(t)
        wanted = {(step.shown.predicted[1], PREDICTED), (step.shown.label[1], PLAYED), (step.truth[1], TRUE)}
        bits = {(k, bit) for k, role in zip(row["id"], row["role"], strict=True) for bit in (1, 2, 4) if role & bit}
        assert bits == wanted
        moved = {int(k) for k, was, now in zip(row["id"], row["was"], row["now"], strict=True) if was != now}
        assert moved <= {int(step.shown.predicted[1]), int(step.shown.label[1])}, "a banditron moves no other row"
        assert row["number"] == np.float32(step.shown.gamma[1])


def test_labels_that_were_shown_say_whether_they_are_right():
    simulation, rows = drawn("multilabel-ucb", "multilabel-synthetic", None, "labels")
    for t, row in enumerate(rows, start=1):
        step = simulation.at(t)
        played = set(step.shown.order[1, : step.shown.size[1]].tolist())
        for k, role, width in zip(row["id"], row["role"], row["width"], strict=True):
            if k >= 0:
                right = SHOWN * (k in played) | (RIGHT if step.truth[1, k] else WRONG) * (k in played)
                assert role == right and width == pytest.approx(step.shown.width[1, k], rel=1e-3)


def test_the_largest_moves_come_first_after_those_that_come_in_any_case():
    was, now = np.zeros((1, 9)), np.arange(9.0)[None]
    assert largest(was, now).tolist() == [[8, 7, 6, 5]]
    assert largest(was, now, np.array([[0, 2]])).tolist() == [[0, 2, 8, 7]]
    assert largest(was, was).tolist() == [[-1] * MOST_MOVED]


@pytest.mark.parametrize("id", ["semi_supervised", "learning_to_rank", "refinement"])
def test_rounds_record_the_weights_that_change_most(id):
    lab = labs()[id]
    setup = lab.ask_run(Form({}))  # the run of the lab as it is first
    learner = setup.learners[0]
    simulation = Simulation(learner.id, setup.dataset.id, setup.user.id if setup.user else None, replicates=2, seed=0)
    moment = Moment(setup, 0, [simulation])
    assert lab.face.inspector.changed(moment) == {"slots": [{}]}
    simulation.advance(steps=3)
    (slot,) = lab.face.inspector.changed(Moment(setup, 3, [simulation]))["slots"]
    assert orjson.dumps(slot) and 0 < len(slot["id"]) <= MOST_MOVED and len(slot["names"]) == len(slot["id"])
    account = lab.face.inspector(simulation, 0, Look())
    old, new = account.round.weights, simulation.environment.learners[0].next_weights()
    old, new = (100 * w / np.abs(w).sum() for w in (old, new))
    assert slot["id"][0] == int(np.argmax(np.abs(new - old)))
    assert slot["was"][0] == pytest.approx(old[slot["id"][0]], abs=1e-3)
    assert slot["number"] == [pytest.approx(account.round.step)]


def test_every_lab_declares_its_picture():
    for lab in labs().values():
        change = lab.face.inspector.change if isinstance(lab.face.scene, str) else lab.face.scene.change
        assert change is not None and change.title and change.help.endswith(".")
        assert all(sign in SIGNS for sign, _ in change.signs if sign)


SIGNS = ("star", "click", "cross", "ring", "tick", "up", "dot", "dice")  # of scene_signs.js


def test_numbers_keep_four_digits_on_their_way():
    rng = np.random.default_rng(0)
    columns = {
        "id": np.tile(np.arange(4), (50, 1)),
        "was": rng.normal(size=(50, 4)) * 10.0 ** rng.integers(-6, 6, (50, 1)),
    }
    columns |= {"now": columns["was"] + 1e-5 * rng.normal(size=(50, 4)), "width": np.abs(columns["was"])}
    sent = levelled(columns)
    assert all(sent[name].dtype == np.int16 for name in ("was", "by", "width")) and "now" not in sent
    for name, wanted, scale in (("was", columns["was"], 0), ("by", columns["now"] - columns["was"], 1)):
        error = np.abs(sent[name] * 2.0 ** sent["power"][:, [scale]] - wanted)
        assert (error <= 4e-5 * np.abs(wanted).max(axis=1, keepdims=True)).all()


def test_only_rows_with_room_are_sent_and_a_pair_takes_the_place_of_one():
    columns = {"id": np.arange(4)[None], "was": np.zeros((1, 4)), "now": np.ones((1, 4)), "pair": np.zeros((1, 4))}
    sent = levelled(columns, 2)
    assert {name: values.shape[1] for name, values in sent.items()} == {
        "id": 2, "pair": 4, "was": 2, "by": 2, "power": 2,
    }  # fmt: skip
    changes = {kind: scene.change for kind, scene in SCENES.items()}
    assert [changes["ranking"].rows(n) for n in (1, 2, 3, 4)] == [4, 4, 3, 2]
    assert [changes["answer"].rows(n) for n in (1, 2, 3, 4)] == [4, 4, 4, 3]


def test_the_pair_of_a_comparison_is_of_the_search_that_taught_whose_query_is_told():
    run = Comparison("perturbed-perceptron", "web-search", "noisy-grades", replicates=2, seed=1)
    run.advance(STEPS)
    columns = SCENES["comparison"].drawn(Watch(run, 1).advance(STEPS), run.dataset, 1)
    pairs = 0
    for t in range(1, STEPS + 1):
        taught = run.at(t).learning
        up, down, _, tried = columns["change-pair"][t - 1]
        assert columns["change-taught"][t - 1] == taught.query[1]
        shown, improved = taught.shown.ranking[1], taught.feedback_ranking[1]
        if (shown == improved).all():
            assert up == down == -1 and (columns["change-faces"][t - 1] == -1).all()
            continue
        pairs += 1
        place = int(np.flatnonzero(shown != improved)[0])
        assert (up, down) == (improved[place], shown[place]) and tried >= 0
        assert columns["change-faces"][t - 1].tolist() == taught.documents[1, [up, down]].tolist()
    assert pairs
