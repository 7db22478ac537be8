"""Every page on a phone, light and dark."""

import pytest

PAGES = (
    "/", "/lessons", "/lessons?lesson=flip", "/stability", "/coactive", "/stability?mode=interleaved",
    "/coactive?mode=lower-bound", "/bandit", "/multilabel", "/semi_supervised", "/learning_to_rank", "/refinement",
    "/figures", "/sweep", "/catalogue", "/catalogue?show=data", "/runs",
)  # fmt: skip
# how much of what follows the knobs is seen above Play without scrolling
SEEN = """() => {
  const at = name => document.querySelector(name).getBoundingClientRect();
  const tops = ['.fl-scene', '[data-chart]'].map(name => at(name).top).filter(top => top > at('.fl-knobs').bottom);
  return at('.fl-dock').top - Math.min(...tops);
}"""


@pytest.mark.parametrize(("dark", "paths"), [(False, PAGES), (True, ("/", "/bandit", "/sweep"))], ids=["light", "dark"])
def test_every_page_fits_a_phone(visit, dark, paths):
    me = visit("/", width=400, height=800, dark=dark)
    for path in paths:
        me.go(path)
        if path in ("/stability", "/bandit", "/multilabel", "/semi_supervised", "/refinement"):
            assert me.charts().at(0).page.evaluate(SEEN) > 150, f"{path}: knobs, and below them a scene or a chart"
            me.step()
        wide = me.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert wide <= 400, path
        background = me.page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor")
        assert background == ("rgb(18, 22, 28)" if dark else "rgb(255, 255, 255)"), path


def test_the_menu_closes_on_a_choice_and_settings_are_one_tap_away(browser, server):
    """With fingers: the drawer is closed on the page that was chosen and after a reload; Settings opens it where the
    settings begin, below ten links, and it stays open."""
    context = browser.new_context(viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)
    try:
        page = context.new_page()
        page.goto(server)
        page.locator(".fl-starts").first.wait_for()
        drawer, more = page.get_by_test_id("stSidebar"), page.get_by_test_id("stExpandSidebarButton")
        settings = page.get_by_role("button", name="Settings", exact=True)
        more.tap()
        page.wait_for_function("document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().right > 250")
        page.wait_for_timeout(6000)
        assert not more.is_visible() and not settings.is_visible(), "it stays open as long as nothing is chosen"
        drawer.get_by_test_id("stSidebarNavLink").filter(has_text="Stability lab").tap()
        page.wait_for_url("**/stability")
        more.wait_for()
        page.locator(".fl-player [data-do=play]").first.wait_for()
        page.wait_for_timeout(6000)
        assert more.is_visible()
        page.locator(".fl-player [data-do=play]").first.tap()
        page.wait_for_function("+document.querySelector('.fl-player').dataset.t > 0")
        assert not settings.is_visible(), "those of a lab stand on the page"
        page.get_by_role("button", name="Data and user").tap()
        page.get_by_text("Simulated user", exact=True).first.wait_for()
        page.goto(f"{server}/sweep")
        settings.tap()
        top = "document.querySelector('[data-testid=stSidebarUserContent]').getBoundingClientRect().top"
        page.wait_for_function(f"Math.abs({top}) < 60")
        page.wait_for_timeout(6000)
        assert drawer.get_by_text("Learner", exact=True).first.is_visible() and not more.is_visible()
        page.reload()
        more.wait_for()
        page.goto(f"{server}/lessons?lesson=flip")
        more.wait_for()
        assert not settings.is_visible(), "a lesson has none"
    finally:
        context.close()


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
    said = me.page.locator(".fl-say[aria-live]")
    me.wait_until(lambda: f"Step {me.t}." in said.inner_text())
    titles = me.page.locator("[data-chart] h3 > span").all_inner_texts()
    told = [f"{title}:" in said.inner_text() for title in titles]
    assert told[:3] == [True] * 3 and len(told) == 4, "the last has no values in the first steps"
