"""The study of [S] §7: how runs are joined, what the file keeps, and what its figures and its table say."""

import json
import math

import numpy as np
import pytest

from learners.interleaving import wilson
from pages.ui.draw.charts import Look
from pages.ui.gallery.published import CLAIMS
from pages.ui.search import figures, study
from pages.ui.search.study import LEARNERS, Course, Plan, Study
from tests.learners.test_crowd import search_data

SMALL = Plan(searches=600, seeds=3, noises=(0.1, 0.4), documents=20, queries=60, shown=0.1)


@pytest.fixture(scope="module")
def runs():
    return [study.runs_of(seed, SMALL, search_data(seed)) for seed in range(SMALL.seeds)]


@pytest.fixture(scope="module")
def done(runs):
    courses = tuple(study.joined(of) for of in zip(*runs, strict=True))
    return Study(SMALL, courses, {"numpy": "1.2"}, 3.5)


def test_points_are_spread_evenly_over_the_powers_of_ten():
    at = Plan().at
    assert at[0] == 1 and at[-1] == 5000 and (np.diff(at) > 0).all() and 45 <= len(at) <= 60
    ratios = at[at >= 50][1:] / at[at >= 50][:-1]
    assert ratios.max() / ratios.min() < 1.05


def test_a_course_adds_up_the_seeds(runs, done):
    """Wins are summed, curves averaged with a standard error, by hand from the runs of the first learner and noise."""
    first, own = done.courses[0], [of[0] for of in runs]
    assert (first.learner, first.noise) == (LEARNERS[0], 0.1)
    assert first.wins[-1] == sum(first.final_wins) == sum(int(run["wins"][-1]) for run in own)
    assert all(a <= b for a, b in zip(first.wins, first.wins[1:], strict=False))
    values = [run["affirmativeness"][-1] for run in own]
    assert first.affirmativeness[-1] == pytest.approx(np.mean(values), rel=1e-4)
    assert first.affirmativeness_error[-1] == pytest.approx(np.std(values, ddof=1) / math.sqrt(3), rel=1e-4)
    early = SMALL.at < 100
    assert all(x is None for x, soon in zip(first.overlap, early, strict=True) if soon)  # not 100 updates yet
    assert all(0 <= x <= 10 for x, soon in zip(first.overlap, SMALL.at < 150, strict=True) if not soon)


def test_a_perceptron_cannot_be_confirmed_and_3pr_can(done):
    """[S] §5.2: without perturbation no feedback ranking scores more than the predicted one by the same weights."""
    for noise in SMALL.noises:
        assert max(done.course(LEARNERS[0], noise).affirmativeness) <= 0
        assert min(done.course(LEARNERS[0], noise).affirmativeness) < 0
    assert done.course(LEARNERS[1], 0.1).affirmativeness[-1] > done.course(LEARNERS[0], 0.1).affirmativeness[-1]


def test_the_best_linear_ranker_stays_as_it_is_and_wins_the_more_the_less_noise(runs, done):
    """w* is fixed, so its top tens never change; and it is truly better than the ranker tuned by hand."""
    quiet, loud = (done.course(study.BEST, noise) for noise in SMALL.noises)
    assert quiet.final_overlap == loud.final_overlap == [10.0] * 3
    assert min(quiet.final_advantage) > 0 and quiet.final_wins > quiet.final_losses
    assert quiet.ratio[0][-1] > loud.ratio[0][-1]


def course(wins=(0, 6), losses=(0, 3), overlap=(9.0, 8.0)):
    known = [None] * len(wins)
    return Course("a", 0.2, [*wins], [*losses], known, known, known, known, [6, 4], [3, 0], [*overlap], [0.1, 0.3])


def test_ratio_with_its_interval_and_the_rule_for_oscillation():
    middle, low, high = course().ratio
    assert math.isnan(middle[0]) and middle[1] == 2
    share = wilson(np.array([6.0]), np.array([3.0]))
    assert low[1] == share[0][0] / (1 - share[0][0]) and high[1] == share[1][0] / (1 - share[1][0])
    assert course().ratios.tolist() == [2.0, 4.0]
    assert not course(overlap=(9.0, 7.0)).oscillates and course(overlap=(9.0, 6.9)).oscillates


def test_a_study_is_the_same_after_it_was_written(done, tmp_path):
    file = tmp_path / "study.json"
    study.write(done, file)
    assert study.read(file) == done
    text = file.read_text("utf-8")
    assert "NaN" not in text and json.loads(text)["plan"]["seeds"] == 3 and text.count("\n") < 100


def test_the_study_in_processes_is_the_same(monkeypatch, runs, done):
    """Each seed has its own data, and the results stand in the order of the seeds."""
    asked = []

    def given(seed, plan):
        asked.append(seed)
        return runs[seed]

    monkeypatch.setattr(study, "runs_of", given)
    assert study.study(SMALL).courses == done.courses and asked == [0, 1, 2]


