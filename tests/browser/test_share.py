"""A link for others by the dialog and its QR code, a page on a projector, a page inside another."""

import io
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
import zxingcpp
from PIL import Image

SHORT = "steps=200&replicates=2"


def camera(element):
    """What a camera reads in what an element shows."""
    picture = np.asarray(Image.open(io.BytesIO(element.screenshot())).convert("L"))
    found = zxingcpp.read_barcodes(picture)
    return found[0].text if found else None


def share(me):
    me.page.get_by_role("button", name="Share & teach", exact=True).click()
    me.page.locator(".fl-share-text").wait_for()
    me.settle()
    return me.page.get_by_role("dialog", name="Share & teach")


def link(me):
    return me.page.locator(".fl-share-text").input_value()


def query(address):
    return dict(parse_qsl(urlsplit(address).query))


def choose(me, field, option):
    """Choose an option of a list of the dialog."""
    listed = me.page.get_by_role("option", name=option, exact=True).first

    def opened():
        """Whether the list is open; a list that closes because the dialog is still being drawn is opened again."""
        if not listed.is_visible():
            me.page.get_by_role("combobox", name=field).click()
            me.page.wait_for_timeout(500)
        return listed.is_visible()

    me.wait_until(opened)
    listed.click()
    me.page.keyboard.press("Tab")
    me.settle()


@pytest.mark.core
@pytest.mark.long
def test_a_link_from_this_step_with_locked_settings_is_opened_by_a_camera(visit):
    """Step, Share, lock, hide, enter the server's address; another window opens what the code says."""
    me = visit(f"/stability?{SHORT}&noise=0.1").charts().computed(200).step(3)
    share(me)
    me.wait_until(lambda: query(link(me)).get("t") == "3")
    choose(me, "Lock", "The data and the user")
    choose(me, "Hide", "The table of values")
    me.page.get_by_role("textbox", name="Address of the server for others").fill("http://lab.example")
    me.page.keyboard.press("Enter")
    me.wait_until(lambda: link(me).startswith("http://lab.example/stability?"))
    code = me.page.locator(".fl-share-code > svg")
    me.wait_until(lambda: camera(code) == link(me))
    found = query(link(me))
    assert found == {"steps": "200", "replicates": "2", "noise": "0.1", "t": "3", "lock": "world", "hide": "table"}
    other = visit(link(me).removeprefix("http://lab.example")).charts().at(3)
    assert "The link locks" in other.page.locator(".st-key-settings-bar").inner_text()
    assert "Table of the values" not in other.text and "What to try next" in other.text
    me.page.get_by_role("button", name="Copy link").click()
    me.page.get_by_text("Link copied.").wait_for()


@pytest.mark.thorough
def test_while_it_plays_the_link_has_the_step_of_that_moment(visit):
    me = visit("/stability?steps=20000&speed=50&replicates=2&charts=average-regret").charts().computed(5000)
    me.play().wait_until(lambda: me.t > 5)
    share(me)
    me.wait_until(lambda: int(query(link(me)).get("t", 0)) > 5)
    assert int(query(link(me))["t"]) <= me.t and query(link(me))["speed"] == "50"
    assert me.page.locator(".fl-player").get_attribute("data-state") == "playing"  # nothing has stopped it


def test_the_code_fills_the_screen_and_escape_goes_back(visit):
    me = visit(f"/stability?{SHORT}", width=1280, height=720).charts()
    share(me)
    me.page.get_by_role("button", name="Fill the screen").click()
    screen = me.page.locator(".fl-share-screen")
    screen.wait_for()
    assert camera(screen) == link(me)
    box = screen.locator("svg").bounding_box()
    assert box["height"] > 500
    me.page.keyboard.press("Escape")
    screen.wait_for(state="hidden")
    assert me.page.get_by_role("dialog", name="Share & teach").count() == 1


@pytest.mark.parametrize(("width", "height"), [(1280, 720), pytest.param(1920, 1080, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    "page",
    [
        "stability",
        "bandit",
        *(pytest.param(page, marks=pytest.mark.thorough) for page in ("coactive", "stability?mode=interleaved")),
    ],
)
def test_on_a_projector_step_and_charts_are_seen_without_scrolling(visit, page, width, height):
    me = (
        visit(f"/{page}{'&' if '?' in page else '?'}present=true&steps=300&replicates=2", width=width, height=height)
        .charts()
        .computed(300)
    )
    me.step()
    me.wait_until(lambda: "fl-fit" in (me.page.locator(".fl-grid").get_attribute("class") or ""))
    me.page.wait_for_timeout(500)
    seen = me.page.evaluate("""() => {
      const inside = each => { const { top, bottom, width } = each.getBoundingClientRect();
        return width > 0 && top >= 0 && bottom <= innerHeight; };
      return { bar: inside(document.querySelector('.fl-bar')), scene: inside(document.querySelector('.fl-scene')),
        charts: [...document.querySelectorAll('.fl-grid > section .js-plotly-plot')].filter(inside).length,
        wide: document.querySelector('.fl-grid').scrollWidth <= document.querySelector('.fl-grid').clientWidth + 1,
        letters: parseFloat(getComputedStyle(document.querySelector('.fl-plot .xtick text')).fontSize) };
    }""")
    assert seen["bar"] and seen["scene"] and seen["wide"] and seen["letters"] >= 14
    assert seen["charts"] >= (2 if height == 720 else 2 if "interleaved" in page else 4)
    parts = [me.page.locator(".st-key-settings-bar"), me.page.get_by_test_id("stHeader")]
    assert not any(part.is_visible() for part in parts)
    me.press("Settings")
    assert all(part.is_visible() for part in parts), "a button brings settings and navigation back"
    me.press("Hide settings")
    assert not any(part.is_visible() for part in parts)


@pytest.mark.thorough
def test_a_window_of_another_size_is_shared_anew(visit):
    me = visit(f"/stability?present=true&{SHORT}", width=1280, height=720).charts().computed(200)
    height = lambda: me.page.locator(".fl-grid > section .fl-plot").first.bounding_box()["height"]  # noqa: E731
    low = height()
    me.page.set_viewport_size({"width": 1280, "height": 1000})
    me.wait_until(lambda: height() > low + 80)
    me.page.set_viewport_size({"width": 420, "height": 800})
    me.wait_until(lambda: "fl-fit" not in me.page.locator(".fl-grid").get_attribute("class"))


def test_a_frame_plays_and_leads_to_the_page(visit):
    me = visit(f"/stability?embed=true&{SHORT}", width=800, height=500).charts().computed(200)
    assert not any(me.page.get_by_test_id(name).is_visible() for name in ("stSidebar", "stHeader"))
    inside = (
        "each => { const b = each.getBoundingClientRect(); return b.bottom <= innerHeight && b.right <= innerWidth; }"
    )
    assert all(me.page.locator(part).first.evaluate(inside) for part in (".fl-bar", ".fl-scene", ".fl-plot"))
    me.step(2)
    open_it = me.page.get_by_role("link", name="Open in Feedback Lab")
    open_it.hover()
    assert query(open_it.get_attribute("href")) == {"steps": "200", "replicates": "2", "t": "2"}
    me.play().wait_until(lambda: me.t > 20)
