"""Journeys through the three labs of boosting."""

import pytest

pytestmark = pytest.mark.xdist_group("small-browser")

CLASSES = "/semi_supervised?replicates=2&examples=120&steps=12&learner-2=adaboost&learner-3=none&learner-4=none"
LETOR = "/learning_to_rank?replicates=2&queries=20&documents=8&features=5&learner-3=none&learner-4=none"
PERSON = "/refinement?dataset=digits-search&topic=3&documents=40&user=person&query=2&replicates=1&steps=5&charts=path,positions"


def traces(visitor, chart, kind):
    """What a chart has of a kind of trace: the number of values of each."""
    return visitor.page.evaluate(
        "([chart, kind]) => document.querySelector(`section[data-chart='${chart}'] .fl-plot`).data"
        ".filter(t => t.type === kind).map(t => (t.x ?? t.z).length)",
        [chart, kind],
    )


def told(visitor):
    """What the round inspector says."""
    visitor.wait_until(lambda: "The algorithm: [V]" in visitor.text)
    return visitor.text.split("Round inspector")[1].split("The algorithm: [V]")[0]


def test_the_semi_supervised_lab_from_play_to_the_same_numbers_again(visit):
    """Play to the end: regions of both learners, every training point, and the link gives the same again."""
    me = visit(CLASSES).charts()
    assert traces(me, "regions", "heatmap") == [], "no regions before the first round"
    me.press("Play")
    me.wait_until(lambda: me.t == 12)
    me.settle()
    assert len(traces(me, "regions", "heatmap")) == 2
    points = traces(me, "regions", "scatter")
    assert len(points) == 4 and points[0] + points[1] == points[2] + points[3] == 60
    text, link = told(me), me.url
    assert "After round 12" in text and "pseudo-labels" in text
    me.go(link.removeprefix(me.address)).charts().press("Play")
    me.wait_until(lambda: me.t == 12)
    assert told(me.settle()) == text
    me.press("Reset")
    me.wait_until(lambda: me.t == 0)


def test_the_learning_to_rank_lab_shows_weights_positions_and_features(visit):
    me = visit(LETOR).charts()
    for _ in range(3):
        me.press("Step")
    assert me.t == 3
    assert traces(me, "weights", "bar") == [8], "one bar for each document of the query, of NDCG_Boost alone"
    assert len(traces(me, "picked", "bar")) == 2
    assert traces(me, "positions", "scatter")[-1] == 10
    assert "It lifts documents whose feature" in told(me)
    me.page.get_by_test_id("stSidebar").get_by_text("both", exact=True).click()
    me.settle()
    assert "thin: on the training queries" in me.text and "fold=both" in me.url


def test_a_person_judges_by_clicking_and_the_link_keeps_it(visit):
    """Two clicks are two relevant documents; a third takes one back; another window sees the same."""
    me = visit(PERSON).charts()
    cards = me.page.locator(".fl-cards button")
    assert cards.count() == 20 and cards.locator("img").count() == 20
    for place in (0, 3, 0, 6):
        cards.nth(place).click()
        me.settle()
    me.wait_until(lambda: "relevant=4%2C7" in me.url)
    assert me.page.locator(".fl-cards button[aria-pressed=true]").count() == 2
    me.press("Step")
    assert "20 of 40 documents were judged" in told(me)
    other = visit(me.url.removeprefix(me.address)).charts()
    assert other.page.locator(".fl-cards button[aria-pressed=true]").count() == 2
    other.press("Step")
    assert told(other) == told(me)
