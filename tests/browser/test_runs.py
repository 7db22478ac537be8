"""The run log: what a window announces is kept in the browser, shown, noted, compared, downloaded and deleted."""

import csv
import io
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pages.ui.lab import pins
from tests.pages.test_pins import ask

ANNOUNCE = "detail => dispatchEvent(new CustomEvent('fl-finished', { detail }))"
KEPT = "Object.keys(localStorage).filter(key => key.startsWith('feedback-lab:run:')).sort()"


@pytest.fixture
def log(visit, browser, server):
    """Opens windows on a browser whose log is empty at first; each listens for runs."""
    page = browser.profile.new_page()
    page.goto(f"{server}/_stcore/health")
    page.evaluate("localStorage.clear()")
    page.close()

    def open_window(path):
        me = visit(path)
        me.page.wait_for_function("!!globalThis.__feedbackLabRuns?.listener")
        return me

    return open_window


def finish(me, run, title="Stability lab", **more):
    """Announce a finished run in this window, as the player does."""
    finals = [{"learner": "3PR", "chart": "average-regret", "title": "Average regret", "value": 0.123456}]
    detail = {"page": "x", "title": title, "query": "", "run": run, "unit": "step", "steps": 1000, "replicates": 20}
    me.page.wait_for_function("!!globalThis.__feedbackLabRuns?.listener")
    me.page.evaluate(ANNOUNCE, detail | {"learners": ["3PR"], "finals": finals} | more)
    return me


def entries(me):
    """The texts of the runs in the list, from the top."""
    return [item.inner_text() for item in me.page.locator(".fl-run").all()]


def shows(me, number):
    me.wait_until(lambda: len(entries(me)) == number)
    return me


def button(me, name, which=0):
    return me.page.locator(".fl-runs").get_by_role("button", name=name).nth(which)


def pick(me, *places):
    for place in places:
        me.page.locator(".fl-run input").nth(place).check()


@pytest.mark.core
def test_finished_runs_are_kept_with_what_differed_and_survive_a_reload(log):
    me = log("/stability")
    me.wait_until(lambda: me.page.evaluate("!!globalThis.__feedbackLabRuns?.named"))
    finish(me, "a", query="?noise=0.1&charts=flips")
    finish(me, "b", query="?noise=0.4&t=30&charts=average-regret")
    finish(me, "b", query="?noise=0.4")
    me.go("/runs")
    for _ in range(2):
        shows(me, 2)
        latest, first = entries(me)
        assert "Stability lab" in latest and "1,000 steps × 20 replicates · run 2 times" in latest
        assert "Noise η 0.1 → 0.4" in latest and "3PR" in latest and "Average regret 0.1235" in latest
        assert "arts" not in latest, "what only changes the drawing is no difference"
        assert "The first run of this lab." in first and "run 2" not in first
        reopen = me.page.locator(".fl-run a").all()
        assert [a.get_attribute("href").removeprefix(me.address) for a in reopen] == [
            "/stability?noise=0.4", "/stability?noise=0.1&charts=flips",
        ]  # fmt: skip
        me.page.reload()
    shows(me, 2).page.locator(".fl-run a").first.click()
    me.wait_until(lambda: "/stability?noise=0.4" in unquote(me.url) and "Stability lab" in me.text)


def test_an_empty_log_says_what_will_appear(log):
    me = log("/runs")
    me.wait_until(lambda: "it appears here by itself" in me.text)
    examples = [a.get_attribute("href") for a in me.page.locator(".fl-runs-empty a").all()]
    assert len(examples) == 3 and examples[0].startswith("stability?demo=flip&")
    assert not button(me, "Download").is_visible() and not button(me, "Clear all").is_visible()


def test_whatever_is_kept_is_shown_as_text(log):
    evil = '<img src=x onerror="window.hit = 1"><script>hit = 1</script>'
    me = finish(log("/catalogue"), evil, title=evil, unit=evil[:20], learners=[evil], query=f"?a={evil}",
                finals=[{"learner": evil, "chart": evil, "title": evil, "value": 1}])  # fmt: skip
    finish(me, "other", query="?a=javascript:hit=1")
    me.go("/runs")
    shows(me, 2).page.locator("textarea").first.fill(evil)
    pick(me, 0, 1)
    button(me, "Side by side").click()
    me.page.wait_for_timeout(300)
    assert "<img src=x" in entries(me)[1]
    assert me.page.locator(".fl-runs img, .fl-runs script").count() == 0
    assert me.page.evaluate("window.hit") is None
    assert all(
        a.get_attribute("href").startswith(f"{me.address}/catalogue?") for a in me.page.locator(".fl-run a").all()
    )


