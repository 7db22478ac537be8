"""A teacher leads and students follow: each a browser of their own, which shares nothing with the others'."""

import re
import statistics
from contextlib import suppress

import pytest
from playwright.sync_api import Error as PlaywrightError

from tests.browser.conftest import COUNT, PATIENCE, Visitor, start_server

LAB = "/stability?noise=0.1&steps=500&replicates=4"
WORDS = ".fl-follow-bar:not([hidden]) .fl-follow-words"
SHOWN = """t => new Promise(done => { const look = () => { const { player } = globalThis.__feedbackLab;
  if (player && !player.gone && player.root.dataset.t === String(t)) done(Date.now()); else setTimeout(look, 2); };
  look(); })"""


class Person(Visitor):
    """A visitor with a browser of their own, who leads or follows."""

    def __init__(self, browser, address, **how):
        context = browser.new_context()
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(COUNT)
        self.context = context
        super().__init__(type("Own", (), {"profile": context}), address, **how)

    @property
    def bar(self):
        """The words of the bar at the foot of the window, "" where there is none."""
        return self.page.evaluate(f"document.querySelector('{WORDS}')?.innerText ?? ''")

    def reads(self, words, within=PATIENCE):
        """Wait until the bar says something; return the seconds."""
        before = self.page.evaluate("Date.now()")
        said = f"words => document.querySelector('{WORDS}')?.innerText.includes(words)"
        self.page.wait_for_function(said, arg=words, timeout=within * 1000)
        return (self.page.evaluate("Date.now()") - before) / 1000

    def push(self, label):
        """Press a button of the bar."""
        self.page.locator(".fl-follow-bar").get_by_role("button", name=label).first.click()
        return self

    def player(self, what):
        """Let the player do something, and return the time when it was told."""
        return self.page.evaluate(f"() => {{ const now = Date.now(); __feedbackLab.player.{what}; return now; }}")

    def plays(self, run):
        """Wait until the page shows a run, computed to its end."""
        self.page.wait_for_function(
            "run => { const { player } = __feedbackLab, p = player?.payload; return p?.run === run && p.complete; }",
            arg=run,
        )  # fmt: skip
        return self.settle()

    def lead(self):
        """Press Share and then “Lead a class”, close the dialog, and return the path of the students' link."""
        self.page.get_by_test_id("stMain").get_by_role("button", name="Share & teach").click()
        self.page.get_by_role("button", name="Lead a class").click()
        self.reads("Nobody follows yet")
        self.page.get_by_role("dialog").get_by_label("Close").click()
        code = re.search(r"the class (\w{6})\.", self.bar)[1]
        return f"{self.page.evaluate('location.pathname')}?follow={code}"

    @property
    def led(self):
        """Whether the settings and the controls of the player do nothing."""
        parts = ".st-key-settings-bar, .fl-bar"
        inert = self.page.evaluate(f"[...document.querySelectorAll('{parts}')].map(part => part.inert)")
        assert inert and len(set(inert)) == 1, inert
        return inert[0]


@pytest.fixture
def people(browser):
    """Opens browsers; every page must have run without an error of JavaScript."""
    found = []

    def open_browser(address, path, **how):
        found.append(Person(browser, address, **how))
        return found[-1].go(path)

    yield open_browser
    for person in found:
        with suppress(PlaywrightError):
            person.context.close()
        assert not person.failures, person.failures


@pytest.fixture
def lesson(people, server):
    """A teacher and a student who follows, both at the end of the computing, and the students' path."""
    teacher = people(server, LAB).computed(500)
    path = teacher.lead()
    student = people(server, path)
    student.reads("You follow the class")
    student.plays(teacher.run)
    return teacher, student, path


def test_the_students_playhead_follows_within_a_moment(lesson, record_property):
    teacher, student, _ = lesson
    assert "noise=0.1" in student.url and "follow=" in student.url
    teacher.reads("1 follows")
    delays = []
    for i in range(20):
        step = 7 + i * 37 % 480
        student.page.evaluate(f"t => {{ globalThis.came = ({SHOWN})(t); }}", step)
        begun = teacher.player(f"go({step})")
        delays.append(student.page.evaluate("() => globalThis.came") - begun)
        teacher.page.wait_for_timeout(250)
    record_property("scrub", f"median {statistics.median(delays)} ms, worst {max(delays)} ms")
    print("from scrub to the student's screen:", statistics.median(delays), "ms, at worst", max(delays))
    assert statistics.median(delays) < 2000  # on a busy machine; a few hundredths of a second on a quiet one
    # both play by themselves, at the same speed, and stop at the same step
    teacher.player("setSpeed('25'), __feedbackLab.player.go(0), __feedbackLab.player.play()")
    student.wait_until(lambda: student.state == "playing" and student.t > 20)
    before, here, after = teacher.t, student.t, teacher.t
    assert before - 25 <= here <= after + 25, "no more than a second apart"
    teacher.player("pause()")
    student.wait_until(lambda: student.t == teacher.t and student.state == "paused")
    student.stands_still()


