"""The pages, run by Streamlit's AppTest."""

import json
import math
import re
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import datasets
from datasets.downloads.download import downloads
from datasets.spec import Spec
from learners import catalogue, create, create_user
from learners.catalogue import datasets_of, families, learner_classes, learners_of
from learners.ranking.metrics import METRICS
from pages.ui import moved
from pages.ui.catalogue import algorithms
from pages.ui.catalogue.algorithms import raced
from pages.ui.draw.charts import Look
from pages.ui.families import labs
from pages.ui.families.ranking import lower_bound
from pages.ui.families.ranking.adversary_game import Played
from pages.ui.files import uploads
from pages.ui.files.sharing import load_data
from pages.ui.form.form import Form
from pages.ui.form.links import read_link
from pages.ui.gallery.demos import DEMOS
from pages.ui.jobs.queue import QUEUE
from pages.ui.plain import plain
from pages.ui.play import payload
from pages.ui.play.recording import Recording
from pages.ui.race import limits
from pages.ui.race.charts import ChartView, curves, picture
from tests.conftest import ROOT

PATIENCE = 300  # seconds that a run of a page may take on a busy machine
SAMPLE = ROOT.parent / "shared" / "data" / "lightgbm_lambdarank"


@cache
def registered_pages() -> dict:
    """Return what Streamlit knows of the pages once the app has run; a page can be opened only then."""
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()._registered_pages


def open_page(name: str, **query: str) -> AppTest:
    """Open a page with a query; a former address opens what it leads to."""
    name, query = moved.now(name, query)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    app._registered_pages = registered_pages()
    app.switch_page(f"pages/{name}.py")
    for key, value in query.items():
        app.query_params[key] = value
    return app.run()


def lab(**query: str) -> AppTest:
    """Open the stability lab, with a short run unless the query asks for another."""
    return open_page("stability", **({"steps": "50"} | query))


def clean(app: AppTest) -> AppTest:
    assert not app.exception and not app.error, [*app.exception, *app.error]
    return app


def stage(app: AppTest) -> str:
    """Return the id of the lab that is open, of which the session notes where the playhead rests."""
    page = next(p for h, p in app._registered_pages.items() if h == app._page_hash)
    return Path(page["script_path"]).stem.replace("_", "-")


def step(app: AppTest, times: int = 1) -> AppTest:
    """Put the playhead some steps further, as the browser does."""
    key = f"{stage(app)}:rest"
    app.session_state[key] = t = app.session_state[key] + times
    return computed(app, t).run()


def computed(app: AppTest, t: int, id: str = "") -> AppTest:
    """Wait until the run that is open has been computed up to step t, and go on asking for it, as the browser does."""
    end = time.monotonic() + PATIENCE
    found = QUEUE.get(app.session_state[f"{id or stage(app)}:run"])
    while not found.complete and (found.t < t or t == found.setup.steps):
        assert time.monotonic() < end
        found.contact = time.monotonic()
        found.wait(0.05)
    return app


def clock(app: AppTest) -> int:
    """Return the step at which the playhead rests; the table is that of this step."""
    t = app.session_state[f"{stage(app)}:rest"]
    if t:
        assert any(re.search(rf"after (step|round) {t:,}, as the charts", c.value) for c in app.caption)
    return t


def recording(app: AppTest) -> Recording:
    """Return the run of the lab that is open, complete."""
    found = QUEUE.get(app.session_state[f"{stage(app)}:run"])
    assert isinstance(found, Recording)
    computed(app, found.setup.steps)
    assert found.complete and not found.failed, found.failed
    return found


def taken(page: str, t: int, **query: str) -> Recording:
    """Take the run of a link as its lab does, without the page: its form, its limits, its charts, and what is told of
    step t of every learner."""
    assert not read_link(query, labs()[page].ask)[1]
    filled = labs()[page].ask(Form(query))
    data = load_data(filled.run.dataset)
    limits.check(filled.run)
    limits.check_step(filled.run, data)
    specs = filled.lab.drawn(filled.charts, filled.run, data)
    pictures = {spec.id: picture(spec, Look()) for spec in specs if spec.metric is None}
    found = Recording("taken", filled.run, data, pictures)
    found.advance(1e9)
    assert found.t == filled.run.steps and not found.failed
    every = set(range(len(found.simulations)))
    for chart in payload.charts(found.moment(), specs, filled.view, Look()):
        assert chart["id"] in pictures or {line["slot"] for line in chart["lines"]} >= every
    for slot in range(len(found.simulations)):
        assert "</div>" in filled.lab.face.inspector(found.at(slot, t), 0, Look()).html()
    return found


