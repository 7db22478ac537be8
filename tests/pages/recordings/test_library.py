"""Recordings of scripts, loops of other programs, and what notebooks show; none of it needs Streamlit or Plotly."""

import base64
import json
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import unescape
from importlib import metadata

import numpy as np
import orjson
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from learners import Simulation
from learners.interleaving import Comparison
from learners.run import display
from pages.ui.draw.charts import Look
from pages.ui.families import face_of
from pages.ui.library.notebook import bundle, still
from pages.ui.library.public import open_recording, record
from pages.ui.library.record import document_of
from pages.ui.library.recorder import Recorder
from pages.ui.play.recording import Recording
from pages.ui.recordings.document import read
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def ran(id="perturbed-perceptron", steps=60, **more):
    sim = Simulation(id, "toy-ranking", "cascade", seed=0, **more)
    sim.advance(steps=steps)
    return sim


def test_a_comparison_is_recorded_with_its_settings_and_a_run_that_no_link_opens_without_a_spec():
    run = Comparison("perturbed-perceptron", "web-search", "noisy-grades", method="balanced", replicates=2, seed=3)
    run.advance(steps=20)
    spec = document_of(run).spec
    assert dict(spec.comparison)["method"] == "balanced"
    again = spec.simulation(0, spec.load())
    again.advance(steps=20)
    assert (again.history["wins"] == run.history["wins"]).all()
    assert "mode=interleaved" in bundle(run)["text/html"]
    weights = Comparison("perturbed-perceptron", "web-search", "noisy-grades", fixed=np.ones(50))
    weights.advance(steps=2)
    fork = ran().fork(at=10, change={"user": {"noise": 0.0}})
    fork.advance(steps=5)
    assert document_of(weights).spec is None and document_of(fork).spec is None


def test_a_rank_falls_in_the_still_as_in_the_chart():
    """The first tick of a chart of ranks is at the top."""
    written = still(document_of(ran(), charts=["rank-of-best"]))
    ticks = re.findall(r'<text x="[\d.]+" y="([\d.]+)" text-anchor="end"[^>]*>(\d+)</text>', written)
    heights = {int(said): float(y) for y, said in ticks}
    ranks = sorted(heights)
    assert len(ranks) > 1 and [heights[rank] for rank in ranks] == sorted(heights.values())


def beyond_the_library():
    """Modules of installed packages that those of the library do not bring along."""
    needed = [Requirement(text) for text in PROJECT["dependencies"]]
    brought = set()
    while needed:
        one = needed.pop()
        if one.name in brought or (one.marker and not one.marker.evaluate({"extra": ""})):
            continue
        brought.add(one.name)
        needed += map(Requirement, metadata.requires(one.name) or ())
    brought = {canonicalize_name(name) for name in brought}
    homes = metadata.packages_distributions().items()
    return [module for module, homes in homes if not brought & {*map(canonicalize_name, homes)}]


