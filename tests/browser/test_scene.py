"""The scene above the charts follows the playhead: lists, answers, sets of labels, and a chart in its place."""

import copy

import numpy as np
import pytest

from learners import Simulation
from tests.browser.player import curve, recording
from tests.pages import scenes as made

STEPS = 60
# what a list shows, from the first line down: place, name, what the user did, the place predicted, the bracket
LIST = """n => [...document.querySelectorAll('.fl-s-list')[n].querySelectorAll('.fl-s-row:not([hidden])')]
  .map(row => ({ row, line: Math.round(new DOMMatrix(getComputedStyle(row).transform).f / row.offsetHeight) }))
  .sort((a, b) => a.line - b.line)
  .map(({ row, line }) => [line, row.querySelector('.fl-s-place').innerText, row.querySelector('.fl-s-name').innerText,
    row.querySelector('.fl-s-words').innerText, row.querySelector('.fl-s-was').innerText, row.dataset.pair ?? ''])"""
STILL = "document.querySelectorAll('.fl-scene').values().every(s => s.getAnimations({ subtree: true }).length === 0)"
SEEN = """[...document.querySelectorAll('.fl-s-row')].filter(
  row => !row.hidden && row.checkVisibility({ visibilityProperty: true })).length"""
MARKS = ["", "clicked", "wrong click", "overlooked"]
SPOKEN = {"clicked": "clicked", "wrong click": "clicked by mistake", "overlooked": "passed over by mistake"}
TOLD = "document.querySelector('.fl-s-told').textContent"


def race(learners, data, user=None, steps=STEPS):
    simulations = [Simulation(id, data, user, replicates=2, seed=0) for id in learners]
    for simulation in simulations:
        simulation.advance(steps=steps)
    return simulations


@pytest.fixture(scope="module")
def toy():
    return race(("preference-perceptron", "perturbed-perceptron"), "toy-ranking", "cascade")


@pytest.fixture(scope="module")
def payload(toy):
    return played(toy, "ranking")


def played(simulations, kind, steps=STEPS, **more):
    """A payload in which all steps of the race can be seen."""
    scene = made.scene(kind, simulations, range(1, steps + 1), **more)
    return recording(steps=steps, scene=scene, learners=made.learners(simulations), replicates=2, speed="10")


def part(payload, first, last, **more):
    """A payload with the steps from number `first` to `last` of its scene, numbered from 0."""
    from pages.ui.play.frames import plain
    from tests.pages.test_frames import decoded

    def rows(packed):
        values = decoded(packed) if isinstance(packed, dict) else packed
        return plain(np.asarray(values)[first:last])

    scene = copy.deepcopy(payload["scene"])
    scene |= {"first": first, "at": rows(scene["at"]), "complete": False}
    scene["slots"] = [{name: rows(values) for name, values in slot.items()} for slot in scene["slots"]]
    if first:
        del scene["faces"]
    return payload | {"scene": scene | more}


def seek(me, t):
    """Move the playhead, and wait until no row slides any more."""
    me.get(f"player.seek({t})")
    me.page.wait_for_timeout(50)
    return me.until(STILL)


def lines(me, slot):
    """The content of a learner's list."""
    return me.page.evaluate(LIST, slot)


def expected(simulation, t):
    """The list of replicate 1 at a step, from the record of that step."""
    step, found = simulation.at(t), []
    shown, predicted = step.shown.ranking[0].tolist(), step.shown.predicted[0].tolist()
    wrong = simulation.user.mistaken(step.grades[:, shown], step.response)[0]
    pairs = step.shown.pairs
    for place, document in enumerate(shown):
        clicked = bool(step.response.clicks[0][place])
        mark = {(1, 0): 1, (1, 1): 2, (0, 1): 3, (0, 0): 0}[int(clicked), int(wrong[place])]
        swapped = pairs is not None and pairs.swapped[0][place]
        pair = "" if not swapped else "upper" if pairs.partner[0][place] > place else "lower"
        was = predicted.index(document) + 1
        found.append([place, str(place + 1), f"d{document + 1}", MARKS[mark], str(was), pair])
    return found