def test_home_opens():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    clean(app)
    assert app.title[0].value == "Feedback Lab"  # what it shows is looked at in test_home.py


@pytest.mark.long
@pytest.mark.parametrize("demo", DEMOS, ids=lambda d: d.title)
def test_every_demo_opens_and_runs(demo):
    app = clean(open_page(Path(demo.page).stem, **demo.link))
    assert not app.warning, [w.value for w in app.warning]
    if demo.page == "pages/sweep.py":
        assert not app.button(key="sweep-start").disabled
        return
    step(app)
    clean(app)
    assert clock(app) == 1


def test_a_link_sets_everything_and_gives_the_same_numbers():
    link = {
        "dataset": "digits-search", "documents": "12", "topic": "3", "user": "scan", "noise": "0.1", "replicates": "2",
        "seed": "5", "learner-1": "structured-perceptron", "learner-2": "perturbed-perceptron", "dynamic-2": "true",
        "delta-2": "0.25", "learner-3": "random-ranking", "steps": "40",
    }  # fmt: skip
    histories = []
    for _ in range(2):
        app = clean(lab(**link))
        assert not app.warning
        step(app, 3)
        setup = recording(app).setup
        histories.append([s.history["cumulative-regret"].tolist() for s in recording(app).simulations])
    assert histories[0] == histories[1]
    assert setup.dataset.values == {"documents": 12, "topic": "3", "queries": 1000, "data_seed": 0}
    assert setup.user.values == {"noise": 0.1, "relevant_from": 1}
    assert [c.id for c in setup.learners] == ["structured-perceptron", "perturbed-perceptron", "random-ranking"]
    assert setup.learners[1].values == {"swap_probability": 0.5, "dynamic": True, "delta": 0.25}
    assert (setup.replicates, setup.steps, setup.seed) == (2, 40, 5)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("noise", "7", "noise must be in [0, 1], got 7; the default 0.2 is used."),
        ("noise", "nan", "noise must be in [0, 1], got nan; the default 0.2 is used."),
        ("replicates", "inf", "replicates must be a whole number in [1, 100], got inf; the default 20 is used."),
        ("replicates", "1.5", "replicates must be a whole number in [1, 100], got 1.5; the default 20 is used."),
        ("steps", "1e9", "steps must be a whole number in [10, 100000], got 1e9; the default 1000 is used."),
        ("seed", "-1", "seed must be a whole number in [0, 2147483647], got -1; the default 0 is used."),
        ("initial_weights", "1,x", "initial_weights must be 2 numbers"),
        ("learner-1", "magic", "learner-1 must be one of preference-perceptron"),
        ("learner-1", "none", "learner-1 must be one of preference-perceptron"),
        ("dataset", "../etc", "dataset must be one of toy-ranking"),
        ("user", "nobody", "user must be one of cascade"),
        ("dynamic-2", "maybe", "dynamic-2 must be true or false, got maybe"),
        ("nonsense", "1", "'nonsense' is not a setting of this page."),
        ("sigma", "1", "'sigma' is not a setting of this page."),
    ],
)
def test_nonsense_in_a_link_is_refused_in_words_and_the_rest_is_kept(key, value, words):
    ask, link = labs()["stability"].ask, {key: value, "documents": "7"}
    (problem,) = read_link(link, ask)[1]
    assert words in problem
    assert ask(Form(link)).run.dataset.values["documents"] == 7


def test_what_is_nonsense_in_a_link_stands_on_the_page_which_runs_all_the_same():
    app = clean(lab(user="nobody", nonsense="1", charts=",".join(f"pie{i}" for i in range(999)), documents="7"))
    said = " ".join(warning.value for warning in app.warning)
    for words in (
        "user must be one of",
        "'nonsense' is not a setting of this page.",
        "charts must be among average-regret",
    ):
        assert words in said
    assert len(said) < 1500, "and says so once"
    assert recording(app).setup.dataset.values["documents"] == 7
    step(app)
    assert clock(clean(app)) == 1


def test_what_stands_in_a_link_is_never_markup():
    app = clean(lab(noise="[here](https://evil.example)", user="![x](https://evil.example/a.png)"))
    assert len(app.warning) == 1
    assert not re.search(r"(?<!\\)\]\(|:(?=//)(?<!\\:)", app.warning[0].value), app.warning[0].value