@pytest.mark.core
@pytest.mark.long
def test_no_package_is_needed_beyond_those_of_the_library(tmp_path):
    """Images included, in a process in which importing others, such as Streamlit and Plotly, fails."""
    without = beyond_the_library()
    assert {"streamlit", "plotly", "PIL"} <= {*without} and not {"numpy", "tqdm", "llvmlite"} & {*without}
    code = f"""
import sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {without!r}:
            raise ImportError(name)
sys.meta_path.insert(0, Without())
from pages.ui import namespace as fl
sim = fl.Simulation("perturbed-perceptron", "digits-search", "cascade")
sim.advance(steps=20)
assert fl.open_recording(fl.record(sim, {str(tmp_path / "run.flab")!r})).payload["steps"] == 20
recorder = fl.Recorder("mine")
recorder.step(loss=1.0)
recorder.write({str(tmp_path / "own.flab")!r})
assert "text/html" in sim._repr_mimebundle_() and "iframe" in fl.show(sim)._repr_mimebundle_()["text/html"]
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    assert read((tmp_path / "own.flab").read_bytes()).title == "mine"


# ---- what is recorded of simulations


def test_a_race_is_recorded_with_events_scene_and_stories(tmp_path):
    runs = [ran("preference-perceptron", replicates=3), ran(replicates=3)]
    found = open_recording(record(runs, tmp_path / "race.flab", "A race", charts=["flips", "rank-of-best"]))
    payload = found.payload
    assert found.title == "A race" and [chart["id"] for chart in payload["charts"]] == ["flips", "rank-of-best"]
    assert payload["scene"]["complete"] and len(payload["scene"]["slots"]) == 2 and found.stories
    assert {event["slot"] for event in payload["events"]["list"]} == {0, 1}
    line = next(one for one in payload["charts"][0]["lines"] if one["slot"] == 0)
    drawn = payload["charts"][0]["data"][line["trace"]]["y"][-1]
    assert drawn == pytest.approx(np.mean(runs[0].history["flips"][-1]))


@pytest.mark.parametrize(
    ("learner", "data", "steps", "wanted"),
    [("single-tree", "moons", 3, {"regions"}), ("banditron", "digits", 250, {"confusion", "weight-maps"})],
)
def test_pictures_are_those_of_the_lab(learner, data, steps, wanted):
    """Drawn after the run has ended, and equal to those that the app draws while it runs."""
    sim = Simulation(learner, data, seed=2)
    sim.advance(steps=steps)
    found = read(document_of(sim).packed())
    charts = {chart["id"]: chart for chart in found.payload["charts"]}
    assert {id for id, chart in charts.items() if chart["kind"] != "curves"} == wanted
    face = face_of(sim.learner.family)
    drawn = face.drawn([spec for spec in face.pictures if spec.id in wanted], Look())
    live = Recording("live", found.spec, found.spec.load(), drawn)
    live.advance(1e9)
    frames = {id: json.loads(orjson.dumps(kept.since(0))) for id, kept in live.frames.items()}
    changes = {"change": found.payload["scene"]["change"]["frames"]} if "change" in frames else {}
    assert {id: charts[id]["frames"] for id in wanted} | changes == frames
    assert len(frames) == len(wanted) + (learner == "single-tree"), "what a round changed, too"
    usual = {chart["id"] for chart in document_of(sim, figures=False).payload["charts"]}
    assert usual == charts.keys() - {"confusion", "weight-maps"}, "the scene stays"


@pytest.mark.parametrize(
    ("runs", "words"),
    [(lambda: Simulation("perceptron", "digits"), "must have taken a step"), (lambda: [], "can be recorded"),
     (lambda: [ran(), ran(steps=50)], "same family, replicates and steps"), (lambda: [ran()] * 5, "at most 4"),
     (lambda: "sim", "can be recorded")],
)  # fmt: skip
def test_what_cannot_be_recorded_ends_in_a_sentence(runs, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        record(runs(), tmp_path / "no.flab")
    assert not (tmp_path / "no.flab").exists()


def test_charts_that_are_not_there_are_refused(tmp_path):
    with pytest.raises(ValueError, match="charts must be among average-regret"):
        record(ran(), tmp_path / "no.flab", charts=["nothing"])


def test_a_learner_of_ones_own_is_recorded():
    class Own(type(ran().learner)):
        id = "own"
        title = "<b>Own</b>"

    sim = Simulation(Own(), "toy-ranking", "cascade")
    sim.advance(steps=20)
    found = read(document_of(sim).packed())
    assert found.spec.learners[0].id.endswith("Own") and "<b>Own</b>" in found.payload["learners"][0]["label"]


# ---- loops of other programs


def test_each_step_of_a_loop_is_kept_with_its_marks():
    recorder = Recorder("Mine", ["a", "b"], {"loss": "Loss so far"}, unit="round")
    for t in range(200):
        recorder.step("a", loss=t / 200, extra=None if t < 100 else 1)
        recorder.step("b", loss=[0.0, 1.0])
    recorder.mark("it ends", learner="b", sign="star", kind="end")
    found = read(recorder.document().packed())
    loss, extra = found.payload["charts"]
    assert (loss["title"], extra["title"]) == ("Loss so far", "Extra")
    exact = np.frombuffer(base64.b64decode(found.payload["exact"]["charts"]["loss"]["1 0 0"]), "<f4")
    assert (exact == 0.5).all() and len(exact) == 200
    assert found.payload["events"]["list"][0] == {"t": 200, "kind": "end", "slot": 1, "replicate": 0, "text": "it ends"}
    assert min(extra["data"][extra["lines"][0]["trace"]]["x"]) > 100


@pytest.mark.parametrize("call", [
    lambda: Recorder("x", ["a"] * 2), lambda: Recorder("x", list("abcde")), lambda: Recorder("x", [1]),
    lambda: Recorder("x", unit="a step"), lambda: Recorder("x").document(), lambda: Recorder("x").mark("early"),
    lambda: Recorder("x").step("nobody", a=1), lambda: Recorder("x").step(a="many"),
    lambda: Recorder("x").step(a=[[1]]),
    lambda: Recorder("x").step(a=[]),
])  # fmt: skip
def test_a_wrong_call_ends_in_a_sentence(call):
    with pytest.raises(ValueError):
        call()


def test_replicates_that_change_in_number_are_refused():
    recorder = Recorder("x")
    recorder.step(a=[1, 2])
    recorder.step(a=[1, 2, 3])
    with pytest.raises(ValueError, match="as many replicates"):
        recorder.document()


# ---- notebooks


def frame(made):
    return unescape(re.search(r'srcdoc="([^"]*)"', made["text/html"])[1])


def test_a_run_shows_itself_by_a_line_a_picture_and_a_player():
    sim = ran(replicates=20, steps=1000)
    display.by(bundle)
    made = sim._repr_mimebundle_()
    assert made["text/plain"].count("\n") == 0 and "20 replicates of 1,000 steps" in made["text/plain"]
    value = np.mean(sim.history["rank-of-best"][-25:])
    assert f"{value:.3g}." in made["text/plain"], "the line is honest"
    ET.fromstring(made["image/svg+xml"])
    assert 'sandbox="allow-scripts"' in made["text/html"] and "<script" not in made["text/html"]
    assert "data:image/svg+xml;base64," in made["text/html"]
    assert all(len(text.encode()) < 600_000 for text in made.values())


def test_a_title_that_ends_a_sentence_has_no_second_sign():
    assert bundle(ran(), title="Who wins?")["text/plain"].startswith("Who wins? ")
    assert bundle(ran(), title="A race")["text/plain"].startswith("A race: ")


def test_the_frame_asks_for_nothing():
    page = frame(bundle(ran()))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'") and "http" not in policy and 'src="http' not in page
    assert 'id="fl-library"' not in page, "curves are drawn without plotly.js"


def test_pictures_have_plotly_from_a_host_by_its_hash_or_inside():
    document = open_recording_with_picture()
    page, inside = frame(bundle(document)), frame(bundle(document, offline=True))
    assert re.search(
        r'<script src="https://cdn[^"]+@4\.\d+\.\d+/[^"]+" integrity="sha384-[\w+/=]{64}" crossorigin', page
    )
    assert 'id="fl-library"' in inside and 'src="http' not in inside


def open_recording_with_picture():
    document = document_of(ran())
    frames = {"first": 0, "at": [0], "frames": [[[[], {"data": [], "layout": {"height": 200}}]]]}
    chart = {"id": "own", "title": "Own", "help": "", "wide": False, "kind": "figure", "frames": frames}
    return replace(document, payload=document.payload | {"charts": [*document.payload["charts"], chart]})


def test_a_run_that_has_not_begun_says_so():
    assert "no step has been taken" in bundle(Simulation("perceptron", "digits"))["text/plain"]


def test_texts_of_a_recording_are_escaped_outside_of_the_frame():
    recorder = Recorder(
        "<img src=x onerror=alert(1)>", words="</p><script>alert(1)</script>", link="javascript:alert(1)"
    )
    recorder.step(loss=1)
    made = recorder._repr_mimebundle_()["text/html"]
    outside = re.sub(r'srcdoc="[^"]*"', "", made)
    assert "<script" not in outside and "<img src=x" not in outside and 'href="javascript' not in outside
