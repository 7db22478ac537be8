"""A figure on a person's own file: what runs, on files as the sites give them, and what is said of what came out."""

import io
import os
import time
from dataclasses import replace

import numpy as np
import pytest

import datasets
from pages.ui.figures import own_data
from pages.ui.figures.catalogue import figures
from pages.ui.figures.command import compute
from pages.ui.figures.figure import Figure, Group, Groups, Metrics, Over, Own, Panel, Series, Size, Steps
from pages.ui.figures.own_data_box import table
from pages.ui.figures.result import Drawn, Result
from pages.ui.figures.statement import AGREES, DIFFERS, PARTLY, Above, Near, Statement, at, slope
from pages.ui.files import choose, uploads
from pages.ui.jobs.queue import QUEUE
from tests.pages.figures import files
from tests.pages.test_pages import PATIENCE, clean, open_page

WEB = Own("letor-file", "a file of LETOR")
TWO = (Series("3PR", "perturbed-perceptron"), Series("random", "random-ranking"))


def web(**changes):
    given = {
        "id": "web", "title": "Web", "series": TWO, "page": Size(100, {"queries": 50}, seeds=3),
        "dataset": "web-search", "data": {"documents": 10}, "user": "cascade", "metric": "average-regret",
        "own": WEB, "stands_for": "Yahoo!",
    }  # fmt: skip
    return Panel(**given | changes)


def figure(panel, *statements):
    other = replace(web(), id="other", own=None)
    return Figure("X-fig1", "C", 1, "Fig. 1", "Title", "Caption.", (panel, other), statements)


ABLE = [(f, panel) for f in figures().values() for panel in f.panels if panel.own is not None]


@pytest.mark.parametrize(("declared", "panel"), ABLE, ids=[f"{f.id}-{p.id}" for f, p in ABLE])
def test_every_panel_that_a_person_may_have_the_data_of_runs_on_a_file(declared, panel):
    mine = own_data.on(declared, panel.id, {"path": "mine.txt"}).panel(panel.id)
    assert mine.dataset == panel.own.dataset and mine.data["path"] == "mine.txt"
    assert not mine.stands_for and mine.own is None and mine.series == panel.series
    assert panel.own.words and mine.page.steps == panel.page.steps and mine.page.seeds == panel.page.seeds
    datasets.create(mine.dataset, **mine.data)  # every parameter is one that it has


def test_the_panel_alone_runs_on_the_file_and_nothing_is_kept_of_the_stand_in():
    panel = web(live=Size(20, {"queries": 5}, seeds=1), own=replace(WEB, replicates=5))
    mine = own_data.on(figure(panel), "web", {"path": "a.txt"})
    assert [p.id for p in mine.panels] == ["web"]
    assert mine.panels[0].page == Size(100, {}, 3, 5) and mine.panels[0].live == Size(20, {}, 1, 5)
    assert mine.panels[0].data == {"path": "a.txt"} and not mine.panels[0].stands_for


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"own": None}, "the panel web has no data that a file could replace"),
        (
            {"x": Over("documents", (5, 10), "dataset")},
            "letor-file has no parameter documents, which the panel web sets",
        ),
        ({"series": (Series("few", "random-ranking", data={"queries": 3}),)}, "letor-file has no parameter queries"),
    ],
)
def test_a_panel_that_a_file_cannot_fill_is_refused_in_words(changes, words):
    with pytest.raises(ValueError, match=words):
        own_data.on(figure(web(**changes)), "web", {"path": "a.txt"})


def test_worlds_with_names_give_way_to_the_file():
    panel = web(x=Groups((Group("few", data={"documents": 5}), Group("many", steps=50))))
    mine = own_data.on(figure(panel), "web", {"path": "a.txt"}).panel("web")
    assert mine.x.groups == (Group(own_data.MINE),)


def curves(seed, size):
    return {"made": ((1, 2), [len(size.data), size.data.get("folds", 0)])}


def test_a_function_that_makes_curves_is_told_the_file():
    panel = web(series=(Series("made", ""),), computed=curves, x=Steps(), own=Own("letor-folds", "folds"))
    mine = own_data.on(figure(panel), "web", {"path": "a.zip"}).panel("web")
    assert mine.page.data == {"dataset": "letor-folds", "path": "a.zip"}


# ---- files as their sites give them --------------------------------------------------------------------------

