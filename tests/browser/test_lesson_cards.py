"""The cards of a lesson in a browser: what they ask, what they wait for, and what they say afterwards."""

import re
from itertools import pairwise

import numpy as np
import pytest

from tests.browser.lesson import CARDS, LESSON, VALUES, Student, run


@pytest.fixture
def learn(browser):
    """Opens a lesson; it must have run without an error of JavaScript."""
    students = []

    def open_lesson(**how):
        students.append(Student(browser, **how))
        return students[-1]

    yield open_lesson
    for student in students:
        student.close()
        assert not student.failures, student.failures


def answer(me, option):
    me.page.locator(".fl-c-option").nth(option).click()
    return me.press("lock")


def test_a_card_to_read_lets_one_go_on(learn):
    me = learn().begin()
    assert me.title == "A user who clicks"
    assert "Card 1 of 9" in me.words()
    assert me.can("next")
    assert not me.page.is_visible("[data-do=back]")
    assert me.focused == "body"  # a page that opens takes the focus from nobody
    me.next()
    assert me.title == "One wrong click"
    assert me.sent("card") == [1]
    assert me.get("location.search") == "?lesson=flip&card=2"
    assert me.get("document.activeElement.textContent") == "Card 2 of 9: One wrong click"
    me.press("back").follow()
    assert me.title == "A user who clicks"
    assert me.get("location.search") == "?lesson=flip"


def test_a_question_is_asked_before_anything_plays(learn):
    me = learn().begin(card=1)
    assert me.can("lock") is False
    assert not me.can("next")
    assert "Answer first" in me.words(".fl-c-hint")
    me.key("s", " ", "End", "n")  # the keys of the player
    assert me.get("player.t") == 0
    assert me.get("player.bar.inert")
    shown = "[...document.querySelectorAll('.fl-mark')].filter(e => getComputedStyle(e).visibility === 'visible')"
    assert me.get(f"{shown}.map(e => e.dataset.t)") == ["57"]  # the one pointed at: the others would tell the answer
    assert not me.can("play")
    answer(me, 0)
    assert me.page.locator(".fl-c-option input").first.is_disabled()
    assert me.focused == "play"
    assert me.words(".fl-card [data-do=play]") == "Play to step 57"
    assert "This is why" not in me.words()  # it is explained when it was seen
    assert not me.can("next")
    me.press("play").rest(57).until("document.querySelector('.fl-c-outcome').textContent")
    assert me.can("next")
    assert "That is not what happens." in me.words(".fl-c-outcome")
    assert "One click looks small." in me.words(".fl-c-outcome")
    assert "This is why." in me.words(".fl-c-outcome")
    first, second = me.page.locator(".fl-c-option").all()
    assert "your answer" in first.inner_text()
    assert "what happens" in second.inner_text()
    said = me.page.locator(".fl-card > [aria-live]").text_content()
    assert said.startswith("Your answer: It stays first. What happens: It falls to the last place.")
    assert said.endswith("You can go on to the next card.")


def test_a_right_answer_is_told_so(learn):
    me = answer(learn().begin(card=1), 1)
    me.press("play").rest(57).until("document.querySelector('.fl-c-outcome').textContent")
    assert me.words(".fl-c-outcome") == "You expected what happens. This is why."
    tags = me.page.locator(".fl-c-option").nth(1).locator(".fl-c-tag").all_inner_texts()
    assert tags == ["your answer", "what happens"]
    me.press("play").until("player.t < 57").rest(57)  # once more


def test_the_players_own_button_plays_up_to_the_same_step(learn):
    me = answer(learn().begin(card=1), 1)
    me.page.click(".fl-player [data-do=play]")
    me.rest(57).until("document.querySelector('.fl-c-outcome').textContent")
    assert me.can("next")


def test_a_number_stands_beside_what_came_out(learn):
    me = learn().begin(card=2)
    assert not me.can("lock")  # the middle of the slider is nobody's answer
    me.page.focus(".fl-c-range")
    me.key("ArrowRight", "ArrowRight")
    assert me.words(".fl-c-amount") == "12 flips"
    assert me.page.get_attribute(".fl-c-range", "aria-valuetext") == "12 flips"
    me.press("lock").press("play").rest(400)
    assert "Finished. Play again." in me.words(".fl-words")  # a lesson has no field for more steps
    me.until("sent.some(({ name, value }) => name === 'card' && value === 2)")  # the server is asked for the number
    assert "You said" not in me.words()
    me.follow(truths={"often": 7})
    me.until("document.querySelector('.fl-c-outcome h3')")
    assert me.words(".fl-c-outcome") == "You said 12 flips. It came out as 7 flips. This is why."
    at = [mark.bounding_box() for mark in me.page.locator(".fl-c-mark-of").all()]
    assert at[0]["x"] > at[1]["x"]
    asked = len(me.sent("card"))
    me.page.wait_for_timeout(1300)
    assert len(me.sent("card")) == asked