def test_a_run_that_was_paused_is_kept_with_its_data_user_and_seed(log):
    me = log("/stability?steps=3000&replicates=1&speed=50&charts=flips&seed=3").charts().computed(3000)
    me.play().wait_until(lambda: me.t > 20)
    me.pause()
    me.wait_until(lambda: me.page.evaluate(KEPT))
    reached = me.t
    me.go("/runs")
    (kept,) = entries(shows(me, 1))
    assert f"{reached:,} of 3,000 steps × 1 replicate" in kept and "Impatient user" in kept and "seed 3" in kept


@pytest.mark.thorough
def test_what_is_no_run_is_not_kept(log):
    me = log("/catalogue")
    for detail in (None, "x", 7, {}, {"run": 5}, {"run": ""}, []):
        me.page.evaluate(ANNOUNCE, detail)
    assert me.page.evaluate(KEPT) == []
    odd = {"title": None, "learners": "x", "finals": [None, 7, {"value": "x"}], "steps": "many", "query": 5}
    finish(me, "kept", **odd)
    assert len(me.page.evaluate(KEPT)) == 1


@pytest.mark.thorough
def test_notes_are_saved_as_one_types_and_kept_when_the_run_is_run_again(log):
    me = finish(log("/catalogue"), "a")
    me.go("/runs")
    shows(me, 1).page.locator("textarea").press_sequentially("look at <3>")
    me.page.reload()
    shows(me, 1)
    assert me.page.locator("textarea").input_value() == "look at <3>"
    finish(me.go("/catalogue"), "a").go("/runs")
    shows(me, 1)
    assert me.page.locator("textarea").input_value() == "look at <3>" and "run 2 times" in entries(me)[0]


def test_delete_undo_clear_and_keep_by_keyboard(log):
    me = log("/catalogue")
    for run in "abc":
        finish(me, run, title=f"Lab {run}")
    me.go("/runs")
    shows(me, 3).page.locator("textarea").nth(1).fill("mine")
    me.page.locator(".fl-run").nth(1).get_by_role("button", name="Delete").focus()
    me.page.keyboard.press("Enter")
    shows(me, 2)
    assert "Lab b" not in "".join(entries(me)) and len(me.page.evaluate(KEPT)) == 2
    assert "Deleted the run Lab b" in me.page.get_by_role("status").inner_text()
    me.page.keyboard.press("Enter")  # Undo has the focus
    shows(me, 3)
    assert "Lab b" in entries(me)[1] and me.page.locator("textarea").nth(1).input_value() == "mine"
    assert "Lab b" in me.page.evaluate("document.activeElement.textContent")
    button(me, "Clear all").click()
    assert "Delete 3 runs" in me.page.get_by_role("dialog").inner_text()
    me.page.keyboard.press("Escape")
    shows(me, 3)
    button(me, "Clear all").click()
    button(me, "Delete all").click()
    shows(me, 0)
    assert me.page.evaluate(KEPT) == [] and "it appears here by itself" in me.text
    button(me, "Undo").click()
    shows(me, 3)


@pytest.mark.thorough
def test_the_csv_is_quoted_and_holds_no_formulas(log):
    me = log("/catalogue")
    finals = [
        {"learner": "a", "chart": "x", "title": "Advantage", "value": -0.25},
        {"learner": "=b()", "chart": "x", "title": "Advantage", "value": 0.5},
        {"learner": "a", "chart": "y", "title": '@Loss, "so far"', "value": None},
    ]
    finish(me, "1", title='+Lab, "new"\nline', learners=["a", "=b()"], finals=finals, query="?noise=0.4&x=1,2")
    finish(me, "2", title="-Lab", learners=[], finals=[], query="?noise=0.1")
    me.go("/runs")
    shows(me, 2).page.locator("textarea").first.fill("=HYPERLINK(1)")
    with me.page.expect_download() as waiting:
        button(me, "Download all as CSV").click()
    text = Path(waiting.value.path()).read_text("utf-8-sig")
    assert waiting.value.suggested_filename == "runs.csv"
    table = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [(r["lab"], r["learner"], r["Advantage"]) for r in table] == [
        ("'-Lab", "", ""), ('\'+Lab, "new"\nline', "a", "-0.25"), ('\'+Lab, "new"\nline', "'=b()", "0.5"),
    ]  # fmt: skip
    assert '\'@Loss, "so far"' in table[0] and table[0]["note"] == "'=HYPERLINK(1)"
    assert table[1]["settings"] == "noise=0.4 x=1,2" and table[1]["link"] == f"{me.address}/catalogue?noise=0.4&x=1%2C2"
    assert table[0]["differences"] == "noise 0.4 → 0.1; x 1,2 → default"
    for row in csv.reader(io.StringIO(text, newline="")):
        assert not [c for c in row if c[:1] in "=+@" and c] and all(c[:1] != "-" or float(c) < 0 for c in row)