def test_every_parameter_that_plays_a_role_has_a_widget_and_stands_in_the_link():
    app = lab(**{"swap_probability-2": "0.25"})
    key = "stability:perturbed-perceptron:swap_probability-2"
    assert app.slider(key=key).value == 0.25
    assert not app.code, "nothing is exported before somebody opens that part of the page"
    app.session_state["export"] = True
    assert "?swap_probability-2=0.25&steps=50" in clean(app.run()).code[0].value
    app.slider(key=key).set_value(0.1).run()
    assert recording(clean(app)).setup.learners[1].values["swap_probability"] == 0.1
    app.toggle(key="stability:perturbed-perceptron:dynamic-2").set_value(True).run()
    shown = [s.key for s in clean(app).slider]
    assert key not in shown and "stability:perturbed-perceptron:delta-2" in shown


def test_the_next_data_set_begins_at_its_own_defaults():
    app = lab(documents="7")
    for id, documents in (("digits-search", 20), ("toy-ranking", 10), ("web-search", 20)):
        app.selectbox(key="stability:dataset").set_value(id).run()
        assert recording(clean(app)).setup.dataset.values["documents"] == documents
    assert recording(app).setup.dataset.values["queries"] == 2000


def test_a_second_demo_begins_at_step_0_and_says_what_it_shows():
    app = open_page("stability", **DEMOS[0].link)
    step(app, 3)
    app.switch_page("pages/home.py").run()
    for key in list(app.query_params):
        del app.query_params[key]
    app.switch_page("pages/stability.py")
    for key, value in DEMOS[5].link.items():
        app.query_params[key] = value
    clean(app.run())
    assert clock(app) == 0 and DEMOS[5].text in app.info[0].value


@pytest.mark.parametrize("band", ["standard error", "10–90 %", "none", "single runs"])
def test_every_band(band):
    taken("stability", 1, band=band, steps="50", charts="average-regret,rank-of-best")


def test_the_playhead_begins_where_the_link_says():
    app = clean(computed(lab(t="412", steps="1000"), 412).run())
    assert clock(app) == 412 and any("Step 412 offers 10 documents" in h.value for h in app.main.get("html"))


def test_the_warning_goes_once_a_setting_is_changed():
    app = lab(noise="7")
    assert len(app.warning) == 1
    app.slider(key="stability:cascade:noise").set_value(0.3).run()
    assert not app.warning


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"steps": "100000", "replicates": "100"}, "steps in all; a lab allows 2,000,000"),
        ({"dataset": "web-search", "queries": "28000", "features": "700"}, "MB of memory; this server allows"),
        (
            {"dataset": "web-search", "queries": "10", "documents": "200", "features": "1000", "replicates": "100"},
            "numbers a step; a lab allows",
        ),
    ],
)
def test_a_link_that_asks_for_too_much_is_refused_in_words(query, words):
    app = lab(**query)
    assert not app.exception and words in app.error[0].value
    app.number_input(key="stability:steps").set_value(10).run()  # the settings can still be changed
    assert not app.exception


def test_going_away_and_coming_back_loses_nothing():
    app = lab(documents="7", steps="50")
    step(app)
    app.switch_page("pages/catalogue.py").run()
    for key in list(app.query_params):
        del app.query_params[key]
    app.switch_page("pages/stability.py").run()
    assert clock(clean(app)) == 1 and recording(app).setup.dataset.values["documents"] == 7
    assert app.slider(key="stability:toy-ranking:documents").value == 7


def test_a_changed_setting_keeps_the_playhead_where_it_was():
    app = step(lab(), 4)
    app.slider(key="stability:cascade:noise").set_value(0.4).run()
    assert clock(clean(app)) == 4 and recording(app).setup.user.values["noise"] == 0.4


def test_a_bad_vector_says_what_is_allowed_and_keeps_the_old_one():
    app = lab()
    app.text_input(key="stability:toy-ranking:initial_weights").set_value("one, two").run()
    assert not app.exception
    assert "initial_weights must be 2 numbers" in app.error[0].value
    assert recording(app).setup.dataset.values["initial_weights"] == (1.0, -1.0)


@pytest.mark.parametrize("values", [("1e-6", "0.005", "0.01", "0.5"), ("1", "0.05", "0.99", "0.1")], ids=str)
def test_a_value_between_two_places_of_a_slider_is_taken_as_it_is(values):
    race = {f"learner-{slot}": "banditron" for slot in range(1, 5)}
    gammas = {f"gamma-{slot}": value for slot, value in enumerate(values, start=1)}
    app = clean(open_page("bandit", steps="10", **race, **gammas))
    assert not app.warning
    assert [learner.values["gamma"] for learner in recording(app).setup.learners] == [*map(float, values)]


