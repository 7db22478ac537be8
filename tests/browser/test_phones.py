"""Every page on a phone, light and dark."""

import pytest

PAGES = (
    "/",
    "/stability",
    "/coactive",
    "/interleaving",
    "/lower_bound",
    "/bandit",
    "/multilabel",
    "/semi_supervised",
    "/learning_to_rank",
    "/refinement",
    "/published",
    "/sweep",
    "/data",
    "/algorithms",
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


CHARTS = "average-regret,rank-of-best,swap-probability"


def test_charts_out_of_sight_rest_and_are_drawn_when_the_run_pauses(visit):
    me = visit(f"/stability?steps=20000&speed=50&replicates=2&charts={CHARTS}", width=400, height=800).charts()
    ends = "[...document.querySelectorAll('.fl-plot')].map(p => Math.max(0, ...p.data.flatMap(d => [...d.x ?? []])))"
    me.play().wait_until(lambda: me.page.evaluate(ends)[0] > 20)
    in_sight, *_, below = me.page.evaluate(ends)
    assert below < in_sight, "the last of the charts is below the screen of a phone"
    me.pause().wait_until(lambda: set(me.page.evaluate(ends)) == {me.t})