@pytest.mark.parametrize("order", [(1, 2, 3, 57), (57, 12, 1), (30, 30.7, 29)], ids=str)
def test_lists_are_those_of_the_step_under_the_playhead(view, payload, toy, order):
    me = view(payload)
    for t in order:
        seek(me, t)
        for slot, simulation in enumerate(toy):
            assert lines(me, slot) == expected(simulation, int(t)), (slot, t)
        assert me.words(".fl-s-where") == f"step {int(t)} · replicate 1"


def test_before_the_first_step_it_says_what_will_appear(view, payload):
    me = view(payload)
    assert "Press Play or Step" in me.words(".fl-s-note") and not me.get(SEEN)
    seek(me, 1)
    assert me.words(".fl-s-note") == "" and me.get(SEEN) == 20
    seek(me, 0)
    assert "Press Play or Step" in me.words(".fl-s-note") and not me.get(SEEN)


def test_relevance_is_green_and_the_best_document_has_a_star(view, payload, toy):
    me = seek(view(payload), 57)
    grades = toy[0].at(57).grades[0]
    found = me.get("""[...document.querySelector('.fl-s-list').querySelectorAll('.fl-s-row')].map(row => [
      row.querySelector('.fl-s-name').innerText, parseFloat(row.style.getPropertyValue('--fl-s-green')),
      row.querySelector('.fl-s-star').checkVisibility()])""")
    assert {name: [green > 0, star] for name, green, star in found} == {
        f"d{i + 1}": [bool(grade > 0), i == int(grades.argmax())] for i, grade in enumerate(grades)
    }
    assert "the learner does not see it" in me.words(".fl-s-key")


MOVES = """async ([from, to]) => {
  const rows = [...document.querySelectorAll('.fl-s-row')], touched = new Set();
  player.seek(from);
  await Promise.all(document.querySelector('.fl-scene').getAnimations({ subtree: true }).map(a => a.finished));
  const watch = new MutationObserver(all => all.forEach(one => touched.add(one.target.closest?.('.fl-s-row'))));
  for (const row of rows) watch.observe(row, { attributes: true, childList: true, subtree: true });
  player.seek(to);
  await new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)));
  const slide = document.querySelector('.fl-scene').getAnimations({ subtree: true });
  watch.disconnect();
  return [[...touched].filter(Boolean).map(row => row.querySelector('.fl-s-name').innerText).sort(),
    slide.map(one => one.effect.target.querySelector('.fl-s-name').innerText).sort(),
    document.querySelectorAll('.fl-s-row').length];
}"""


def test_only_what_changes_is_touched_and_what_moves_slides(view, payload, toy):
    me = view(payload)
    seek(me, 1)
    moved = 0
    for before, after in ((20, 21), (21, 22), (40, 57), (57, 40)):
        touched, slid, rows = me.page.evaluate(MOVES, [before, after])
        changed, moving = [], []
        for simulation in toy:
            old, new = ({line[2]: line for line in expected(simulation, t)} for t in (before, after))
            changed += [name for name in new if old[name] != new[name]]
            moving += [name for name in new if old[name][0] != new[name][0]]
        assert touched == sorted(set(changed)) or touched == sorted(changed)
        assert slid == sorted(moving)
        assert rows == 20, "rows are used again"
        moved += len(moving)
    assert moved


def test_with_reduced_motion_nothing_slides(view, payload):
    me = view(payload, reduced_motion="reduce")
    seek(me, 20)
    slid = [me.page.evaluate(MOVES, [20, t])[1] for t in (21, 40, 57)]
    assert slid == [[], [], []]
    assert lines(me, 0)[0][1] == "1"