def test_a_slider_begins_a_step_above_a_value_that_is_hardly_above_nothing():
    app = open_page("bandit", **{"learner-2": "banditron", "steps": "10"})
    slider = app.slider(key="bandit:banditron:gamma-2")
    assert (slider.min, slider.max, slider.step, slider.value) == (0.01, 1, 0.01, 0.05)


def test_a_field_takes_what_no_slider_shows_down_to_the_smallest_value():
    app = open_page("bandit", **{"learner-2": "banditron", "gamma-2": "0.005", "steps": "10"})
    field = app.number_input(key="bandit:banditron:gamma-2")
    assert field.min == 1e-6, "the browser refuses less"
    field.set_value(1e-6).run()
    assert not app.exception and recording(app).setup.learners[1].values["gamma"] == 1e-6


RANKERS = list(learners_of(families()["ranking"]))
USERS = ["cascade", "scan", "noisy-grades", "strict-alpha", "expert"]
PAIRS = [(dataset, user) for dataset in ("toy-ranking", "digits-search", "web-search") for user in USERS]


@pytest.mark.long
@pytest.mark.parametrize(("dataset", "user"), PAIRS)
def test_every_learner_runs_with_every_user_on_every_data_set(dataset, user):
    """Four of them in the lab, other ones for each user and data set, and all of them as the lab runs them."""
    data, answers = datasets.load(dataset), create_user(user)
    fit = [id for id in RANKERS if not create(id).unfit(data, answers)]
    first = 4 * PAIRS.index((dataset, user))
    some = [fit[i % len(fit)] for i in range(first, first + 4)]
    own = {f"learner-{slot}": id for slot, id in enumerate(some, start=1)}
    app = step(lab(dataset=dataset, user=user, replicates="2", steps="10", **own))
    assert clock(clean(app)) == 1
    shown = recording(app)
    setup = replace(shown.setup, learners=tuple(Spec(id) for id in fit))
    every = Recording("every", setup, shown.data)
    every.advance(1e9)
    assert every.t == 10 and not every.failed
    charts = {chart["id"]: chart for chart in payload.charts(every.moment(), curves(METRICS), ChartView(), Look())}
    assert {line["slot"] for line in charts["average-regret"]["lines"]} == set(range(len(fit)))


# the lines of the others are told in test_inspectors.py, without a page
FIRST = [(next(iter(learners_of(family))), "3") for family in families().values()]


@pytest.mark.parametrize(("id", "replicates"), [*FIRST, *((family.rivals[0], "1") for family in families().values())])
def test_the_inspector_tells_every_line_of_the_algorithm(id, replicates):
    family = families()[learner_classes()[id].family]
    app = open_page(family.page, **raced(family, id), replicates=replicates, steps="10", charts="")
    step(app)
    clean(app)
    assert len([field for field in app.number_input if field.label == "Replicate"]) == (replicates == "3")
    learner = learner_classes()[id]
    told = [m.value for m in app.markdown]
    for number, line in enumerate(learner.lines, start=1):
        assert f":gray-badge[line {number}] {plain(learner.words(line))}\n\n{line.text}" in told


def test_algorithms_page_shows_each_learner(monkeypatch):
    """All of them on one page, as it shows the one that a link names."""
    drawn = algorithms.draw
    monkeypatch.setattr(algorithms, "draw", lambda id, settings: [drawn(info.id, settings) for info in catalogue()])
    app = clean(open_page("catalogue"))
    titles = [info.title for info in catalogue()]
    assert [head.value for head in app.subheader if head.value in titles] == titles
    for info, code in zip(catalogue(), app.code, strict=True):
        assert f"class {info.learner.__name__}" in code.value


def test_algorithms_are_a_table_of_who_needs_what():
    app = clean(open_page("catalogue"))
    (html,) = (data["html"] for data in map(json.loads, _drawn(app)) if "html" in data)
    rows = re.findall(r'<tr><th scope="row">(.*?)</tr>', html)
    assert [re.search('data-open="(.*?)"', row)[1] for row in rows] == [
        info.id for family in families() for info in catalogue() if info.family == family
    ]
    (pdgd,) = (row for row in rows if "pairwise-differentiable" in row)
    for word in ("clicks, or an improved ranking", "by its own rule", "a list of documents", "[OR18]", "2018"):
        assert f"<td>{word}</td>" in pdgd
    (banditron,) = (row for row in rows if 'data-open="banditron"' in row)
    assert "γ</td>" in banditron and "whether the label played is right" in banditron


