"""The figures of [B], [G] and chapters 5 and 6 of [V]: what their functions make, and parameters chosen by a rule."""

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create
from pages.ui.figures.catalogue import figures
from pages.ui.figures.computed import bandit_updates as updates
from pages.ui.figures.computed import label_sets
from pages.ui.figures.figure import Size
from pages.ui.figures.papers.bandits import exploration as bandit_exploration
from pages.ui.figures.papers.bandits import potential as bandit_potential
from pages.ui.figures.papers.bandits.partial_feedback_theory import (
    FAILS,
    FEATURES,
    LABELS,
    NORM,
    PROVED,
    SHOWN,
    bound,
    over_order,
)
from pages.ui.figures.papers.bandits.potential import CODED, EXP, POS, WORLDS, B
from pages.ui.figures.result import read


def test_the_expected_update_by_hand():
    """One feature, x = 2, γ = ½ and K = 9. P(ŷ) = ½ + 1/18 = 5/9, and 1/18 for any other label."""
    x = np.array([2.0])
    chances, moves = updates.updates(x, predicted=0, truth=1, gamma=0.5)
    assert chances.tolist() == pytest.approx([5 / 9] + [1 / 18] * 8) and chances.sum() == pytest.approx(1)
    assert moves[1, :2, 0].tolist() == pytest.approx([-2, 36]) and moves[0, :2, 0].tolist() == [-2, 0]
    # E Ũ = (−2, 2), the perceptron's; divided by P(ŷ) it would be (−2, 2 · (1/18) / (5/9)) = (−2, 0.2)
    assert np.tensordot(chances, moves, 1)[:2, 0] == pytest.approx([-2, 2])
    assert updates.perceptron(x, 0, 1)[:2, 0].tolist() == [-2, 2]
    _, wrong = updates.updates(x, 0, 1, 0.5, played=False)
    assert np.tensordot(chances, wrong, 1)[1, 0] == pytest.approx(0.2)


def test_the_updates_of_the_function_are_those_of_the_learner():
    """A step of the Banditron moves its weights by one of the nine updates, that of the label it played."""
    data = load("synsep", examples=300)
    sim = Simulation(create("banditron", gamma=0.3), data, seed=1)
    seen = 0
    for _ in range(300):
        before = sim.learner.weights[0].copy()
        sim.advance(steps=1)
        step = sim.last
        x = np.zeros(data.dimension)
        x[data.features[[step.row[0]]].indices] = 1
        label, predicted, truth = (int(part[0]) for part in (step.shown.label, step.shown.predicted, step.truth))
        _, moves = updates.updates(x, predicted, truth, 0.3)
        np.testing.assert_allclose(sim.learner.weights[0] - before, moves[label], atol=1e-9)
        seen += label == truth
    assert seen > 20, "right answers were among them"


def test_lemma_5_by_hand():
    """A right prediction with γ = ½: P = 5/9, so E‖Ũ‖² / ‖x‖² = 5/9 · (4/5)² + 4/9 = 0.8, and the bound is 2γ = 1."""
    curves = updates.length(3, Size(1))
    assert curves[updates.RIGHT][1][-1] == pytest.approx(0.8)
    assert (np.array([y for _, y in curves.values()]) <= 1).all()


def test_prefixes_are_best_and_the_check_could_fail():
    for x, y in label_sets.prefixes(5, Size(1)).values():
        assert x == label_sets.SHARES and np.abs(y).max() < 1e-12
    # shown in the wrong order, two labels cost more with decreasing costs and the same with constant ones
    pair = np.array([[0.9, 0.5], [0.5, 0.9]])
    right, wrong = label_sets.expected_loss(pair, 0.5, decreasing=True)
    assert wrong - right == pytest.approx(0.1)
    assert np.ptp(label_sets.expected_loss(pair, 0.5, decreasing=False)) == pytest.approx(0)


