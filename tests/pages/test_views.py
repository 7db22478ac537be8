"""Every view of a run gives the run back: `read(write(spec)) == spec` for drawn specs of every family."""

import ast
import json
import pickle
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import datasets
from datasets.parameters import LEAST_MAGNITUDE
from datasets.spec import Spec
from learners import setup_file
from learners.catalogue import datasets_of, families, learner_classes, learners_of, user_classes, users_of
from learners.grid import Grid, GridSpec, varying
from learners.spec import RunSpec
from learners.sweep.sampled_run import SampledRun
from pages.ui.families import labs
from pages.ui.figures import links
from pages.ui.figures.catalogue import figures
from pages.ui.files import choose as files
from pages.ui.form.form import Form
from pages.ui.form.links import read_link
from pages.ui.kept import run as kept
from pages.ui.kept.run import Final
from pages.ui.lab.recorded import _name
from pages.ui.lessons import facts
from pages.ui.lessons.lesson import read as read_lesson
from pages.ui.race import limits
from pages.ui.race.script import lab_script, literal, sweep_script
from pages.ui.recordings import document
from pages.ui.sweep import form as sweep_form
from pages.ui.sweep import page as sweep
from tests.pages.lessons.sample import SAMPLE
from tests.pages.modes import modes

LABS = labs()
few = settings(max_examples=10, deadline=None)

# ---- drawn specs ---------------------------------------------------------------------------------------------


def values(p):
    """Draw a value that a parameter allows."""
    low, high = max(p.low, -1e6), min(p.high, 1e6)
    if p.kind == "choice":
        return st.sampled_from(p.choices)
    if p.kind == "flag":
        return st.booleans()
    if p.kind == "integer":
        return st.integers(int(low), int(high))
    if p.kind == "real":
        return (
            st.floats(low, high, exclude_min=p.low_open)
            .filter(lambda x: x == 0 or abs(x) >= LEAST_MAGNITUDE)
            .map(float)
        )
    if p.kind == "vector":
        return st.tuples(*[st.floats(low, high).filter(lambda x: x == 0 or abs(x) >= LEAST_MAGNITUDE)] * p.size)
    return st.just(p.default)


@st.composite
def specs(draw, kind, family="", defaults=()):
    """Draw a spec of a class; what has no effect is at the default that the lab has for it."""
    own = sorted(kind.used_by(family), key=lambda p: p.when is not None)
    found = {}
    for p in own:
        idle = p.when is not None and found[p.when[0]] != p.when[1]
        found[p.name] = dict(defaults).get(p.name, p.default) if idle else draw(values(p))
    return Spec(kind.id, tuple(found.items()))


def without_files(ids):
    return [id for id in ids if not files.is_file(datasets.classes()[id])]


@st.composite
def runs(draw, lab):
    """Draw a run of a lab."""
    family = families()[lab.family]
    race = draw(st.lists(st.sampled_from(list(learners_of(family))), min_size=1, max_size=4))
    learners = tuple(draw(specs(learner_classes()[id])) for id in race)
    kind = datasets.classes()[draw(st.sampled_from(without_files(lab.datasets or datasets_of(family))))]
    dataset = draw(specs(kind, lab.family, lab.defaults.get(kind.id, {})))
    people = lab.users if lab.users is not None else users_of(family)
    user = draw(specs(user_classes()[draw(st.sampled_from(list(people)))])) if people else None
    comparison = tuple((p.name, draw(values(p))) for _, p in lab.comparison) or None
    steps, replicates = draw(values(lab.steps)), draw(values(lab.replicates))
    answers = st.dictionaries(st.integers(1, 99), st.sets(st.integers(0, 9), max_size=3), max_size=3)
    given = draw(answers) if family.answerable else {}
    answered = tuple(sorted((t, tuple(sorted(items))) for t, items in given.items()))
    return RunSpec(learners, dataset, user, replicates, steps, draw(st.integers(0, 2**31 - 1)), comparison, answered)


# ---- the views of a run ----------------------------------------------------------------------------------------


def a_link_gives_the_run_back(lab, run):
    link = lab.query(run)
    assert lab.ask_run(Form(link)) == run == lab.ask(Form(link)).run
    assert read_link(link, lab.ask)[1] == []