WORLDS = {
    "letor-folds": {
        "series": (Series("AdaRank", "adarank"), Series("NDCG_Boost", "ndcg-boost")), "user": "",
        "page": Size(4, seeds=2), "x": Metrics(((1, "ndcg@1"), (5, "ndcg@5"))),
        "own": Own("letor-folds", "OHSUMED", replicates=5),
    },
    "letor-file": {"page": Size(40, {"queries": 5}, seeds=2)},
    "letor-split": {"page": Size(40, {"queries": 5}, seeds=2), "metric": "held-out-ndcg@10", "series": TWO[:1]},
    "movielens-file": {"dataset": "movies", "data": {}, "page": Size(30, seeds=2, replicates=2),
                       "user": "item-better",
                       "series": (Series("top", "preference-perceptron"),)},
    "rated-movies-file": {"dataset": "rated-movies", "data": {}, "page": Size(5, seeds=2), "user": "",
                          "metric": "ndcg@5", "series": (Series("LRR", "ranking-refinement"),)},
    "classification-file": {"dataset": "digits", "data": {}, "page": Size(200, seeds=2), "user": "",
                            "metric": "error-rate", "series": (Series("B", "banditron", {"gamma": 0.1}),)},
    "multilabel-file": {"dataset": "multilabel-synthetic", "data": {}, "page": Size(60, seeds=2), "user": "",
                        "metric": "loss", "series": (Series("UCB", "multilabel-ucb"),)},
}  # fmt: skip


@pytest.mark.parametrize("id", files.MAKERS)
def test_a_figure_runs_on_a_file_as_its_site_gives_it(tmp_path, id):
    path = files.MAKERS[id](tmp_path)
    panel = web(**{"own": Own(id, "the file"), "live": None} | WORLDS[id])
    mine = own_data.on(figure(panel), "web", {"path": str(path)})
    own_data.check(mine, datasets.load(id, path=str(path)))
    found = compute(mine, "page").panels["web"]
    for series in panel.series:
        assert found[series.name].y.shape == (2, len(found[series.name].x))
        assert np.isfinite(found[series.name].y).all()


def test_the_parts_of_letor_4_are_read_as_those_of_letor_3(tmp_path):
    data = datasets.load("letor-folds", path=str(files.mq2008(tmp_path / "MQ2008.zip")))
    assert len(data.folds) == 5 and data.size().queries == 20


def test_each_fold_is_run_once_for_each_seed(tmp_path):
    path = files.ohsumed(tmp_path / "OHSUMED.zip")
    panel = web(**{"live": None} | WORLDS["letor-folds"])
    five = compute(own_data.on(figure(panel), "web", {"path": str(path)}), "page").panels["web"]["AdaRank"]
    alone = replace(panel, own=replace(panel.own, replicates=1))
    first = compute(own_data.on(figure(alone), "web", {"path": str(path)}), "page").panels["web"]["AdaRank"]
    assert not np.allclose(five.y, first.y)


@pytest.mark.parametrize(
    ("id", "name", "text", "words"),
    [
        ("letor-folds", "alone.txt", "1 qid:1 1:0.5\n0 qid:1 1:0.1\n", "alone.txt is not part of a split"),
        ("letor-file", "noqid.txt", "1 1:0.5\n0 1:0.1\n", "qid"),
        ("movielens-file", "u.data", "1\t2\t3\n", "u.data"),
        ("classification-file", "ragged.csv", "1,2,a\n3,4,5,b\n", "ragged.csv, line 2"),
        ("multilabel-file", "lies.arff", "@relation x\n@attribute a {0,1}\n@data\n1,2\n", "lies.arff"),
    ],
)
def test_a_file_that_is_not_expected_is_refused_in_one_sentence(tmp_path, id, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=words) as refused:
        datasets.load(id, path=str(tmp_path / name))
    assert "\n" not in str(refused.value) and str(tmp_path) not in str(refused.value)


# ---- what is said --------------------------------------------------------------------------------------------

A, B = at("web", "3PR"), at("web", "random")
HALF = Statement(
    "3PR is better, in both worlds.",
    "{a:.2f} and {b:.2f}",
    Above(B, "a"), Above(at("other", "random"), "a"), a=A, b=at("other", "3PR"),
)  # fmt: skip
OTHER = Statement("Elsewhere.", "{a:.2f}", Near("a", 0, 1), a=at("other", "3PR"))
LATE = Statement(
    "It ends at 0.1, after a slope.",
    "{a:.2f}",
    Near("a", 0.1, 0.01), Near(at("web", "3PR", 10), 0.5, 0.01), Near(slope("web", "3PR", 1, 100), -1, 9), a=A,
    untold=at("other", "3PR"),
)  # fmt: skip