def _drawn(app):
    return [part.proto.json for part in app.get("bidi_component") if "html" in (part.proto.json or "")]


def test_algorithms_page_refuses_an_unknown_id_in_words():
    app = clean(open_page("catalogue", learner="magic"))
    assert "learner must be one of" in app.warning[0].value


@pytest.mark.long
@pytest.mark.parametrize("family", [id for id, family in families().items() if family.data_family == id])
def test_data_page_shows_each_data_set(family, folder):
    sets = [id for other in families().values() if other.data_family == family for id in datasets_of(other)]
    for id in dict.fromkeys(sets):
        app = clean(open_page("catalogue", show="data", family=family, dataset=id))
        if "path" not in {p.name for p in datasets.classes()[id].parameters()} and id not in downloads():
            assert {m.label for m in app.metric} >= {"Features"}
    assert not app.warning


def test_a_download_says_size_source_and_licence(folder):
    app = clean(open_page("catalogue", show="data", family="classification", dataset="newsgroups"))
    assert app.button(key="download").label == "Download (about 14 MB from figshare.com, the copy of scikit-learn)"
    lab = open_page("bandit", dataset="newsgroups")
    assert "not downloaded yet; press Download in the catalogue" in lab.error[0].value


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path))
    monkeypatch.setenv("FEEDBACK_LAB_DOWNLOADS", str(tmp_path / "downloads"))
    monkeypatch.setattr(uploads, "folder", lambda: tmp_path / "uploads")
    return tmp_path


def test_a_file_of_the_data_folder_is_shown_and_raced(folder):
    (folder / "mine.txt").write_text("".join(f"{i % 3} qid:{i // 4} 1:{i / 9:.3f} 2:{i % 5}\n" for i in range(40)))
    app = clean(open_page("catalogue", show="data", dataset="letor-file"))
    assert "10" in [m.value for m in app.metric]
    app = clean(lab(dataset="letor-file", path="mine.txt"))
    step(app)
    assert clock(clean(app)) == 1


@pytest.mark.parametrize("page", ["catalogue", "bandit"])
def test_the_guessed_label_is_shown_and_can_be_changed(folder, page):
    rows = [f"{'TIDNG'[i % 5]},{i % 7},{i % 4}\n" for i in range(40)]
    (folder / "letters.data").write_text("".join(rows))
    (folder / "more.data").write_text("".join(rows))
    show = {"show": "data"} if page == "catalogue" else {}
    app = clean(open_page(page, family="classification", dataset="classification-file", path="letters.data", **show))
    guess = "Label: column 1 (T, I, D, N, …; 5 values), guessed; choose another below."
    assert guess in [m.value for m in app.markdown]
    app = clean(app.text_input(key=f"{page}:classification-file:label").set_value("last").run())
    assert "Label: column 3 (0, 1, 2, 3; 4 values); choose another below." in [m.value for m in app.markdown]
    app = clean(app.selectbox(key=f"{page}:path").set_value("more.data").run())
    assert guess in [m.value for m in app.markdown], "another file has other columns"
    app.text_input(key=f"{page}:classification-file:label").set_value("colour").run()
    assert not app.exception
    assert "label must be first, last, the number of a column from 1 to 3, got 'colour'" in app.error[0].value


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "upload/../../x", "absent.txt", "\0"])
def test_a_link_cannot_ask_for_other_files(folder, path):
    (folder / "mine.txt").write_text("1 qid:1 1:1\n0 qid:1 1:0\n")
    (problem,) = read_link({"dataset": "letor-file", "path": path}, labs()["stability"].ask)[1]
    assert "path must be a file of this server's data folder" in problem
    if path == "/etc/passwd":  # the page says so, too, and stays
        app = lab(dataset="letor-file", path=path)
        assert not app.exception and any("path must be a file of" in w.value for w in app.warning)


def test_a_file_with_any_name_is_drawn(folder):
    (folder / "my__file <b>.txt").write_text("1 qid:1 1:1\n0 qid:1 1:0\n")
    app = clean(open_page("catalogue", show="data", dataset="letor-file"))
    assert "0.815" in [m.value for m in app.metric], "the mean of 1 and 1/log2(3), by symmetry"


