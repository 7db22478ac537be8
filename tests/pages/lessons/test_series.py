"""Series that cards play in place of runs: their numbers against independent ones, their recordings, and the pages."""

from types import SimpleNamespace

import numpy as np
import pytest

from learners.adversary import Adversary
from learners.off_policy import learn, value
from learners.off_policy.log import Log
from learners.random import Seeds
from pages.ui.draw.charts import Look
from pages.ui.form.form import Form
from pages.ui.lessons import check, document, numbers
from pages.ui.lessons.document import CardRun
from pages.ui.lessons.facts import measured, setup_of
from pages.ui.lessons.lesson import Measure, read
from pages.ui.lessons.library import lessons
from pages.ui.lessons.series import SeriesRun, logged_clicks, places, recorded, series
from pages.ui.lessons.series.lower_bound import LIGHT
from pages.ui.static import films
from pages.ui.static.films import Wanted
from tests.pages.lessons.sample import changed
from tests.pages.lessons.test_page import given  # noqa: F401
from tests.pages.test_pages import clean, open_page


def made(id, **settings):
    return series()[id].ask(Form({key: str(text) for key, text in settings.items()}))


@pytest.mark.parametrize("id", series())
def test_what_a_series_declares_is_what_it_makes(id):
    run = made(id)
    shown = series()[id].charts
    assert run.charts == tuple(shown) and 2 <= len(run.learners) == len({*run.learners}) <= 4
    assert {chart for line in run.lines for chart in line.curves} == {*shown}
    assert all(values.ndim == 2 and len(values) == run.steps for line in run.lines for values in line.curves.values())
    page, query = series()[id].link({"seed": "3", "charts": "x", "bound": "2"})
    assert page in places() and query == {**series()[id].query, "seed": "3"}
    assert not check.read_problems(places()[page], query), "its link opens"


# ---- the numbers


@pytest.mark.parametrize("learner", LIGHT)
def test_whoever_is_seen_is_always_wrong_and_pays_the_bound(learner):
    game, bound = made("lower-bound", learner=learner, horizon=60).simulations
    t = np.arange(1, 61)
    np.testing.assert_array_equal(game.history["mistakes"], np.tile(t[:, None], 20))
    np.testing.assert_allclose(game.history["average-regret"], np.tile(2 / np.sqrt(t)[:, None], 20))
    np.testing.assert_allclose(bound.history["average-regret"][:, 0], 2 / np.sqrt(t))


def test_an_end_of_the_series_is_a_game_of_that_length():
    long = made("lower-bound", horizon=80, sees="nothing", seed=4).simulations[0]
    short = Adversary("preference-perceptron", 40, 20, 4, "nothing")
    short.advance()
    np.testing.assert_allclose(long.history["average-regret"][39], short.history["average-regret"][-1])


def test_estimates_of_the_first_t_interactions_are_those_of_a_log_of_that_length():
    run = made("logged-estimates", interactions=300, seed=2)
    found = {line.name: line.curves for line in run.lines}
    log, chances = logged_clicks.logged(logged_clicks.OLD, Seeds(2, logged_clicks.LOGS).spawn(2)[1], 0.1, 300)
    truth = found["truth"]["value"][0, 0]
    assert truth == pytest.approx(sum(r / k for k, r in enumerate(logged_clicks.RELEVANCE, 1)))
    for t in (2, 57, 300):
        part = Log(*(values[:, :t] for values in log))
        each = (value.weights(part, np.eye(10), chances) * part.clicks).sum(axis=2)
        estimate, half = value.ips(part, np.eye(10), chances), value.Z * each.std(axis=1, ddof=1) / np.sqrt(t)
        curves = found["inverse propensity"]
        np.testing.assert_allclose(curves["value"][t - 1], estimate.value)
        np.testing.assert_allclose(curves["width"][t - 1], 2 * half)
        np.testing.assert_array_equal(curves["coverage"][t - 1], np.abs(estimate.value - truth) <= half)
        np.testing.assert_allclose(
            found["clicks as they are"]["value"][t - 1], log.clicks[:, :t].sum(axis=2).mean(axis=1)
        )
    assert np.isnan(found["doubly robust"]["width"][0]).all(), "one interaction has no interval"