def result(end, scale):
    x = (1, 10, end)
    y = {"3PR": np.array([[0.9, 0.5, 0.1], [0.8, 0.5, 0.1]]), "random": np.array([[1.0, 1.0, 0.9], [1.0, 1.0, 0.8]])}
    return Result({"web": {name: Drawn(x, values) for name, values in y.items()}}, scale)


def test_a_rule_takes_the_values_of_its_statement_by_name():
    said = Statement("", "{a:.2f}", Above("a", B), Near("b", 0.1, 0.01), Near(A, 0, 1), a=A, values={"b": B})
    assert [rule.words for rule in said.rules] == [Above(A, B).words, Near(B, 0.1, 0.01).words, Near(A, 0, 1).words]
    with pytest.raises(TypeError, match="a rule takes 'c', but the values are: a, b"):
        Statement("", "{a:.2f}", Above("a", "c"), a=A, values={"b": B})
    with pytest.raises(TypeError, match="the template takes 'd', but the values are: a, b"):
        Statement("", "{a.mean:.2f} {a - d:.2f}", a=A, values={"b": B})
    with pytest.raises(TypeError, match="'a' by name"):
        _ = Above("a", B).words


def test_a_rule_and_the_template_reckon_with_two_values_by_name():
    said = Statement(
        "", "{b - a:.2f} {a / b.mean:.2f}", Above("b - a", 0.5), Near("a / b", 0.1, 0.1), values=iter((A, B))
    )
    assert [rule.words for rule in said.rules] == [Above(B - A, 0.5).words, Near(A / B, 0.1, 0.1).words]
    assert said.here(result(100, "page")) == "0.75 ± 0.05 0.12"
    assert [held for _, held in said.outcomes(result(100, "page"))] == [True, True]


def test_a_statement_is_asked_by_its_rules_about_this_panel():
    mine = figure(web(), HALF, OTHER, LATE)
    half, late = own_data.said(mine, "web", result(100, "page"))
    assert half.statement is HALF and half.verdict == AGREES and not half.here
    assert [words for words, _ in half.outcomes] == ["random above 3PR by more than 2 standard errors"]
    assert late.verdict == AGREES and late.here == "0.10 ± 0.00"


def test_what_was_not_reached_is_not_judged():
    mine = figure(web(), HALF, LATE)
    half, late = own_data.said(mine, "web", result(20, "live"), "live")
    assert half.verdict == own_data.UNREACHED and half.outcomes[0][1] is None
    assert [holds for _, holds in late.outcomes] == [None, True, None]
    assert late.verdict == AGREES and late.here == ""


def test_rules_that_fail_are_said_to():
    wrong = Statement("No.", "{a:.2f}", Above("a", B), Near("a", 0.1, 0.01), a=A)
    worse = Statement("No.", "{a:.2f}", Above("a", B), a=A)
    said = own_data.said(figure(web(), wrong, worse), "web", result(100, "page"))
    assert [one.verdict for one in said] == [PARTLY, DIFFERS]


def test_the_table_has_a_person_s_file_beside_what_is_stored():
    rows = table(web(), result(100, "page").panels["web"], result(20, "live").panels["web"]).splitlines()
    assert rows[0] == "| | | after 20 steps |"
    assert rows[2] == "| 3PR | your file | 0.1000 ± 0.0000 |"
    assert rows[3].startswith("| 3PR | stored | 0.455") and len(rows) == 6  # between 10 and 100


def test_names_in_the_table_are_never_markup():
    panel = web(series=(Series("<b>3PR</b>", "perturbed-perceptron"),))
    found = {"<b>3PR</b>": Drawn(("a|b",), np.array([[1.0]]))}
    head, _, row = table(replace(panel, x=Metrics((("a|b", "flips"),))), {}, found).splitlines()
    assert head == r"| | | a\|b |" and row == r"| \<b>3PR\</b> | your file | 1.0000 |"


# ---- on the page ---------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder with the files of all sites."""
    monkeypatch.setenv("FEEDBACK_LAB_DATA", str(tmp_path))
    for maker in files.MAKERS.values():
        maker(tmp_path)
    return tmp_path