def test_the_width_is_that_of_the_learner():
    """The minimum is what the learner uses, on the examples that it meets; the maximum never falls below 2R = 2."""
    curves = label_sets.widths(0, Size(200_000))
    (steps, printed), (_, meant) = curves[label_sets.PRINTED], curves[label_sets.MEANT]
    assert steps[0] == 10 and steps[-1] <= 200_000 and printed.min() == 2 == meant.max() and meant[-1] < 1
    assert (np.minimum(printed, meant) == meant).all() and (np.diff(printed) <= 0.5).all()
    data = load("multilabel-synthetic")
    learner = create("multilabel-ucb", confidence="remark 1", size=40)
    sim = Simulation(learner, data, seed=0)
    sim.advance(steps=50)
    likeness = np.linspace(0, 1, 5)
    expected = [min(label_sets.squared_width(q, 51)) ** 0.5 for q in likeness]
    assert expected[0] == 0 and expected[-1] == 2
    assert sim.history["width"][-1, 0] == pytest.approx(2.0)


def test_regret_over_its_order():
    x = np.array([1.0, np.e**2, np.e**4])
    assert over_order(x, np.sqrt(x)[None] * [[3.0, 2.0, 4.0]]).round(9).tolist() == [[3.0, 1.0, 1.0]]


def test_theorem_2_is_judged_by_its_bound_at_its_own_width():
    """Only the learner with the theorem's ε is judged, by a bound with the constants of the run; none exceeds U."""
    figure = figures()["G-thm2"]
    learner = create("multilabel-ucb", **dict(figure.panel("bound").series[0].params))
    data = load("multilabel-synthetic")
    assert np.linalg.norm(data.model[0], axis=1).max() <= NORM == learner.norm and learner.delta == FAILS
    assert (data.labels.shape[1], data.features.shape[1], learner.size) == (LABELS, FEATURES, SHOWN)
    sim = Simulation(learner, data, seed=0)
    sim.advance(steps=400)
    assert (sim.history["cumulative-regret"][:, 0] <= bound(np.arange(1, 401))).all()
    assert bound(np.array([1.0])) == pytest.approx(
        np.sqrt(800 * 20 * np.log(1.05) * (16 + 80 * np.log(1.05) + 120 * np.log(2000)))
    )
    result = read("G-thm2")
    assert [s.verdict(result) for s in figure.statements] == ["agrees", "agrees"]
    assert {series.name for series in figure.panel("bound").series} == {PROVED}
    assert all("width 0.3" not in rule.words for statement in figure.statements for rule in statement.rules)


@pytest.mark.parametrize("world", (*WORLDS, CODED), ids=lambda world: world.id)
def test_the_best_and_worst_gamma_are_those_of_the_stored_curves(world):
    """Declared for Figs. 5.1 and 6.2, found in Figs. 5.2 and 6.1, up to a difference within two standard errors."""
    result = read("V-fig5.2")
    for name in (EXP, B, POS):
        drawn = result.drawn(world.id, name)
        chosen = drawn.y[:, drawn.x.index(world.best[name])]
        apart = chosen - drawn.y[:, int(drawn.mean.argmin())]
        assert apart.mean() <= 2 * apart.std(ddof=1) / np.sqrt(len(apart)) + 1e-12, name
    drawn = result.drawn(world.id, B)
    assert drawn.x[int(drawn.mean.argmax())] == world.worst
    if world is not CODED:
        other = read("V-fig6.1").drawn(world.id, B)
        np.testing.assert_allclose(other.y, drawn.y, rtol=1e-4)


def test_the_worlds_of_both_chapters_are_the_same():
    ids = [panel.id for panel in bandit_potential.FIGURES[1].panels]
    assert ids == [world.id for world in (*WORLDS, CODED)]
    assert [panel.id for panel in bandit_exploration.FIGURES[-1].panels] == ids[:-1]
    assert all((panel.dataset == "classification-file") != bool(panel.stands_for)
               for panel in bandit_potential.FIGURES[1].panels)  # fmt: skip