def draw(me, points):
    """Draw with the mouse through points given as shares of the pad, from its left and from its top."""
    box = me.page.locator(".fl-pad").bounding_box()
    place = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in points]
    me.page.mouse.move(*place[0])
    me.page.mouse.down()
    for x, y in place[1:]:
        me.page.mouse.move(x, y, steps=8)
    me.page.mouse.up()
    return me


def test_a_drawn_curve_stays_over_the_one_that_comes_out(learn):
    me = learn().begin(card=3)
    pad = me.page.locator("[data-chart=regret] .fl-pad")
    assert pad.is_visible()
    draw(me, [(0.01, 0.5), (0.5, 0.5)])
    assert not me.can("lock")  # half of the chart is not the curve
    me.page.locator(".fl-pad").press("Enter")
    assert "Draw your curve across the whole chart" in me.page.locator(".fl-card > [aria-live]").text_content()
    assert me.get("lesson.kept.value") is None
    draw(me, [(0.5, 0.5), (0.99, 0.5)])
    assert me.can("lock")
    assert me.page.get_by_role("button", name="Lock my curve").count() == 1  # the card's own, which stands beside
    me.press("lock")
    drawn = me.kept["cards"]["draw"]["value"]
    axis = me.get("player.grid.drawings.get('regret').drawn._fullLayout.yaxis.range")
    assert drawn["y"] == pytest.approx([sum(axis) / 2] * 61, rel=0.03)
    assert drawn["x"][0] == pytest.approx(0, abs=1)
    assert drawn["x"][-1] == pytest.approx(400, abs=1)
    me.press("play").rest(400).until("document.querySelector('.fl-c-outcome h3')")
    line = me.page.locator("[data-chart=regret] .fl-pad-line path")
    assert me.page.is_visible("[data-chart=regret] .fl-pad-line svg")
    words = me.words(".fl-c-outcome")
    assert words.startswith("Your curve is far from the real one. On average they lie ")
    t = np.arange(1, 401)
    at = np.array(drawn["x"])
    apart = np.abs(np.array(drawn["y"]) - np.interp(at, t, VALUES["regret"][0]))[at >= 1]
    assert float(re.search(r"they lie ([\d.]+) apart", words)[1]) == pytest.approx(apart.mean(), rel=0.05)
    worst = [float(n) for n in re.search(r"you drew ([\d.]+), and it came out as ([\d.]+\d)", words).groups()]
    assert abs(worst[0] - worst[1]) == pytest.approx(apart.max(), abs=0.02)
    before = line.get_attribute("d")
    me.page.set_viewport_size({"width": 1100, "height": 720})
    me.until(f"document.querySelector('.fl-pad-line path').getAttribute('d') !== '{before}'")  # it follows the chart
    shown = me.get("[lesson.view.ask.pad.main.offsetWidth, player.grid.drawings.get('regret').x.length]")
    assert shown[0] == pytest.approx(shown[1], abs=1)
    me.next()
    assert me.page.locator(".fl-pad").count() == 0


def test_the_curve_that_comes_out_is_drawn_close_to_it(learn):
    me = learn().begin(card=3)
    scale = "player.grid.drawings.get('regret')"
    points = me.get(f"""(() => {{ const {{ x, y }} = {scale};
        return Array.from({{ length: 60 }}, (_, i) => 1 + i * 399 / 59)
          .map(t => [x.place(t) / x.length, y.place(1 / Math.sqrt(t)) / y.length]); }})()""")
    draw(me, points)
    me.press("lock").press("play").rest(400).until("document.querySelector('.fl-c-outcome h3')")
    assert me.words(".fl-c-outcome h3").startswith("Your curve runs close to the real one.")


def test_a_curve_is_drawn_by_keys(learn):
    me = learn().begin(card=3)
    me.page.click("text=Go to the chart")
    assert me.get("document.activeElement.className") == "fl-pad"
    me.key("ArrowUp")
    for _ in range(12):
        me.key("ArrowRight", "ArrowDown")
    said = me.page.locator(".fl-card > [aria-live]").text_content()
    assert said.startswith("Step 400: ")
    ys = me.get("lesson.view.ask.draft.y")
    assert all(a >= b for a, b in pairwise(ys))  # it falls all the way
    assert ys[0] > ys[30] > ys[60]
    me.key("Enter")
    assert me.get("lesson.locked")
    assert me.focused == "play"


