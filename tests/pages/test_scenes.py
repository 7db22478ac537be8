"""The steps of one replicate are noted after the curves, kept within bounds, and sent once."""

import base64
import time
from dataclasses import replace
from functools import cache

import numpy as np
import orjson
import pytest

import datasets
from datasets.spec import Spec
from learners.base import Shape
from learners.family import Family
from learners.interleaving.engine import LiveEngine
from learners.run.watch import Watch
from learners.spec import RunSpec
from pages.ui.families import labs
from pages.ui.families.ranking.face import FACE
from pages.ui.form.form import known
from pages.ui.jobs.queue import QUEUE, Queue
from pages.ui.lab.stage import Stage
from pages.ui.play import payload
from pages.ui.play.recording import Recording
from pages.ui.play.scenes import SceneJob, around, shown, small
from tests.pages.modes import SHOWN
from tests.pages.scenes import SCENES
from tests.pages.test_pages import clean, computed, lab, open_page, recording
from tests.waiting import soon

SWAP, P3 = Spec("preference-perceptron", (("feedback", "swap"),)), Spec("perturbed-perceptron")
TYPES = {"u1": "<u1", "i1": "<i1", "i2": "<i2", "i4": "<i4", "f4": "<f4", "f8": "<f8"}


def run_of(*learners, steps=200, replicates=3, dataset=Spec("toy-ranking"), user=Spec("cascade")):  # noqa: B008
    """A recording of some learners that has not begun."""
    made = RunSpec(learners or (SWAP, P3), dataset, user, replicates, steps, 0)
    return Recording("test", made, datasets.load(dataset.id, **dataset.values))


@cache
def complete(steps):
    run = run_of(steps=steps)
    while not run.complete:
        run.advance(1e9)
    return run


def noted(run, kind="ranking", replicate=1, seconds=1e9):
    """A scene of a complete recording that is noted."""
    job = SceneJob(run, SCENES[kind], replicate)
    while not job.complete:
        job.advance(seconds)
    return job


def read(value):
    """Numbers as the browser reads them, in JSON and back."""
    value = orjson.loads(orjson.dumps(value))
    if isinstance(value, list):
        return np.array(value)
    flat = np.frombuffer(base64.b64decode(value["bdata"]), TYPES[value["dtype"]])
    return flat.reshape([int(n) for n in value["shape"].split(",")])


def columns(slot, first=None):
    """The columns of a learner, also in the form in which they travel."""
    return {name: first[name] if packed == 0 else thick(packed) for name, packed in slot.items()}


