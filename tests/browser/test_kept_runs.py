"""Kept runs in the browser: kept in labs, shown behind others, compared, tagged, taken away and imported."""

import csv
import io
import json
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

PREFIX = "feedback-lab:run:"
KEPT = "Object.keys(localStorage).filter(key => key.startsWith('feedback-lab:run:')).sort()"
STORE = """entries => {
  for (const entry of entries) {
    localStorage.setItem(`feedback-lab:run:${entry.page}:${entry.run}`, JSON.stringify(entry));
  }
  dispatchEvent(new CustomEvent('fl-runs'));
}"""
FULL = """() => {
  const set = Storage.prototype.setItem;  // Streamlit writes there, too
  Storage.prototype.setItem = function (key, value) {
    if (key.startsWith('feedback-lab')) throw new DOMException('full', 'QuotaExceededError');
    set.call(this, key, value);
  };
}"""
GHOSTS = "document.querySelectorAll('.fl-plot .fl-ghost').length"
SHORT = "/stability?steps=200&replicates=3&charts=average-regret,rank-of-best"


def final(learner, value, half=0.02, title="Average regret"):
    return {"learner": learner, "metric": "average-regret", "title": title, "value": value, "half": half}


def entry(run, noise="0.4", **more):
    """A kept run as the browser stores it."""
    return {
        "page": "stability", "title": "Stability lab", "query": f"noise={noise}", "run": run, "unit": "step",
        "steps": 1000, "replicates": 20, "seed": 3, "data": "Toy", "user": "Impatient",
        "learners": ["3PR", "Perceptron"],
        "finals": [final("3PR", 0.123456), final("Perceptron", 0.4)], "settings": {"noise": noise},
        "names": {"noise": "Noise η"}, "over": [], "curve": {}, "reached": None, "tags": [],
        "last": 1000 + int(noise[2:]),
    } | more  # fmt: skip


@pytest.fixture
def runs(visit, browser, server):
    """Opens the page Kept runs of a browser that keeps these runs and no others."""
    page = browser.profile.new_page()
    page.goto(f"{server}/_stcore/health")
    page.evaluate("localStorage.clear()")

    def open_page(*entries, path="/runs"):
        page.evaluate(STORE, list(entries))
        me = visit(path)
        if path == "/runs":
            me.wait_until(lambda: me.page.locator(".fl-runs > *").count())
            shows(me, len(entries))
        return me

    yield open_page
    page.close()


def rows(me):
    """The texts of the runs in the table, from the top."""
    return [row.inner_text() for row in me.page.locator(".fl-run").all()]


def shows(me, number):
    me.wait_until(lambda: len(rows(me)) == number)
    return me


def button(me, name, which=0):
    return me.page.locator(".fl-runs").get_by_role("button", name=name, exact=True).nth(which)


def select(me, *places):
    for place in places:
        me.page.locator(".fl-run input[type=checkbox]").nth(place).check()
    return me.settle()


def keep(me):
    before = len(me.page.evaluate(KEPT))
    me.press("Keep")
    me.wait_until(lambda: len(me.page.evaluate(KEPT)) == before + 1)
    assert "Kept." in me.page.locator(".fl-kept-said").inner_text()
    return me