def test_a_card_points_at_one_thing_and_lets_go_of_it(learn):
    me = learn().begin(card=1)
    pointed = "[...document.querySelectorAll('.fl-pointed')].map(e => e.dataset.t ?? e.className)"
    assert me.get(pointed) == ["57"]
    me.page.evaluate("payload => player.update(payload)", run(revision="new", text="#000000"))  # marks are drawn anew
    me.until(f"JSON.stringify({pointed}) === '[\"57\"]'")
    me.at("jump")
    assert me.get(pointed) == ["120"]
    me.at("noise")
    assert "st-key-stability-noise" in me.get(pointed)[0]
    me.at("hand")
    assert me.get(pointed) == []


def test_what_a_card_points_at_is_brought_into_sight(learn):
    me = learn(viewport={"width": 1280, "height": 420}).begin(card=2)
    me.until("(box => box.top >= 0 && box.top < innerHeight)"
             "(document.querySelector('[data-chart=rank]').getBoundingClientRect())")  # fmt: skip


def test_a_card_waits_for_a_jump_to_an_event(learn):
    me = learn().begin(card=4)
    assert not me.can("next")
    assert "press N" in me.words(".fl-c-hint")
    me.key("s")
    assert not me.can("next")
    me.key("n").until("player.t === 57")
    assert me.can("next")


def test_a_card_waits_for_a_pause(learn):
    me = learn().begin(card=5)
    me.key("s").until("player.t === 1")
    me.page.wait_for_timeout(400)
    assert not me.can("next")  # a step is no pause
    me.key(" ").until("player.t > 2").key(" ")
    me.until("document.querySelector('.fl-card [data-do=next]').getAttribute('aria-disabled') === 'false'")


def test_a_card_is_not_played_because_the_one_before_it_was(learn):
    me = answer(learn().begin(card=1), 1)
    me.page.evaluate("lesson.player.go(400)")
    me.until("told.some(({ name, value }) => name === 'rest' && value === 400)")
    me.give(card=5)  # its run plays from 0
    me.until("player.t === 0")
    me.page.wait_for_timeout(400)
    assert me.words(".fl-card [data-do=play]") == "Play to the end"
    assert me.get("lesson.kept.played") is False


def test_a_card_waits_for_a_setting_and_for_clicks(learn):
    me = learn().begin(card=6)
    assert not me.can("next")
    me.give(changed=["alpha"])
    assert not me.can("next")
    me.give(changed=["noise"])
    assert me.can("next")
    me.next(hand=searches(), changed=[])
    me.page.locator(".fl-cards button").nth(1).click()
    me.page.click("[data-hand=next]")
    assert me.sent("hand") == [{"lists": [[2]], "then": False}]
    assert me.words(".fl-c-hint") == "Judge one more query to go on."
    assert not me.can("next")
    me.give(hand=searches([[2]]))
    me.page.click("[data-hand=next] ")
    me.give(hand=searches([[2], []]))
    assert me.can("next")


def searches(lists=(), then=False):
    """The server's answer on a card by hand with two lists of three documents."""
    faces = [{"label": name, "grade": name == "c"} for name in "abc"]
    return {"lists": list(lists), "then": then, "of": 2, "more": 100, "wanted": {"of": "topic", "what": "<em>c</em>"},
            "list": None if len(lists) == 2 else faces,
            "first": {"before": faces, "after": faces[::-1]} if len(lists) == 2 else None}  # fmt: skip


def test_a_person_is_the_user_by_keys_alone_and_may_undo(learn):
    me = learn().begin(card=7, hand=searches())
    assert me.words(".fl-hand").startswith("You are the user. Search 1 of 2. You look for c. Read the list")
    me.page.focus(".fl-cards button")
    me.key("Tab", "Tab", "Space", "Tab", "Enter")  # the third document; the next list
    assert me.sent("hand")[-1] == {"lists": [[3]], "then": False}
    me.give(hand=searches([[3]]))
    assert me.get("document.activeElement.className") == "fl-s-task"  # which is read out
    assert me.words(".fl-s-task").startswith("You are the user. Search 2 of 2.")
    assert me.page.locator(".fl-cards [aria-pressed=true]").count() == 0
    me.page.click("text=Undo the last list")
    assert me.sent("hand")[-1] == {"lists": [], "then": False}
    me.give(hand=searches())
    for lists in ([[]], [[], []]):
        me.page.click("[data-hand=next]")
        me.give(hand=searches(lists))
    assert "You answered 2 searches with 0 clicks." in me.words(".fl-hand")
    me.page.click("text=Let 100 more run")
    assert me.sent("hand")[-1] == {"lists": [[], []], "then": True}
    me.give(hand=searches([[], []], then=True))
    assert "the simulated user the next 100" in me.words(".fl-hand")
    assert me.kept["cards"]["hand"]["clicks"] == {"lists": [[], []], "then": True}
    me.open("&card=8").begin(card=7, hand=searches())  # the browser knows more than a new session of the server
    assert me.sent("hand") == [{"lists": [[], []], "then": True}]