def test_rankings_that_are_learned_earn_what_their_places_and_documents_give():
    run = made("logged-rankings", interactions=200, seed=1)
    found = {line.name: line.curves for line in run.lines}
    log, chances = logged_clicks.logged(logged_clicks.GOOD, Seeds(1, logged_clicks.LOGS).spawn(1)[0], 0.1, 200)
    ranking = learn.inverse_propensity(log, chances, logged_clicks.LOOKS)[7]
    earned = sum(logged_clicks.RELEVANCE[d] / k for k, d in enumerate(ranking, 1))
    assert found["inverse propensity"]["clicks"][-1, 7] == pytest.approx(earned)
    old = found["old ranking"]["clicks"][0, 0]
    for name in ("clicks as they are", "inverse propensity", "safe (PRPO)"):
        curves = found[name]
        np.testing.assert_allclose(curves["worst"][:, 0], curves["clicks"].min(axis=1))
        np.testing.assert_array_equal(curves["below"].astype(bool), curves["clicks"] < old - 1e-9)


# ---- as a card plays it


def lesson(*pairs):
    """The sample, whose second card plays a game of 200 steps against the adversary."""
    own = 'lab = "lower-bound"\nsettings = { horizon = "200", charts = "mistakes" }\n'
    back = 'lab = "stability"\nsettings = { feedback-1 = "swap", replicates = 1, steps = 200 }\n'
    return read(
        changed(
            ('id = "guess"\n', f'id = "guess"\n{own}'), ('metric = "flips"', 'metric = "mistakes"'),
            ("high = 50", "high = 200"), ('id = "why"\n', f'id = "why"\n{back}'), *pairs,
        ),
        "flipping",
    )  # fmt: skip


def test_a_card_that_plays_a_series_holds_and_its_number_is_read_from_it():
    card = lesson().cards[1]
    assert check.problems(lesson()) == []
    run = setup_of(places()[card.lab], card.settings)
    assert measured(run.simulations[0], Measure("mistakes", 1, 200, 1)) == 200
    assert document.truth(card, run.simulations) == 200
    assert {200, 20, 0} <= {int(number) for number in numbers.parameters(run, None)}
    assert document.of(lesson())["cards"][1]["href"] == "coactive?mode=lower-bound&horizon=200"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('charts = "mistakes"', 'charts = "flips"', "charts must be among average-regret, mistakes, weight-norm, got "),
        ('charts = "mistakes"', 'noise = "1"', "noise is no setting of the The lower bound."),
        ('horizon = "200"', 'horizon = "9000"', "horizon must be "),
        ('metric = "mistakes", learner = 1', 'metric = "flips", learner = 1', "metric must be one of "),
        ('metric = "mistakes", learner = 1', 'metric = "mistakes", learner = 3', "learner must be from 1 to 2, "),
        ("t = 200, replicate = 1", "t = 201, replicate = 1", "t must be a step of the run, which has 200, got 201."),
        ("play = {}", 'play = {}\npoint = "scene"', "point is scene, but the lab has none."),
        ("play = {}", 'play = {}\npoint = "event:best-lost"', "but in this run happens only nothing."),
        ("play = {}", 'play = {}\npoint = "chart:average-regret"', "but the chart is not shown; those of the card "),
        ('lab = "lower-bound"', 'lab = "bound"', "the lab must be one of bandit, coactive, "),
    ],
)  # fmt: skip
def test_what_a_series_does_not_have_ends_in_a_sentence(old, new, words):
    found = check.problems(lesson((old, new)))
    assert any(words in sentence for sentence in found), found


def test_a_hand_needs_a_lab():
    text = changed(
        ('id = "yourself"\n', 'id = "yourself"\nlab = "lower-bound"\n'),
        ('settings = { dataset = "digits-search", topic = "3", user = "scan", noise = 0.2, charts = "ndcg,', "#"),
    )
    assert any("a series has none" in problem for problem in check.problems(read(text, "flipping")))


