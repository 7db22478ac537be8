"""Journeys through the stability lab: play, pause, keys, zoom, links, Back and Forward."""

SLOW = "/stability?steps=20000&speed=50&replicates=2"

PLAIN = SLOW + "&charts=average-regret"


def outcome(visitor):
    return next(line for line in visitor.text.splitlines() if line.startswith("Outcome:"))


def test_from_the_demo_card_to_the_same_numbers_again(visit):
    """Demo card → play → charts move → pause → one step → reset → reload the link → same numbers."""
    me = visit("/")
    me.follow("Open the demo").at(0).charts()
    assert "Stability lab" in me.text
    me.press("Play")
    me.wait_until(lambda: me.t > 10)
    first = me.curves()
    me.wait_until(lambda: me.curves() != first)
    me.pause().stands_still()
    me.step()
    me.press("Reset").at(0)
    numbers, link = outcome(me.step(2)), me.url
    me.go(link.removeprefix(me.address)).charts().at(0)
    assert me.url == link
    assert outcome(me.step(2)) == numbers
    other = visit(link.removeprefix(me.address)).at(0)
    assert outcome(other.step(2)) == numbers
    other.follow("Home").wait_until(lambda: "Or start from the parts" in other.text)
    other.follow("Open the demo").at(0)  # a demo opened again begins anew


def test_the_keyboard_does_it_all(visit):
    me = visit(PLAIN).charts()
    me.key("s").at(1)
    me.key("f")
    me.wait_until(lambda: "100 steps a second" in me.text and "speed=100" in me.url)
    for speed in (50, 25):
        me.key("d")
        me.wait_until(lambda: f"{speed} steps a second" in me.text)  # noqa: B023
    me.key("Space")
    me.wait_until(lambda: me.t > 5)
    me.key("Space").paused().stands_still()
    me.key("0").at(0)


def test_charts_never_disappear_and_keep_their_zoom_while_playing(visit):
    me = visit(SLOW + "&charts=average-regret,rank-of-best,swap-probability").charts()
    me.press("Play")
    me.wait_until(lambda: me.t > 20)
    me.page.evaluate("""() => {
        window.seen = { frames: 0, missing: 0 };
        const look = () => {
            const plots = [...document.querySelectorAll('.fl-plot')];
            seen.frames += 1;
            const holder = document.querySelector('.fl-grid')?.closest('[data-stale]');
            const faded = !holder || getComputedStyle(holder).opacity !== '1';
            if (plots.length !== 3 || faded || plots.some(p => !p.querySelector('.main-svg .gridlayer path')
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
    ranges = "(() => { const l = document.querySelector('.fl-plot').layout; return [l.xaxis.range, l.yaxis.range] })()"
    me.wait_until(lambda: me.page.evaluate(ranges)[0][1] < 19_000)
    zoomed = me.page.evaluate(ranges)
    drawn = "+document.querySelector('.fl-grid').dataset.frames"
    frames = me.page.evaluate(drawn)
    me.wait_until(lambda: me.page.evaluate(drawn) > frames + 20 and me.page.evaluate("seen.frames") > 20)
    assert me.page.evaluate(ranges) == zoomed
    assert me.page.evaluate("seen.missing") == 0

    def whole():
        """Press twice; on a busy machine the second press may come too late to be a double click."""
        me.page.mouse.dblclick(x, y)
        me.page.wait_for_timeout(500)
        return me.page.evaluate(ranges)[0] == [0, 20_000]

    me.wait_until(whole)


def test_a_setting_moved_during_play_keeps_it_playing(visit):
    me = visit(PLAIN).charts()
    me.press("Play")
    me.wait_until(lambda: me.t > 10)
    me.page.get_by_role("slider", name="Noise η").focus()
    me.page.keyboard.press("ArrowRight")
    me.wait_until(lambda: "noise=" in me.url)
    before = me.t
    me.wait_until(lambda: me.t > before + 5)


def test_a_refresh_in_the_middle_of_play_keeps_the_settings(visit):
    me = visit(PLAIN + "&documents=7").charts()
    me.press("Play")
    me.wait_until(lambda: me.t > 10)
    link = me.url
    me.page.reload()
    me.at(0).charts()
    assert me.url == link
    me.step().wait_until(lambda: "with 7 documents" in me.text)


def test_back_leaves_the_lab_and_forward_returns_to_the_run(visit):
    me = visit("/algorithms")
    me.follow("Stability lab").at(0).step().press("Slower")
    me.wait_until(lambda: "speed=1000" in me.url)
    me.page.go_back()
    me.wait_until(lambda: "At a glance" in me.text)
    me.page.go_forward()
    me.at(1).wait_until(lambda: "speed=1000" in me.url)


def test_two_windows_on_one_link_do_not_disturb_each_other(visit):
    one, two = visit(PLAIN).at(0), visit(PLAIN).at(0)
    one.step(2)
    two.step()
    assert (one.t, two.t) == (2, 1)