def a_kept_run_in_a_link_gives_the_run_back(lab, run):
    found = kept.kept_of(lab.query(run), lab.ask_run)
    assert found.spec == run and lab.ask_run(Form(dict(found.link))) == run
    form = Form(dict(found.link))
    lab.ask_run(form)
    assert all(form.value(p, key) != p.default for key, p in form.known.items() if key in form.query), (
        "only what differs"
    )
    try:
        limits.check(run)
    except ValueError:
        return  # a link that asks for too much loses its kept run, in a sentence
    assert kept.read(kept.write([found]), lab.ask_run) == ([found], [])


def what_the_browser_stores_gives_the_run_back(lab, run):
    """With its final values, through JSON; and the browser, which is told titles and defaults, names what differs."""
    form = Form(lab.query(run))
    asked = lab.ask(form).numbers
    final = Final("3PR", "average-regret", "Average regret", 0.25, 0.5)
    found = replace(kept.kept_of(form.query, lab.ask_run), finals=(final,), reached=7)
    entry = json.loads(json.dumps(found.entry(lab.page, lab.title, asked, "a=b")))
    told = kept.titles_of(asked)
    assert entry["settings"].keys() == entry["names"].keys() <= told.keys()
    read, problems = kept.read_entry(entry | {"tags": ["mine"], "last": 5}, lab.ask_run)
    with suppress(ValueError):  # one that asks for too much is left out, in a sentence
        limits.check(run)
        assert (read, problems) == (found, [])
        assert (read.spec, read.finals, read.reached, read.tags, read.kept) == (run, (final,), 7, ("mine",), 5)


def the_settings_of_a_lesson_give_the_run_back(lab, run):
    written = "{ " + ", ".join(f"{key} = {literal(text)}" for key, text in lab.query(run).items()) + " }"
    old = next(line for line in SAMPLE.splitlines() if line.startswith("settings = "))
    text = SAMPLE.replace(old, f"settings = {written}", 1).replace('lab = "stability"', f'lab = "{lab_page(lab)}"', 1)
    card = read_lesson(text, "flipping").cards[0]
    assert card.lab == lab_page(lab) and facts.setup_of(lab, card.settings) == run


def lab_page(lab):
    return next(name for name, one in LABS.items() if one is lab)


def a_job_has_the_name_of_its_run_alone(lab, run):
    again = lab.ask_run(Form(lab.query(run)))
    assert _name(again) == _name(run) and again.key == run.key
    for other in (
        replace(run, seed=run.seed ^ 1),
        replace(run, steps=run.steps + 1),
        replace(run, answers=((100, (1,)),)),
    ):
        assert _name(other) != _name(run) and other.key != run.key
    work = SampledRun(3, run, ("flips",), (1, 2))
    assert pickle.loads(pickle.dumps(work)) == work


def a_script_gives_the_run_back(lab, run):
    assert read_script(lab_script(run, "https://example.org/?a=b", 3)) == run


def a_recording_gives_the_run_back(lab, run):
    assert document.spec_of(json.loads(json.dumps(document.written(run)))) == run


def a_setup_file_gives_the_run_back(lab, run):
    assert setup_file.read(setup_file.write(run)) == run


def read_script(text):
    """Return the run of a script, from its constants and the calls that make its parts."""
    tree = ast.parse(text)
    constants = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id in ("REPLICATES", "STEPS", "SEED", "ANSWERS")
    }
    made = {"create": [], "create_user": [], "load": [], "Simulation": [], "Comparison": []}
    for node in ast.walk(tree):
        name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        if name in ("create", "create_user", "load"):
            (id,) = node.args
            params = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
            made[name].append(Spec(ast.literal_eval(id), tuple(params.items())))
        elif name in made:
            known = ("replicates", "seed", "answers")
            made[name].append(tuple((w.arg, ast.literal_eval(w.value)) for w in node.keywords if w.arg not in known))
    (dataset,) = made["load"]
    return RunSpec(
        tuple(made["create"]), dataset, next(iter(made["create_user"]), None), constants["REPLICATES"],
        constants["STEPS"], constants["SEED"], next(iter(made["Comparison"]), None),
        tuple(constants.get("ANSWERS", {}).items()),
    )  # fmt: skip


VIEWS = (
    a_link_gives_the_run_back, a_kept_run_in_a_link_gives_the_run_back, what_the_browser_stores_gives_the_run_back,
    the_settings_of_a_lesson_give_the_run_back, a_job_has_the_name_of_its_run_alone, a_script_gives_the_run_back,
    a_recording_gives_the_run_back, a_setup_file_gives_the_run_back,
)  # fmt: skip


