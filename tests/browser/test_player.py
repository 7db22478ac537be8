"""The player in a browser: what a person does, and what the server is told."""

import json
import re
from itertools import pairwise

import pytest

from tests.browser.player import ADDRESS, CHARTS, SCRIPTS, SHARED, Viewer, curve, event, recording


@pytest.fixture
def view(browser):
    viewers = []

    def open_window(payload, *arguments, **how):
        viewers.append(Viewer(browser, payload, *arguments, **how))
        return viewers[-1]

    yield open_window
    for viewer in viewers:
        viewer.context.close()
        assert not viewer.failures, viewer.failures


def test_play_uncovers_the_curves_and_pause_stands_still(view):
    me = view(recording(speed="100"))
    assert me.get("root.dataset.state") == "ready"
    assert me.words("[data-do=play]") == "Play"
    me.press("play").state("playing").until("player.t > 15")
    assert me.words("[data-do=play]") == "Pause"
    assert me.told("rest") == []  # the server is left alone while it plays
    me.press("play").state("paused").rest()
    stopped = me.t
    assert me.words(".fl-clock") == f"t = {stopped} / 1,000"
    me.page.wait_for_timeout(300)
    assert me.t == stopped
    assert me.told("rest") == [stopped]
    shown = me.get("player.grid.drawings.get('regret').shown")
    played = shown[: shown.index(stopped)]
    assert played == sorted(played)
    assert set(shown[len(played) :]) == {stopped}  # at rest on a whole step
    assert any(t != int(t) for t in played)  # between two steps as well
    assert me.get("player.grid.drawings.get('regret').updates") == 1  # drawn once, then uncovered


def test_the_speed_is_that_of_the_clock_on_the_wall(view):
    me = view(recording(steps=5000, speed="1000"))
    seconds = me.get("""async () => {
        const next = () => new Promise(requestAnimationFrame);
        player.play();
        await next();
        const t = player.t, from = performance.now();
        while (performance.now() - from < 1000) await next();
        return (player.t - t) / (performance.now() - from);
    }""")
    assert seconds == pytest.approx(1, abs=0.15)


def test_steps_back_and_forth_a_typed_step_and_reset(view):
    me = view(recording())
    me.press("step").press("step").press("step").press("back").rest()
    assert me.t == 2
    assert me.slide("aria-valuenow") == "2"
    assert me.slide("aria-valuetext") == "step 2 of 1,000"
    assert me.slide("aria-valuemax") == "1000"
    me.page.fill(".fl-field", "1,0 00")
    me.page.keyboard.press("Enter")
    assert me.t == 1000
    me.page.fill(".fl-field", "1001")
    me.page.keyboard.press("Enter")
    assert "There is no step 1001. Type a whole number from 0 to 1,000." in me.words(".fl-words")
    assert me.t == 1000
    me.press("reset").state("ready")
    assert me.t == 0
    assert "There is no step" not in me.words(".fl-words")
    me.press("back")
    assert me.t == 0


def test_keys_work_anywhere_but_not_in_a_field(view):
    me = view(recording(speed="10", events=[event(50), event(70, "regained"), event(70, slot=1)]))
    me.key("s", "s", "B")
    assert me.t == 1
    me.key("End")
    assert me.t == 1000
    me.key("Home", "n")
    assert me.t == 50
    me.key("n")
    assert me.t == 70
    me.key("n")
    assert me.t == 70
    assert "no marked event after this step" in me.words(".fl-words")
    me.key("p")
    assert me.t == 50
    me.key("f", "f", "d")
    assert me.page.input_value(".fl-speed") == "100"
    assert me.told("speed") == ["100", "1000", "100"]
    me.key("Space").state("playing").key("Space").state("paused").key("0").state("ready")
    me.page.keyboard.press("Control+s")
    for field in ("#other", "#choice", ".fl-field", ".fl-speed"):
        me.page.focus(field)
        me.key("s", "0", "n")
    assert me.t == 0
    assert me.page.input_value("#other") == "s0n"


