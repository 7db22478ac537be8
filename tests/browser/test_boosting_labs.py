"""Journeys through the three labs of boosting."""

CLASSES = "/semi_supervised?replicates=2&examples=120&steps=12&learner-2=adaboost&learner-3=none&learner-4=none"
LETOR = "/learning_to_rank?replicates=2&queries=20&documents=8&features=5&learner-3=none&learner-4=none"
PERSON = (
    "/refinement?dataset=digits-search&topic=3&documents=40&user=person&query=2&replicates=1&steps=5"
    "&charts=path,positions"
)


def traces(visitor, chart, kind):
    """What a chart has of a kind of trace, once it is in sight: the number of values of each."""
    visitor.page.locator(f"section[data-chart='{chart}']").scroll_into_view_if_needed()
    return visitor.page.evaluate(
        "([chart, kind]) => document.querySelector(`section[data-chart='${chart}'] .js-plotly-plot`)._fullData"
        ".filter(t => t.type === kind).map(t => (t.x ?? t.z).length)",
        [chart, kind],
    )


def inspector(visitor):
    """What the round inspector says."""
    visitor.wait_until(lambda: "The algorithm: [V]" in visitor.text)
    return visitor.text.split("Round inspector")[1].split("The algorithm: [V]")[0]


def test_the_semi_supervised_lab_from_play_to_the_same_numbers_again(visit):
    """Play to the end: regions of both learners, every training point, and the link gives the same again."""
    me = visit(CLASSES).charts()
    assert traces(me, "regions", "heatmap") == [], "no regions before the first round"
    me.play().at(12)
    me.wait_until(lambda: len(traces(me, "regions", "heatmap")) == 2)
    me.wait_until(lambda: len(traces(me, "regions", "scatter")) == 4)
    points = traces(me, "regions", "scatter")
    assert points[0] + points[1] == points[2] + points[3] == 60
    me.wait_until(lambda: "After round 12" in inspector(me))
    text, link = inspector(me), me.url
    assert "pseudo-labels" in text
    me.go(link.removeprefix(me.address)).charts().play().at(12)
    me.wait_until(lambda: inspector(me) == text)
    me.do("reset").at(0)


def test_the_learning_to_rank_lab_shows_weights_positions_and_features(visit):
    me = visit(LETOR).charts()
    me.at(0).step(3)
    me.wait_until(lambda: traces(me, "weights", "bar") == [8])  # a bar for each document, of NDCG_Boost alone
    me.wait_until(lambda: len(traces(me, "picked", "bar")) == 2)
    me.wait_until(lambda: traces(me, "positions", "scatter")[-1:] == [10])
    me.wait_until(lambda: "The weak ranker lifts documents whose feature" in inspector(me))
    me.page.get_by_test_id("stSidebar").get_by_text("both", exact=True).click()
    me.wait_until(lambda: "thin line: on the training queries" in me.text and "fold=both" in me.url)


def test_a_person_judges_by_clicking_and_the_link_keeps_it(visit):
    """Two clicks are two relevant documents; a third takes one back; another window sees the same."""
    me = visit(PERSON).charts()
    cards = me.page.locator(".fl-cards button")
    me.wait_until(lambda: cards.count() == 20 and cards.locator("img").count() == 20)
    for place, relevant in ((0, "1"), (3, "1%2C4"), (0, "4"), (6, "4%2C7")):
        cards.nth(place).click()
        me.wait_until(lambda: me.url.endswith(f"relevant={relevant}") or f"relevant={relevant}&" in me.url)  # noqa: B023
    marked = ".fl-cards button[aria-pressed=true]"
    me.wait_until(lambda: me.page.locator(marked).count() == 2)
    me.at(0).step().wait_until(lambda: "20 of 40 documents were judged" in inspector(me))
    other = visit(me.url.removeprefix(me.address)).charts()
    other.wait_until(lambda: other.page.locator(marked).count() == 2)
    other.at(1).wait_until(lambda: inspector(other) == inspector(me))