@pytest.mark.thorough
def test_garbage_in_the_storage_is_left_out_with_a_sentence(log):
    me = finish(log("/catalogue"), "good")
    me.page.evaluate("""() => {
        const key = name => 'feedback-lab:run:' + name;
        localStorage.setItem(key('x:1'), '{broken');
        localStorage.setItem(key('x:2'), 'null');
        localStorage.setItem(key('x:3'), JSON.stringify({ run: '3', page: '../evil', last: 1 }));
        localStorage.setItem(key('x:4'), JSON.stringify({ run: 'other', page: 'x', last: 1 }));
        localStorage.setItem(key('x:5'), JSON.stringify({ run: '5', page: 'x', last: 5, finals: 7, learners: {},
            settings: [], differences: [null], note: {}, times: 'often', title: 3 }));
        localStorage.setItem('somebody-else', 'keep');
    }""")
    me.go("/runs")
    shows(me, 2)  # the good one, and the fifth, of which enough is right
    assert "→" not in entries(me)[1]
    assert "4 stored entries could not be read as runs and are left out." in me.text
    button(me, "Remove them").click()
    me.wait_until(lambda: "could not be read" not in me.text)
    assert len(me.page.evaluate(KEPT)) == 2 and me.page.evaluate("localStorage.getItem('somebody-else')") == "keep"


@pytest.mark.thorough
def test_a_browser_that_keeps_nothing_says_so_and_remembers_until_the_page_is_left(log):
    me = log("/")
    me.page.evaluate("""() => {
        const set = Storage.prototype.setItem;  // Streamlit writes there, too
        Storage.prototype.setItem = function (key, value) {
            if (key.startsWith('feedback-lab')) throw new DOMException('full', 'QuotaExceededError');
            set.call(this, key, value);
        };
    }""")
    finish(finish(me, "a"), "b")
    me.follow("Run log", "last")
    shows(me, 2)
    assert "its storage is blocked or full. Runs stay here until the page is loaded anew." in me.text
    me.page.locator(".fl-run").nth(0).get_by_role("button", name="Delete").click()
    shows(me, 1)
    assert me.page.evaluate(KEPT) == []


@pytest.mark.thorough
def test_a_blocked_storage_does_no_harm(log):
    me = log("/catalogue")
    me.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    me.go("/runs")
    me.wait_until(lambda: "it appears here by itself" in me.text)
    examples = [a.get_attribute("href") for a in me.page.locator(".fl-runs-empty a").all()]
    assert len(examples) == 3 and examples[0].startswith("stability?demo=flip&")
    shows(finish(me, "a"), 1)
    assert "storage is blocked or full" in me.text


@pytest.mark.thorough
def test_the_oldest_make_room_where_there_is_little(log):
    me = log("/catalogue")
    me.page.evaluate("""() => {
        const set = Storage.prototype.setItem;
        Storage.prototype.setItem = function (key, value) {
            if (this.getItem(key) === null && Object.keys(this).filter(k => k.startsWith('feedback-lab')).length >= 3) {
                throw new DOMException('full', 'QuotaExceededError');
            }
            set.call(this, key, value);
        };
    }""")
    for run in "abcde":
        finish(me, run)
        me.page.wait_for_timeout(5)
    assert [key.rsplit(":", 1)[1] for key in me.page.evaluate(KEPT)] == ["c", "d", "e"]


