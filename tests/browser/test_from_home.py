"""From the home page to a flip that one has seen, the click that caused it, and what 3PR does about it."""

import re
import time

import pytest


@pytest.mark.core
def test_three_clicks_lead_from_home_to_the_guilty_click(visit):
    begun, clicks = time.monotonic(), 0
    me = visit("/", width=1280, height=720)
    page, main = me.page, me.page.get_by_test_id("stMain")
    stations = [("home", clicks, time.monotonic() - begun)]

    def reached(name):
        stations.append((name, clicks, time.monotonic() - begun))

    clicks += 1
    page.locator(".fl-home-card").get_by_text("Watch a perceptron flip", exact=True).click()
    me.charts()
    page.wait_for_function("+(document.querySelector('.fl-player')?.dataset.reached ?? 0) >= 20")
    main.get_by_text("swaps some neighbours before it shows its list").wait_for()
    reached("the lab, with what 3PR does in a sentence")

    clicks += 1
    me.do("next").at(20)
    assert _said(page).startswith(
        "Step 20, Preference perceptron, swap: d1, the best document, falls from place 1 to 10."
    )
    plain, perturbed = _lists(me, 20)
    assert plain[0][:2] == ("1", "d2") and plain[-1][:2] == ("10", "d1"), "the good document is at the bottom"
    assert perturbed[0][:2] == ("1", "d1"), "and with 3PR it is on top"
    reached("a flip")

    clicks += 1
    page.get_by_role("button", name="See step 19, which brought this").click()
    me.at(19)
    plain, perturbed = _lists(me, 19)
    assert [row for row in plain if row[2].endswith("click")] == [("3", "d3", "wrong click", "")], "one click, on d3"
    assert plain[0][:3] == ("1", "d1", "overlooked"), "up to this click the good document was on top"
    assert {row[3] for row in perturbed} >= {"upper", "lower"}, "3PR has swapped neighbours, which a bracket joins"
    assert page.evaluate("document.activeElement.dataset.do") == "play", "the keyboard is not lost"
    for part in (".fl-s-list", ".fl-latest"):
        assert page.locator(part).first.evaluate("e => e.getBoundingClientRect().top < innerHeight")
    reached("the guilty click, and the swaps of 3PR beside it")

    me.told()
    words = main.get_by_text("The user clicked d3 at place 3 by mistake").first.inner_text()
    assert "The learner exchanges d3 with d1, which stood first" in words
    assert "so d1 falls from place 1 to 10" in words
    main.get_by_role("button", name="What if the click on d3 at place 3, a mistake, had not happened?").wait_for()
    reached("why, in words")

    clicks += 2
    box = main.get_by_role("combobox", name=re.compile("Learner"))
    choice = page.get_by_role("option", name=re.compile("Perturbed perceptron"))
    box.scroll_into_view_if_needed()
    me.settle()  # the list of a field closes when the page scrolls
    box.press("ArrowDown")
    choice.click()
    words = main.get_by_text("2 of 4 pairs were swapped (d3 with d2 and d5 with d4)").first.inner_text()
    assert "The user clicked d3 at place 2 by mistake" in words, "the same mistake"
    assert "to stand higher earns nothing, and w stays as it was" in words, "and it does no harm"
    reached("what 3PR did in this step, in words")
    for name, number, seconds in stations:
        print(f"{number} clicks, {seconds:5.1f} seconds: {name}")
    assert clicks == 5


def _said(page):
    return " ".join(page.locator(".fl-latest").inner_text().split())


def _lists(me, step):
    """The rows of each learner's list at a step, best first: place, document, what the user did, part of a pair."""
    me.page.locator(".fl-s-where", has_text=f"step {step}").wait_for()
    rows = """rows => rows.filter(row => !row.hidden).map(row => [
      row.querySelector('.fl-s-place').textContent, row.querySelector('.fl-s-name').textContent,
      row.querySelector('.fl-s-words').textContent, row.dataset.pair ?? '',
    ]).sort((a, b) => a[0] - b[0])"""
    lists = me.page.locator(".fl-s-list").all()
    return [[tuple(row) for row in each.locator(".fl-s-row").evaluate_all(rows)] for each in lists]
