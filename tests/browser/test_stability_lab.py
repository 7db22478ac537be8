"""Journeys through the stability lab: play, pause, step back, scrub, keys, events, sliders, links, Back and Forward."""

import re

import pytest

SLOW = "/stability?steps=20000&speed=50&replicates=2"

PLAIN = SLOW + "&charts=average-regret"


def outcome(visitor):
    return next(line for line in visitor.told().text.splitlines() if line.startswith("Outcome:"))


def uncovered(visitor):
    """The share of the first chart's width that is uncovered."""
    return visitor.page.evaluate("""() => {
      const plot = document.querySelector('.fl-plot'), line = plot.querySelector('.fl-playhead');
      return line.getBoundingClientRect().x - plot.getBoundingClientRect().x;
    }""")


@pytest.mark.core
def test_from_the_demo_card_to_the_same_numbers_again(visit):
    """Demo card → play → pause → a slider → step → back → reset → reload: same step, same numbers; Back and Forward."""
    me = visit("/")
    me.follow("Watch a perceptron flip").at(0).charts()
    assert "Stability lab" in me.text
    me.play().wait_until(lambda: me.t > 10)
    me.pause().stands_still()
    here, before, run = me.t, me.curves(), me.run
    me.page.get_by_role("slider", name="Noise η").press("ArrowRight")
    me.wait_until(lambda: "noise=" in me.url and me.run != run).wait_until(lambda: me.curves() != before)
    assert me.t == here and me.state == "paused", "a slider moved draws the new run and keeps the playhead"
    me.step().do("back").at(here).do("reset").at(0)
    numbers = outcome(me.step(2).do("slower"))
    me.wait_until(lambda: "t=2" in me.url and "speed=25" in me.url)  # half of what the demo has
    link = me.url
    me.page.reload()
    me.charts().at(2)
    assert me.url == link and outcome(me) == numbers
    assert outcome(me.do("reset").at(0).step(2)) == numbers
    me.page.go_back()
    me.wait_until(lambda: "Start here" in me.text)
    me.page.go_forward()
    me.at(2).wait_until(lambda: me.url == link)
    me.follow("Home").wait_until(lambda: "Start here" in me.text)
    me.follow("Watch a perceptron flip").at(0)  # a demo opened again begins anew


def test_the_keyboard_does_it_all(visit):
    me = visit(PLAIN).charts().computed(20_000)
    me.page.evaluate("document.activeElement?.blur()")
    press = me.page.keyboard.press
    press("s")
    me.at(1)
    press("s")
    press("b")
    me.at(1)
    press("f")
    me.wait_until(lambda: "speed=" not in me.url)  # 100 steps a second, as usual
    for speed in (50, 25):
        press("d")
        me.wait_until(lambda: f"speed={speed}" in me.url)  # noqa: B023
    press("Space")
    me.wait_until(lambda: me.t > 5)
    run = me.run
    me.page.get_by_role("slider", name="Noise η").press("ArrowRight")  # a setting moved during play keeps it playing
    me.wait_until(lambda: "noise=" in me.url and me.run != run)
    before = me.t
    me.wait_until(lambda: me.t > before + 5).computed(20_000).page.evaluate("document.activeElement?.blur()")
    press("Space")
    me.wait_until(lambda: me.state == "paused").stands_still()
    press("End")
    me.at(20_000)
    press("Home")
    me.at(0)
    press("n")
    me.wait_until(lambda: me.t > 0)


def test_the_numbers_at_the_playhead_are_those_of_the_library(visit):
    """What the charts hold at a drawn step is the mean over the replicates of the history of the same setup."""
    from learners import Simulation

    simulation = Simulation("perturbed-perceptron", "toy-ranking", "cascade", replicates=20, seed=3)
    simulation.advance(steps=200)
    me = visit("/stability?steps=200&seed=3&charts=average-regret").charts().computed(200)
    for t in (1, 7, 120, 200):
        me.page.evaluate("t => document.querySelector('.fl-player').player.seek(t)", t)
        me.at(t)
        read = me.page.evaluate(
            "document.querySelector('.fl-player').player.grid.drawings.get('average-regret').read("
            "document.querySelector('.fl-player').player.t)"
        )
        mine = next(line for line in read if line["slot"] == 1 and not line["bound"])
        assert mine["step"] == t
        assert abs(mine["value"] - simulation.history["average-regret"][t - 1].mean()) < 1e-6


