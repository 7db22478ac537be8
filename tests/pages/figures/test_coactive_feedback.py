"""The particulars of the figures of [C] up to Fig. 8: the functions that make curves, and values of its rules."""

from dataclasses import replace

import numpy as np
import pytest

from datasets import load
from datasets.ranking import discounts
from learners import Simulation, create, create_user
from pages.ui.figures.catalogue import figures
from pages.ui.figures.computed import clicks, cost
from pages.ui.figures.figure import Size
from pages.ui.figures.needs import missing
from pages.ui.figures.papers.coactive import svm as coactive_svm
from pages.ui.figures.papers.coactive.convex import EPSILON, REGRET, STRICT, TRIED, movie_panel, sample_panel, web_panel
from pages.ui.figures.papers.coactive.feedback import TOP_FIVE, left, ratio
from pages.ui.figures.result import Drawn, Result

SIZE = Size(300)
FIVE = {figure.id: figure for figure in figures().values() if figure.paper == "C" and figure.id not in ("C-fig1",)}


@pytest.mark.parametrize("id", FIVE)
def test_web_search_counts_five_positions_and_says_so(id):
    """Of [C]'s figures all but Fig. 1, which is about clicks, and the panel with the time of a run."""
    panels = [p for p in FIVE[id].panels if p.dataset in ("web-search", "letor-file") and p.id != "cost"]
    for panel in panels:
        assert all({**panel.data, **panel.size(scale).data}["slots"] == 5 for scale in ("page", "paper", "live"))
        assert panel.own is None or panel.own.params == {"slots": 5}
    assert (TOP_FIVE in FIVE[id].caption) == bool(panels)


@pytest.mark.long
@pytest.mark.parametrize("kind", EPSILON)
def test_epsilon_follows_from_its_rule(kind):
    """The power of ten with the least regret under strict feedback, in runs with the seed 100."""
    special = {"movies": movie_panel, "sample": sample_panel}
    panel = special[kind]("", REGRET, STRICT) if kind in special else web_panel("", REGRET, STRICT, kind)
    if lacking := missing(replace(figures()["C-fig13"], panels=(panel,))):
        pytest.skip(lacking)
    size = panel.page
    given = {**panel.data, **size.data} | ({} if kind == "sample" else {"data_seed": 100})
    data = load(panel.dataset, **given)
    found = {}
    for epsilon in TRIED:
        learner = create("second-order-perceptron", **{**panel.series[1].params, "epsilon": epsilon})
        sim = Simulation(learner, data, create_user(panel.user, **panel.asks), replicates=2 * size.replicates, seed=100)
        sim.advance(steps=size.steps)
        found[epsilon] = sim.history["cumulative-regret"][-1].mean()
    assert min(found, key=found.__getitem__) == EPSILON[kind]


def test_clicked_results_move_to_the_top_in_the_order_shown():
    clicked = np.array([[False, False, True, True], [True, False, False, False], [False] * 4])
    assert clicks.improved(clicked).tolist() == [[2, 3, 0, 1], [0, 1, 2, 3], [0, 1, 2, 3]]


def test_the_gain_is_the_difference_of_two_sums_written_out():
    rng = np.random.default_rng(0)
    relevance, clicked = rng.integers(0, 6, (40, 10)).astype(float), rng.random((40, 10)) < 0.3
    expected = []
    for values, chosen in zip(relevance.tolist(), clicked.tolist(), strict=True):
        moved = [v for v, c in zip(values, chosen, strict=True) if c]
        moved += [v for v, c in zip(values, chosen, strict=True) if not c]
        expected.append(sum((a - b) / np.log2(i + 2) for i, (a, b) in enumerate(zip(moved, values, strict=True))))
    np.testing.assert_allclose(clicks.gain(relevance, clicked), expected, atol=1e-8)


def test_a_searcher_who_only_clicks_a_perfect_result_never_makes_a_ranking_worse(monkeypatch):
    """A result of the highest grade that comes to the top cannot hurt."""
    monkeypatch.setitem(clicks.SEARCHERS, "perfect", ("cascade", {"relevant_from": 4, "noise": 0}))
    for gained, clicked in clicks.searched(0, 300, "perfect").values():
        assert (gained >= 0).all() and (clicked.sum(axis=1) <= 1).all()


def test_conditions_share_their_results_and_differ_in_their_order():
    found = clicks.searched(3, 200)
    again = clicks.searched(3, 200)
    assert set(found) == set(clicks.CONDITIONS)
    for condition, (gained, clicked) in found.items():
        np.testing.assert_array_equal(gained, again[condition][0])
        assert clicked.shape == (200, clicks.SHOWN)
    most = discounts(clicks.SHOWN)[0] * 5 * clicks.SHOWN
    assert max(np.abs(gained).max() for gained, _ in found.values()) < most
    assert found["reversed"][0].mean() > found["normal"][0].mean()


def test_shares_are_those_of_the_distribution():
    curves, shares = clicks.distribution(1, SIZE), clicks.shares(1, SIZE)
    assert set(curves) == set(shares) == {*clicks.CONDITIONS, "all"}
    for name, (x, y) in curves.items():
        better, worse, equal, kept, clicked = shares[name][1]
        assert list(x) == sorted(x) and (np.diff(y) >= 0).all() and y[-1] == 1
        assert better + worse + equal == pytest.approx(1)
        assert np.interp(clicks.BELOW, x, y) == pytest.approx(worse)
        assert 1 - np.interp(0, x, y) == pytest.approx(better)
        assert 0 <= kept <= 1 and 0 < clicked < 1
    parts = [shares[c][1][0] for c in clicks.CONDITIONS]
    assert shares["all"][1][0] == pytest.approx(np.mean(parts))


def test_the_first_searcher_is_the_one_of_the_other_panels():
    names, better = clicks.searchers(2, SIZE)["better"]
    assert tuple(names) == tuple(clicks.SEARCHERS)
    assert better[0] == pytest.approx(clicks.shares(2, SIZE)["all"][1][0])


def test_the_svm_takes_longer_on_the_same_steps():
    taken = cost.seconds(0, Size(60))
    assert set(taken) == {series.name for series in coactive_svm.FIGURES[1].panel("cost").series}
    (worlds, fast), (_, slow) = taken["Preference Perceptron"], taken["SVM"]
    assert tuple(worlds) == ("web search", "movies") and min(fast) >= 0
    assert slow[0] > fast[0]


def test_values_of_two_curves_are_those_of_each_seed():
    x = (1, 10, 100)
    result = Result({"web": {"a": Drawn(x, np.array([[4.0, 2, 1], [4, 3, 2]])), "b": Drawn(x, np.ones((2, 3)))}})
    assert ratio("web", "a", "b").of(result).tolist() == [1, 2]
    assert ratio("web", "a", "b", 10).of(result).tolist() == [2, 3]
    assert left("web", "a").of(result).tolist() == [0.25, 0.5]


def test_the_share_of_the_axis_counts_points_of_each_seed():
    x = (1, 10, 100, 1000)
    svm = Drawn(x, np.array([[2.0, 2, 2, 0], [2, 0, 0, 0]]))
    result = Result({"web": {"SVM": svm, "Preference Perceptron": Drawn(x, np.ones((2, 4)))}})
    (share,) = {rule.first for s in coactive_svm.FIGURES[1].statements[:1] for rule in s.rules[:1]}
    assert share.of(result).tolist() == [0.75, 0.25]