def test_while_it_plays_it_is_drawn_at_most_ten_times_a_second(view, payload):
    me = view(payload | {"speed": "1000"})
    me.get("""(() => {
      globalThis.drawn = 0;
      const show = player.scene.views[0].show;
      player.scene.views[0].show = function (...all) { drawn += 1; return show.apply(this, all); };
      player.setSpeed('10'); player.play(); })()""")
    me.until("player.t > 22")
    seconds = me.get("player.t") / 10
    assert 5 <= me.get("drawn") <= 10 * seconds + 2
    assert me.get(TOLD) == "" or "step 0" in me.get(TOLD) or "Press Play" in me.get(TOLD), "told at rest only"
    me.press("play").state("paused").rest()
    t = me.t
    me.until(f"document.querySelector('.fl-s-told').textContent.includes('step {t} ')")


def test_at_rest_it_is_told_in_words(view, payload, toy):
    me = seek(view(payload), 57)
    me.until("document.querySelector('.fl-s-told').textContent.includes('step 57')")
    told = me.get(TOLD)
    assert "Perturbed perceptron (3PR) showed 1: " in told
    for place, number, name, mark, was, pair in expected(toy[1], 57):
        words = [f"{number}: {name}"]
        words += ["the most relevant"] if name == "d1" else []
        words += [f"predicted at {was}"] if int(was) != place + 1 else []
        words += ["swapped"] if pair else []
        words += [SPOKEN[mark]] if mark else []
        assert ", ".join(words) in told
    assert me.get("document.querySelector('.fl-s-body').getAttribute('aria-hidden')") == "true"
    box = me.page.locator(".fl-s-told").bounding_box()
    assert box["width"] <= 1 and box["height"] <= 1, "for screen readers only"


# ---- what arrives


def test_steps_come_in_parts_and_none_is_taken_twice(view, payload, toy):
    me = view(part(payload, 0, 10))
    seek(me, 60)
    assert me.words(".fl-s-where") == "step 10 · replicate 1"
    assert me.words(".fl-s-note") == "Step 60 is on its way."
    for first, last in ((10, 25), (20, 40), (40, 60)):
        me.send(part(payload, first, last))
        assert me.get("player.scene.steps.count") == last
    me.until(STILL)
    for t in (60, 24, 22, 10, 41):
        seek(me, t)
        assert lines(me, 1) == expected(toy[1], t)


def test_what_is_missing_is_asked_for(view, payload):
    me = view(part(payload, 0, 10) | {"pending": True})
    me.until("told.some(m => m.name === 'more')")
    assert me.told("more")[-1] == {"scene": 10}
    me.send(part(payload, 20, 30))
    assert me.get("player.scene.steps.count") == 10, "a gap is not skipped"
    me.until("told.filter(m => m.name === 'more').at(-1).value.scene === 0")


def test_another_replicate_begins_anew(view, payload, toy):
    me = seek(view(payload), 57)
    scene = made.scene("ranking", toy, range(1, STEPS + 1), replicate=1, name="b")
    me.send(payload | {"scene": scene}).until(STILL)
    assert me.words(".fl-s-where") == "step 57 · replicate 2"
    shown = [f"d{document + 1}" for document in toy[1].at(57).shown.ranking[1]]
    assert [line[2] for line in lines(me, 1)] == shown
    assert me.get("player.scene.steps.count") == STEPS


def test_in_a_thinned_run_the_latest_step_kept_is_shown_until_the_one_asked_for_comes(view, toy):
    at = [1, 20, 40, 60]
    scene = made.scene("ranking", toy, at)
    thin = recording(steps=STEPS, scene=scene, learners=made.learners(toy), replicates=2)
    me = seek(view(thin), 39)
    assert me.words(".fl-s-where").startswith("step 20 ")
    assert me.words(".fl-s-note") == "The latest step kept before step 39."
    now = made.scene("ranking", toy, range(35, 46))
    me.send(thin | {"scene": scene | {"now": {"at": now["at"], "slots": now["slots"]}}}).until(STILL)
    assert me.words(".fl-s-where").startswith("step 39 ") and me.words(".fl-s-note") == ""
    assert lines(me, 1) == expected(toy[1], 39)
    seek(me, 50)
    assert me.words(".fl-s-where").startswith("step 45 ")


# ---- hiding it