def test_figures_show_curves_bands_and_what_is_printed(done):
    charts = {chart.id: chart for chart in figures.figures(done, Look())}
    assert list(charts) == ["win-ratio", "overlap", "affirmativeness", "win-ratio-noise", "overlap-noise"]
    at, first = SMALL.at, done.course(LEARNERS[1])
    for id, values in (("win-ratio", first.ratio[0]), ("overlap", first.overlap)):
        layout, data = charts[id].figure["layout"], charts[id].figure["data"]
        assert layout["xaxis"]["type"] == "log" and "printed" in layout["annotations"][0]["text"]
        (curve,) = (trace for trace in data if trace.get("name") == "3PR")
        np.testing.assert_array_equal(curve["x"], at)
        np.testing.assert_array_equal(curve["y"], np.array(values, dtype=float))
        assert sum("fill" in trace for trace in data) == 2  # a band for each learner
    printed = [shape["y0"] for id in charts for shape in charts[id].figure["layout"].get("shapes", ())]
    assert printed == [1.9, 1.0, 4.0, 0.0, 1.0, 8.0]
    low, high = charts["win-ratio"].figure["layout"]["yaxis"]["range"]
    assert low < 1 and high > 1.9
    ends = charts["overlap-noise"].figure["data"]
    (mean,) = (trace["y"] for trace in ends if trace.get("name") == "Perceptron")
    np.testing.assert_allclose(mean, [np.mean(done.course(LEARNERS[0], x).final_overlap) for x in SMALL.noises])


def test_the_table_has_a_row_for_each_noise_and_learner(done):
    rows = figures.table(done)
    assert [(row["Noise"], row["Ranker"]) for row in rows] == [
        (noise, ranker) for noise in ("0.1", "0.4") for ranker in ("Perceptron", "3PR", "best linear ranker")
    ]
    ratios = done.courses[0].ratios
    assert rows[0]["Wins to losses"] == f"{ratios.mean():.2f} ± {ratios.std(ddof=1) / math.sqrt(3):.2f}"
    assert {row["Oscillates"] for row in rows[:2]} <= {"yes", "no"} and rows[2]["Oscillates"] == ""


def test_the_verdict_names_what_came_out_and_what_is_printed(done):
    words = figures.verdict(done)
    ratio = done.course(LEARNERS[1]).ratio[0][-1]
    assert f"3PR wins {ratio:.2f} to 1" in words and "1.9" in words and "about 4" in words


# ---- the study that is part of the repository --------------------------------------------------------------


@pytest.fixture(scope="module")
def kept():
    return study.read()


def test_the_study_was_run_as_planned(kept):
    assert kept.plan == Plan() and kept.plan.seeds == 10 and kept.plan.searches == 10_000
    assert set(kept.packages) == {"numpy", "pandas", "scipy", "sklearn"} and kept.seconds > 0
    expected = [(id, noise) for noise in kept.plan.noises for id in (*LEARNERS, study.BEST)]
    assert [(course.learner, course.noise) for course in kept.courses] == expected
    assert all(len(course.wins) == len(kept.plan.at) and len(course.final_wins) == 10 for course in kept.courses)


def test_3pr_wins_where_the_perceptron_oscillates(kept):
    """[S] §4.1 and §7: at every noise 3PR is preferred to the perceptron, and only the perceptron's top tens change."""
    for noise in kept.plan.noises:
        perceptron, perturbed, best = (kept.course(id, noise) for id in (*LEARNERS, study.BEST))
        assert perturbed.ratio[1][-1] > perceptron.ratio[2][-1]  # also as far as the intervals
        assert best.ratio[0][-1] > perturbed.ratio[0][-1]
        assert perceptron.oscillates and not perturbed.oscillates
    assert kept.course(LEARNERS[1]).ratio[1][-1] > 1 and min(kept.course(LEARNERS[1]).ratios) > 1
    assert kept.course(LEARNERS[1]).affirmativeness[-1] > 0


def test_what_is_published_are_the_numbers_of_the_study(kept):
    """The page of what is published and this file say the same, as printed to two places."""
    (claim,) = (claim for claim in CLAIMS if claim.where == "§7, Figs. 1 to 3")
    shown, quiet, loud = kept.plan.shown, 0.0, 0.2
    perceptron, perturbed = ([kept.course(id, noise) for noise in (shown, quiet, loud)] for id in LEARNERS)
    a, b = ([f"{course.ratio[0][-1]:.2f}".removeprefix("0") for course in of] for of in (perturbed, perceptron))
    share = [f"{np.mean(of[0].final_overlap):.1f}" for of in (perceptron, perturbed)]
    for words in (
        f"noise .05, ten crowds of 10,000 simulated searches give {a[0]} to 1 for 3PR and {b[0]} to 1 for the",
        f"share {share[0]} documents; those of 3PR share {share[1]}",
        f"Without noise it is {a[1]} and {b[1]} to 1, at noise .2 {a[2]} and {b[2]}",
    ):
        assert words in claim.here
    assert f"{kept.course(study.BEST).ratio[0][-1]:.2f} to 1" in claim.why
