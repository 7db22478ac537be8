"""[V] chapters 1 to 3: the functions behind the figures, by hand; the words that say how a person's file is read."""

import math

import numpy as np
import pytest

from datasets import create
from pages.ui.figures.catalogue import figures
from pages.ui.figures.computed import data_sets, expected_ndcg
from pages.ui.figures.computed.training_error import training_error
from pages.ui.figures.figure import Size
from pages.ui.figures.papers.boosting import benchmark_sets, depth, learning_to_rank
from pages.ui.figures.papers.boosting import rounds as boosting_rounds
from pages.ui.figures.papers.boosting import semi_supervised as semi_supervised_boosting
from pages.ui.figures.result import Drawn, Result
from pages.ui.figures.statement import Above, at, best, least_gap, number_of, rate
from tests.learners.boosting.learning_to_rank.problems import slow

MODULES = (benchmark_sets, boosting_rounds, depth, learning_to_rank, semi_supervised_boosting)
PANELS = [panel for module in MODULES for figure in module.FIGURES for panel in figure.panels]


def result(**series):
    return Result({"panel": {name: Drawn((1, 2, 3), np.array(y, dtype=float)) for name, y in series.items()}})


def test_a_rate_is_the_slope_of_the_logarithm():
    found = rate("panel", "a", 1, 3).of(result(a=[[math.e, 1, 1 / math.e], [1, 1, 1]]))
    np.testing.assert_allclose(found, [-1, 0], atol=1e-12)


def test_the_least_gap_is_over_all_points_of_each_seed():
    found = result(upper=[[5, 2, 9], [1, 1, 1]], lower=[[1, 1, 10], [0, 0, 0]])
    assert least_gap("panel", "upper", "lower").of(found).tolist() == [-1, 1]


def test_the_best_has_the_highest_mean_and_is_the_same_for_every_seed():
    found = result(a=[[0, 0, 9], [0, 0, 1]], b=[[0, 0, 4], [0, 0, 4]])
    assert best("panel", ("a", "b"), 3).of(found).tolist() == [9, 1]


def test_rules_that_hold_are_counted():
    found = result(a=[[3, 1, 0]], b=[[2, 2, 0]])
    rules = tuple(Above(at("panel", "a", x), at("panel", "b", x), 0) for x in (1, 2, 3))
    assert number_of("points", rules).of(found).tolist() == [1]


def test_the_distribution_of_rankings_by_hand():
    """Scores 1, 0, 0, 0, 0: a ranking weighs exp(6 − 2 π(0)), so the first document is first with weight e⁴ of Σ."""
    ranks, chance = expected_ndcg.exact(np.array([1.0, 0, 0, 0, 0]))
    total = sum(math.exp(6 - 2 * place) for place in range(1, 6))
    assert chance[ranks[:, 0] == 1].sum() == pytest.approx(math.exp(4) / total)
    assert chance.sum() == pytest.approx(1) and len({tuple(row) for row in ranks}) == 120


def test_the_slack_of_theorem_6_by_its_sums():
    """Pair by pair for one draw: γ and w by the text, M by Eq. 3.11."""
    found = expected_ndcg.theorem_6(5, Size(1))
    rng = np.random.default_rng(5)
    grades = rng.integers(0, 4, 100).astype(float)
    F, f = rng.normal(size=100), rng.integers(0, 2, 100).astype(float)
    problem = expected_ndcg.Queries(np.zeros((100, 1)), np.arange(0, 101, 5), grades)
    M, w, theta, gain = slow(problem, F)
    for i, alpha in enumerate(expected_ndcg.ALPHAS):
        gamma = (math.exp(3 * alpha) + math.exp(-3 * alpha) - 2) / 3 * (gain[:, None] * theta).sum()
        last = (math.exp(3 * alpha) - 1) / 3 * (f * w).sum()
        after = slow(problem, F + alpha * f)[0]
        assert found["as printed"][1][i] == pytest.approx((M + gamma + last - after) / M, abs=1e-9)
        assert found["with a minus"][1][i] == pytest.approx((M + gamma - last - after) / M, abs=1e-9)


def test_theorem_7_as_printed_is_the_power_of_the_other_bound():
    found = expected_ndcg.theorem_7(0, Size(5, {"queries": 10, "documents": 5}))
    once = found["bound, M summed over queries"][1]
    assert (found["M"][1] <= once).all()
    np.testing.assert_allclose(found["bound as printed, M divided by n"][1], np.maximum(once**6, 1e-6))


def test_the_training_error_falls_below_its_bound():
    found = training_error(3, Size(10))
    assert found["training error"][0] == tuple(range(1, 11))
    assert (found["training error"][1] <= found["bound of Eq. 1.1"][1]).all()


def test_the_documents_of_a_query_follow_from_the_table():
    names, values = data_sets.documents(0, Size(1))["Documents of a query"]
    assert dict(zip(names, values, strict=True))["OHSUMED"] == pytest.approx(16140 / 106)


@pytest.mark.parametrize("panel", [p for p in PANELS if p.own], ids=lambda p: p.title)
def test_a_persons_file_has_every_parameter_that_the_panel_varies(panel):
    varied = {"labelled": 0.02} if getattr(panel.x, "owner", "") == "dataset" else {}
    create(panel.own.dataset, path="mine", **panel.own.params, **varied)
    assert panel.own.words and panel.live


def test_every_figure_of_the_chapters_is_there():
    expected = {"V-tab1.1", "V-tab1.2", "V-eq1.1", "V-2.3.4", "V-thm4", "V-fig2.1", "V-fig2.2", "V-fig2.3"}
    expected |= {"V-lem4", "V-thm6", "V-thm7", "V-fig3.1"}
    assert expected <= set(figures())
