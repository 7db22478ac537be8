"""Every page on a phone, light and dark."""

import pytest

PAGES = (
    "/",
    "/lessons",
    "/lessons?lesson=flip",
    "/stability",
    "/coactive",
    "/interleaving",
    "/lower_bound",
    "/bandit",
    "/multilabel",
    "/semi_supervised",
    "/learning_to_rank",
    "/refinement",
    "/figures",
    "/sweep",
    "/data",
    "/algorithms",
    "/runs",
)


@pytest.mark.parametrize(("dark", "paths"), [(False, PAGES), (True, ("/", "/bandit", "/sweep"))], ids=["light", "dark"])
def test_every_page_fits_a_phone(visit, dark, paths):
    me = visit("/", width=400, height=800, dark=dark)
    for path in paths:
        me.go(path)
        if path in ("/stability", "/bandit", "/multilabel", "/semi_supervised", "/refinement"):
            me.charts().at(0).step()
        wide = me.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert wide <= 400, path
        background = me.page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor")
        assert background == ("rgb(18, 22, 28)" if dark else "rgb(255, 255, 255)"), path


def paths(visitor, chart):
    """The curves of a chart as they are drawn, with what is not uncovered yet."""
    return visitor.page.evaluate(
        "id => [...document.querySelectorAll(`[data-chart=${id}] .scatterlayer path.js-line`)]"
        ".map(path => path.getAttribute('d'))",
        chart,
    )


def test_charts_out_of_sight_are_drawn_when_they_come_into_sight_and_at_rest(visit):
    """A setting is moved while the run plays: what is seen is drawn anew at once, the rest when it is scrolled to. All
    are drawn once the playhead rests, since their values are read out."""
    charts = "average-regret,rank-of-best,swap-probability,top10-overlap"
    me = visit(f"/stability?steps=2000&speed=1&replicates=2&charts={charts}", width=400, height=800)
    me.charts().computed(2000).wait_until(lambda: paths(me, "top10-overlap"))
    first, last = (me.page.locator(f"[data-chart={id}]") for id in ("average-regret", "top10-overlap"))
    me.play().wait_until(lambda: me.t > 0)
    if (settings := me.page.get_by_test_id("stExpandSidebarButton")).is_visible():
        settings.click()

    def another_run():
        """Move a slider while the last chart is far below the screen; what it shows then is what it showed before."""
        first.scroll_into_view_if_needed()
        assert last.bounding_box()["y"] > 800 + 200 > first.bounding_box()["y"]
        above, below, run = paths(me, "average-regret"), paths(me, "top10-overlap"), me.run
        assert above and below
        me.page.get_by_role("slider", name="Noise η").press("ArrowRight")
        me.wait_until(lambda: me.run != run).computed(2000)
        me.wait_until(lambda: paths(me, "average-regret") != above)
        me.page.wait_for_timeout(500)
        assert me.state == "playing" and paths(me, "top10-overlap") == below, "it costs nothing while nobody sees it"
        return below

    below = another_run()
    last.scroll_into_view_if_needed()
    me.wait_until(lambda: paths(me, "top10-overlap") != below)
    assert me.state == "playing"
    below = another_run()
    me.page.evaluate("document.querySelector('.fl-player').player.pause()")
    me.wait_until(lambda: paths(me, "top10-overlap") != below)
    said = me.page.locator(".fl-say")
    me.wait_until(lambda: f"Step {me.t}." in said.inner_text())
    titles = me.page.locator("[data-chart] h3 > span").all_inner_texts()
    told = [f"{title}:" in said.inner_text() for title in titles]
    assert told[:3] == [True] * 3 and len(told) == 4, "the last has no values in the first steps"