def test_charts_never_disappear_and_keep_their_zoom_while_playing(visit):
    me = visit(SLOW + "&charts=average-regret,rank-of-best,swap-probability").charts().computed(20_000)
    me.play().wait_until(lambda: me.t > 20)
    me.page.evaluate("""() => {
        window.seen = { frames: 0, missing: 0 };
        const look = () => {
            const plots = [...document.querySelectorAll('.fl-plot')];
            seen.frames += 1;
            if (plots.length !== 3 || plots.some(p => !p.querySelector('.main-svg .gridlayer path')
                || p.getBoundingClientRect().height < 200)) seen.missing += 1;
            requestAnimationFrame(look);
        };
        look();
    }""")
    area = me.page.locator(".fl-plot").first.bounding_box()
    x, y = area["x"] + area["width"] * 0.2, area["y"] + area["height"] * 0.2
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x + area["width"] * 0.4, y + area["height"] * 0.5, steps=5)
    me.page.mouse.up()
    ranges = "(() => { const l = document.querySelector('.fl-drawn').layout; return [l.xaxis.range, l.yaxis.range] })()"
    me.wait_until(lambda: me.page.evaluate(ranges)[0][1] < 19_000)
    zoomed, then = me.page.evaluate(ranges), me.t
    me.wait_until(lambda: me.t > then + 20 and me.page.evaluate("seen.frames") > 20)
    assert me.page.evaluate(ranges) == zoomed
    assert me.page.evaluate("seen.missing") == 0

    def whole():
        """Press twice; on a busy machine the second press may come too late to be a double click."""
        me.page.mouse.dblclick(x, y)
        me.page.wait_for_timeout(500)
        return me.page.evaluate(ranges)[0] == [0, 20_000]

    me.wait_until(whole)


@pytest.mark.thorough
def test_two_windows_on_one_link_do_not_disturb_each_other(visit):
    one, two = visit(PLAIN).at(0), visit(PLAIN).at(0)
    one.step(2)
    two.step()
    assert (one.t, two.t) == (2, 1)


FLIP = "/stability?steps=300&charts=average-regret&feedback-1=swap&replicates=1&window=1&t=18"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_event_under_the_playhead_asks_what_if_and_one_press_answers(visit, dark):
    """The answer stands below the event, with a curve in a colour of its own and an entry of the legend, and the page
    stays where it is."""
    me = visit(FLIP, dark=dark).charts().computed(300).at(18)
    ask, answer = me.page.locator(".fl-ask"), me.page.locator(".fl-answer")
    assert ask.count() == 0, "there is no event at step 18"
    me.page.keyboard.press("n")
    me.wait_until(lambda: ask.count() == 1 and me.t > 18)
    assert re.fullmatch(r"What if the click on d\d+ at place \d+, a mistake, had not happened\?", ask.inner_text())
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = me.page.evaluate(scrolled)
    ask.click()
    answer.locator("xpath=self::*[@data-known='true']").wait_for()
    assert me.page.evaluate(scrolled) == before and ask.count() == 0
    told = answer.inner_text()
    assert f"in step {me.t - 1}, " in told and f"instead of step {me.t}: " in told and "falls in all" in told
    assert "“Average regret” would have been" in told
    color = "#F0E442" if dark else "#8A7000"
    lines = (
        "[...document.querySelectorAll('.fl-under .fl-future:not(.fl-was)')].map(line => line.getAttribute('stroke'))"
    )
    me.wait_until(lambda: me.page.evaluate(lines) == [color])
    entry = me.page.locator(".fl-legend span", has_text="as it would have been without the mistaken click")
    assert entry.locator("line").get_attribute("stroke") == color
    me.page.get_by_role("button", name="Remove this answer and its curve").click()
    me.wait_until(lambda: answer.count() == 0 and ask.count() == 1 and me.page.evaluate(lines) == [])
    me.go(FLIP.replace("t=18", f"t={me.t}")).wait_until(lambda: ask.count() == 1)


