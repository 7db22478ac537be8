"""The messages of a lab to the player: the step and the speed of a link, runs that the server has dropped, failures."""

import base64

import numpy as np
import orjson
import pytest

from pages.ui.files import uploads
from pages.ui.form import settings
from pages.ui.jobs.queue import QUEUE
from pages.ui.lab.stage import Stage
from pages.ui.play.recording import Recording
from tests.pages.test_pages import clean, clock, computed, lab, open_page, recording, step


@pytest.fixture
def addresses(monkeypatch):
    """The queries that were written into the address of the page, the latest last."""
    found = []
    monkeypatch.setattr(settings, "_address", lambda key, data: found.append(data))
    return found


# ---- the settings that the browser changes by itself


def test_step_and_speed_are_read_from_a_link_and_left_to_the_browser(sent, addresses):
    app = clean(lab(t="12", speed="250", noise="0.3"))
    assert not app.warning
    assert (sent[-1]["t"], sent[-1]["speed"], sent[-1]["usual_speed"], sent[-1]["opened"]) == (12, "250", "100", 1)
    assert addresses[-1] == {"link": "noise=0.3&steps=50", "kept": ["t", "speed", "scene"], "page": "stability"}
    recording(app)
    assert clock(app.run()) == 12


def test_what_the_browser_writes_into_the_address_opens_no_link_anew(sent):
    app = clean(lab(t="12", noise="0.3"))
    app.slider(key="stability:cascade:noise").set_value(0.4)
    app.query_params["t"], app.query_params["speed"] = "30", "max"
    clean(app.run())
    assert sent[-1]["opened"] == 1 and sent[-1]["t"] == 12, "the playhead rests where the browser says it rests"
    assert recording(app).setup.user.values["noise"] == 0.4
    app.query_params["noise"] = "0.1"
    clean(app.run())
    assert sent[-1]["opened"] == 2 and sent[-1]["t"] == 30 and sent[-1]["speed"] == "max", "another link"


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("t", "-1", "t must be a whole number in [0, 10000000], got -1; the default 0 is used."),
        ("t", "4.5", "t must be a whole number in [0, 10000000], got 4.5; the default 0 is used."),
        ("t", "later", "t must be a whole number in [0, 10000000], got later; the default 0 is used."),
        ("speed", "3", "speed must be one of 1, 2, 5, 10, 25, 50, 100, 250, 1000, 2500, 10000, max, got 3"),
        ("speed", "-100", "speed must be one of 1, 2, 5"),
    ],
)
def test_a_wrong_step_or_speed_is_refused_in_words_and_the_rest_is_kept(sent, key, value, words):
    app = clean(lab(**{key: value, "documents": "7"}))
    assert len(app.warning) == 1 and words in app.warning[0].value.replace("\\", "")
    assert (sent[-1]["t"], sent[-1]["speed"]) == (0, "100")
    assert recording(app).setup.dataset.values["documents"] == 7


def test_a_step_beyond_the_end_is_the_end(sent):
    app = clean(lab(t="5000"))
    recording(app)
    clean(app.run())
    assert sent[-1]["t"] == sent[-1]["reached"] == 50 and sent[-1]["complete"]
    assert any("after step 50, as the charts draw them" in c.value for c in app.caption)


# ---- runs that the server has dropped


def histories(found):
    return [{id: values.copy() for id, values in s.history.items()} for s in found.simulations]


def same(first, second):
    for a, b in zip(first, second, strict=True):
        assert a.keys() == b.keys()
        for id in a:
            np.testing.assert_array_equal(a[id], b[id], err_msg=id)


def test_a_run_that_the_server_has_dropped_is_computed_anew(sent):
    app = step(clean(lab()), 5)
    first = recording(app)
    QUEUE.clear()
    assert QUEUE.get(first.name) is None
    assert clock(clean(app.run())) == 5
    again = recording(app)
    assert again is not first and again.name == first.name
    same(histories(again), histories(first))
    clean(app.run())
    assert sent[-1]["run"] == first.name and sent[-1]["complete"] and sent[-1]["reached"] == 50