@pytest.mark.core
@pytest.mark.long
def test_two_runs_are_kept_compared_tagged_filtered_and_taken_away_and_survive_a_reload(runs, tmp_path):
    me = keep(runs(path=f"{SHORT}&noise=0.1").charts().computed(200))
    assert "vs=" in me.url
    me.go(f"{SHORT}&noise=0.4").charts().computed(200)
    keep(me)
    me.page.get_by_role("button", name="Kept runs").click()
    older = me.page.locator(".fl-kept li", has_text="Noise η 0.1 → 0.4").get_by_role("checkbox")
    older.check()
    me.wait_until(lambda: "noise~0.1" in unquote(me.url))
    me.wait_until(lambda: me.page.evaluate(GHOSTS) >= 2)
    me.wait_until(lambda: "kept: noise η 0.1 → 0.4" in me.text)
    me.follow("Kept runs")
    for again in (False, True):
        if again:
            me.page.reload()
        later, earlier = rows(shows(me, 2))
        assert "Stability lab" in later and "Noise η 0.4" in later and "Noise η 0.1" in earlier
        assert "200 steps × 3 runs" in later and "Impatient user" in later and "Toy" in later
        assert "Preference perceptron" in later and " ± " in later
    me.page.locator(".fl-run input[type=text]").nth(1).fill("quiet, for class")
    me.page.get_by_label("Filter").fill("for CLASS")
    (left,) = rows(shows(me, 1))
    assert "Noise η 0.1" in left and "2 kept runs, 1 shown" in me.text
    me.page.get_by_label("Filter").fill("")
    select(shows(me, 2), 0, 1).wait_until(lambda: "See their curves in the Stability lab" in me.text)
    assert "noise η\t0.1\t0.4" in me.page.locator(".fl-table").inner_text()
    me.wait_until(lambda: me.page.locator(".js-plotly-plot .errorbars path, .js-plotly-plot .errorbar").count() > 1)
    me.page.get_by_text("Take away: a film").click()
    me.wait_until(lambda: "stability?noise=0.1" in me.text)
    with me.page.expect_download() as found:
        me.page.get_by_role("button", name="Film as HTML").click()
    found.value.save_as(tmp_path / "film.html")
    assert "fl-recording" in (tmp_path / "film.html").read_text("utf-8")
    with me.page.expect_download() as found:
        me.page.get_by_role("button", name="History as CSV").click()
    assert len(Path(found.value.path()).read_text("utf-8").splitlines()) == 2 * 200 * 3 + 1
    link = me.page.get_by_role("link", name="See their curves")
    query = parse_qs(urlsplit(link.get_attribute("href")).query)
    assert query["noise"] == ["0.4"] and "noise~0.1" in query["vs"][0] and query["charts"]
    link.click()
    me.wait_until(lambda: "/stability" in me.url and me.page.evaluate(GHOSTS) >= 2)
    me.go("/runs")
    assert me.page.locator(".fl-run input[type=text]").nth(1).input_value() == "quiet, for class"


def test_what_the_run_log_of_earlier_versions_stored_is_kept(runs):
    """Its note is a tag, its data, user and seed are found in one text, and its values have no intervals."""
    old = {
        "page": "stability", "title": "Stability lab", "query": "?noise=0.1&vs=seed~3&t=9", "run": "a1b2",
        "unit": "step", "steps": 1000, "replicates": 20, "learners": ["3PR"], "settings": {"noise": "0.1"},
        "reached": 40,
        "finals": [{"learner": "3PR", "chart": "average-regret", "title": "Average regret", "value": 0.123456}],
        "names": {"noise": "Noise η"}, "about": "Toy data · Impatient user · seed 7", "times": 3, "first": 5, "last": 9,
        "differences": [{"title": "x", "then": "1", "now": "2"}], "note": "look, at <3>",
    }  # fmt: skip
    me = runs(old)
    (row,) = rows(me)
    assert "40 of 1,000 steps × 20 runs" in row and "Noise η 0.1" in row and "0.1235" in row and "±" not in row
    assert "Toy data" in row and "Impatient user" in row and "\t7\t" in row
    assert me.page.locator(".fl-run input[type=text]").input_value() == "look, at <3>"
    link = me.page.locator(".fl-run th a")
    assert link.get_attribute("href") == f"{me.address}/stability?noise=0.1"
    link.click()
    me.wait_until(lambda: "/stability?noise=0.1" in me.url and "Stability lab" in me.text)


@pytest.mark.thorough
def test_the_same_settings_are_one_run_whose_tags_stay(runs):
    """Also one that the run log stored under another name."""
    settings = {"noise": "0.1", "steps": "200", "replicates": "3"}
    me = runs(entry("old", "0.1", settings=settings, tags=["mine"]), path=f"{SHORT}&noise=0.1")
    me.charts().computed(200).press("Keep")
    me.wait_until(lambda: "old" not in "".join(me.page.evaluate(KEPT)))
    (only,) = me.page.evaluate(KEPT)
    assert json.loads(me.page.evaluate("key => localStorage.getItem(key)", only))["tags"] == ["mine"]


