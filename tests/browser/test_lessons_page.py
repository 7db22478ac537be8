"""The page of the lessons in a browser: a person in place of the user, and a class that is counted."""

import re
from uuid import uuid4

from pages.ui.lessons.library import lessons

HAND = "/lessons?lesson=flip&card=8"


def test_a_person_clicks_five_lists_and_the_simulated_user_goes_on(visit):
    me = visit(HAND)
    main = me.page.get_by_test_id("stMain")
    for number in range(1, 6):
        main.get_by_text(f"Search {number} of 5").wait_for()
        cards = main.locator(".fl-cards button")
        assert cards.count() == 20 and main.locator(".fl-cards [aria-pressed=true]").count() == 0
        cards.nth(number).click()
        cards.nth(number + 5).click()
        main.get_by_role("button", name="Done" if number == 5 else "Next list").click()
    main.get_by_text("You answered 5 searches with 10 clicks.").wait_for()
    main.get_by_role("button", name="Let 1,000 more run").click()
    main.get_by_text("the simulated user the next 1,000").wait_for()
    main.get_by_text("The same documents after 1,005 searches").wait_for()
    me.wait_until(lambda: main.locator(".scatterlayer path.js-line").count() > 0)


def test_a_teacher_leads_and_counts_in_one_dialog(visit):
    """Link, QR code, lead, count and lock, in this order; two presses, and the dialog shows what the class opens."""
    me = visit("/lessons?lesson=flip&card=2&t=0", width=1280, height=720)
    me.page.get_by_role("button", name="Share & teach").click()
    dialog = me.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Lead a class").click()
    link = dialog.get_by_role("textbox", name="Link for your class", exact=True)
    link.wait_for()
    assert "/lessons?follow=" in link.input_value()
    dialog.get_by_text("Count the predictions of those who open").click()
    me.wait_until(lambda: re.search(r"class=\d{6}", me.url) and "tally=true" in me.url)
    dialog.get_by_text(re.compile(r"join in the class \d{6}")).wait_for()
    text = dialog.inner_text()
    parts = ["Copy link for your class", "Lead a class", "Count predictions", "Lock and hide"]
    assert sorted(parts, key=text.index) == parts
    assert "class=" in dialog.get_by_role("textbox", name="Link of this page alone").input_value()
    assert "tally" not in dialog.get_by_role("textbox", name="Link of this page alone").input_value()
    dialog.get_by_label("Close").click()
    counts = me.page.get_by_text("(0 so far)")
    counts.wait_for()
    me.charts().page.wait_for_timeout(1500)
    apart = """e => { const c = e.closest('.st-key-lessons-counts').getBoundingClientRect();
      return [...document.querySelectorAll('.fl-player')].every(p => p.getBoundingClientRect().left >= c.right); }"""
    assert counts.evaluate(apart), "the counts cover no chart"


def test_a_class_is_counted_and_its_teacher_sees_it(visit):
    asks = f"/lessons?lesson=flip&card=2&class={uuid4().hex[:12]}"
    me = visit(asks)
    me.page.get_by_text("Count my predictions in the class").click()
    me.wait_until(lambda: me.page.get_by_role("switch", name="Count my predictions").is_checked())
    me.page.locator(".fl-c-option").nth(1).click()
    me.page.get_by_role("button", name="Lock my answer").click()
    me.page.get_by_text("What the class expected (1 answer)").wait_for()
    teacher = visit(f"{asks}&tally=true")
    counts = teacher.page.get_by_text("(1 so far)")
    counts.wait_for()
    teacher.charts().page.wait_for_timeout(1500)  # the page is scrolled to what the card points at
    assert counts.evaluate("e => { const r = e.getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight; }")
    joined = teacher.page.get_by_role("switch", name="Count my predictions").is_checked()
    assert not joined, "nobody joins without asking to"


def test_every_card_of_the_list_is_a_link_as_a_whole_with_the_number_that_home_gives(visit):
    me = visit("/lessons?class=room-12")
    cards = me.page.locator("a.fl-start")
    cards.first.wait_for()
    told = [cards.nth(i).locator(".fl-start-number, .fl-start-name").all_inner_texts() for i in range(cards.count())]
    assert told == [[str(lesson.number), lesson.title] for lesson in lessons().values()]
    cards.nth(1).locator(".fl-start-text").click()
    me.page.wait_for_url("**/lessons?*lesson=perturbation*")
    assert "class=room-12" in me.page.url
    me.page.locator(".fl-card h2").wait_for()
    home = visit("/").page.locator("a.fl-start")
    home.first.wait_for()
    assert home.locator(".fl-start-number").all_inner_texts() == ["1", "2", "3"]