def test_the_focused_timeline_has_keys_of_its_own(view):
    me = view(recording())
    me.page.focus(".fl-timeline [role=slider]")
    me.key("ArrowRight", "ArrowUp", "ArrowLeft")
    assert me.t == 1
    me.key("PageUp", "PageUp", "PageDown")
    assert me.t == 51
    me.key("s")
    assert me.t == 52
    me.key("End")
    assert me.t == 1000


def test_space_on_a_focused_button_acts_once(view):
    me = view(recording(speed="10"))
    me.page.focus("[data-do=step]")
    me.key("Space")
    assert me.t == 1  # the button's own press
    assert me.get("player.playing") is False
    me.page.focus("[data-do=play]")
    me.key("Space").state("playing").key("Space").state("paused").rest()
    me.press("step")  # after a press by the mouse Space means Play, as everywhere
    before = me.t
    me.key("Space").state("playing").key("Space").state("paused")
    assert me.t - before < 5


def test_dragging_scrubs_as_far_as_the_run_is_computed(view):
    me = view(recording(reached=600))
    x, y = me.point(200)
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    assert me.t == pytest.approx(200, abs=2)
    me.page.mouse.move(me.point(500)[0], y + 200, steps=4)  # the pointer is captured
    assert me.t == pytest.approx(500, abs=2)
    assert me.told("rest") == []
    me.page.mouse.move(me.point(900)[0], y, steps=4)
    assert me.t == 600
    me.page.mouse.move(me.point(300)[0], y, steps=4)
    me.page.mouse.up()
    me.rest()
    assert me.t == pytest.approx(300, abs=2)
    assert me.told("rest") == [me.t]


def test_playing_goes_on_after_a_scrub(view):
    me = view(recording(speed="10"))
    me.press("play").state("playing")
    x, y = me.point(400)
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    held = me.t
    me.page.wait_for_timeout(300)
    assert me.t == held
    me.page.mouse.up()
    me.until(f"player.t > {held + 2}")
    assert me.get("player.playing") is True


def test_it_waits_for_the_buffer_and_plays_on(view):
    me = view(recording(reached=30))
    me.press("play").state("computing")
    assert me.t == 30
    assert me.words("[data-do=play]") == "Computing …"
    assert "30 of 1,000 steps are computed." in me.words(".fl-words")
    me.until("told.some(m => m.name === 'more')")
    me.page.wait_for_timeout(600)
    assert len(me.told("more")) == 1  # one question at a time
    me.send(recording(reached=60)).until("player.t === 60")
    assert me.get("root.dataset.reached") == "60"
    me.send(recording()).state("finished")
    assert me.t == 1000
    assert me.words("[data-do=play]") == "Play again"
    assert "Finished. Play again, or raise Steps T." in me.words(".fl-words")
    asked = len(me.told("more"))
    me.until("announced.length")
    me.page.wait_for_timeout(400)
    assert len(me.told("more")) == asked  # a complete run is never asked for again
    me.press("play").until("player.t < 900").state("finished").rest()
    assert len(me.get("announced")) == 1  # once a run
    detail = me.get("announced[0]")
    assert detail["learners"] == ["learner 0", "learner 1"]
    assert detail["steps"] == 1000
    assert {"learner": "learner 1", "chart": "rank", "title": "Chart rank", "value": 1000.1} in detail["finals"]


def test_questions_are_at_least_a_quarter_of_a_second_apart(view):
    me = view(recording(reached=10))
    me.page.evaluate("""payload => {
        player.host.more = () => {
            told.push({ name: 'more', now: performance.now() });
            player.update(structuredClone(payload));
        };
    }""", recording(reached=20))  # fmt: skip
    me.until("told.filter(m => m.name === 'more').length > 5")
    times = [message["now"] for message in me.get("told") if message["name"] == "more"]
    assert min(b - a for a, b in pairwise(times)) > 240


