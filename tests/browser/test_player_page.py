"""The content, the words and the look of the player, and the two pages it lives in."""

import json

import pytest

from pages.ui.modules import bare
from pages.ui.play import assets
from pages.ui.recordings import takeaway
from tests.browser.player import INSTEAD, curve, event, recording
from tests.scripts import script


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
    assert "Step 900, learner 0: d1 falls from place 1 to 10." in me.words(".fl-words")
    me.page.click("text=Marked events")
    me.page.uncheck("[data-kind=lost]")
    assert me.words(".fl-filter summary") == "Marked events, 1 of 2 kinds"
    assert marks.count() == 1
    me.key("0", "n")
    assert me.t == 900
    assert [n.inner_text() for n in me.page.locator(".fl-number").all()] == ["10", "1"]


def test_what_a_person_answered_stands_in_a_row_above_those_of_the_learners(view):
    hand = {"kind": "answered", "common": True, "text": "the person chose d2"}
    events = [event(t) | hand for t in (40, 400, 401, 402)] + [event(100), event(101, slot=1)]
    payload = recording(events=sorted(events, key=lambda e: e["t"]))
    payload["events"]["kinds"].append(
        {"id": "answered", "title": "A person answered", "sign": "person", "help": "By a person.", "of": 4}
    )
    me = view(payload)
    marks = me.page.locator(".fl-mark")
    assert [(m.get_attribute("data-t"), m.inner_text()) for m in marks.all()] == [
        ("40", ""), ("100", ""), ("101", ""), ("400", "3"),
    ]  # fmt: skip
    tops = [m.bounding_box()["y"] for m in marks.all()]
    assert tops[0] == tops[3] < tops[1] < tops[2]
    signs = me.page.evaluate("[...document.querySelectorAll('.fl-mark')].map(m => m.querySelector('path')?.outerHTML)")
    assert "M6 .6a2.5" in signs[0] and "M6 .6a2.5" in signs[3] and "M6 .6a2.5" not in signs[1]
    assert marks.nth(0).get_attribute("aria-label") == "Step 40: the person chose d2."
    assert marks.nth(3).get_attribute("aria-label") == "3 events up to step 402. Step 400: the person chose d2."
    me.key("n")
    assert me.t == 40 and "Step 40: the person chose d2." in me.words(".fl-words")
    me.key("n", "n", "n", "n")
    assert me.t == 401
    me.key("p", "p")
    assert me.t == 101
    me.page.click("text=Marked events")
    assert "A person answered" in me.words(".fl-kinds")
    height = me.page.locator(".fl-marks").bounding_box()["height"]
    me.page.uncheck("[data-kind=answered]")
    assert marks.count() == 2
    assert me.page.locator(".fl-marks").bounding_box()["height"] == height  # nothing jumps


def test_near_an_event_it_plays_at_a_tenth_of_the_speed(view):
    me = view(recording(speed="100", events=[event(20)]))
    after = "t => { player.t = t; return [flPace(player, .1), flPace(player, 1)]; }"
    assert me.page.evaluate(after, 0) == [10, 100]
    me.page.click("text=Marked events")
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
    me = view(recording(reached=0, failed=sentence, pending=False)).state("failed")
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


def test_a_learner_of_the_legend_stands_out_while_it_is_pointed_at_and_stays_so_when_it_is_pressed(view):
    legend = [{"label": f"learner {i}", "color": "#0072B2", "dash": "", "width": 3, "slot": i} for i in range(2)]
    legend.append({"label": "a bound", "color": "#000", "dash": "2 4", "width": 1.4, "slot": None, "help": "Theorem 1"})
    me = view(recording(legend=legend))
    me.page.evaluate("""() => { globalThis.stood = [];
        for (const drawing of player.grid.drawings.values()) {
          Object.assign(drawing, { highlight: slot => stood.push(slot), keep: slot => stood.push(`keep ${slot}`) });
        } }""")
    buttons = me.page.locator(".fl-legend button:not(.fl-term)")
    assert [b.inner_text() for b in buttons.all()] == ["learner 0", "learner 1"], (
        "a bound is a word that explains itself"
    )
    buttons.nth(1).hover()
    me.page.mouse.move(1, 1)
    many = len(me.get("[...player.grid.drawings.keys()]"))
    assert me.get("stood") == [1] * many + [None] * many
    buttons.nth(1).click()
    assert buttons.nth(1).get_attribute("aria-pressed") == "true" and "keep 1" in me.get("stood")
    buttons.nth(0).click()
    assert [b.get_attribute("aria-pressed") for b in buttons.all()] == ["true", "false"]
    buttons.nth(0).click()
    assert me.get("stood.at(-1)") == "keep null" and buttons.nth(0).get_attribute("aria-pressed") == "false"


def test_kept_runs_stand_in_the_legend_each_with_a_dash_of_its_own(view):
    ghosts = [{"id": str(i), "label": f"noise {i} → 4", "charts": {}} for i in range(4)]
    me = view(recording(ghosts=ghosts))
    entries = me.page.locator(".fl-legend span", has_text="kept: noise")
    dashes = [entry.locator("line").get_attribute("stroke-dasharray") for entry in entries.all()]
    assert len(dashes) == 4 == len(set(dashes))
    assert entries.first.inner_text() == "kept: noise 0 → 4"


def test_for_a_projector_the_letters_are_larger(view):
    size = "getComputedStyle(document.querySelector('.fl-grid h3')).fontSize"
    me = view(recording())
    usual = me.get(size)
    me = view(recording(present=True))
    assert me.page.locator(".fl-player.fl-present").count() == 1
    assert float(me.get(size).removesuffix("px")) > 1.15 * float(usual.removesuffix("px"))


def test_the_component_keeps_one_player_and_ends_it_when_it_is_gone(view):
    module = script(assets.FOLDER / "host.js", INSTEAD)
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
    stories = [{"t": 20, "title": "Perceptron", "html": "<b>The user clicked d7.</b>"}]
    data = {"payload": recording(events=[event(20)]), "stories": stories}
    alone = "\n".join(
        bare((assets.FOLDER / f"{name}.js").read_text("utf-8")) for name in ("scheme", "stories", "lone", "alone")
    )
    colors = json.dumps(takeaway.colors(data["payload"]))
    file = "document.body.insertAdjacentHTML('beforeend', '<i id=fl-recording></i>');\n"
    file += f"document.getElementById('fl-recording').dataset.colors = {colors};"
    script = f"globalThis.Plotly ??= {{}};\n{file}\n{alone}"  # this page draws no curves
    me = view(None, script=script, embedded=data)
    me.until("document.querySelector('.fl-grid')?.dataset.frames")
    assert "keeps the inspector of the marked steps" in me.words(".fl-story")
    me.key("n").until("document.querySelector('.fl-story b')")
    assert me.words(".fl-story").split("\n") == ["Perceptron", "The user clicked d7."]
    me.key("s").until("!document.querySelector('.fl-story b')")
    me.key("End").until("document.querySelector('.fl-player').dataset.state === 'finished'")
    assert me.words(".fl-status") == "Finished. Play again."