def test_the_table_is_sorted_by_any_column_and_any_final_value(runs):
    slow = [final("3PR", 0.9), final("3PR", 5, title="Flips")]
    me = runs(entry("a", "0.1"), entry("b", "0.2", title="A lab", finals=slow), entry("c", "0.3", seed=1, steps=50))

    def order():
        return [row.split("Noise η ")[1][:3] for row in rows(me)]

    assert order() == ["0.3", "0.2", "0.1"], "the latest first"
    button(me, "Kept").click()
    assert order() == ["0.1", "0.2", "0.3"]
    button(me, "Value").click()
    assert order()[-1] == "0.2", "the smallest values first"
    button(me, "Value").click()
    assert order()[0] == "0.2"
    button(me, "Length").click()
    assert order()[0] == "0.3"
    me.page.get_by_label("Final value").select_option("Flips")
    button(me, "Value").click()
    assert order()[0] == "0.2" and "5 ± 0.02" in rows(me)[0] and "–" in rows(me)[1], "what has no value comes last"
    assert me.page.locator("[aria-sort=ascending]").count() == 1


def test_whatever_is_kept_is_shown_as_text(runs):
    evil = '<img src=x onerror="window.hit = 1"><script>hit = 1</script>'
    me = runs(entry(evil, "0.1", title=evil, unit=evil[:20], learners=[evil], query=f"?a={evil}", data=evil, user=evil,
                    finals=[final(evil, 1, title=evil)], settings={evil: evil}, names={}, tags=[evil], over=[evil]),
              entry("other", "0.2", query="?a=javascript:hit=1"))  # fmt: skip
    select(me, 0, 1).page.wait_for_timeout(300)
    assert "<img src=x" in "".join(rows(me))
    assert me.page.locator("[data-testid=stMain] :is(img[src=x], script)").count() == 0
    assert me.page.evaluate("window.hit") is None
    assert all(
        a.get_attribute("href").startswith(f"{me.address}/stability?") for a in me.page.locator(".fl-run a").all()
    )


@pytest.mark.thorough
def test_delete_undo_and_delete_all_that_is_shown_by_keyboard(runs):
    me = runs(*(entry(run, f"0.{n}", title=f"Lab {run}", tags=["mine"] if run == "b" else [])
                for n, run in enumerate("abc", 1)))  # fmt: skip
    me.page.locator(".fl-run").nth(1).get_by_role("button", name="Delete").focus()
    me.page.keyboard.press("Enter")
    shows(me, 2)
    assert "Lab b" not in "".join(rows(me)) and len(me.page.evaluate(KEPT)) == 2
    assert "Deleted the run Lab b" in me.page.locator(".fl-runs [role=status]").inner_text()
    me.page.keyboard.press("Enter")  # Undo has the focus
    shows(me, 3)
    assert "Lab b" in rows(me)[1] and me.page.locator(".fl-run input[type=text]").nth(1).input_value() == "mine"
    assert "Lab b" in me.page.evaluate("document.activeElement.textContent")
    me.page.get_by_label("Filter").fill("mine")
    shows(me, 1)
    button(me, "Delete all").click()
    assert "Delete 1 run that the table shows" in me.page.get_by_role("dialog").inner_text()
    me.page.keyboard.press("Escape")
    shows(me, 1)
    button(me, "Delete all").click()
    button(me, "Delete").last.click()
    shows(me, 0)
    assert len(me.page.evaluate(KEPT)) == 2 and "2 kept runs, 0 shown" in me.text
    me.page.get_by_label("Filter").fill("")
    button(me, "Undo").click()
    shows(me, 3)


@pytest.mark.thorough
def test_the_csv_is_quoted_and_holds_no_formulas(runs):
    finals = [final("a", -0.25, 0.5, "Advantage"), final("=b()", 0.5, None, "Advantage"),
              final("a", None, None, '@Loss, "so far"')]  # fmt: skip
    me = runs(entry("1", "0.1", title='+Lab, "new"\nline', learners=["a", "=b()"], finals=finals,
                    query="?noise=0.4&x=1,2", settings={"noise": "0.4", "x": "1,2"}, tags=["=HYPERLINK(1)"]),
              entry("2", "0.2", title="-Lab", learners=[], finals=[]))  # fmt: skip
    with me.page.expect_download() as waiting:
        button(me, "CSV").click()
    text = Path(waiting.value.path()).read_text("utf-8-sig")
    assert waiting.value.suggested_filename == "runs.csv"
    table = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [(r["lab"], r["learner"], r["Advantage"], r["Advantage ±"]) for r in table] == [
        ("'-Lab", "", "", ""), ('\'+Lab, "new"\nline', "a", "-0.25", "0.5"),
        ('\'+Lab, "new"\nline', "'=b()", "0.5", ""),
    ]  # fmt: skip
    assert '\'@Loss, "so far"' in table[0] and table[1]["tags"] == "'=HYPERLINK(1)" and table[1]["seed"] == "3"
    assert table[1]["settings"] == "noise=0.4 x=1,2" and table[1]["link"] == f"{me.address}/stability?noise=0.4&x=1%2C2"
    for row in csv.reader(io.StringIO(text, newline="")):
        assert not [c for c in row if c[:1] in "=+@" and c] and all(c[:1] != "-" or float(c) < 0 for c in row)