def test_a_hidden_page_neither_moves_nor_draws_and_seldom_asks(view):
    me = view(recording(reached=300, speed="10"))
    me.press("play").state("playing").until("told.some(m => m.name === 'more')")
    seen = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true })"
    turn = "; document.dispatchEvent(new Event('visibilitychange'))"
    me.get(seen % "true" + turn)
    me.page.wait_for_timeout(100)
    before, frames = me.t, me.frames
    me.page.evaluate("payload => player.update(payload)", recording(reached=500, speed="10", text="#000000"))
    me.until(f"+document.querySelector('.fl-grid').dataset.frames > {frames}")
    me.until("told.filter(m => m.name === 'more').length === 2")  # but it does ask
    first, second = (message["now"] for message in me.get("told") if message["name"] == "more")
    assert second - first > 1900
    assert me.t == before
    assert me.get("player.grid.drawings.get('regret').updates") == 1
    me.get(seen % "false" + turn)
    me.until(f"player.t > {before + 2} && player.grid.drawings.get('regret').updates === 2")


def test_at_full_speed_the_playhead_follows_what_is_computed(view):
    me = view(recording(reached=40, speed="max"))
    me.press("play").until("player.t === 40").send(recording(reached=700, speed="max")).until("player.t === 700")
    me.send(recording(speed="max")).state("finished").rest()
    assert me.told("rest") == [1000]
    me.press("play").state("finished")


def test_another_run_keeps_the_playhead_and_the_charts_that_stay(view):
    me = view(recording(charts=[curve("regret"), curve("rank"), curve("swap")]))
    me.page.fill(".fl-field", "400")
    me.page.keyboard.press("Enter")
    me.rest()
    me.send(recording(reached=100, run="b", charts=[curve("flips"), curve("swap"), curve("regret")]))
    me.state("computing")
    assert me.t == 100
    assert "On the way to step 400." in me.words(".fl-words")
    order = "[...document.querySelectorAll('.fl-grid section')].map(s => s.dataset.chart)"
    assert me.get(order) == ["flips", "swap", "regret"]
    numbers = "Object.fromEntries([...player.grid.drawings].map(([id, drawing]) => [id, drawing.number]))"
    assert me.get(numbers) == {"regret": 0, "swap": 2, "flips": 3}
    me.send(recording(reached=300, run="b")).send(recording(reached=700, run="b")).state("paused")
    assert me.t == 400
    me.until("told.filter(m => m.name === 'rest').length === 2")
    assert me.told("rest") == [400, 400]  # for each run once
    me.press("play").until("player.t > 450")
    me.send(recording(reached=100, run="c"))
    me.send(recording(run="c")).until("player.t > 450")  # playing goes on
    assert me.get("player.playing") is True


def test_what_is_drawn_already_is_not_drawn_again(view):
    me = view(recording())
    me.send(recording()).send(recording(waiting="…"))
    assert me.get("player.grid.drawings.get('regret').updates") == 1
    me.send(recording(text="#000000"))
    assert me.get("player.grid.drawings.get('regret').updates") == 2


def test_a_shorter_run_ends_where_it_ends(view):
    me = view(recording())
    me.key("End").state("finished").send(recording(run="b", steps=200, reached=100)).state("computing")
    me.send(recording(run="b", steps=200)).state("finished")
    assert me.t == 200
    assert me.words(".fl-clock") == "t = 200 / 200"


def test_the_address_keeps_step_and_speed_and_leaves_the_rest_alone(view):
    me = view(recording(), "?charts=a,b&t=300&embed=true&speed=100&x=%C3%A4+b")
    assert me.t == 300
    assert me.page.input_value(".fl-speed") == "100"
    me.rest()
    assert me.search == "?charts=a,b&embed=true&x=%C3%A4+b&t=300&speed=100"
    me.key("f")
    assert me.search == "?charts=a,b&embed=true&x=%C3%A4+b&t=300"
    me.key("0")
    me.until("location.search === '?charts=a,b&embed=true&x=%C3%A4+b'")