def test_a_changed_setting_is_played_before_one_goes_on_and_is_told_what_came_of_it(learn):
    card = next(card for card in CARDS if card["id"] == "noise")
    card = card | {"t": 0, "play": {"to": 57, "speed": "max"}, "found": "<p>Falls: <strong>{}</strong>.</p>"}
    lesson = LESSON | {"cards": [card, CARDS[-1]]}
    me = learn().begin(lesson=lesson)
    me.press("play").rest(57)
    assert not me.can("next"), "nothing is changed yet"
    me.page.evaluate("player.go(0)")
    me.give(changed=["noise"])
    assert not me.can("next") and me.words(".fl-c-hint") == "Change the setting, and play it, to go on."
    me.press("play").rest(57).until("lesson.kept.done")
    assert me.can("next") and me.words(".fl-c-outcome") == ""
    me.give(truths={"noise": 6})
    assert me.words(".fl-c-outcome") == "Falls: 6."
    me.give(truths={"noise": 29.0})
    assert me.words(".fl-c-outcome") == "Falls: 29."


def test_a_card_can_be_skipped_quietly(learn):
    me = learn().begin(card=1)
    me.press("skip").follow()
    assert me.title == "How often?"
    assert me.get("player.waits")  # it asks, too
    me.press("skip").follow().press("skip").follow()
    assert me.title == "Marked events"
    assert me.get("player.waits") is False
    assert me.kept["cards"]["flip"]["value"] is None


def test_nothing_is_steered_before_the_run_of_the_card_is_there(learn):
    me = answer(learn().begin(card=0).next(run="b"), 1)
    assert not me.can("play")
    assert "made ready" in me.words(".fl-c-run")
    me.play_run(run("b")).until(
        "document.querySelector('.fl-card [data-do=play]').getAttribute('aria-disabled') === 'false'"
    )
    me.press("play").rest(57)


def test_the_browser_is_ahead_of_the_server_and_follows_links(learn):
    me = learn().begin()
    me.press("next").press("skip")
    me.give(card=1)  # an answer to the first press
    assert me.title == "How often?"
    me.give(card=2)
    assert me.title == "How often?"
    me.give(card=8)  # a link
    assert me.title == "What to remember"


def test_a_reload_comes_back_to_the_same_card_with_the_same_answer(learn):
    me = learn().begin().next()
    answer(me, 0).press("play").rest(57).until("document.querySelector('.fl-c-outcome').textContent")
    me.open("&card=2").begin(card=1)
    assert me.title == "One wrong click"
    assert "your answer" in me.page.locator(".fl-c-option").first.inner_text()
    assert "This is why." in me.words(".fl-c-outcome")
    me.rest(57)
    assert me.can("next")
    me.next()
    me.open("&card=3").begin(card=2)  # in the middle of a question
    assert me.can("lock") is False
    me.open().begin(card=0)
    me.page.click("text=Go on at card 3")
    assert me.title == "How often?"


@pytest.mark.parametrize("stored", ["nonsense", "{}", '{"cards": {"flip": {"value": 7, "played": true}}, "place": 99}'])
def test_what_is_stored_and_is_no_answer_does_no_harm(learn, stored):
    me = learn()
    me.page.evaluate("text => localStorage.setItem('fl-lesson:flip', text)", stored)
    me.begin(card=1)
    assert me.page.locator(".fl-c-option input").first.is_enabled()
    assert "This is why" not in me.words()


def test_a_lesson_starts_over(learn):
    me = answer(learn().begin(card=1), 0)
    me.press("restart")
    assert me.words("[data-do=restart]") == "Forget my answers?"
    assert me.title == "One wrong click"
    me.press("restart").follow()
    assert me.title == "A user who clicks"
    assert me.kept["cards"]["flip"]["value"] is None
    me.next()
    assert me.page.locator(".fl-c-option input").first.is_enabled()


