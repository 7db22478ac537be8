"""Every page can be used without a mouse and without seeing it: names, contrast, the order of the Tab key, the keys."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from pages.ui.gallery.demos import DEMOS
from tests.conftest import ROOT

PAGES = sorted({path.stem for path in (ROOT / "pages").glob("*.py")} - {"runs"})  # which is asked alone, below
LABS = ("bandit", "coactive", "learning_to_rank", "multilabel", "refinement", "semi_supervised",
        "stability")  # fmt: skip
# one page of each kind
ALWAYS = ("bandit", "catalogue", "home", "lessons", "search", "semi_supervised", "stability", "sweep")
GRAVE = ("serious", "critical")
NAMED = ["combobox", "slider", "spinbutton", "button", "link", "textbox", "switch", "radio", "checkbox"]

FOCUSED = """() => {
  const at = document.activeElement, part = name => at.closest(`[data-testid=${name}]`);
  const where = ['stSkipToContent', 'stHeader', 'stSidebar', 'stMain'].find(part) ?? 'elsewhere';
  return [where, at.getAttribute('aria-label') ?? at.innerText.trim().split('\\n').at(-1)];
}"""


def complaints(me):
    """What axe-core finds grave, a line for each element. It looks again if the page may still have been at work."""
    found = complaints_now(me)
    if found:
        me.page.wait_for_timeout(3000)
        found = complaints_now(me.settle())
    return found


def complaints_now(me):
    """What it finds now in what is open: a closed sidebar stays in the page, out of sight."""
    seen = {"exclude": [["[data-testid=stSidebar][data-collapsed=true]"]]}
    found = Axe().run(me.page, context=seen, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]} {node['failureSummary'][:200]}"
        for rule in found
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]


def open_page(visit, name, **how):
    me = visit("/" if name == "home" else f"/{name}", **how)
    if name in LABS:
        me.charts().step()  # with the inspector and the table of a step
    return me


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * (name not in ALWAYS)) for name in PAGES]
)
def test_axe_finds_nothing_grave_and_fields_have_plain_names(visit, name):
    """A dot before a learner's name is drawn, not written, as it would be read out."""
    me = open_page(visit, name)
    assert not complaints(me)
    if name not in ("stability", "sweep"):
        return

    def found():
        return re.findall(rf'- (?:{"|".join(NAMED)}) "([^"]*)"', me.page.locator("body").aria_snapshot())

    me.wait_until(lambda: len(found()) > 20)  # on a busy machine the page may still be drawn
    names = found()
    assert not [n for n in names if re.search(r":\w+\[|●|\]", n)]
    if name == "stability":
        assert {"Preference perceptron", "Data and user", "Charts", "Noise η", "Documents n"} <= set(names)
        dot = "getComputedStyle(document.querySelector('.st-key-chip-race-2 button p'), '::before').backgroundColor"
        assert me.page.evaluate(dot) == "rgb(213, 94, 0)"


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["home", "lessons", "stability"])  # colours are those of the theme, on every page
def test_axe_finds_nothing_grave_in_the_dark(visit, name):
    assert not complaints(open_page(visit, name, dark=True))


@pytest.mark.thorough
def test_axe_finds_nothing_grave_in_what_opens(visit):
    me = open_page(visit, "stability", width=1280)
    me.page.locator(".st-key-settings-bar [data-testid=stPopover] button").first.click()
    me.page.locator(".fl-filter summary").click()
    me.page.locator("[data-testid=stTopNavSection]").first.click()
    me.page.locator("a", has_text="Coactive lab").wait_for()
    assert not complaints(me)


def test_axe_finds_nothing_grave_on_a_phone(visit):
    assert not complaints(open_page(visit, "home", width=400, height=800))
    assert not complaints(open_page(visit, "stability", width=400, height=800))


def test_without_settings_the_tab_key_is_left_alone_and_axe_is_really_asked(visit):
    """A page with a pale text and a nameless button is not let through."""
    me = visit("/runs", width=1280)
    seen = []
    for _ in range(10):
        me.page.keyboard.press("Tab")
        seen.append(me.page.evaluate(FOCUSED)[0])
    assert seen == ["stSkipToContent", *["stHeader"] * 8, "stMain"]
    assert not complaints(me)
    me.page.evaluate("document.querySelector('h1').innerHTML = '<button></button>'")
    assert any(line.startswith("button-name (critical)") for line in complaints(me))
    me.page.evaluate("document.querySelector('h1').innerHTML = '<small style=\"color: #999\">pale</small>'")
    assert any(line.startswith("color-contrast (serious)") for line in complaints(me))