@pytest.mark.parametrize(("lab", "mode"), modes().values(), ids=modes())
@few
@given(data=st.data())
def test_every_view_gives_the_run_back(lab, mode, data):
    run = data.draw(runs(mode))
    for view in VIEWS:
        view(lab, run)


# ---- sweeps ----------------------------------------------------------------------------------------------------


@st.composite
def swept(draw, family):
    """Draw a sweep of a family, over one parameter or two."""
    kinds = {id: learner_classes()[id] for id in learners_of(family)}
    able = [id for id, kind in kinds.items() if any(p.kind in ("real", "integer") for p in kind.parameters())]
    learner = draw(specs(learner_classes()[draw(st.sampled_from(able))]))
    dataset = draw(specs(datasets.classes()[draw(st.sampled_from(without_files(datasets_of(family))))], family.id))
    people = list(users_of(family))
    user = draw(specs(user_classes()[draw(st.sampled_from(people))])) if people else None
    able = {name: p for name, (_, p) in varying(learner, dataset, user).items()}
    names = draw(st.lists(st.sampled_from(list(able)), min_size=1, max_size=2, unique=True))
    grids = []
    for name in names:
        low, high = sorted((draw(values(able[name])), draw(values(able[name]))))
        grids.append(Grid(able[name], low, high, draw(st.integers(2, 30)), draw(st.booleans())))
    steps = draw(values(sweep_form._steps(family)))
    run = RunSpec((learner,), dataset, user, draw(st.integers(1, 100)), steps, draw(st.integers(0, 2**31 - 1)))
    return GridSpec(run, tuple(grids))


def a_link_gives_the_sweep_back(spec, metric):
    filled = sweep.ask(Form(sweep_form.query(spec, metric)))
    assert (filled.spec, filled.metric) == (spec, metric)
    assert read_link(sweep_form.query(spec, metric), sweep.ask)[1] == []
    assert pickle.loads(pickle.dumps(spec)) == spec
    found = kept.kept_of(sweep_form.query(spec, metric), sweep_form.ask_spec)
    form = Form(dict(found.link))
    sweep_form.ask_spec(form)
    entry = json.loads(json.dumps(found.entry("sweep", "Sweep", form.asked)))
    assert kept.read_entry(entry, sweep_form.ask_spec) == (found, []) and found.spec == spec


def a_setup_file_gives_the_sweep_back(spec):
    assert setup_file.read(setup_file.write(spec)) == spec


def a_script_gives_the_sweep_back(spec):
    try:
        over = spec.over
    except ValueError:
        return  # such as logarithmic spacing from 0, which the page refuses
    tree = ast.parse(sweep_script(spec))
    found = {node.targets[0].id: ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign)}
    assert found["OVER"] == over
    run = spec.run
    assert (found["REPLICATES"], found["STEPS"], found["SEED"]) == (run.replicates, run.steps, run.seed)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 1]
    made = {
        Spec(ast.literal_eval(node.args[0]), tuple((w.arg, ast.literal_eval(w.value)) for w in node.keywords))
        for node in calls
        if ast.unparse(node.func) in ("create", "create_user", "datasets.create")
    }
    assert made == {spec.learner, run.dataset, *([run.user] if run.user else [])}


@pytest.mark.parametrize("family", families().values(), ids=families())
@few
@given(data=st.data())
def test_every_view_gives_the_sweep_back(family, data):
    spec = data.draw(swept(family))
    a_link_gives_the_sweep_back(spec, data.draw(st.sampled_from(list(family.by_id))))
    a_setup_file_gives_the_sweep_back(spec)
    a_script_gives_the_sweep_back(spec)


# ---- panels of figures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("figure", figures().values(), ids=figures())
@pytest.mark.parametrize("scale", ["page", "live"])
def test_a_link_of_a_panel_opens_what_the_panel_ran(figure, scale):
    for panel in figure.panels:
        for link in links.of(panel, scale):
            name = link.page.removeprefix("pages/").removesuffix(".py")
            if isinstance(link.spec, GridSpec):
                assert sweep.ask(Form(link.query)).spec == link.spec, link.words
                continue
            found, ran = LABS[name].ask_run(Form(link.query)), link.spec
            assert dict(ran.comparison or ()).items() <= dict(found.comparison or ()).items(), link.words
            assert replace(found, comparison=ran.comparison) == ran, link.words