def test_it_can_be_hidden_and_the_address_says_so(view, payload):
    me = seek(view(payload), 57)
    me.press("scene")
    assert not me.get(SEEN) and "scene=false" in me.search
    assert me.get("document.querySelector('[data-do=scene]').ariaExpanded") == "false"
    high = me.get("document.querySelector('.fl-scene').offsetHeight")
    assert high < 60
    seek(me, 20)
    me.press("scene").until(STILL)
    assert me.get(SEEN) == 20 and "scene" not in me.search
    assert me.words(".fl-s-where").startswith("step 20 ")


def test_a_link_opens_it_hidden(view, payload):
    me = view(payload, "?scene=false&learner-1=none")
    assert not me.get(SEEN) and me.words("[data-do=scene]") == "Show"
    me.press("scene")
    assert "scene" not in me.search and me.search.startswith("?learner-1=none")


def test_a_run_without_a_scene_has_none(view):
    me = view(recording())
    assert not me.get("document.querySelector('.fl-scene').checkVisibility()")


# ---- other scenes


def test_another_query_brings_other_documents_and_images_that_are_those_of_the_rows(view):
    simulations = race(("perturbed-perceptron",), "digits-search", "cascade")
    scene = played(simulations, "ranking")
    me = seek(view(scene), 30)
    images = scene["scene"]["faces"]["images"]
    for t in (31, 30):
        seek(me, t)
        step = simulations[0].at(t)
        found = me.get("""[...document.querySelectorAll('.fl-s-row:not([hidden])')].map(row => ({ row,
          at: new DOMMatrix(getComputedStyle(row).transform).f })).sort((a, b) => a.at - b.at).map(({ row }) =>
            row.querySelector('.fl-s-image').style.backgroundPosition)""")
        for i in range(9):
            row = step.documents[0][step.shown.ranking[0][i]]
            down, across = divmod(int(row), images["columns"])
            assert found[i] == f"{-24 * across}px {-24 * down}px".replace("-0px", "0px")
        assert f"query {step.query[0] + 1:,} of " in me.words(".fl-s-where")


def test_an_answer_says_what_was_played_and_what_was_heard(view):
    simulations = race(("perceptron", "banditron"), "digits")
    me = view(played(simulations, "answer"))
    explored = set()
    for t in range(1, STEPS + 1, 3):
        seek(me, t)
        for slot, simulation in enumerate(simulations):
            step = simulation.at(t)
            text = me.page.locator(".fl-s-list").nth(slot).inner_text().split("\n")
            right = bool(step.right[0])
            words = " ".join(" ".join(text).split())
            assert f"predicts {step.shown.predicted[0]} plays {step.shown.label[0]}" in words
            assert ("exploring" in words) == bool(step.shown.explored[0])
            assert f"hears {'right' if right else 'wrong'}" in words
            assert f"true label, {'told' if slot == 0 else 'not told'} {step.truth[0]}" in words
            explored.add(bool(step.shown.explored[0]))
    assert explored == {True, False}
    me.until(f"document.querySelector('.fl-s-told').textContent.includes('step {t} ')")
    assert "which it is not told" in me.get(TOLD)


def test_an_answer_of_a_person_is_what_was_heard(view):
    answers = {t: (t % 10,) for t in range(1, 31)}
    simulations = [Simulation(id, "digits", seed=0, answers=answers) for id in ("perceptron", "banditron")]
    for simulation in simulations:
        simulation.advance(steps=STEPS)
    me, others = view(played(simulations, "answer")), 0
    for t in (1, 2, 5, 9, 14, 20, 30, 31, 45):
        seek(me, t)
        for slot, simulation in enumerate(simulations):
            step = simulation.at(t)
            words = " ".join(me.page.locator(".fl-s-list").nth(slot).inner_text().split())
            assert f"hears {'right' if step.heard.right[0] else 'wrong'}" in words
            truth = int(step.truth[0])
            if slot == 0 and step.heard.label[0] != truth:
                others += 1
                assert words.endswith(f"true label, told {truth}, but told {step.heard.label[0]}")
            else:
                assert words.endswith(f"true label, {'told' if slot == 0 else 'not told'} {truth}")
    assert others > 2