def test_a_page_rests_answers_what_if_of_its_step_and_keeps_its_run_as_a_pale_line(visit):
    """Paused, it asks the server for nothing; the run that is kept stays in the link."""
    me = visit("/stability?steps=300&charts=average-regret&t=7&replicates=3").charts().computed(300).at(7).told()
    me.page.wait_for_timeout(2000)
    sent = []
    me.page.on("websocket", lambda socket: sent.append(socket))
    before = me.page.evaluate("runs")
    me.page.wait_for_timeout(3000)
    assert me.page.evaluate("runs") == before and not sent
    me.press("What if the user made no mistakes from here on?")
    me.wait_until(lambda: "without mistakes of the user from step 7 on" in me.text)
    me.wait_until(lambda: me.page.evaluate("document.querySelectorAll('.fl-plot .fl-future').length") >= 2)
    assert "replicate 1 as it was" in me.text
    me.press("Keep")
    me.wait_until(lambda: "vs=" in me.url)
    me.page.get_by_role("slider", name="Noise η").press("ArrowRight")
    me.wait_until(lambda: "noise η 0.2 → 0.25" in me.text)
    me.wait_until(lambda: me.page.evaluate("document.querySelectorAll('.fl-plot .fl-ghost').length") >= 2)
    other = visit(me.url.removeprefix(me.address)).charts()
    other.wait_until(lambda: "noise η 0.2 → 0.25" in other.text)


@pytest.mark.thorough
def test_the_film_is_taken_away_and_plays_without_a_network(visit, browser, tmp_path):
    me = visit("/stability?steps=200&charts=average-regret,rank-of-best&replicates=3").charts().computed(200)
    me.page.get_by_text("Export: a film").click()
    with me.page.expect_download() as found:
        me.page.get_by_role("button", name="Film as HTML").click()
    path = tmp_path / "film.html"
    found.value.save_as(path)
    assert path.stat().st_size < 6_000_000
    context = browser.new_context(offline=True)
    try:
        page = context.new_page()
        page.goto(path.as_uri())
        page.wait_for_selector(".fl-player[data-reached='200']")
        page.keyboard.press("End")
        page.wait_for_selector(".fl-player[data-t='200']")
        assert page.locator(".fl-plot").count() == 2
    finally:
        context.close()


def test_what_to_try_next_opens_the_lab_with_one_setting_changed(visit):
    """The legend says what the dots mean, and a press names the theorems.

    The first link silences the noise alone, and draws no bounds.
    """
    me = visit("/stability?steps=200&replicates=2&charts=average-regret").charts().computed(200)
    sign = me.page.locator(".fl-legend .fl-term").first
    assert sign.text_content() == "worst-case bound"
    sign.click()
    card = me.page.locator(".fl-t-card")
    assert "Theorem 1 of Shivaswamy & Joachims" in card.inner_text()
    me.page.keyboard.press("Escape")
    assert card.count() == 0 and sign.evaluate("word => word === document.activeElement")
    me.follow("Silence the noise")  # which names the noise alone; a lab that is opened by a try draws no bounds
    me.wait_until(lambda: me.url.endswith("stability?noise=0.0&bounds=false"))


def test_a_chip_that_is_opened_late_shows_the_values_of_the_run(visit):
    """The browser makes what lies behind a chip when it is opened; it had the fields at their lowest values."""
    me = visit("/stability?steps=300&replicates=7&feedback-1=swap").charts()
    knob = me.page.get_by_role("slider", name="Noise").first
    knob.focus()
    knob.press("ArrowRight")
    me.wait_until(lambda: "noise=0.25" in me.url)
    bar = me.settle().page.locator(".st-key-settings-bar")
    bar.get_by_role("button", name="Run").click()
    opened = me.page.locator("[data-testid=stPopoverBody]")
    me.wait_until(lambda: opened.get_by_role("spinbutton", name="Steps T").input_value() == "300")
    assert opened.get_by_role("slider", name="Replicates").input_value() == "7"
    bar.get_by_role("button", name="Run").click()
    bar.get_by_role("button", name="Preference perceptron").click()
    assert opened.locator("[role=radio]").nth(1).get_attribute("aria-checked") == "true", "swap"