def test_a_refresh_comes_back_to_the_step(view):
    me = view(recording(), "?charts=a")
    me.page.fill(".fl-field", "123")
    me.page.keyboard.press("Enter")
    me.until("location.search.endsWith('t=123')")
    me.page.reload()
    me.send(recording(reached=50)).state("computing").send(recording()).rest()
    assert me.t == 123
    me.press("play").until("player.t > 300").page.reload()
    me.send(recording()).rest()
    assert me.t > 300  # also from the middle of playing
    me.page.goto(ADDRESS + "?t=nonsense&speed=fast")
    me.send(recording(t=77)).rest()
    assert me.t == 77


def test_pictures_received_are_kept_and_a_gap_is_asked_for(view):
    def picture(first, *steps, reached=100):
        frames = {"first": first, "at": list(steps), "frames": [{"step": s} for s in steps]}
        chart = {"id": "weights", "title": "Weights", "help": "", "wide": True, "kind": "figure", "frames": frames}
        return recording(reached=reached, charts=[chart])

    kept = "player.grid.drawings.get('weights').chart.frames"
    me = view(picture(0, 0, 10))
    me.until("told.some(m => m.name === 'more')")
    assert me.told("more")[-1] == {"weights": 2}
    me.send(picture(2, 20, 30, reached=300))
    assert me.get(kept) == {"first": 0, "at": [0, 10, 20, 30], "frames": [{"step": s} for s in (0, 10, 20, 30)]}
    me.send(picture(6, 60, reached=1000)).until("told.at(-1).name === 'more' && told.at(-1).value.weights === 0")
    assert me.get(kept)["at"] == [0, 10, 20, 30]
    me.send(picture(0, 0, 10, 20, 30, 40, 50, 60, reached=1000))
    assert me.get(kept)["at"] == [0, 10, 20, 30, 40, 50, 60]


def test_events_are_marked_by_learner_and_merged_where_they_are_close(view):
    close = [event(t) for t in range(500, 508)]
    me = view(recording(events=[event(100), event(101, slot=1), *close, event(900, "regained")]))
    marks = me.page.locator(".fl-mark")
    assert [(m.get_attribute("data-t"), m.inner_text()) for m in marks.all()] == [
        ("100", ""), ("101", ""), ("500", "8"), ("900", ""),
    ]  # fmt: skip
    assert marks.nth(0).bounding_box()["y"] < marks.nth(1).bounding_box()["y"]  # a row for each learner
    marks.nth(2).hover()
    tip = me.words(".fl-tip")
    assert "8 events, learner 0" in tip
    assert "and 4 more" in tip
    marks.nth(3).click()
    assert me.t == 900
    assert "Step 900, learner 0: best document regained. d1 falls from place 1 to 10." in me.words(".fl-words")
    me.page.uncheck("[data-kind=lost]")
    assert marks.count() == 1
    me.key("0", "n")
    assert me.t == 900
    assert [n.inner_text() for n in me.page.locator(".fl-number").all()] == ["10", "1"]


def test_near_an_event_it_plays_at_a_tenth_of_the_speed(view):
    me = view(recording(speed="100", events=[event(20)]))
    after = "t => { player.t = t; return [player._after(.1), player._after(1)]; }"
    assert me.page.evaluate(after, 0) == [10, 100]
    me.page.check("text=slow down at events")
    # up to 15 at 100 a second, from 15 to 25 at 10 a second, then at 100 again
    assert me.page.evaluate(after, 0) == pytest.approx([10, 15 + 8.5])
    assert me.page.evaluate(after, 16) == pytest.approx([17, 25 + 10])


