"""Knobs in a browser: the curves follow the hand without the server, and what the hand leaves is the setting."""

import pytest

LINK = "/stability?steps=300&replicates=3&charts=average-regret,rank-of-best"
KNOBS = "document.querySelector('.fl-player').player.knobs"
# where the curves of a chart stand, as they are seen: those of the copy that the playhead uncovers
SEEN = """id => [...document.querySelectorAll(`[data-chart=${id}] .fl-copy path.js-line`)]
  .map(path => path.getAttribute('d'))"""
# the values of these curves, in single precision
VALUES = """() => document.querySelector('.fl-player').player.grid.drawings.get('rank-of-best').lines
  .filter(line => !line.bound).map(line => Array.from(Float32Array.from(line.y)))"""


def near(me, key):
    """Bring the hand to a knob, and wait until all its stops are there."""
    me.page.locator(f"[data-knob={key}]").hover()
    me.wait_until(lambda: me.page.evaluate(f"{KNOBS}.near === '{key}' && {KNOBS}.whole"))


def move(me, key, stop):
    """Move a slider as a hand does that has not let go."""
    me.page.locator(f"[data-knob={key}] input").evaluate(
        "(slider, stop) => { slider.value = stop; slider.dispatchEvent(new Event('input', { bubbles: true })); }", stop
    )


@pytest.mark.core
@pytest.mark.long
def test_curves_follow_the_hand_without_the_server_and_the_value_it_leaves_is_the_setting(visit):
    me = visit(LINK).charts().computed(300)
    near(me, "noise")
    runs, url, before = me.page.evaluate("runs"), me.url, me.page.evaluate(SEEN, "rank-of-best")
    seen = [before]
    for stop in (0, 2, 10):
        move(me, "noise", stop)
        seen.append(me.page.evaluate(SEEN, "rank-of-best"))
    assert len({tuple(curves) for curves in seen}) == 4, "each stop has curves of its own"
    assert me.page.evaluate("runs") == runs and me.url == url, "nobody asked the server"
    assert me.page.locator("[data-knob=noise] output").inner_text() == "0.5"
    shown = me.page.evaluate(VALUES)
    me.page.locator("[data-knob=noise] input").dispatch_event("change")
    me.wait_until(lambda: "noise=0.5" in me.url)
    me.computed(300).wait_until(lambda: not me.page.evaluate(f"Boolean({KNOBS}.turning)"))
    assert len(shown) == 2 and shown == me.page.evaluate(VALUES), "what was shown is the run with this value"
    assert me.page.evaluate(f"{KNOBS}.stops.size") == 11, "the stops stay: they are those of this run, too"
    move(me, "noise", 3)
    assert me.page.evaluate(VALUES) != shown
    me.page.locator("[data-knob=noise] input").dispatch_event("change")
    me.wait_until(lambda: "noise=0.15" in me.url)


def test_a_knob_has_a_response_curve_and_a_film_and_forgets_its_stops_with_another_setting(visit):
    """Until a hand comes near again."""
    me = visit(LINK).charts().computed(300)
    near(me, "swap_probability-2")
    assert me.page.locator("[data-knob=swap_probability-2] .fl-knob-curve path[stroke]").count() == 1  # its learner's
    me.page.locator("[data-knob=swap_probability-2] .fl-knob-play").click()
    values = set()

    def went_through():
        values.add(me.page.locator("[data-knob=swap_probability-2] output").inner_text())
        return {"0", "1"} <= values

    me.wait_until(went_through)
    me.wait_until(lambda: me.page.locator("[data-knob=swap_probability-2] output").inner_text() == "0.5")
    assert "swap_probability" not in me.url
    me.wait_until(lambda: not me.page.evaluate(f"Boolean({KNOBS}.turning)"))
    near(me, "noise")  # the next knob is free
    me.page.mouse.move(5, 5)
    me.page.get_by_role("slider", name="Documents n").press("ArrowRight")
    me.wait_until(lambda: "documents=12" in me.url)
    me.computed(300).wait_until(lambda: me.page.evaluate(f"{KNOBS}.near !== 'noise'"))
    near(me, "noise")
    assert me.page.evaluate(f"{KNOBS}.stops.size") == 11


def test_a_locked_knob_does_not_turn_and_a_hidden_one_is_not_there(visit):
    me = visit(LINK + "&lock=noise&hide=documents").charts()
    assert me.page.get_by_role("slider", name="Noise η").is_disabled()
    assert me.page.locator("[data-knob]").count() == 2


def test_a_knob_moves_by_arrows_from_a_value_between_its_stops_and_goes_back_by_a_double_click(visit):
    """Such a value is a stop until it is left; a double click leads to the default."""
    me = visit(LINK + "&noise=0.33").charts().computed(300)
    slider = me.page.get_by_role("slider", name="Noise η")
    assert slider.get_attribute("aria-valuetext") == "0.33"
    slider.press("ArrowRight")
    me.wait_until(lambda: "noise=0.35" in me.url)
    me.wait_until(lambda: slider.get_attribute("aria-valuetext") == "0.35")
    me.computed(300).wait_until(lambda: not me.page.locator(".fl-turned").count())
    slider.press("ArrowLeft")
    me.wait_until(lambda: "noise=0.3" in me.url and "0.33" not in me.url and "0.35" not in me.url)
    me.page.locator("[data-knob=noise] input").dispatch_event("dblclick")
    me.wait_until(lambda: "noise" not in me.url)
    assert slider.get_attribute("aria-valuetext") == "0.2"
