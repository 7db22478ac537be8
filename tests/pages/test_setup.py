"""The setup of a race, and what is exported of it, without any widget."""

import numpy as np
import pytest

import datasets
from datasets.ranking import RankingData
from datasets.spec import Spec
from learners.catalogue import create, families, learner_classes
from learners.ranking.metrics import METRICS
from learners.spec import RunSpec
from pages.ui.lab import recorded, values_table
from pages.ui.lab.export import history_frame
from pages.ui.play.recording import Recording
from pages.ui.race import limits
from pages.ui.race.charts import curves

CHARTS = curves(METRICS)

SWAP = Spec("preference-perceptron", (("feedback", "swap"),))
TOP = Spec("preference-perceptron", (("feedback", "top"),))
P3 = Spec("perturbed-perceptron")


def setup(*learners, steps=200, replicates=3, seed=0, dataset=Spec("toy-ranking"), user=Spec("cascade")):  # noqa: B008
    return RunSpec(learners or (SWAP, P3), dataset, user, replicates, steps, seed)


@pytest.fixture
def data():
    return datasets.load("toy-ranking")


def finished(made, data):
    recording = Recording("test", made, data)
    recording.advance(1e9)
    return recording.moment()


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (RunSpec((), Spec("toy-ranking"), Spec("cascade"), 1, 10, 0), "Choose at least one learner"),
        (setup(steps=100_000, replicates=100), "steps in all; a lab allows"),
        (
            setup(dataset=Spec("web-search", (("queries", 28000), ("features", 700)))),
            "MB of memory; this server allows",
        ),
    ],
)
def test_too_much_is_refused_in_words(made, words):
    with pytest.raises(ValueError, match=words):
        limits.check(made)


def test_too_large_steps_are_refused_in_words():
    wide = RankingData("wide", {}, np.zeros((200, 1000)), np.array([0, 200]), np.zeros((1, 200)))
    with pytest.raises(ValueError, match="numbers a step; a lab allows"):
        limits.check_step(setup(replicates=100), wide)


def test_too_large_learners_are_refused_in_words():
    """5 replicates × 101 labels × (300² numbers of a full matrix, and 2 × 300 of vectors) × 8 bytes are 366 MB."""
    learner = Spec("multilabel-ucb", (("matrices", "full"),))
    made = RunSpec((learner, learner), Spec("multilabel-synthetic"), None, 5, 100, 0)
    data = datasets.load("multilabel-synthetic", labels=101, features=300, examples=100)
    with pytest.raises(ValueError, match=r"would hold 732 MB .* or choose diagonal matrices"):
        limits.check_step(made, data)


def test_a_run_is_checked_and_its_data_are_loaded_when_its_recording_is_made_and_not_again(monkeypatch):
    run = setup(seed=4711)
    made = recorded.record(run)
    for name in ("check", "check_step"):
        monkeypatch.setattr(limits, name, lambda *given: pytest.fail("it was checked again"))
    monkeypatch.setattr(recorded, "load_data", lambda dataset: pytest.fail("its data were loaded again"))
    assert recorded.record(run) is made


def test_data_that_memory_cannot_hold_end_in_a_sentence(monkeypatch):
    def load(dataset):
        raise MemoryError

    monkeypatch.setattr(recorded, "load_data", load)
    with pytest.raises(ValueError, match=r"needs more memory than the server has\. Lower the queries"):
        recorded.record(setup(seed=4712))


def test_the_largest_run_that_is_allowed_is_allowed():
    limits.check(setup(steps=families()["ranking"].budget.steps // 6, replicates=3))


def test_labels_tell_learners_apart():
    half = Spec("perturbed-perceptron", (("swap_probability", 0.5),))
    dynamic = Spec("perturbed-perceptron", (("dynamic", True),))
    labels = setup(SWAP, half, dynamic, half).labels()
    assert labels == [
        "Preference perceptron, swap",
        "Perturbed perceptron (3PR), p = 0.5 (1)",
        "Perturbed perceptron (3PR), dynamic",
        "Perturbed perceptron (3PR), p = 0.5 (2)",
    ]


def test_the_csv_holds_every_metric_of_every_replicate(data):
    moment = finished(setup(steps=20), data)
    frame, every = history_frame(moment)
    assert every == 1 and len(frame) == 2 * 20 * 3
    assert sorted(set(frame.replicate)) == [0, 1, 2], "counted as in history.frame()"
    row = frame[(frame.learner == moment.setup.labels()[1]) & (frame.step == 7) & (frame.replicate == 1)].iloc[0]
    for metric, values in moment.simulations[1].history.items():
        np.testing.assert_equal(row[metric], values[6, 1])


def test_a_long_csv_is_thinned_evenly(data, monkeypatch):
    monkeypatch.setattr("pages.ui.lab.export.MAX_ROWS", 30)
    frame, every = history_frame(finished(setup(steps=20), data))
    assert every == 4 and sorted(set(frame.step)) == [4, 8, 12, 16, 20]


def test_the_table_has_the_mean_and_the_standard_error_of_every_curve_at_any_step(data):
    moment = finished(setup(replicates=3, steps=20), data)
    specs = [c for c in CHARTS if c.id in ("average-regret", "flips")]
    text = values_table.table(moment, specs, 5)
    assert text.count('<th scope="col">') == sum(1 + bool(c.metric.companion) for c in specs)
    assert text.count('<th scope="row"') == len(moment.simulations)
    values = moment.simulations[0].history["average-regret"][4]
    assert f"<td>{values.mean():.4g} ± {values.std(ddof=1) / np.sqrt(3):.2g}</td>" in text


def test_a_short_name_tells_learners_apart_with_no_more_words_than_it_takes():
    assert setup(TOP, P3).shorts() == ["Perceptron", "3PR"]
    dynamic = Spec("perturbed-perceptron", (("dynamic", True),))
    names = setup(TOP, SWAP, P3, dynamic).shorts()
    assert names == [
        "Perceptron, top", "Perceptron, swap", "3PR, p = 0.5", f"3PR, {create(P3.id, dynamic=True).describe()}",
    ]  # fmt: skip
    assert setup(P3, P3).shorts() == ["3PR, p = 0.5 (1)", "3PR, p = 0.5 (2)"]
    assert setup(Spec("random-ranking"), P3).shorts() == ["Random ranking", "3PR"], "the title where it is short"


def test_every_learner_has_a_short_name():
    for id, kind in learner_classes().items():
        assert len(kind.short or kind.title) <= 20, id