def test_reduced_motion_moves_in_at_most_two_jumps_a_second(view):
    me = view(recording(speed="100"), reduced_motion="reduce")
    moves = me.get("""async () => {
        const seen = [], from = performance.now();
        new MutationObserver(() => seen.push(Number(root.dataset.t))).observe(root, { attributeFilter: ['data-t'] });
        player.play();
        while (performance.now() - from < 1800) await new Promise(requestAnimationFrame);
        player.pause();
        return seen;
    }""")
    assert 1 <= len(moves) <= 4
    assert moves[0] >= 40


def test_a_sentence_says_where_every_learner_stands(view):
    faint = curve("rank")
    faint["lines"][0]["faint"] = True
    me = view(recording(charts=[curve("regret", "Average regret"), faint]))
    me.key("s", "s").rest()
    me.until("document.querySelector('.fl-say').textContent")
    assert me.get("document.querySelector('.fl-say').textContent") == (
        "Step 2. Average regret: learner 0 2; learner 1 2.1. Chart rank: learner 1 2.1."
    )
    assert me.page.get_attribute(".fl-say", "aria-live") == "polite"
    me.key("End").rest().until("document.querySelector('.fl-say').textContent.startsWith('Finished. Step 1,000. ')")


def test_a_failed_run_says_why_and_is_not_asked_for(view):
    sentence = "The data need more memory than there is. Choose fewer documents."
    me = view(recording(reached=0, failed=sentence)).state("failed")
    assert sentence in me.words(".fl-words")
    me.page.wait_for_timeout(400)
    assert me.told("more") == []
    me.send(recording(run="b")).state("ready")
    assert sentence not in me.words(".fl-words")


def test_one_broken_chart_leaves_the_others(view):
    me = view(recording(charts=[curve("bad") | {"broken": True}, curve("good")]))
    assert "This chart could not be drawn (broken on purpose)." in me.words("[data-chart=bad]")
    assert me.get("player.grid.drawings.get('good').updates") == 1


def test_texts_are_never_markup(view):
    bad = "<img src=x onerror=window.broken=1>"
    data = recording(charts=[curve("c", bad)], events=[event(5) | {"text": bad}], failed=bad, waiting=bad)
    data["learners"][0]["label"] = data["events"]["kinds"][0]["title"] = data["unit"] = bad
    data["legend"] = [{"label": bad, "color": "#000", "dash": "", "width": 3}]
    me = view(data)
    me.key("n").page.locator(".fl-mark").hover()
    assert me.get("document.querySelectorAll('img').length") == 0
    assert bad in me.words(".fl-tip")
    assert me.get("window.broken") is None


@pytest.mark.parametrize("width", [640, 400])
def test_on_a_phone_play_and_timeline_stay_at_the_thumb(view, width):
    me = view(recording(), viewport={"width": width, "height": 700}, has_touch=True)
    me.page.evaluate("scrollTo(0, 900)")
    for name in ("[data-do=play]", "[data-do=step]", "[data-do=back]", ".fl-timeline [role=slider]"):
        box = me.page.locator(name).bounding_box()
        assert 400 < box["y"] < box["y"] + box["height"] <= 700
        assert box["height"] >= 44
    me.page.touchscreen.tap(*me.point(250))
    assert me.t == pytest.approx(250, abs=4)
    assert me.get("document.documentElement.scrollWidth") <= width


def test_on_a_wide_screen_the_controls_stay_at_the_top(view):
    me = view(recording())
    me.page.evaluate("scrollTo(0, 300)")
    assert me.page.locator("[data-do=play]").bounding_box()["y"] == pytest.approx(66, abs=6)


def test_nothing_jumps_while_it_plays(view):
    me = view(recording(reached=500, events=[event(t) for t in range(0, 1000, 37)]))
    places = "[...document.querySelectorAll('button:not(.fl-mark), select, .fl-field, .fl-clock, section')]" + (
        ".map(e => { const { x, y, width, height } = e.getBoundingClientRect(); return [x, y, width, height]; })"
    )
    before = me.get(places)
    me.press("play").until("player.t > 100")
    assert me.get(places) == before
    me.state("computing")
    assert me.get(places) == before
    me.send(recording(events=[event(t) for t in range(0, 1000, 37)])).state("finished")
    assert me.get(places) == before