def test_so_it_is_when_only_the_player_asks(sent, monkeypatch):
    """The fragment runs alone then, with what the page has left to it."""
    stages, show = [], Stage.show
    monkeypatch.setattr(Stage, "show", lambda self: (stages.append(self), show(self))[1])
    app = clean(lab(dataset="digits-search", charts="rank-of-best,weight-maps"))
    first, opened = recording(app), stages[-1].open
    drawn = [opened.pictured()]
    drawn[0].wait(60)
    QUEUE.clear()
    again = opened()
    again.wait(60)
    assert again is not first and again.complete and again.name == first.name == sent[-1]["run"]
    same(histories(again), histories(first))
    drawn.append(opened.pictured())
    drawn[1].wait(60)
    pictures = [orjson.dumps(found.frames["weight-maps"].since(0)) for found in drawn]
    assert pictures[0] == pictures[1] and len(drawn[0].frames["weight-maps"]) == 51
    assert drawn[0] is not drawn[1] and drawn[1].simulations is again.simulations, "numbers are kept once"
    assert stages[-1].open() is again


# ---- failures


def test_a_run_that_breaks_off_says_so_once_and_keeps_what_it_has(sent, tmp_path, monkeypatch):
    """A file with one example that is too large for weights that are multiplied by a power of it."""
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path))
    monkeypatch.setattr(uploads, "folder", lambda: tmp_path / "uploads")
    rows = [f"{i % 7 / 7:.3f},{i % 4},{'ab'[i % 2]}\n" for i in range(40)]
    rows[17] = "1e30,1e30,a\n"
    (tmp_path / "large.data").write_text("".join(rows))
    steep = {"learner-1": "potential", "potential-1": "p-norm", "power-1": "20", "unit_length": "false"}
    race = steep | {"learner-2": "halving", "learner-3": "none", "learner-4": "none"}
    size = {"steps": "500", "replicates": "3", "charts": "error-rate"}
    app = clean(open_page("bandit", dataset="classification-file", path="large.data", **race, **size))
    found = QUEUE.get(app.session_state["bandit:run"])
    assert isinstance(found, Recording)
    clean(computed(app, 500).run())
    assert sent[-1]["complete"] and sent[-1]["failed"] == found.failed
    assert found.failed.startswith("the weights of potential are no longer finite numbers at step ")
    assert 0 < sent[-1]["reached"] == found.t < 500


def test_the_words_of_a_failure_are_sent_as_they_are_and_are_no_markup_of_the_page(sent):
    """The player shows them as text, so that nothing is escaped; nowhere does the page take them for Markdown."""
    app = clean(lab())
    found, words = recording(app), "x < y & $z$ is <b>no</b> [link](https://evil.example) of a `learner`."
    found.failed = words
    clean(app.run())
    assert sent[-1]["failed"] == words
    texts = [e.value for kind in ("markdown", "caption", "warning", "info", "error", "html") for e in app.get(kind)]
    assert texts and not any("evil.example" in text for text in texts)


# ---- what stands there before it is played, and what is smoothed


def test_a_lab_has_a_preview_unless_the_link_hides_it_and_a_lesson_has_none(sent):
    clean(lab())
    assert sent[-1]["preview"] is True
    clean(lab(hide="preview"))
    assert sent[-1]["preview"] is False
    clean(open_page("lessons", lesson="flip"))
    assert sent[-1]["preview"] is False


def test_the_legend_says_who_is_not_in_its_usual_colour(sent):
    clean(lab(**{"learner-1": "perturbed-perceptron", "learner-2": "convex-perceptron"}))
    first, second = (entry["label"].endswith("(not in its usual colour)") for entry in sent[-1]["legend"][:2])
    assert not first and second


def test_the_moving_mean_goes_with_a_single_replicate_and_comes_back_with_several(sent, addresses):
    app = clean(lab(replicates="20"))

    def titles():
        return {chart["id"]: chart["title"] for chart in sent[-1]["charts"]}

    assert titles()["rank-of-best"].endswith("(1 is best), mean of 25 steps")
    app.slider(key="stability:replicates").set_value(1)
    clean(app.run())
    assert titles()["rank-of-best"].endswith("(1 is best)") and "window" not in addresses[-1]["link"]
    app.slider(key="stability:replicates").set_value(5)
    clean(app.run())
    assert titles()["rank-of-best"].endswith("mean of 25 steps") and "window" not in addresses[-1]["link"]
    app = clean(lab(replicates="1", window="25"))
    assert titles()["rank-of-best"].endswith("mean of 25 steps") and "window=25" in addresses[-1]["link"]


def test_the_values_of_every_step_come_with_the_curves(sent):
    app = clean(lab(replicates="1", t="19"))
    recording(app)
    clean(app.run())
    exact = sent[-1]["exact"]
    values = np.frombuffer(base64.b64decode(exact["charts"]["flips"]["0 0 0"]), dtype="<f4")
    assert exact["first"] == 1 and len(values) == sent[-1]["reached"] == 50