@pytest.mark.thorough
def test_at_most_200_runs_are_kept_and_the_oldest_go(log):
    me = log("/catalogue")
    me.page.evaluate("""() => {
        for (let i = 0; i < 203; i++) {
            const entry = { run: String(i), page: 'x', last: 1000 + i };
            localStorage.setItem(`feedback-lab:run:x:${i}`, JSON.stringify(entry));
        }
    }""")
    finish(me, "new")
    left = {key.rsplit(":", 1)[1] for key in me.page.evaluate(KEPT)}
    assert left == {"new", *(str(i) for i in range(4, 203))}


@pytest.mark.thorough
def test_two_windows_at_once_lose_nothing_and_see_each_other(log):
    one, two, watching = log("/catalogue"), log("/catalogue"), log("/runs")
    for i in range(5):
        finish(one, f"one {i}")
        finish(two, f"two {i}")
    shows(watching, 10)
    other = log("/runs")
    shows(other, 10)
    watching.page.locator("textarea").nth(3).fill("seen")
    other.wait_until(lambda: other.page.locator("textarea").nth(3).input_value() == "seen")
    other.page.locator("textarea").nth(3).focus()
    finish(one, "one more")
    shows(other, 11)
    assert other.page.evaluate("document.activeElement.value") == "seen", "what is being written keeps its place"
    watching.page.locator(".fl-run").first.get_by_role("button", name="Delete").click()
    shows(other, 10)


def test_two_runs_of_one_lab_are_compared_in_the_lab(log):
    me = log("/stability")
    me.wait_until(lambda: me.page.evaluate("!!globalThis.__feedbackLabRuns?.named"))
    finish(me, "older", query="?noise=0.4&seed=3&charts=flips&t=9")
    me.page.wait_for_timeout(5)
    finish(me, "newer", query="?noise=0.1&speed=25&vs=defaults")
    me.go("/runs")
    shows(me, 2)
    pick(me, 0)
    assert "Pick one more run" in me.text
    pick(me, 1)
    link = me.page.locator(".fl-runs-bar a")
    query = parse_qs(urlsplit(link.get_attribute("href")).query)
    assert query == {"noise": ["0.1"], "speed": ["25"], "vs": ["noise~0.4~seed~3"]}
    found, problems = pins.read(query["vs"][0], ask)
    assert not problems and dict(found[0].link) == {"noise": "0.4", "seed": "3"}
    button(me, "Side by side").click()
    table = me.page.locator(".fl-runs table").inner_text()
    assert "Noise η\t0.4\t0.1" in table and "Seed\t3\tdefault" in table and "Average regret\t0.1235\t0.1235" in table
    link.click()
    me.wait_until(lambda: "noise η 0.4 → 0.1, seed 3 → 0" in me.text)
    assert "vs=noise~0.4~seed~3" in unquote(me.url) and "link_off" not in me.text


@pytest.mark.thorough
def test_runs_of_two_labs_are_compared_as_a_table(log):
    finish(log("/stability"), "a", query="?noise=0.4")
    me = finish(log("/catalogue"), "b", title="Bandit lab", learners=["Banditron"],
                finals=[{"learner": "Banditron", "chart": "e", "title": "Error rate", "value": 0.5}])  # fmt: skip
    me.go("/runs")
    shows(me, 2)
    pick(me, 0, 1)
    assert not me.page.locator(".fl-runs-bar a").is_visible()
    button(me, "Compare").click()
    table = me.page.locator(".fl-runs table").inner_text()
    assert "Stability lab\tBandit lab" in table and "Error rate\t–\t0.5" in table


@pytest.mark.thorough
def test_a_third_pick_takes_the_place_of_the_first(log):
    me = log("/catalogue")
    for run in "abc":
        finish(me, run)
    me.go("/runs")
    shows(me, 3)
    pick(me, 0, 1, 2)
    assert [box.is_checked() for box in me.page.locator(".fl-run input").all()] == [False, True, True]


def test_the_log_fits_a_phone_and_every_control_has_a_name(log):
    me = finish(
        log("/catalogue"), "a", learners=["A learner with a long name, gamma = 0.5, of which there are two (1)"]
    )
    me.page.set_viewport_size({"width": 400, "height": 800})
    me.go("/runs")
    shows(me, 1)
    assert me.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 400
    for control in me.page.locator(".fl-run :is(input, a, button, textarea)").all():
        assert "Stability lab" in control.get_attribute("aria-label")
        assert control.bounding_box()["x"] + control.bounding_box()["width"] <= 400
