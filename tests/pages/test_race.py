"""A race and its setup, without any widget."""

import ast
import runpy
import sys
from dataclasses import replace

import numpy as np
import pytest

import datasets
from learners.catalogue import families
from learners.ranking.metrics import METRICS
from pages.ui.choice import Choice
from pages.ui.lab import numbers
from pages.ui.lab.charts import curves
from pages.ui.lab.export import history_frame
from pages.ui.lab.race import Race
from pages.ui.lab.setup import Setup
from pages.ui.play.moment import Moment
from tests.conftest import ROOT

CHARTS = curves(METRICS)

SWAP = Choice("preference-perceptron", (("feedback", "swap"),))
TOP = Choice("preference-perceptron", (("feedback", "top"),))
P3 = Choice("perturbed-perceptron")


def setup(*learners, steps=200, replicates=3, seed=0, dataset=Choice("toy-ranking"), user=Choice("cascade")):  # noqa: B008
    return Setup(learners or (SWAP, P3), dataset, user, replicates, steps, seed)


@pytest.fixture
def data():
    return datasets.load("toy-ranking")


def finished(made, data, slices=1):
    race = Race()
    race.change(made, data)
    race.playing = True
    while race.active:
        race.tick(0.001 if slices > 1 else 10, None, 0.1)
    return race


def test_step_moves_every_learner_by_one(data):
    race = Race()
    race.change(setup(), data)
    for expected in (1, 2, 3):
        race.step()
        assert [s.t for s in race.simulations] == [expected, expected]


def test_how_a_run_is_sliced_does_not_change_its_numbers(data):
    whole, sliced = finished(setup(), data), finished(setup(), data, slices=50)
    assert whole.t == sliced.t == 200
    for a, b in zip(whole.simulations, sliced.simulations, strict=True):
        for metric in a.history:
            np.testing.assert_array_equal(a.history[metric], b.history[metric])


def test_learners_of_a_race_meet_the_same_queries_and_noise():
    data = datasets.load("web-search", queries=50, documents=8, features=5)
    race = Race()
    race.change(setup(Choice("random-ranking"), Choice("structured-perceptron"), dataset=Choice("web-search")), data)
    for _ in range(5):
        race.step()
        first, second = (s.last for s in race.simulations)
        np.testing.assert_array_equal(first.query, second.query)
        # the noise belongs to documents: judged documents that both users looked at are judged alike
        for r in range(3):
            verdicts = [
                {int(d): int(v) for d, v in zip(s.shown.ranking[r], s.response.judged[r], strict=True) if v >= 0}
                for s in (first, second)
            ]
            common = verdicts[0].keys() & verdicts[1].keys()
            assert all(verdicts[0][d] == verdicts[1][d] for d in common)


def test_changing_one_learner_keeps_the_other_and_runs_the_new_one_up_to_the_same_step(data):
    race = finished(setup(), data)
    kept = race.simulations[1]
    race.change(setup(TOP, P3), data)
    assert race.simulations[1] is kept and race.t == 0 and race.active and not race.playing
    while race.active:
        race.tick(0.05, 5, 0.1)
    assert race.t == 200
    fresh = finished(setup(TOP, P3), data)
    np.testing.assert_array_equal(
        race.simulations[0].history["average-regret"], fresh.simulations[0].history["average-regret"]
    )


def test_a_shorter_run_is_run_again_from_the_start(data):
    race = finished(setup(), data)
    race.change(setup(steps=50), data)
    while race.active:
        race.tick(0.05, None, 0.1)
    assert [s.t for s in race.simulations] == [50, 50]


def test_speed_is_kept_on_average(data):
    """At 10 steps a second, 30 ticks of 0.1 s are 30 steps, whatever the tick."""
    race = Race()
    race.change(setup(), data)
    race.playing = True
    for _ in range(30):
        race.tick(1.0, 10.0, 0.1)
    assert race.t in (29, 30)


def test_pause_and_reset(data):
    race = Race()
    race.change(setup(), data)
    race.playing = True
    race.tick(10, 100.0, 0.2)
    assert race.t == 20
    race.pause()
    race.tick(10, None, 0.2)
    assert race.t == 20 and not race.active
    race.reset()
    assert race.t == 0 and not race.active


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (Setup((), Choice("toy-ranking"), Choice("cascade"), 1, 10, 0), "Choose at least one learner"),
        (setup(steps=100_000, replicates=100), "steps in all; a lab allows"),
        (
            setup(dataset=Choice("web-search", (("queries", 28000), ("features", 700)))),
            "MB of memory; this server allows",
        ),
    ],
)
def test_too_much_is_refused_in_words(made, words):
    with pytest.raises(ValueError, match=words):
        made.check()