def test_the_tally_is_told_and_shown_only_to_those_who_joined(learn):
    me = answer(learn().begin(card=1, tally={"flip": [5, 15]}), 0)
    assert me.sent("answer") == []
    assert "the class" not in me.words()
    assert not me.page.is_visible(".fl-c-join"), "there is no class"
    me = learn().begin(card=1)
    me.give(code="room-12", tally={"flip": [5, 15], "often": {"counts": [1, 0, 4, 0], "low": 0, "high": 20}})
    joined = me.page.get_by_role("switch", name="Count my predictions in the class room-12")
    assert not joined.is_checked(), "nobody joins without asking to"
    joined.check()
    assert "What the class expected" not in me.words()  # nobody is told before the own answer
    answer(me, 0)
    assert me.sent("answer") == [{"card": "flip", "value": 0}]
    assert me.words(".fl-c-tally") == (
        "What the class expected (20 answers) It stays first 5 It falls to the last place 15"
    )
    wide = [bar.bounding_box()["width"] for bar in me.page.locator(".fl-c-tally i").all()]
    assert wide[0] == pytest.approx(wide[1] / 3, rel=0.05)
    me.press("skip").follow()
    me.page.focus(".fl-c-range")
    me.key("ArrowLeft").press("lock")
    assert me.sent("answer")[-1] == {"card": "often", "value": 9}
    assert "10 to 15 flips 4" in me.words(".fl-c-tally")


def test_the_last_card_leads_on(learn):
    me = learn().begin(card=8)
    links = {link.inner_text(): link.get_attribute("href") for link in me.page.locator(".fl-card a").all()}
    base = "http://lesson.test/"
    assert links == {
        "Halve the noise.": base + "stability?noise=0.1", "Try 3PR.": base + "stability?learner-1=3pr",
        "Open the whole lab": base + "stability?noise=0.2", "All lessons": base + "lessons",
    }  # fmt: skip
    assert me.page.locator(".fl-card [data-do=next]").count() == 0
    assert me.words(".fl-c-hint") == ""


def test_keys_carry_one_through_a_card(learn):
    me = learn().begin().next()
    me.page.locator(".fl-c-option input").first.focus()
    me.key("ArrowDown", "Tab", "Enter")  # the second option; lock
    assert me.kept["cards"]["flip"]["value"] == 1
    me.key("Enter").rest(57).until("document.querySelector('.fl-c-outcome').textContent")
    me.page.focus(".fl-card h2")
    me.key("Enter").follow()
    assert me.title == "How often?"
    me.key("ArrowLeft").follow()
    assert me.title == "One wrong click"
    me.key("ArrowRight").follow()
    assert me.title == "How often?"


def test_on_a_phone_play_goes_to_the_charts_and_a_button_comes_back(learn):
    me = learn(viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True, reduced_motion="reduce")
    me.begin(card=3)
    assert me.get("document.documentElement.scrollWidth") <= 400
    me.page.click("text=Go to the chart")
    me.until("(b => b.top >= 0 && b.bottom <= innerHeight)(document.querySelector('.fl-pad').getBoundingClientRect())")
    draw(me, [(0.01, 0.1), (0.99, 0.9)])
    me.page.click(".fl-pad-tools >> text=Lock my curve")
    me.page.locator(".fl-pill").tap()
    me.until("lesson.sight.pill.hidden")
    me.page.locator(".fl-card [data-do=play]").tap()
    me.rest(400).until("!lesson.sight.pill.hidden && lesson.kept.played")
    me.page.locator(".fl-pill").tap()
    me.until(
        "(b => b.top >= 0 && b.top < innerHeight)(document.querySelector('.fl-c-outcome').getBoundingClientRect())"
    )
    assert me.get("document.activeElement.className") == "fl-c-outcome"


def test_texts_of_numbers_and_units_are_never_markup(learn):
    me = learn().begin(card=2)
    lesson = me.data["lesson"]
    cards = [card | {"title": "<b>bold</b>"} for card in lesson["cards"]]
    cards[2] = cards[2] | {"ask": cards[2]["ask"] | {"unit": "<i>x</i>"}}
    me.give(lesson=lesson | {"id": "other", "cards": cards})
    assert me.title == "<b>bold</b>"
    assert "20 <i>x</i>" in me.words(".fl-c-ends-of")


def test_a_link_opens_at_its_step_but_not_beyond_an_open_question(learn):
    ids = [card["id"] for card in CARDS]
    me = learn(query="&card=7&t=40").begin(card=ids.index("pause"))
    me.rest(40).until("location.search.includes('t=40')")
    me.press("back").follow().press("skip").follow().rest(0)  # later the card begins where it always does
    other = learn(query="&card=2&t=40").begin(card=1)
    assert other.rest(0).page.is_visible("[data-do=lock]")
