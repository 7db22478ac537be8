"""The journeys that matter, in a real browser."""

import gzip

import pytest

from tests.browser.conftest import Visitor, start_server

pytestmark = pytest.mark.xdist_group("browser")

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
    me.pause()
    stopped = me.t
    me.page.wait_for_timeout(1500)
    assert me.t == stopped, "pause means standstill"
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
    me.key("Space").paused()
    stopped = me.t
    me.page.wait_for_timeout(1000)
    assert me.t == stopped
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
    me.page.wait_for_timeout(500)
    zoomed = me.page.evaluate(ranges)
    frames = me.page.evaluate("+document.querySelector('.fl-grid').dataset.frames")
    assert zoomed[0][1] < 19_000, "the zoom took"
    me.wait_until(lambda: me.page.evaluate("+document.querySelector('.fl-grid').dataset.frames") > frames + 20)
    assert me.page.evaluate(ranges) == zoomed
    seen = me.page.evaluate("seen")
    me.page.mouse.dblclick(x, y)
    me.wait_until(lambda: me.page.evaluate(ranges)[0] == [0, 20_000])
    assert seen["missing"] == 0 and seen["frames"] > 20, seen


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


def test_a_file_of_ones_own_from_upload_to_race(visit):
    me = visit("/data?dataset=letor-file")
    text = "".join(f"{i % 3} qid:{i // 5} 1:{(i * 7) % 10 / 10} 2:{i % 4}\n" for i in range(50))
    me.page.locator("input[type=file]").set_input_files(
        {"name": "mine.txt.gz", "mimeType": "application/gzip", "buffer": gzip.compress(text.encode())}
    )
    me.page.get_by_text("Utility w").last.wait_for()
    me.settle().follow("Open in the stability lab", "last").at(0).charts()
    me.step().wait_until(lambda: "path=upload" in me.url)
    link = me.url
    me.page.reload()
    me.at(0).step()
    assert me.url == link


def test_a_huge_upload_is_refused_by_the_field(visit, tmp_path):
    huge = tmp_path / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(200_000_000)
    me = visit("/data?dataset=letor-file")
    me.page.locator("input[type=file]").set_input_files(huge)
    me.wait_until(lambda: "File must be" in me.text)
    assert "Traceback" not in me.text


def test_a_link_to_a_page_works_on_a_server_that_has_just_started(browser, tmp_path):
    process, address = start_server(tmp_path)
    try:
        me = Visitor(browser, address).go("/stability?documents=7")
        assert me.page.get_by_test_id("stTopNavSection").count() > 2, "the bar with all pages"
        assert me.page.title() == "Feedback Lab"
        me.charts().at(0).step()
        me.page.close()
    finally:
        process.terminate()
        process.wait(10)