def test_too_large_steps_are_refused_in_words():
    with pytest.raises(ValueError, match="numbers a step; a lab allows"):
        setup(replicates=100).check_step(datasets.load("web-search", queries=10, documents=200, features=1000))


def test_too_large_learners_are_refused_in_words():
    """5 replicates × 101 labels × (300² numbers of a full matrix, and 2 × 300 of vectors) × 8 bytes are 366 MB."""
    learner = Choice("multilabel-ucb", (("matrices", "full"),))
    made = Setup((learner, learner), Choice("multilabel-synthetic"), None, 5, 100, 0)
    data = datasets.load("multilabel-synthetic", labels=101, features=300, examples=100)
    with pytest.raises(ValueError, match=r"would hold 732 MB .* or choose diagonal matrices"):
        made.check_step(data)


def test_the_largest_run_that_is_allowed_is_allowed():
    setup(steps=families()["ranking"].budget.steps // 6, replicates=3).check()


def test_labels_tell_learners_apart():
    half = Choice("perturbed-perceptron", (("swap_probability", 0.5),))
    dynamic = Choice("perturbed-perceptron", (("dynamic", True),))
    labels = setup(SWAP, half, dynamic, half).labels()
    assert labels == [
        "Preference perceptron, swap",
        "Perturbed perceptron (3PR), p = 0.5 (1)",
        "Perturbed perceptron (3PR), dynamic",
        "Perturbed perceptron (3PR), p = 0.5 (2)",
    ]


def test_the_script_gives_the_same_numbers(tmp_path, capsys, monkeypatch, data):
    made = setup()
    race = finished(made, data)
    path = tmp_path / "run.py"
    path.write_text(made.script("https://example.org/stability"), encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out
    for simulation in race.simulations:
        assert f"{'cumulative-regret':26} {simulation.history['cumulative-regret'][-1].mean():.6g}" in printed


@pytest.mark.parametrize(
    "made",
    [
        setup(),
        setup(Choice("perceptron"), dataset=Choice("digits"), user=None),
        replace(setup(dataset=Choice("web-search")), comparison=(("method", "balanced"), ("sample", 5))),
    ],
    ids=["user", "no user", "comparison"],
)
def test_a_script_imports_what_it_uses_and_nothing_else(made):
    nodes = list(ast.walk(ast.parse(made.script())))
    imported = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    assert imported == used & (imported | {"Simulation", "Comparison", "create", "create_user", "load"})


def test_the_csv_holds_every_metric_of_every_replicate(data):
    race = finished(setup(steps=20), data)
    frame, every = history_frame(race)
    assert every == 1 and len(frame) == 2 * 20 * 3
    assert sorted(set(frame.replicate)) == [0, 1, 2], "counted as in history.frame()"
    row = frame[(frame.learner == race.setup.labels()[1]) & (frame.step == 7) & (frame.replicate == 1)].iloc[0]
    for metric, values in race.simulations[1].history.items():
        np.testing.assert_equal(row[metric], values[6, 1])


def test_a_long_csv_is_thinned_evenly(data, monkeypatch):
    monkeypatch.setattr("pages.ui.lab.export.MAX_ROWS", 30)
    frame, every = history_frame(finished(setup(steps=20), data))
    assert every == 4 and sorted(set(frame.step)) == [4, 8, 12, 16, 20]


def test_the_table_has_the_mean_and_the_standard_error_of_every_curve():
    race = Race()
    race.change(setup(replicates=3), datasets.load("toy-ranking"))
    for _ in range(5):
        race.step()
    specs = [c for c in CHARTS if c.id in ("average-regret", "flips")]
    text = numbers.table(Moment(race.setup, race.t, race.simulations), specs, race.t)
    assert text.count('<th scope="col">') == sum(1 + bool(c.metric.companion) for c in specs)
    assert text.count('<th scope="row"') == len(race.simulations)
    values = race.simulations[0].history["average-regret"][4]
    assert f"<td>{values.mean():.4g} ± {values.std(ddof=1) / np.sqrt(3):.2g}</td>" in text
