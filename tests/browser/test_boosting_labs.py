"""Journeys through the three labs of boosting."""

import pytest

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
        ".filter(t => t.type === kind).map(t => t._length ?? t.z.length)",
        [chart, kind],
    )


def inspector(visitor):
    """What the round inspector says, in its sentences; formulas are typeset a while after them."""
    visitor.wait_until(lambda: "The algorithm: [V]" in visitor.text)
    told = visitor.text.split("Round inspector")[1].split("The algorithm: [V]")[0]
    return "\n".join(line for line in told.splitlines() if line.endswith("."))


def drawn(visitor, chart):
    """The step whose picture a chart shows, and the cells of its decision regions."""
    return visitor.page.evaluate(
        """chart => {
          const plot = document.querySelector(`section[data-chart='${chart}'] .js-plotly-plot`);
          const cells = plot.data.filter(t => t.type === 'heatmap').map(t => JSON.stringify(t.z));
          return [Number(plot.dataset.step), cells.join()];
        }""",
        chart,
    )


def test_the_semi_supervised_lab_from_play_to_the_same_numbers_again(visit):
    """Play to the end: regions of both learners, every training point, and the link gives the same again.

    Each round has its own picture: back at a round, it is the one that was shown there before.
    """
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
    me.wait_until(lambda: inspector(me) == text)  # the same sentences, with the same numbers
    me.do("reset").at(0)
    forwards = {}
    for t in (1, 2, 3):
        me.do("step").at(t).wait_until(lambda: drawn(me, "regions")[0] == t)  # noqa: B023
        forwards[t] = drawn(me, "regions")[1]
    assert forwards[1] != forwards[3], "the vote of three trees is another than that of one"
    for t in (2, 1):
        me.do("back").at(t).wait_until(lambda: drawn(me, "regions")[0] == t)  # noqa: B023
        assert drawn(me, "regions")[1] == forwards[t]
    me.do("reset").at(0).wait_until(lambda: drawn(me, "regions") == [0, ""])


def test_the_learning_to_rank_lab_shows_weights_positions_and_features(visit):
    me = visit(LETOR).charts()
    me.at(0).step(3)
    me.wait_until(lambda: traces(me, "weights", "bar") == [8])  # a bar for each document, of NDCG_Boost alone
    me.wait_until(lambda: len(traces(me, "picked", "bar")) == 2)
    me.wait_until(lambda: traces(me, "positions", "scatter")[-1:] == [10])
    me.wait_until(lambda: "The weak ranker lifts documents whose feature" in inspector(me))
    me.page.get_by_role("button", name="Charts", exact=True).click()
    me.page.get_by_text("both", exact=True).click()
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


@pytest.mark.thorough
def test_kept_runs_are_compared_and_drawn_behind_each_other(visit):
    """Kept twice it is one run; the link to their curves draws the older one behind the other."""
    me = visit(CLASSES)
    me.page.evaluate("localStorage.clear()")
    for path in (CLASSES, CLASSES + "&noise=0.3"):
        me.go(path).charts().computed(12)
        for _ in range(2):
            me.press("Keep")
    me.go("/runs").wait_until(lambda: "2 kept runs" in me.text)
    assert me.text.count("12 rounds × 2 runs") == 2 and "Noise σ 0.3" in me.text
    for place in (0, 1):
        me.page.locator(".fl-run input[type=checkbox]").nth(place).check()
    me.page.get_by_role("link", name="See their curves").click()
    me.wait_until(lambda: "/semi_supervised" in me.url and "vs=" in me.url)
    me.charts().wait_until(lambda: "noise σ 0.1 → 0.3" in me.text)
    me.wait_until(lambda: me.page.evaluate("document.querySelectorAll('.fl-plot .fl-ghost').length") >= 2)


def test_the_take_away_of_a_boosting_lab_plays_offline_with_the_inspector(visit, browser, tmp_path):
    """Nothing is asked of a network; the marked round is told as in the lab; its picture follows both ways."""
    me = visit(CLASSES).charts().computed(12).at(0)
    me.page.get_by_text("Export: a film").click()
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="Film as HTML").click()
    download.value.save_as(file := tmp_path / "film.html")
    context = browser.new_context(offline=True)
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector("section[data-chart=regions] .js-plotly-plot")
    story = page.locator(".fl-story")
    assert "This file keeps the inspector of the marked rounds." in story.inner_text()
    page.locator("[data-do=next]").click()
    story.locator("h2").first.wait_for()
    t = page.locator(".fl-player").get_attribute("data-t")
    assert f"Round {t}, " in story.locator("h2").first.inner_text()
    assert "line 1" in story.inner_text() and "step size" in story.inner_text()
    page.keyboard.press("End")
    page.wait_for_selector(".fl-player[data-state=finished]")
    assert "raise" not in page.locator("body").inner_text(), "nothing can be raised in a file"
    for key, step in (("End", 12), ("Home", 0), ("End", 12)):
        page.keyboard.press(key)
        page.wait_for_selector(f"section[data-chart=regions] .js-plotly-plot[data-step='{step}']")
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    context.close()
