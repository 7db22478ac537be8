"""Journeys of a person who takes the place of the user in a lab: digits, movies, news, and right or wrong."""

import pytest

ALONE = "&learner-3=none&learner-4=none"
JOURNEYS = {
    "digits": "/stability?dataset=digits-search&topic=3&user=scan&steps=200",
    "movies": f"/coactive?dataset=movies&user=item-better&steps=200&learner-2=random-ranking{ALONE}",
    "news": "/stability?mode=interleaved&dataset=news-topics&topic=1&steps=100&replicates=3",
    "bandit": "/bandit?steps=1000&replicates=2&charts=error-rate",
}


def cards(me):
    return me.page.get_by_test_id("stMain").locator(".fl-cards button")


def answer(me, steps=5, picks=lambda number: (0,)):
    """Answer some steps by clicks on the cards at these places, from 0; return the labels of what was clicked."""
    clicked = []
    for number in range(1, steps + 1):
        me.page.get_by_text(f"{number} of {steps} (step").wait_for()
        me.settle()
        for place in picks(number):
            card = cards(me).nth(place)
            clicked.append(card.get_attribute("aria-label"))
            card.click()
            me.page.wait_for_function("card => card.getAttribute('aria-pressed') === 'true'", arg=card.element_handle())
        me.settle()
        main = me.page.get_by_test_id("stMain")
        main.get_by_role("button", name="Done" if number == steps else "Next ", exact=number == steps).click()
    me.page.get_by_text("A person answered steps").wait_for()
    me.charts()
    return clicked


def answered(me):
    """The steps that the timeline marks as answered, and the words of the marks."""
    marks = me.page.locator(".fl-mark[data-kinds*=answered]")
    marks.first.wait_for()
    found = "marks => marks.map(m => [m.dataset.t, m.dataset.kinds, m.getAttribute('aria-label')])"
    return marks.evaluate_all(found)


def ending(me, steps):
    """Everything that the curves show of the whole run."""
    me.computed(steps)
    me.page.keyboard.press("End")
    me.at(steps)
    return me.told().curves()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * (name not in ("digits", "bandit"))) for name in JOURNEYS]
)
def test_five_steps_are_answered_marked_and_the_same_by_the_link(visit, name):
    steps = int(JOURNEYS[name].partition("steps=")[2].partition("&")[0])
    me = visit(JOURNEYS[name]).charts()
    me.press("Be the user")
    several = (0,) if name in ("bandit", "movies") else (1, 3)
    answer(me, picks=lambda number: () if number == 2 else several)
    me.at(1)
    me.wait_until(lambda: "answers=1." in me.url and "replicates=1" in me.url)
    me.computed(steps)
    marks = answered(me)
    assert sum(kinds.split().count("answered") for _, kinds, _ in marks) == 5
    assert marks[0][0] == "1" and "the person " in marks[0][2]
    link, numbers = me.url, ending(me, steps)
    you = visit(link.removeprefix(me.address)).charts().at(1)
    you.computed(steps)
    assert answered(you) == marks
    assert ending(you, steps) == numbers
    plain = visit(JOURNEYS[name] + ("" if "replicates" in JOURNEYS[name] else "&replicates=1")).charts()
    assert ending(plain, steps) != numbers, "the answers make a difference"


def test_a_click_marks_a_card_and_another_takes_it_back_and_enough_ends_early(visit):
    me = visit(JOURNEYS["digits"] + "&t=20").charts().at(20)
    me.press("Be the user")
    me.page.get_by_text("List 1 of 5").wait_for()
    assert "(step 21)" in me.text and "You look for digit 3" in me.text and me.t == -1
    card = cards(me).nth(2)
    for pressed in ("true", "false", "true"):
        card.click()
        me.settle()
        assert card.get_attribute("aria-pressed") == pressed
    me.press("Next list")
    me.page.get_by_text("List 2 of 5").wait_for()
    assert cards(me).evaluate_all("cards => cards.every(c => c.ariaPressed === 'false')")
    me.press("Stop here")
    me.charts().at(21)
    assert "A person answered step 21 in place of the simulated user." in me.text


@pytest.mark.thorough
def test_the_keyboard_answers_too(visit):
    me = visit(JOURNEYS["bandit"]).charts()
    me.press("Be the user")
    card = cards(me).first
    card.wait_for()
    me.settle()
    assert "wrong" in card.inner_text()
    card.focus()
    me.page.keyboard.press("Space")
    me.settle()
    assert card.get_attribute("aria-pressed") == "true" and "right" in card.inner_text()
    me.press("Stop here")
    me.charts()
    assert "A person answered" not in me.text, "nothing was sent"


@pytest.mark.thorough
def test_data_that_nobody_can_judge_lead_to_digits(visit):
    me = visit("/stability?steps=100&replicates=2").charts()
    me.press("Be the user")
    me.page.get_by_text("nobody can judge by looking").wait_for()
    me.follow("Handwritten digits: find one digit (images)").charts()
    assert "dataset=digits-search" in me.url and "steps=100" in me.url
    me.press("Be the user")
    cards(me).first.wait_for()
    assert cards(me).locator("img").count() == 20
    me.press("Stop here")
    assert "dataset=digits-search" in me.url, "what is pressed after a link of the page does not lead back"
    me.page.go_back()
    me.wait_until(lambda: "dataset" not in me.url and "steps=100" in me.url)


@pytest.mark.parametrize(
    "name", ["digits", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("news", "bandit"))]
)
def test_on_a_phone_the_panel_fits_the_screen(visit, name):
    me = visit(JOURNEYS[name], width=400, height=800).charts()
    me.press("Be the user")
    cards(me).first.wait_for()
    me.settle()
    assert me.page.evaluate("document.documentElement.scrollWidth") <= 400
    right = cards(me).evaluate_all("cards => Math.max(...cards.map(c => c.getBoundingClientRect().right))")
    assert right <= 400