def test_what_is_exported_is_imported_elsewhere_and_a_broken_file_is_one_sentence(runs, tmp_path):
    """Between them the table is empty, and says what will appear."""
    me = runs(entry("a", "0.1", tags=["mine"]), entry("b", "0.2"))
    with me.page.expect_download() as waiting:
        button(me, "Export").click()
    waiting.value.save_as(tmp_path / "runs.json")
    before = [me.page.evaluate("key => localStorage.getItem(key)", key) for key in me.page.evaluate(KEPT)]
    button(me, "Delete all").click()
    button(me, "Delete").last.click()
    shows(me, 0).wait_until(lambda: "press “Keep”" in me.text)
    examples = [a.get_attribute("href") for a in me.page.locator(".fl-runs-empty a").all()]
    assert len(examples) == 3 and examples[0].startswith("stability?demo=flip&")
    assert not button(me, "CSV").is_visible() and button(me, "Import").is_visible()

    def take(name, words):
        with me.page.expect_file_chooser() as chooser:
            button(me, "Import").click()
        chooser.value.set_files(tmp_path / name)
        me.wait_until(lambda: words in me.page.locator(".fl-runs [role=status]").inner_text())

    for name, text in (("broken.json", '{"runs": [{'), ("other.json", "[1, 2]"), ("empty.json", '{"runs": 7}')):
        (tmp_path / name).write_text(text, encoding="utf-8")
        take(name, f"“{name}” holds no kept runs.")
    (tmp_path / "run.flab").write_bytes(b"\x1f\x8b")
    take("run.flab", "A recording is opened below, under “Open a recording”.")
    shows(me, 0)
    take("runs.json", "2 of 2 runs are imported.")
    shows(me, 2)
    after = [json.loads(me.page.evaluate("key => localStorage.getItem(key)", key)) for key in me.page.evaluate(KEPT)]
    assert [found["tags"] for found in after] == [["mine"], []] and len(before) == 2
    mixed = json.loads((tmp_path / "runs.json").read_text("utf-8"))
    (tmp_path / "mixed.json").write_text(json.dumps({"runs": [mixed["runs"][0], None, {"run": 5}]}), encoding="utf-8")
    take("mixed.json", "1 of 3 runs are imported. 2 could not be read as runs.")


@pytest.mark.thorough
def test_garbage_in_the_storage_is_left_out_with_a_sentence(runs):
    me = runs(entry("good", "0.9"))
    me.page.evaluate("""() => {
        const key = name => 'feedback-lab:run:' + name;
        localStorage.setItem(key('x:1'), '{broken');
        localStorage.setItem(key('x:2'), 'null');
        localStorage.setItem(key('x:3'), JSON.stringify({ run: '3', page: '../evil', last: 1 }));
        localStorage.setItem(key('x:4'), JSON.stringify({ run: 'other', page: 'x', last: 1 }));
        localStorage.setItem(key('x:5'), JSON.stringify({ run: '5', page: 'x', last: 5, finals: 7, learners: {},
            settings: [], tags: 3, names: [null], note: {}, curve: [], title: 3 }));
        localStorage.setItem('somebody-else', 'keep');
    }""")
    me.go("/runs")
    shows(me, 2)  # the good one, and the fifth, of which enough is right
    assert "4 stored entries could not be read as runs and are left out." in me.text
    button(me, "Remove them").click()
    me.wait_until(lambda: "could not be read" not in me.text)
    assert len(me.page.evaluate(KEPT)) == 2 and me.page.evaluate("localStorage.getItem('somebody-else')") == "keep"
    select(me, 1).wait_until(lambda: "no lab has the name 'x'" in me.text.replace("\u2060", ""))