def test_a_set_has_hits_misses_and_what_was_missed(view):
    simulations = race(("multilabel-ucb", "online-binary-relevance"), "multilabel-synthetic")
    names = simulations[0].dataset.names
    me = view(played(simulations, "labels"))
    for t in (1, 7, 30, 60, 7):
        seek(me, t)
        for slot, simulation in enumerate(simulations):
            step = simulation.at(t)
            shown = step.shown.order[0][: step.shown.size[0]].tolist()
            missed = sorted(set(np.flatnonzero(step.truth[0]).tolist()) - set(shown))
            found = (
                me.page.locator(".fl-s-list")
                .nth(slot)
                .locator(".fl-s-chip:not([hidden])")
                .evaluate_all("all => all.map(chip => [chip.dataset.sign, chip.innerText])")
            )
            hits = [["tick" if step.truth[0][k] else "cross", names[k]] for k in shown[:12]]
            rest = [["missed", names[k]] for k in missed[:12]]
            assert [one for one in found if one[0] != "more"] == hits + rest


def test_what_a_page_calls_a_document_is_never_read_as_markup(view, toy):
    scene = made.scene("ranking", toy, range(1, STEPS + 1))
    bad = "<img src=x onerror='document.title = 1'>"
    scene["faces"] = {"queries": 2, "query_names": [bad, bad], "names": [bad] * 10}
    for slot in scene["slots"]:
        slot["row"] = slot["doc"]
    me = seek(view(recording(steps=STEPS, scene=scene, learners=made.learners(toy), replicates=2)), 57)
    assert lines(me, 0)[0][2] == bad
    assert me.get("document.title") == "Player" and not me.get("document.querySelector('.fl-scene img')")


def test_a_chart_can_stand_in_the_place_of_the_scene(view):
    charts = [curve("regret"), curve("rank"), curve("places")]
    me = view(recording(charts=charts, scene={"kind": "picture", "chart": "places"}))
    order = "[...document.querySelectorAll('[data-chart]')].map(section => section.dataset.chart)"
    assert me.get(order) == ["places", "regret", "rank"]
    assert me.get("document.querySelector('.fl-scene [data-chart=places]') !== null")
    me.get("player.seek(9)")
    assert me.get("player.grid.drawings.get('places').shown.at(-1)") == 9
    me.press("scene")
    assert not me.get("document.querySelector('[data-chart=places]').checkVisibility()")
    assert me.words(".fl-scene h3") == "Chart places", "it says what is hidden"
    me.press("scene")
    me.send(recording(charts=[charts[2], charts[0]], scene={"kind": "picture", "chart": "places"}))
    assert me.get(order) == ["places", "regret"]
    me.send(recording(charts=charts, scene={"kind": "picture", "chart": "regret"}))
    assert me.get(order) == ["regret", "rank", "places"]


# ---- how it fits


@pytest.mark.parametrize("width", [400, 1000])
def test_it_fits_and_keeps_its_size(view, payload, width):
    me = view(payload, viewport={"width": width, "height": 720})
    heights = set()
    for t in (1, 20, 40, 57):
        seek(me, t)
        heights.add(me.get("document.querySelector('.fl-scene').offsetHeight"))
        assert me.get("document.documentElement.scrollWidth") <= width
    assert len(heights) == 1
    assert max(heights) < (300 if width == 1000 else 360)


def test_in_a_preview_the_list_of_step_1_stands_there_before_it_is_played(view, payload, toy):
    me = view(payload | {"preview": True})
    assert lines(me, 0) == expected(toy[0], 1) and me.words(".fl-s-where") == "next: step 1 · replicate 1"
    assert me.words(".fl-s-note") == "This is step 1. Press Play or Step to go on."
    assert me.words(".fl-status").startswith("Pale curves are a preview")
    seek(me, 1)
    assert me.words(".fl-s-note") == "" and lines(me, 0) == expected(toy[0], 1)