HOST = """
globalThis.sent = [];
globalThis.component = payload => ({
  data: new TextEncoder().encode(JSON.stringify(payload)), parentElement: document.body,
  setStateValue: (name, value) => sent.push([name, value]), setTriggerValue: (name, value) => sent.push([name, value]),
});
globalThis.open = (await import(URL.createObjectURL(new Blob([SOURCE], { type: 'text/javascript' })))).default;
globalThis.root = document.querySelector('.fl-player');
"""


def test_the_component_keeps_one_player_and_ends_it_when_it_is_gone(view):
    module = CHARTS + "".join((SCRIPTS / f"{name}.js").read_text("utf-8") for name in (*SHARED, "host"))
    me = view(None, script=HOST.replace("SOURCE", json.dumps(module)))
    me.until("globalThis.root")
    me.page.evaluate("payload => { globalThis.leave = open(component(payload)); }", recording(reached=100))
    me.until("sent.length")
    assert me.get("sent") == [["more", {"run": "a", "frames": {}}]]
    me.page.evaluate("payload => { leave = open(component(payload)); }", recording())
    me.until("root.dataset.reached === '1000'")
    assert me.page.locator(".fl-bar").count() == 1
    me.key("s", "f").until("sent.some(([name]) => name === 'rest')")
    assert me.get("sent.slice(1)") == [["speed", "max"], ["rest", {"run": "a", "t": 1}]]
    me.page.evaluate("leave()")  # it is there still, as when Streamlit hands over new data
    me.page.wait_for_timeout(1200)
    me.key("s")
    assert me.t == 2
    me.page.evaluate("root.remove(), leave()")
    me.page.wait_for_timeout(1200)
    me.key("s")
    assert me.get("root.dataset.t") == "2"


def test_a_recording_plays_alone_and_shows_the_stories_it_keeps(view):
    stories = [{"t": 20, "html": "<b>The user clicked d7.</b>"}]
    data = recording(events=[event(20)], stories=stories)
    me = view(None, script=(SCRIPTS / "alone.js").read_text("utf-8"), embedded=data)
    me.until("document.querySelector('.fl-grid')?.dataset.frames")
    assert "keeps the inspector of the marked steps" in me.words(".fl-story")
    me.key("n").until("document.querySelector('.fl-story b')")
    assert me.words(".fl-story") == "The user clicked d7."
    me.key("s").until("!document.querySelector('.fl-story b')")
    me.key("End").until("document.querySelector('.fl-player').dataset.state === 'finished'")
    assert me.words(".fl-status") == "Finished. Play again."


@pytest.mark.parametrize(("value", "format", "text"), [
    (0.80512, ".3g", "0.805"),
    (12345.6, ".3g", "12,300"), (1e-7, ".3g", "1e-7"), (0.5, ".0%", "50 %"), (3.14159, ".2f", "3.14"),
    (1234, ",d", "1,234"), (0, ".3g", "0"), (None, ".3g", "no value"),
])  # fmt: skip
def test_numbers_are_written_in_formats_of_python(view, value, format, text):
    me = view(None, script="globalThis.write = flNumber;")
    me.until("globalThis.write")
    assert me.page.evaluate("([value, format]) => write(value, format)", [value, format]) == text


def test_every_script_is_short_and_plain():
    for path in sorted(SCRIPTS.glob("*.js")):
        lines = path.read_text("utf-8").splitlines()
        assert len(lines) <= 400, path.name
        assert max(map(len, lines)) <= 120, path.name
        exports = re.findall(r"^(?:import|export)\b.*", "\n".join(lines), re.MULTILINE)
        assert len(exports) == (path.name == "host.js"), path.name