def test_the_navigation_comes_before_the_settings(visit):
    me = visit("/sweep", width=1280)
    me.page.wait_for_function("globalThis.__feedbackLabTabs?.tab && document.querySelector('[data-testid=stHeader] a')")
    me.settle().page.evaluate("document.activeElement.blur()")
    press, seen = me.page.keyboard.press, []
    for _ in range(10):
        press("Tab")
        seen.append(me.page.evaluate(FOCUSED))
    parts = [where for where, _ in seen]
    assert parts == ["stSkipToContent", *["stHeader"] * 7, *["stSidebar"] * 2]
    assert seen[1][1] == "Home"
    for expected in reversed(seen[:-1]):  # and the same way back
        press("Shift+Tab")
        assert me.page.evaluate(FOCUSED) == expected
    press("Tab")
    fields = 0
    while (where := me.page.evaluate(FOCUSED)[0]) != "stMain":
        assert where in ("stHeader", "stSidebar") and fields < 120
        fields += where == "stSidebar"
        press("Tab")
    assert fields > 8  # none is left out
    press("Shift+Tab")
    assert me.page.evaluate(FOCUSED)[0] == "stSidebar"
    press("Tab")
    press("Tab")
    assert me.page.evaluate(FOCUSED)[0] == "stMain"  # and on within the main part


def test_the_keys_of_the_player_work_while_a_slider_has_the_focus(visit):
    me = visit("/stability?steps=500").charts().computed(500)
    me.page.get_by_role("slider", name="Noise η").focus()
    me.page.keyboard.press("s")
    me.at(1)
    me.page.keyboard.press("n")
    me.wait_until(lambda: me.t > 1)
    here = me.t
    me.page.keyboard.press("b")
    me.at(here - 1)
    me.page.keyboard.press("Space")
    me.wait_until(lambda: me.state == "playing")
    me.page.keyboard.press("Space")
    me.wait_until(lambda: me.state == "paused")
    rests, run = me.told().t, me.run
    me.page.keyboard.press("Home")  # this one is the slider's own
    me.wait_until(lambda: me.run != run)
    me.at(rests)  # at once, or when the new run is computed so far
    assert "noise=0" in me.settle().url
    assert me.t == rests


def test_nothing_on_home_moves_for_those_who_want_it_calm(visit):
    me = visit("/runs", width=1280)
    me.page.emulate_media(reduced_motion="reduce")
    me.go("/")
    said = me.page.locator(".fl-home-said")
    said.wait_for()
    before = said.inner_text()
    assert before == "Step 20 of a real run"  # where the first algorithm has just lost the good document
    me.page.wait_for_timeout(2000)
    assert said.inner_text() == before
    me.page.get_by_role("button", name="Play", exact=True).click()
    me.wait_until(lambda: said.inner_text() != before)
    me.page.get_by_role("button", name="Pause", exact=True).click()
    here = said.inner_text()
    me.page.wait_for_timeout(1500)
    assert said.inner_text() == here
    rank = me.page.locator(".fl-home-list b").first.inner_text()
    assert re.fullmatch(r"place \d+", rank)


def test_home_takes_two_screens_and_is_used_by_keys_alone(visit):
    me = visit("/", width=1280, height=720)
    me.page.locator(".fl-home-card").first.wait_for()
    assert me.page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= 2 * 720
    below = "document.querySelector('.fl-start').getBoundingClientRect().bottom"
    assert me.page.evaluate(below) < 720  # the lessons are on the first
    assert me.page.evaluate("document.querySelectorAll('.fl-home-card svg path, .fl-home-card svg image').length") > 24
    more = me.page.get_by_role("button", name=f"All {len(DEMOS)} demos")
    assert me.page.locator(".fl-home-card:visible").count() == 6
    more.focus()
    me.page.keyboard.press("Enter")
    assert me.page.locator(".fl-home-card:visible").count() == len(DEMOS)
    heads = me.page.locator(".fl-home-gallery h3").all_inner_texts()
    assert heads == list(dict.fromkeys(demo.group for demo in DEMOS)), "all of them stand by topic"
    boosting = me.page.locator(".fl-home-gallery section", has=me.page.get_by_role("heading", name="Boosting"))
    assert boosting.locator(".fl-home-card").count() == 6
    while not boosting.locator(":focus").count():
        me.page.keyboard.press("Tab")
    about = me.page.locator(".fl-home-card:focus .fl-home-about")
    about.wait_for(state="visible")  # what a pointer sees on hover
    assert "two hundred points" in about.inner_text()
    me.page.keyboard.press("Enter")
    me.page.wait_for_url("**/semi_supervised?*")
    me.page.go_back()
    more.click()
    me.page.get_by_role("link", name="Calm, but wrong").click()
    me.page.wait_for_url("**/stability?*initial_weights*")
    me.page.go_back()
    me.page.locator(".fl-home-card").first.wait_for()
    me.wait_until(lambda: me.url == me.address + "/")