def test_a_broken_file_is_refused_with_its_line(folder):
    (folder / "bad.txt").write_text("1 qid:1 1:1\n0 qid:1 1:nan\n")
    app = lab(dataset="letor-file", path="bad.txt")
    assert not app.exception and "line 2" in app.error[0].value
    app.selectbox(key="stability:dataset").set_value("toy-ranking").run()
    clean(app)


def test_without_any_file_the_lab_says_where_to_bring_one(folder):
    app = lab(dataset="letor-file")
    assert not app.exception and "There is no such file here yet." in app.info[0].value


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the sample data are not part of the repository")
def test_the_lightgbm_sample_is_raced(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(SAMPLE))
    app = clean(lab(dataset="letor-file", path="rank.train.gz", user="noisy-grades"))
    step(app)
    assert clock(clean(app)) == 1


FEW = {
    "web-search": {"queries": "100"},
    "news-topics": {"queries": "100", "words": "200"},
    "movies": {"users": "200", "movies": "200"},
}


@pytest.mark.parametrize("dataset", FEW)
def test_the_coactive_lab_runs_every_learner(dataset):
    """The first four on the page, all of them as the lab runs them."""
    every = [id for id in RANKERS if not learner_classes()[id].fixed_list]  # the others need the toy
    for first in range(0, len(every), 4):
        own = {f"learner-{slot}": id for slot, id in enumerate(every[first : first + 4], start=1)}
        charts = "average-regret,average-convex-regret,alpha,slack,cost"
        link = {"dataset": dataset, "replicates": "2", "steps": "10", "charts": charts, **own}
        taken("coactive", 1, **link, **FEW[dataset])
        if not first:  # on all of the data where no test of a user has them
            some = FEW[dataset] if dataset != "news-topics" else {}
            app = step(open_page("coactive", **link, **some))
            assert clock(clean(app)) == 1 and not app.warning


@pytest.mark.parametrize("user", ["expected-alpha", "depth", "item-alpha", "item-better", "item-best"])
def test_the_coactive_lab_knows_every_user(user):
    dataset = "movies" if "item" in user else "web-search"
    few = {} if "alpha" in user else FEW[dataset]
    app = step(open_page("coactive", user=user, dataset=dataset, replicates="2", steps="10", **few))
    assert clock(clean(app)) == 1


@pytest.mark.long
@pytest.mark.parametrize("method", ["team-draft", "balanced"])
def test_the_interleaving_view_steps_and_says_its_verdict(method):
    app = open_page("interleaving", method=method, replicates="2", queries="100")
    step(app, 3)
    assert clock(clean(app)) == 3
    assert recording(app).simulations[0].verdict().says in ("better", "worse", "no difference")


def test_the_adversary_plays_against_every_learner():
    """Three of them on the page, all as the page reads its link and plays."""
    for learner in lower_bound.LEARNER.choices:
        game = lower_bound.LowerBound().fill(Form({"learner": learner, "horizon": "50"}))
        game.checked()
        played = Played(game)
        played.advance(1e9)
        assert game.learner.id == learner and played.result.regret[-1].mean() == pytest.approx(2 / math.sqrt(50))
    for learner in lower_bound.LEARNER.choices[::10]:
        app = clean(open_page("lower_bound", learner=learner, horizon="50"))
        computed(app, 50, "lower-bound")
        app = clean(app.run())
        assert {m.label: m.value for m in app.metric}["Average regret at T"] == "0.2828"


@pytest.mark.long
def test_the_interleaving_lab_compares_with_the_ranker_tuned_by_hand():
    """[S] §7 in the lab: search in documentation, its own ranker, a warm start, people with position bias."""
    app = open_page("interleaving", dataset="function-search", queries="100", fixed="hand-tuned", warm_start="true",
                    user="position-biased", method="balanced", replicates="2", steps="20")  # fmt: skip
    step(clean(app), 3)
    assert not clean(app).warning and clock(app) == 3
    for run in recording(app).simulations:
        assert (run.fixed == run.dataset.tuned).all() and (run.at(1).learning.before == run.dataset.tuned).all()
        assert run.user.bias == 1
    labels = [w.label for w in (*app.number_input, *app.slider)]
    assert "Queries behind the fixed ranker" not in labels  # nothing is fitted to them


def test_data_without_a_ranker_tuned_by_hand_are_refused_in_a_sentence():
    app = open_page("interleaving", dataset="web-search", queries="100", fixed="hand-tuned", steps="20")
    assert not app.exception
    (error,) = app.error
    assert "web-search has no ranker tuned by hand" in error.value
