"""Journeys through the bandit, multilabel, coactive and interleaving labs and the lower bound."""

import pytest

from tests.browser.test_stability_lab import uncovered

# the kinds of the charts in the order in which they are drawn when all have changed and pictures stand first
ORDER = """async () => {
  const { player } = document.querySelector('.fl-player'), { grid, payload } = player, order = [];
  for (const cell of grid.cells.values()) {
    const { drawing } = cell, update = drawing.update;
    cell.stale = true;
    drawing.update = function (...given) { order.push(cell.kind); return update.apply(this, given); };
  }
  const charts = payload.charts.toSorted((a, b) => (a.kind === 'curves') - (b.kind === 'curves'));
  await grid.update({ ...payload, charts }, true);
  for (const { drawing } of grid.cells.values()) delete drawing.update;
  return order;
}"""
ALONE = "&learner-2=none&learner-3=none&learner-4=none"
BANDIT = "/bandit?replicates=2&steps=20000&speed=100&learner-3=none&learner-4=none&charts=error-rate,confusion"


def inspector(visitor):
    """The words of the step inspector, up to where the algorithm is cited."""
    visitor.wait_until(lambda: "The algorithm: [" in visitor.text)
    return visitor.text.split("The algorithm: [")[0]


@pytest.mark.core
def test_the_bandit_lab_from_play_to_the_same_numbers_again(visit):
    """Play → the curves are uncovered → pause → step → reset → the link comes back to the same step."""
    me = visit(BANDIT).charts()
    me.play()
    me.wait_until(lambda: me.t > 50)
    first = uncovered(me)
    me.wait_until(lambda: uncovered(me) > first)
    me.wait_until(lambda: me.heat_maps() == 2)
    assert me.pause().page.evaluate(ORDER) == ["curves", "figure"], "curves do not wait for pictures"
    me.step()
    me.do("reset").at(0)
    said, link = inspector(me.step(2)), me.url
    me.go(link.removeprefix(me.address)).charts().at(2).told()
    assert inspector(me) == said


def test_the_bandit_inspector_shows_image_distribution_and_feedback(visit):
    me = visit(f"/bandit?charts=error-rate,weight-maps&replicates=1&learner-1=banditron&gamma-1=0.5{ALONE}").charts()
    text = inspector(me.at(0).step())
    assert "the probability with which each label is played, for γ = 0.5" in text
    assert ("and is told right" in text) != ("and is told wrong" in text)
    main = me.page.get_by_test_id("stMain")
    assert main.locator("img[alt='the example']").count() == 1
    assert main.locator("img[alt='weights of the classes 0, 1, 2, 3, 4, 5, 6, 7, 8, 9']").count() == 1
    bars = main.locator(".fl-bars").nth(1)
    assert bars.locator("i").count() == 10
    shares = bars.locator("i").evaluate_all("bars => bars.map(b => parseFloat(b.style.getPropertyValue('--share')))")
    assert sorted(shares)[-1] == 100 and len([s for s in shares if s < 20]) == 9, "the exploit mass stands on one label"


@pytest.mark.core
@pytest.mark.long
def test_the_multilabel_lab_tells_what_was_shown(visit):
    me = visit("/multilabel?replicates=1&size-1=3&charts=loss").charts()
    text = inspector(me.at(0).step())
    assert "upper confidence" in text and "true probability" in text
    assert "of at most 3 are shown" in text and "the best set, known to the data set alone" in text
    me.play()
    me.wait_until(lambda: me.t > 30)


def test_the_coactive_lab_draws_distributions_and_costs(visit):
    me = visit("/coactive?replicates=2&charts=average-regret,alpha,slack,cost&queries=200").charts()
    me.play()
    me.wait_until(lambda: len(me.curves()) >= 12)  # four learners in each of at least three charts


def test_movies_are_recommended_by_title_and_not_twice(visit):
    me = visit(f"/coactive?charts=average-regret&dataset=movies&user=item-better&replicates=1{ALONE}").charts().at(0)
    seen = set()
    for _ in range(4):
        me.step()
        title = me.page.locator(".fl-doc b").first.inner_text()
        assert "(" in title and title not in seen, "a movie shown leaves the candidates"
        seen.add(title)


def test_the_interleaving_view_says_who_wins(visit):
    me = visit("/stability?mode=interleaved&replicates=3&queries=300&sample=2").charts()
    me.play()
    me.wait_until(lambda: me.t > 60)
    me.pause()
    for words in (
        "share won (95 % interval)", "Below each document stands the ranker that put it there",
        "One search compared.", "One search taught the learner.",
    ):  # fmt: skip
        me.wait_until(lambda: words in me.text)  # noqa: B023


def test_the_lower_bound_is_met_exactly(visit):
    me = visit("/coactive?mode=lower-bound&horizon=400&learner=perturbed-perceptron").charts()
    me.wait_until(lambda: me.text.count("0.1000") == 2)  # regret and bound, 2 / sqrt(400)
