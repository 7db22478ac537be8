"""The player in a browser: what a person does, and what the server is told."""

from itertools import pairwise

import pytest

from tests.browser.player import ADDRESS, curve, event, recording


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
    me.page.wait_for_timeout(400)
    assert len(me.told("more")) == asked  # a complete run is never asked for again


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