def first(dataset):
    """The first figure with a panel on such a file, and the panel."""
    return next((f, p) for f, p in ABLE if p.own.dataset == dataset)


def chosen(app, label):
    return next(box for box in app.selectbox if box.label == label)


def looked_at(run):
    """Look at a run until it ends, as the browser does."""
    end = time.monotonic() + PATIENCE
    while not run.complete:
        assert time.monotonic() < end
        QUEUE.enter(run)
        time.sleep(0.1)


@pytest.mark.long
@pytest.mark.parametrize("dataset", sorted({panel.own.dataset for _, panel in ABLE}))
def test_the_box_takes_a_file_and_runs_the_panel_on_it(folder, dataset):
    declared, panel = first(dataset)
    app = clean(open_page("figures", figure=declared.id))
    app.button(key="own-open").click().run()
    if len(declared.panels) > 1 and "Panel" in {box.label for box in app.selectbox}:
        chosen(app, "Panel").set_value(panel.id).run()
    file = next(id for id in chosen(app, "File").options if id.endswith(files.MAKERS[dataset](folder).name))
    clean(chosen(app, "File").set_value(file).run())
    assert any(caption.value.startswith("The file has") for caption in app.caption)
    app.button(key="own-start:live").click().run()
    name, run = next((n, r) for n, r in app.session_state["figures:runs"].items() if n.startswith("own:"))
    assert name.startswith(f"own:{declared.id}:{panel.id}:{file}")
    looked_at(run)
    assert run.whole and not run.failed
    clean(app.run())
    assert any(caption.value.startswith("On your file: ") for caption in app.caption)
    assert any("| your file |" in text.value for text in app.markdown)


def test_a_link_opens_the_box_with_its_file_and_a_bad_file_is_said_in_a_sentence(folder):
    declared, panel = first("letor-file")
    app = clean(open_page("figures", figure=declared.id, own=panel.id, path="set1.train.txt"))
    assert chosen(app, "File").value == "set1.train.txt"
    (folder / "bad.txt").write_text("1 qid:1 1:0.5\n0 qid:1 1:abc\n")
    app = open_page("figures", figure=declared.id, own=panel.id, path="bad.txt")
    assert not app.exception
    (error,) = app.error
    assert "bad.txt, line 2" in error.value and not any(b.key == "own-start:live" for b in app.button)
    app = open_page("figures", figure=declared.id, own=panel.id, path="../secret.txt")
    assert not app.exception and "path must be a file of this server's data folder" in app.warning[0].value


def test_a_file_that_is_uploaded_once_more_is_the_same_file(tmp_path, monkeypatch):
    """Streamlit hands an upload to every run of the page; a run of the figure must not seem to be of another file."""
    monkeypatch.setattr(uploads, "folder", lambda: tmp_path)
    monkeypatch.setattr(choose.st, "session_state", {})
    upload = io.BytesIO(b"1 qid:1 1:0.5\n")
    upload.name = "mine.txt"
    (id,) = choose.save([upload], "ranking")
    os.utime(choose.find(id), (1, 1))
    before = choose.version(id)
    assert choose.save([upload], "ranking") == [id] and choose.version(id) == before


@pytest.mark.core
@pytest.mark.long
def test_a_figure_runs_while_one_looks_and_its_curves_can_be_taken_away():
    app = clean(open_page("figures", figure="C-fig3"))
    app.button(key="live-start:C-fig3").click().run()
    looked_at(app.session_state["figures:runs"]["C-fig3"])
    clean(app.run())
    assert any(caption.value.startswith("Run now: 3 of 10 data seeds") for caption in app.caption)
    app.button(key="live-away:C-fig3").click().run()
    assert "C-fig3" not in app.session_state["figures:runs"]


def test_who_starts_another_run_gives_the_first_up():
    app = open_page("figures", figure="C-fig3")
    app.button(key="live-start:C-fig3").click().run()
    before = app.session_state["figures:runs"]["C-fig3"]
    app.query_params["figure"] = "C-fig4"
    app.run()
    app.button(key="live-start:C-fig4").click().run()
    after = app.session_state["figures:runs"]["C-fig4"]
    assert before.cancelled and not after.cancelled
    after.stop()
    QUEUE.look()
    for run in (before, after):
        run.wait(PATIENCE)
        assert run.complete and run.cancelled