def test_a_link_to_a_mode_without_runs_may_be_something_to_try_but_no_card():
    mode = 'settings = { mode = "lower-bound", horizon = 50 }'
    tried = read(changed(('page = "coactive"\n', f'page = "coactive"\n{mode}\n')), "flipping")
    assert check.problems(tried) == []
    card = read(changed(('id = "noise"\n', f'id = "noise"\nlab = "coactive"\n{mode}\n'), 
                        ("settings = { noise = 0.1 }\n", ""), ('controls = ["noise"]\n', ""),
                        ('point = "setting:noise"\n', ""), ('done = "changed:noise"\n', "")), "flipping")  # fmt: skip
    assert any("mode must be one with runs, got lower-bound" in problem for problem in check.problems(card))


def test_a_series_in_files_has_its_recording_its_number_and_the_stops_of_its_control():
    text = changed(
        ('settings = { noise = 0.1 }\ncontrols = ["noise"]\npoint = "setting:noise"\ndone = "changed:noise"',
         'lab = "lower-bound"\nsettings = { horizon = "100" }\ncontrols = ["learner"]\npoint = "setting:learner"\n'
         'done = "changed:learner"\nfound = { text = "Wrong: {}.", metric = "mistakes", learner = 1, t = 100, '
         'replicate = 1 }'),
        ('id = "yourself"\n', 'id = "yourself"\nlab = "stability"\n'),
    )  # fmt: skip
    made_of = read(text, "flipping")
    assert check.problems(made_of) == []

    def play(lab, settings):
        run = setup_of(places()[lab], settings)
        return CardRun(
            f"{lab} {settings.get('learner', '')}",
            run.simulations if isinstance(run, SeriesRun) else [SimpleNamespace(t=0)],
        )

    written = document.for_files(made_of, play, trees=False)["cards"][3]
    assert (written["run"], written["truth"]) == ("lower-bound ", 100.0)
    stops = written["stops"]
    assert stops["texts"][:2] == ["Preference perceptron", "Perturbed perceptron (3PR)"]
    assert stops["truths"] == [100.0] * len(LIGHT) and stops["at"] == 0
    assert stops["runs"][1] == "lower-bound perturbed-perceptron"


def test_a_recording_has_the_curves_on_the_axes_that_are_asked_for_and_a_name_of_its_numbers():
    plain, log, other = (
        recorded(made("lower-bound", horizon=50, charts="average-regret", **more), Look()).payload
        for more in ({}, {"x_log": "true", "y_log": "true"}, {"seed": 1, "sees": "nothing"})
    )
    assert len({one["run"] for one in (plain, log, other)}) == 3
    [chart] = log["charts"]
    assert (chart["layout"]["xaxis"]["type"], chart["layout"]["yaxis"]["type"]) == ("log", "log")
    assert [learner["label"] for learner in log["learners"]] == ["Preference perceptron", "lower bound"]
    assert [line["slot"] for line in chart["lines"]] == [0, 1]
    assert plain["charts"][0]["layout"]["xaxis"].get("type") != "log"
    dark = recorded(made("lower-bound", horizon=50, charts="average-regret"), Look.of("dark")).payload
    assert dark["run"] == plain["run"] and dark["drawn"] != plain["drawn"]


def test_an_edition_records_a_series_once(tmp_path):
    wanted = Wanted("lower-bound", (("horizon", "50"),))
    assert films.there(tmp_path, wanted.name) == [] and wanted.turnings == []
    films.make(tmp_path, wanted)
    assert len(films.there(tmp_path, wanted.name)) == 2
    assert wanted.name != Wanted("lower-bound", (("horizon", "60"),)).name


def test_the_page_plays_a_series_and_knows_what_came_out(given, shelf, sent):  # noqa: F811
    text = changed(
        ('id = "guess"\n', 'id = "guess"\nlab = "lower-bound"\nsettings = { horizon = "200", charts = "mistakes" }\n'),
        ('metric = "flips"', 'metric = "mistakes"'), ("high = 50", "high = 200"),
    )  # fmt: skip
    (shelf / "flipping.toml").write_text(text, encoding="utf-8")
    assert lessons()["flipping"].cards[1].lab == "lower-bound"
    clean(open_page("lessons", lesson="flipping", card="2"))
    assert given[-1]["truths"] == {"guess": 200.0} and sent[-1]["run"] == given[-1]["run"]
    assert (sent[-1]["page"], sent[-1]["preview"], sent[-1]["complete"], sent[-1]["steps"]) == (
        "lessons", False, True, 200,
    )  # fmt: skip