@pytest.mark.thorough
def test_a_browser_that_keeps_nothing_says_so_and_remembers_until_the_page_is_left(runs):
    me = runs(path=SHORT).charts().computed(200)
    me.page.evaluate(FULL)
    me.press("Keep")
    me.wait_until(lambda: "its storage is blocked or full" in me.page.locator(".fl-kept-said").inner_text())
    assert me.page.evaluate(KEPT) == []
    me.follow("Kept runs", "last")
    shows(me, 1)
    me.page.locator(".fl-run").nth(0).get_by_role("button", name="Delete").click()
    shows(me, 0)


@pytest.mark.thorough
def test_500_runs_are_the_limit_and_none_is_lost_for_another(runs):
    me = runs(path=SHORT).charts().computed(200)
    me.page.evaluate(STORE, [entry(str(n), "0.1", settings={"seed": str(n)}) for n in range(500)])
    me.press("Keep")
    me.wait_until(lambda: "500 runs are kept, which is the limit." in me.page.locator(".fl-kept-said").inner_text())
    assert len(me.page.evaluate(KEPT)) == 500


@pytest.mark.thorough
def test_two_windows_see_each_other_and_what_is_being_written_keeps_its_place(runs, visit):
    one = runs(entry("a", "0.1"), entry("b", "0.2"))
    other = shows(visit("/runs"), 2)
    one.page.locator(".fl-run input[type=text]").nth(1).fill("seen")
    tags = other.page.locator(".fl-run input[type=text]")
    other.wait_until(lambda: tags.nth(1).input_value() == "seen")
    tags.nth(1).focus()
    one.page.evaluate(STORE, [entry("c", "0.3")])
    shows(other, 3)
    assert other.page.evaluate("document.activeElement.value") == "seen"
    one.page.locator(".fl-run").first.get_by_role("button", name="Delete").click()
    shows(other, 2)


def test_a_fifth_selected_run_is_refused(runs):
    me = select(runs(*(entry(run, f"0.{n}") for n, run in enumerate("abcde", 1))), 0, 1, 2, 3)
    me.page.locator(".fl-run input[type=checkbox]").nth(4).click()
    me.wait_until(lambda: "At most 4 runs are selected at a time. Untick one first." in me.text)
    assert [box.is_checked() for box in me.page.locator(".fl-run input[type=checkbox]").all()] == [True] * 4 + [False]
    me.wait_until(lambda: "D · Stability lab" in me.text)


@pytest.mark.thorough
def test_runs_of_two_labs_are_compared_without_a_lab(runs):
    bandit = entry("b", "0.2", page="bandit", title="Bandit lab", settings={"steps": "90"}, learners=["Banditron"],
                   finals=[final("Banditron", 0.5, title="Error rate")])  # fmt: skip
    me = select(runs(entry("a", "0.1"), bandit), 0, 1)
    me.wait_until(lambda: "A · Stability lab\tB · Bandit lab" in me.text)
    assert "See their curves" not in me.text and "steps T\t1,000\t90" in me.text


@pytest.mark.thorough
def test_two_sweeps_are_kept_and_compared_as_curves(runs):
    query = "family=classification&dataset=separable-points&steps=50&replicates=2&number-1=2"
    for learner in ("banditron", "confidit"):
        me = runs(path=f"/sweep?{query}&learner={learner}&vary-1={'gamma' if learner == 'banditron' else 'eta'}")
        me.press("Start")
        me.wait_until(lambda: "Done in" in me.text)  # noqa: B023
        keep(me)
    select(shows(me.go("/runs"), 2), 0, 1)
    me.wait_until(lambda: "Compared" in me.text)
    assert "Sweep" in rows(me)[0] and "±" in rows(me)[0]


def test_the_table_fits_a_phone_and_every_control_has_a_name(runs):
    me = runs(entry("a", "0.1", learners=["A learner with a long name, gamma = 0.5, of which there are two (1)"]))
    me.page.set_viewport_size({"width": 400, "height": 800})
    me.go("/runs")
    shows(me, 1)
    assert me.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 400
    for control in me.page.locator(".fl-run :is(input, a, button)").all():
        assert "Stability lab" in control.get_attribute("aria-label")
        assert control.bounding_box()["x"] + control.bounding_box()["width"] <= 400