def test_settings_replicate_and_page_follow_and_back_leads_out(lesson):
    teacher, student, _ = lesson
    before = student.page.evaluate("history.length")
    run = teacher.page.locator(".st-key-settings-bar").get_by_role("button", name="Run")
    run.click()
    teacher.page.locator("input[aria-label=Seed]").fill("3")
    teacher.page.keyboard.press("Enter")
    teacher.wait_until(lambda: "seed=3" in teacher.url)
    teacher.page.keyboard.press("Escape")
    teacher.settle().computed(500)
    student.wait_until(lambda: "seed=3" in student.url).plays(teacher.run)
    teacher.player("go(40)")
    student.at(40).told()
    teacher.told().page.locator("input[aria-label=Replicate]").last.fill("3")
    teacher.page.keyboard.press("Enter")
    chosen = student.page.locator("input[aria-label=Replicate]").last
    student.wait_until(lambda: chosen.input_value() == "3")
    assert student.page.evaluate("history.length") == before, "settings add nothing to the history"
    teacher.follow("Home")
    student.wait_until(lambda: student.page.evaluate("location.pathname") == "/")
    student.reads("You follow the class")


def test_while_one_follows_controls_do_nothing_and_after_leaving_all_is_ones_own(lesson):
    teacher, student, _ = lesson
    teacher.player("go(200)")
    student.at(200)
    assert student.led
    for key in ("s", "End", "."):
        student.page.keyboard.press(key)
    student.stands_still()
    student.push("Leave")
    student.wait_until(lambda: not student.bar)
    assert not student.led and "follow" not in student.url and student.t == 200
    run = student.run
    teacher.player("go(300)")
    student.page.wait_for_timeout(1000)
    assert student.t == 200 and student.run == run
    student.settle().page.keyboard.press("s")
    student.at(201)
    teacher.reads("Nobody follows yet")
    student.page.reload()
    student.charts().computed(500).page.wait_for_timeout(1000)
    assert not student.bar and student.t == 201


def test_the_class_is_told_that_its_teacher_has_stopped_or_gone(lesson):
    teacher, student, path = lesson
    teacher.player("go(123)")
    student.at(123)
    teacher.page.close()
    assert student.reads("is gone", within=10) < 10
    assert not student.led and student.t == 123, "what was there stays, and is the student's own"
    again = Visitor(type("Same", (), {"profile": teacher.context}), teacher.address)
    again.go(path)
    again.page.wait_for_timeout(500)
    assert "You lead" not in again.text, "a new window does not know the secret"


@pytest.mark.thorough
def test_a_teachers_window_loaded_anew_leads_on_until_it_stops(lesson):
    teacher, student, _ = lesson
    teacher.page.reload()
    teacher.reads("1 follows")
    teacher.computed(500).settle().player("go(77)")
    student.at(77)
    teacher.push("Show the link")
    assert teacher.page.locator(".fl-follow-poster img").evaluate("picture => picture.decode().then(() => true)")
    teacher.page.keyboard.press("Escape")
    teacher.push("Stop leading")
    assert student.reads("has ended the class") < 5
    teacher.wait_until(lambda: not teacher.bar)
    assert not student.led and student.t == 77
    student.push("Close")
    student.wait_until(lambda: not student.bar and "follow" not in student.url)


def test_codes_that_nobody_leads_and_that_are_none_end_in_a_sentence(people, server):
    student = people(server, "/stability?follow=ABCDEF")
    student.reads("Nobody leads a class ABCDEF on this server.")
    assert not student.led and "not a setting" not in student.text
    student.go("/stability?follow=%3Cb%3E0")
    student.reads("The code of a class has 6 letters or digits, without 0, O, 1, I and L, got <B>0.")


def test_a_network_that_is_cut_is_spoken_of_and_the_page_follows_again(lesson):
    teacher, student, _ = lesson
    student.context.set_offline(True)
    student.reads("The network is cut off.", within=10)
    teacher.player("go(90)")
    student.page.wait_for_timeout(500)
    assert student.t != 90 and not student.led
    student.context.set_offline(False)
    student.reads("You follow the class")
    student.at(90)


@pytest.mark.thorough
def test_cards_of_a_lesson_turn_with_the_teachers(people, server):
    teacher = people(server, "/stability?steps=50&replicates=1")
    path = teacher.lead()
    student = people(server, path)
    student.reads("You follow")
    teacher.follow("Lessons").follow("Why a perceptron flips")
    student.page.locator(".fl-card").wait_for()
    title = teacher.page.locator(".fl-card h2").inner_text()
    student.wait_until(lambda: student.page.locator(".fl-card h2").inner_text() == title)
    teacher.page.locator(".fl-lesson [data-do=skip]").click()
    teacher.wait_until(lambda: teacher.page.locator(".fl-card h2").inner_text() != title)
    title = teacher.page.locator(".fl-card h2").inner_text()
    student.wait_until(lambda: student.page.locator(".fl-card h2").inner_text() == title)


def test_a_server_that_starts_anew_finds_teacher_and_class_again(people, browser, tmp_path):
    process, address = start_server(tmp_path)
    port = int(address.rsplit(":", 1)[1])
    try:
        teacher = people(address, LAB).computed(500)
        student = people(address, teacher.lead())
        student.reads("You follow")
        student.plays(teacher.run)
        teacher.player("go(44)")
        student.at(44)
        process.kill()
        process.wait(10)
        student.reads("The server does not answer.", within=10)
        teacher.reads("The server does not answer.", within=10)
        assert student.t == 44
        process, _ = start_server(tmp_path, port=port)
        teacher.reads("1 follows")
        student.reads("You follow")
        teacher.computed(500).settle().player("go(99)")
        student.at(99)
    finally:
        process.kill()