def thick(packed):
    if isinstance(packed, list) or "fresh" not in packed:
        return read(packed)
    width, fresh, values = (
        packed["width"],
        np.unpackbits(read(packed["fresh"]).astype(np.uint8)),
        read(packed["values"]),
    )
    rows = []
    for i in range(len(fresh) // width):
        mine, row = fresh[i * width : (i + 1) * width], rows[-1].copy() if rows else np.zeros(width)
        row[mine > 0], values = values[: mine.sum()], values[mine.sum() :]
        rows.append(row)
    return np.array(rows)


def drawn(run, slot, replicate, kind="ranking"):
    """The drawing of all steps of a learner by a scene, from one call."""
    watched = Watch(run.simulations[slot], replicate).advance(run.t)
    made = SCENES[kind].drawn(watched, run.data, len(run.simulations))
    return {name: small(values) for name, values in made.items()}


def equal(found, wanted):
    assert found.keys() == wanted.keys()
    for name, values in wanted.items():
        assert np.array_equal(found[name], values), name


# ---- what is noted and sent


def test_every_step_of_a_short_run_is_sent_as_it_went():
    run = complete(200)
    part, held = noted(run).after(0)
    assert held == 200 and part["first"] == 0 and read(part["at"]).tolist() == list(range(1, 201))
    for slot, simulation in enumerate(run.simulations):
        found = columns(part["slots"][slot])
        equal(found, drawn(run, slot, replicate=1))
        for t in (1, 57, 200):
            assert np.array_equal(found["doc"][t - 1], simulation.at(t).shown.ranking[1])


@pytest.mark.parametrize("seconds", [1e9, 1e-6])
def test_what_comes_in_parts_is_the_whole(seconds):
    run = complete(700)
    job, parts, n = SceneJob(run, SCENES["ranking"], 0), [], 0
    while not job.complete:
        job.advance(seconds)
        part, held = job.after(n)
        assert part["first"] == n and len(read(part["at"])) == held - n
        if held > n:
            parts.append(part)
        n = held
    assert n == 700 and len(parts) > (1 if seconds < 1 else 0)
    assert np.concatenate([read(part["at"]) for part in parts]).tolist() == list(range(1, 701))
    for slot in (0, 1):
        each = [columns(part["slots"][slot]) for part in parts]
        equal({name: np.concatenate([one[name] for one in each]) for name in each[0]}, drawn(run, slot, 0))
    middle, _ = job.after(333)
    assert middle["first"] == 333 and read(middle["at"])[0] == 334
    equal(columns(middle["slots"][1]), {name: values[333:] for name, values in drawn(run, 1, 0).items()})
    assert job.after(10_000)[0]["first"] == 700, "of a browser that has more than the server has noted again"


def test_a_long_run_is_thinned_but_not_near_its_events():
    run = complete(9000)
    job = noted(run)
    at = read(job.after(0)[0]["at"])
    assert 2000 < len(at) <= 3500 and at[0] == 1 and at[-1] == 9000 and (np.diff(at) > 0).all()
    assert np.diff(at).max() <= 5, "2,000 steps at equal distances"
    events = {event["t"] for event in payload.events(run.moment(), 1)["list"]}
    kept = set(at.tolist())
    assert events and events <= kept
    assert len(kept & {t + k for t in events for k in range(-30, 31)}) >= 1500
    for slot in (0, 1):
        equal(columns(job.after(0)[0]["slots"][slot]), {n: v[at - 1] for n, v in drawn(run, slot, 1).items()})


def test_of_many_events_the_nearest_steps_are_kept():
    marks = np.arange(50, 5000, 40)
    found = around(marks, steps=5000)
    assert len(found) == 1500 and set(marks) <= set(found)
    far = np.abs(found[:, None] - marks).min(axis=1)
    missing = np.setdiff1d(np.arange(1, 5001), found)
    assert far.max() <= np.abs(missing[:, None] - marks).min()
    assert around(np.array([], dtype=int), steps=100).size == 0


@pytest.mark.parametrize("t", [1, 2, 4444, 8999])
def test_steps_that_are_missing_are_told_at_rest(t):
    run = complete(9000)
    job = SceneJob(run, SCENES["ranking"], 2)
    now = job.now(run, t)  # nothing is noted yet
    at = read(now["at"])
    assert at.tolist() == list(range(max(1, t - 8), min(9000, t + 24) + 1))
    for slot in (0, 1):
        equal(columns(now["slots"][slot]), {n: v[at - 1] for n, v in drawn(run, slot, 2).items()})


def test_what_is_kept_already_is_not_told_again_at_rest():
    run = complete(9000)
    job = noted(run)
    at = read(job.after(0)[0]["at"])
    missing = np.setdiff1d(np.arange(1, 9001), at)
    assert job.now(run, int(at[100])) is None and job.now(run, int(missing[5])) is not None
    assert job.now(run, 0) is None and job.now(run, 9001) is None
    before = job.bytes
    for t in missing[:40].tolist():
        job.now(run, t)
    assert before < job.bytes < before + 100_000, "only the latest few are held"


def test_the_memory_is_counted():
    job = SceneJob(complete(700), SCENES["ranking"], 1)
    job.advance(0)
    learners = sum(run.learner.memory(Shape(2, 10), 3) for run in complete(700).simulations)
    assert job._watches and job.bytes >= learners > 0, "of the learners that are watched, too"
    while not job.complete:
        job.advance(1e9)
    arrays = [a for at, slots in job._parts for one in ({"at": at}, *slots) for a in one.values()]
    assert job.bytes == sum(a.nbytes for a in arrays) > 700 * 2 * 10
    before = job.bytes
    job.faces(datasets.load("toy-ranking"))
    assert job.bytes == before + len(job._faces) and job.bytes < 1_000_000
    assert job._recording is None and not job._watches, "what it was made from is held by others"


@pytest.mark.parametrize(
    ("learners", "dataset", "user", "kind"),
    [
        ((Spec("banditron"), Spec("banditron-labels")), Spec("digits"), None, "answer"),
        ((Spec("multilabel-ucb"), Spec("never-play")), Spec("multilabel-synthetic"), None, "labels"),
        ((P3,), Spec("movies", (("movies", 300), ("users", 120), ("features", 5))), Spec("item-alpha"), "ranking"),
        ((P3,), Spec("web-search", (("lengths", "varied"), ("queries", 30))), Spec("scan"), "ranking"),
    ],
)
def test_every_kind_of_scene(learners, dataset, user, kind):
    run = run_of(*learners, dataset=dataset, user=user, steps=300)
    while not run.complete:
        run.advance(1e9)
    part, thin = (noted(run, kind, 2).after(0, thin)[0]["slots"] for thin in (False, True))
    first = columns(thin[0])
    for slot in range(len(learners)):
        wanted = drawn(run, slot, 2, kind)
        equal(columns(part[slot]), wanted)
        for name, values in columns(thin[slot], first).items():
            assert np.array_equal(values[: run.t].reshape(run.t, -1), wanted[name].reshape(run.t, -1)), name
    assert len(orjson.dumps(thin)) < len(orjson.dumps(part))


def test_a_run_that_broke_off_is_told_up_to_its_end(monkeypatch):
    run = run_of(steps=400)
    run.advance(0.0)
    simulation = run.simulations[1]
    advance = simulation.advance

    def breaks(steps=None, seconds=None):
        if simulation.t >= 90:
            raise ValueError("the weights are no longer finite numbers")
        advance(steps=min(steps, 90 - simulation.t))

    monkeypatch.setattr(simulation, "advance", breaks)
    while not run.complete:
        run.advance(1e9)
    assert run.failed and run.t == 90
    assert read(noted(run).after(0)[0]["at"])[-1] == 90


# ---- when it is noted


def test_the_curves_come_first():
    run, queue = run_of(steps=3000), Queue(workers=2)
    job = SceneJob(run, SCENES["ranking"], 0)
    assert not job.ready and not job.complete
    queue.open("scene", lambda: job)
    time.sleep(0.1)
    assert job.kept == 0 and job.worker is None and job.worked == 0
    job.advance(1e9)
    assert job.kept == 0, "nothing can be noted of a run that goes on"
    queue.open("run", lambda: run)
    run.wait(60)
    assert run.complete and job.ready
    job.wait(60)
    assert job.complete and not job.failed
    assert job.worked > run.worked, "it counts as work on its run, behind the runs of others who have had less"


def test_a_scene_that_nobody_can_note_is_over():
    """Rounds of boosting cannot be watched: one sentence in the log, and no page waits."""
    run = run_of(Spec("adaboost"), dataset=Spec("moons"), user=None, steps=2)
    queue = Queue(workers=1)
    queue.open("run", lambda: run)
    run.wait(60)
    job = SceneJob(run, SCENES["answer"], 0)
    queue.open("scene", lambda: job)
    soon(lambda: job.complete)
    assert "cannot be watched" in job.failed and job.after(0)[0]["slots"] == []


# ---- what the browser gets


def test_faces_come_with_the_first_answer_and_with_the_first_steps():
    run = complete(200)
    job = SceneJob(run, SCENES["ranking"], 0)
    empty, held = shown(job, run, None, 0)
    assert "faces" in empty and held == 0 and empty["slots"] == [{}, {}] and not empty["complete"]
    assert "faces" not in shown(job, run, 0, 0)[0]
    other = SceneJob(run, SCENES["ranking"], 1)
    other.faces(run.data)
    assert other._faces is job._faces, "of the same data they are made once"
    other._faces = b""
    other.faces(datasets.load("movies"))
    assert other._faces == orjson.dumps(SCENES["ranking"].faces(datasets.load("movies")))
    while not job.complete:
        job.advance(1e9)
    first, held = shown(job, run, 0, 0)
    assert "faces" in first and held == 200 and first["complete"] and "now" not in first
    rest, held = shown(job, run, 200, 57)
    assert "faces" not in rest and held == 200 and rest["first"] == 200 and rest["slots"] == [{}, {}]
    assert len(orjson.dumps(rest)) < 2000
    assert {key: rest[key] for key in ("kind", "name", "replicate", "title")} == {
        "kind": "ranking", "name": "test ranking 0", "replicate": 0, "title": SCENES["ranking"].title,
    }  # fmt: skip


def scene_of(app, kind="ranking", replicate=0):
    job = QUEUE.get(f"{recording(app).name} {kind} {replicate}")
    job.wait(60)
    return job


def test_a_lab_sends_the_scene_once(sent):
    app = clean(lab(replicates="3"))
    computed(app, 50)
    job = scene_of(app)
    clean(app.run())
    parts = [one["scene"] for one in sent]
    assert all(part["name"] == job.name for part in parts)
    steps = [t for part in parts for t in read(part["at"]).tolist()]
    assert steps == list(range(1, 51)), "each step once, in order"
    clean(app.run())
    assert sent[-1]["scene"]["first"] == 50 and sent[-1]["scene"]["at"] == [] and not sent[-1]["pending"]
    clean(app.run())
    assert sent[-1] == sent[-2], "what does not change is not sent again"


def test_another_replicate_is_another_scene(sent):
    app = clean(lab(replicates="3"))
    computed(app, 50)
    scene_of(app)
    app.session_state["stability:rest"] = 5
    clean(app.run())
    app.number_input(key="stability:replicate").set_value(3)
    clean(app.run())
    job = scene_of(app, replicate=2)
    clean(app.run())
    last = [one["scene"] for one in sent if one["scene"]["replicate"] == 2]
    assert last[0]["first"] == 0 and "faces" in last[0] and last[-1]["name"] == job.name
    assert sum(len(read(part["at"])) for part in last) == 50


def test_a_long_run_tells_the_step_at_which_the_playhead_rests(sent):
    app = clean(lab(steps="6000", replicates="1", t="4321"))
    computed(app, 6000)
    job = scene_of(app)
    clean(app.run())
    at = set(read(job.after(0)[0]["at"]).tolist())
    missing = min(t for t in range(3000, 6000) if t not in at)
    app.session_state["stability:rest"] = missing
    clean(app.run())
    assert missing in read(sent[-1]["scene"]["now"]["at"])
    app.session_state["stability:rest"] = min(at)
    clean(app.run())
    assert "now" not in sent[-1]["scene"]


def test_a_file_to_take_away_holds_the_scene_whole(sent, monkeypatch):
    stages, show = [], Stage.show
    monkeypatch.setattr(Stage, "show", lambda self: (stages.append(self), show(self))[1])
    app = clean(lab(replicates="2"))
    computed(app, 50)
    clean(app.run())
    scene = stages[-1].document("").payload["scene"]
    assert scene["complete"] and "faces" in scene and read(scene["at"]).tolist() == list(range(1, 51))


# ---- the declarations


@pytest.mark.parametrize("name", SHOWN)
def test_every_lab_has_a_scene_that_its_learners_can_fill(name):
    one = SHOWN[name]
    family: Family = one.declaration
    assert one.face.scene is not None, "each family has something to see"
    if isinstance(one.face.scene, str):
        chart = one.face.scene
        assert one.charts[chart].metric is None and chart in one._shown
    else:
        environment = LiveEngine if one.comparison else family.environment
        assert set(one.face.scene.watched) <= set(environment.watched)
    assert known(one.ask)["scene"].default is True


def test_a_picture_stands_in_for_a_scene_where_it_is_shown(sent):
    app = clean(open_page("semi_supervised", steps="10", replicates="1"))
    QUEUE.get(app.session_state["semi-supervised:pictured-run"]).wait(60)  # pictures follow the curves
    clean(app.run())
    scene = dict(sent[-1]["scene"])
    change = scene.pop("change")
    assert scene == {"kind": "picture", "chart": "regions", "complete": True}
    frames = change["frames"]
    assert change["id"] == "change" and frames["first"] + len(frames["at"]) == 11, "one for each round, and the start"
    clean(open_page("semi_supervised", steps="10", replicates="1", charts="objective"))
    assert sent[-1]["scene"] is None


def test_a_lab_without_a_scene_sends_none(sent, monkeypatch):
    without = replace(labs()["stability"], face=replace(FACE, scene=None))
    monkeypatch.setattr("pages.ui.families.ranking.stability_lab.LAB", without)
    app = clean(lab())
    assert sent[-1]["scene"] is None and not app.warning
