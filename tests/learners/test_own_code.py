"""Learners, users and data sets of one's own: wherever an id is accepted, checked, swept elsewhere, and as plugins."""

import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import datasets
from datasets import OwnSource, own_code, take_sources
from datasets.spec import Spec
from learners import Simulation, check_learner, create, create_user, new, plugins, sweep
from learners.catalogue import families, forget, learner_classes, learners_of, user_classes
from learners.check import report
from learners.check.report import check_file
from learners.interleaving import Comparison
from learners.new import known, written
from learners.ranking.preference_perceptron import PreferencePerceptron
from learners.spec import RunSpec, learner_of
from learners.sweep import gather, plan, run
from learners.sweep.batch import compute
from learners.sweep.estimate import Probe
from pages.ui.variables import refused
from tests.cases import cases
from tests.conftest import ROOT

FORM = """
from dataclasses import dataclass
import time, os
import numpy as np
from feedback_lab.datasets.parameters import real
from feedback_lab.learners.base import Line, column
from feedback_lab.learners.ranking.base import RankingLearner, Shown

@dataclass(kw_only=True)
class Mine(RankingLearner):
    id, title, needs, summary = "mine", "Mine", "clicks", "Does something."
    lines = (Line("update", "$w$"),)
    keep: float = real(0.9, 0, 1, help="What is kept.")

    def update(self, context, shown, feedback):
        better = np.take_along_axis(shown.ranking, np.argsort(~feedback.clicks, axis=1, kind="stable"), axis=1)
        self.w = column(self.keep) * self.w + context.feature_difference(better, shown.ranking)
        self.t += 1
        return better
"""
USER = """
from feedback_lab.learners.ranking.users.cascade import Cascade

class Calm(Cascade):
    id, title = "calm", "Calm"
"""
DATA = """
from feedback_lab.datasets.made.toy_ranking import ToyRanking

class Tiny(ToyRanking):
    id, title = "tiny", "Tiny"
"""
SETUP = {"dataset": "toy-ranking", "user": "cascade"}
OVER = {"keep": [0.5, 0.9], "documents": [5, 8]}


@pytest.fixture(autouse=True)
def restored():
    """Classes from files, and the leave to bring them, are forgotten after each test."""
    yield
    own_code._of_ids.clear()
    own_code._travelled.clear()
    own_code.close("")
    plugins.refused.clear()
    plugins.offered.clear()
    forget()


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The name of a file with a learner, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "mine.py").write_text(FORM, "utf-8")
    (tmp_path / "twin.py").write_text(written("ranking", "mine"), "utf-8")
    (tmp_path / "quick.py").write_text(written("ranking", "mine", compiled=True), "utf-8")
    return "mine.py"


@pytest.fixture
def here(monkeypatch):
    """Files are checked in this process, as the process does that `check_file` starts."""

    def tells(command, **how):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            report.tell(command[-1], Path(command[-2]))
        return subprocess.CompletedProcess(command, 0, b"", b"")

    instead = {"run": tells, "DEVNULL": None, "PIPE": None, "TimeoutExpired": subprocess.TimeoutExpired}
    monkeypatch.setattr(report, "subprocess", SimpleNamespace(**instead))
    monkeypatch.setattr(report, "TIMED", 0.01)
    monkeypatch.setattr(plugins, "AT_ONCE", 1)  # threads would share the standard output that a check takes away


def run_of(learner, steps=40, **params):
    simulation = Simulation(create(learner, **params) if params else learner, "toy-ranking", "cascade", replicates=2)
    simulation.advance(steps=steps)
    return simulation


def same(one, other):
    assert set(one.history) == set(other.history)
    return all(np.array_equal(values, other.history[id], equal_nan=True) for id, values in one.history.items())


# ---- wherever an id is accepted ----------------------------------------------------------------------


def test_a_file_a_module_a_class_and_an_instance_are_the_same(mine):
    wanted = run_of("mine.py:Mine")
    cls = type(wanted.learner)
    for learner in ("mine:Mine", cls, cls(), "./mine.py:Mine"):
        assert same(run_of(learner), wanted)
    assert create("mine.py:Mine", keep=0.5).keep == 0.5


def test_numpy_and_compiled_rules_give_the_same_numbers(mine):
    assert same(run_of("twin.py:Mine", keep=0.8), run_of("quick.py:Mine", keep=0.8))


def test_a_run_spec_names_it(mine):
    spec = RunSpec(
        (Spec("mine.py:Mine", (("keep", 0.5),)), Spec("perturbed-perceptron")), Spec("toy-ranking"), Spec("cascade")
    )
    assert spec.shorts() == ["Mine", "3PR"] and spec.family.id == "ranking"
    assert same(run_of("mine.py:Mine", 20, keep=0.5), _advanced(RunSpec(spec.learners, spec.dataset, spec.user, 2), 20))
    assert Spec.of(create("mine.py:Mine")).id == "mine.py:Mine" and Spec.of(create("banditron")).id == "banditron"
    before = spec.key
    Path("mine.py").write_text(FORM.replace("+ context", "+ 2 * context"), "utf-8")
    assert spec.key != before


def _advanced(spec, steps):
    simulation = spec.simulation(0, spec.load())
    simulation.advance(steps=steps)
    return simulation


def test_a_comparison_takes_it(mine):
    comparison = Comparison("mine.py:Mine", datasets.load("web-search", queries=50), "noisy-grades", sample=2)
    comparison.advance(steps=20)
    assert comparison.t == 20


def test_users_and_data_sets_of_ones_own(mine):
    for name, text in (("calm", USER), ("tiny", DATA)):
        Path(f"{name}.py").write_text(text, "utf-8")
    simulation = Simulation("mine.py:Mine", "tiny.py:Tiny", "calm.py:Calm", replicates=2)
    simulation.advance(steps=40)
    assert simulation.dataset.id == "tiny" and simulation.user.id == "calm"
    assert same(simulation, run_of("mine.py:Mine"))
    assert create_user("calm.py:Calm", noise=0.1).noise == 0.1 and datasets.load("tiny.py:Tiny").id == "tiny"
    setup = {"learner": "mine.py:Mine", "dataset": "tiny.py:Tiny", "user": "calm.py:Calm"}
    table = sweep(setup, {"noise": [0.1, 0.2], "documents": [5, 6]}, replicates=2, steps=20)
    wanted = sweep({"learner": "mine.py:Mine", **SETUP}, {"noise": [0.1, 0.2], "documents": [5, 6]}, 2, steps=20)
    assert table.equals(wanted)


@cases(
    ("reference", "said"),
    [
        ("nowhere.py:Mine", "there is no file nowhere.py"),
        ("mine.py:Nobody", "there is no class Nobody in mine.py"),
        ("mine.py:", r"there is no class \(without a name\) in mine.py"),
        ("mine.py:np", "there is no class np in mine.py"),
        ("mine.py:Line", "Line is no learner: it must be derived from Learner"),
        ("no_such_module:Mine", "there is no module no_such_module; a file is named by its path"),
        ("broken.py:Mine", r"broken.py cannot be read: ZeroDivisionError: division by zero \(line 2\)"),
        ("torn.py:Mine", r"torn.py cannot be read: SyntaxError: .* \(line 1\)"),
        (int, "int is no learner: it must be derived from Learner"),
    ],
)
def test_what_a_wrong_reference_is_told(mine, reference, said):
    Path("broken.py").write_text("import os\n1 / 0\n", "utf-8")
    Path("torn.py").write_text("def\n", "utf-8")
    with pytest.raises(ValueError, match=said):
        create(reference)
    with pytest.raises(ValueError, match=said):
        Simulation(reference, "toy-ranking")


def test_a_file_that_has_changed_is_read_anew_and_said(mine):
    before = run_of("mine.py:Mine")
    Path("mine.py").write_text(FORM.replace("+ context", "+ 2 * context"), "utf-8")
    with pytest.warns(UserWarning, match=r"mine.py has changed since it was read"):
        after = run_of("mine.py:Mine")
    assert not same(before, after)
    assert same(run_of(before.learner), before)  # an instance keeps its class


# ---- swept elsewhere -----------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", ["mine.py:Mine", "mine:Mine", "quick.py:Mine"])
def test_a_sweep_gives_the_numbers_of_single_runs(mine, reference):
    table = sweep({"learner": reference, **SETUP}, OVER, replicates=2, steps=40)
    single = Simulation(create(reference, keep=0.5), datasets.load("toy-ranking", documents=8), "cascade", replicates=2)
    single.advance(steps=40)
    part = table[(table.keep == 0.5) & (table.documents == 8)]
    for id in single.history:
        np.testing.assert_array_equal(part[part.metric == id].value, single.history.final(id))


def test_the_text_travels_whatever_becomes_of_the_file(mine):
    batches = plan({"learner": "mine.py:Mine", **SETUP}, OVER, replicates=2, steps=40)
    wanted = gather(run(batches))
    Path("mine.py").unlink()
    assert gather(run(batches)).equals(wanted)
    with pytest.raises(ValueError, match=r"there is no file mine.py"):
        create("mine.py:Mine")


@pytest.mark.long
def test_a_sweep_in_worker_processes(mine):
    setup = {"learner": "quick.py:Mine", **SETUP}
    wanted = sweep(setup, OVER, replicates=2, steps=40)
    batches = plan(setup, OVER, replicates=2, steps=40)
    Path("quick.py").write_text("raise SystemExit", "utf-8")
    assert gather(run(batches, workers=2)).equals(wanted)


@pytest.mark.long
def test_a_sweep_on_a_cluster(mine, tmp_path_factory):
    pytest.importorskip("distributed")
    from tests.learners.sweep.test_cluster import ended, started

    address, processes = started(tmp_path_factory.mktemp("cluster"), 1)
    try:
        setup = {"learner": "mine.py:Mine", **SETUP}
        wanted = sweep(setup, OVER, replicates=2, steps=40)
        assert sweep(setup, OVER, replicates=2, steps=40, scheduler=address).equals(wanted)
    finally:
        ended(processes)


def test_what_is_typed_in_stays_in_its_process(mine, monkeypatch):
    main = sys.modules["__main__"]
    monkeypatch.delattr(main, "__file__", raising=False)
    cls = type("Typed", (type(create("mine.py:Mine")),), {"__module__": "__main__", "id": "typed"})
    monkeypatch.setattr(main, "Typed", cls, raising=False)
    setup = {"learner": cls, **SETUP}
    table = sweep(setup, OVER, replicates=2, steps=40)
    assert table.equals(sweep({"learner": "mine.py:Mine", **SETUP}, OVER, replicates=2, steps=40))
    with pytest.raises(ValueError, match=r'Typed was written in a notebook .* name it "mine.py:Typed"'):
        sweep(setup, OVER, replicates=2, steps=40, workers=2)


# ---- the check, and files to begin with -------------------------------------------------------------------


def test_the_check_says_what_holds_and_how_long_a_step_takes(mine, here):
    found = check_file("mine.py")
    assert found.reason == ""
    (told,) = found.classes
    assert (told.name, told.kind, told.id) == ("Mine", "learner", "mine") and len(told.kept) == 7
    assert "µs a step" in told.times and "holds     Two simulations share nothing." in "\n".join(found.lines())
    check_learner(type(create("mine.py:Mine")))


BROKEN = {
    "raises": ("better = 1 / 0", r"Mine: it raises ZeroDivisionError: division by zero \(line \d+\)"),
    "exits": ("raise SystemExit(3)", r"Mine: it raises SystemExit: 3 \(line \d+\)"),
    "ends the process": ("os._exit(3)", r"The process that checked it ended at “It runs, .*”: .* ended it \(3\)"),
    "never ends": ("time.sleep(1000)", "It did not end within 25 seconds, at “It runs,"),
    "prints": ("print('hello')", "Mine: mine prints: hello"),
    "nonsense": ("return np.zeros_like(shown.ranking)", "mine must return from update the ranking .* got an array"),
    "another shape": ("return [1, 2]", "mine must return from update the ranking that it learned from"),
    "changes its input": ("context.x.dense[:] = 0.5", "mine changes the data that it is given; work on a copy"),
    "shares": ("Mine.keep += 0.01; self.keep = min(1, Mine.keep)", "depends on how steps|share state|differs"),
}


@pytest.mark.parametrize(
    ("line", "said"),
    [pytest.param(*BROKEN[name], id=name, marks=pytest.mark.long if name == "never ends" else ()) for name in BROKEN],
)
def test_what_a_broken_learner_is_told(mine, line, said, request):
    if "os._exit" not in line and "sleep" not in line:
        request.getfixturevalue("here")
    Path("mine.py").write_text(FORM.replace("        better = np", f"        {line}\n        better = np"), "utf-8")
    found = check_file("mine.py", seconds=25 if "sleep" in line else 100)
    assert re.search(said, found.reason), found.reason
    assert found.reason.count("\n") == 0


@cases(
    ("text", "said"),
    [("1 / 0", "mine.py cannot be read: ZeroDivisionError"), ("x = 1", "There is no learner, user or data set in"),
     ("raise SystemExit", "mine.py cannot be read: SystemExit"), ("def", "mine.py cannot be read: SyntaxError")],
)  # fmt: skip
def test_what_a_broken_file_is_told(mine, here, text, said):
    Path("mine.py").write_text(text, "utf-8")
    assert said in check_file("mine.py").reason


def test_users_and_data_sets_are_checked(mine, here):
    Path("both.py").write_text(USER + DATA, "utf-8")
    found = check_file("both.py")
    assert found.reason == "" and [told.kind for told in found.classes] == ["user", "data set"]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.core if n == "ranking" else ()) for n in known()]
)  # fmt: skip
@pytest.mark.long
def test_each_new_learner_passes_the_check(tmp_path, name, monkeypatch, capsys, request):
    """One of them in processes of its own, as a person begins."""
    family, compiled = name.removesuffix("-compiled"), name.endswith("-compiled")
    command = ["learners.new", family, "fast-decay", *["--compiled"] * compiled]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", command)
    if name == "ranking":
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PATH": ""}
        command = [sys.executable, "-m", *command]
        said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100).stdout
    else:
        request.getfixturevalue("here")
        assert new.main() == 0
        said = capsys.readouterr().out
    assert said.startswith("wrote fast_decay.py; python -m learners.check fast_decay.py")
    assert (new.main(), capsys.readouterr().err) == (1, "There is already a file fast_decay.py.\n")
    found = check_file(tmp_path / "fast_decay.py")
    assert found.reason == "" and [(told.name, told.id) for told in found.classes] == [("FastDecay", "fast-decay")]


@cases("given", [("ranking", "Fast Decay"), ("nobody", "decay"), ("refinement", "decay", True)])
def test_a_new_learner_that_cannot_be(given):
    with pytest.raises(ValueError, match=r"an id is made of|there is no family"):
        written(*given)


# ---- what an operator puts into a folder ------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of plugins with one that holds."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    (folder / "decay.py").write_text(FORM.replace("Mine", "Decay").replace('"mine"', '"decay"'), "utf-8")
    monkeypatch.setenv("FEEDBACK_LAB_PLUGINS", str(folder))
    return folder


def test_a_plugin_stands_in_the_catalogue_beside_the_others(folder, here):
    (folder / "calm.py").write_text(USER, "utf-8")
    (folder / "tiny.py").write_text(DATA, "utf-8")
    plugins.start()
    assert plugins.refused == {} and plugins.offered == {
        "calm.py": ["calm"],
        "decay.py": ["decay"],
        "tiny.py": ["tiny"],
    }
    cls = learner_classes()["decay"]
    assert "decay" in learners_of(families()["ranking"]) and "class Decay" in cls.source_code()
    assert own_code.file_of(cls) == "decay.py" and own_code.file_of(learner_classes()["banditron"]) == ""
    assert "calm" in user_classes() and "tiny" in datasets.classes()
    race = RunSpec((Spec("decay"), Spec("perturbed-perceptron")), Spec("tiny"), Spec("calm"), replicates=2)
    simulations = race.simulations(race.load())
    for simulation in simulations:
        simulation.advance(steps=20)
    assert Spec.of(simulations[0].learner).id == "decay"
    (source,) = own_code.sources(["decay"])
    assert source.name == "decay=Decay"
    forgotten = sweep({"learner": "decay", **SETUP}, OVER, replicates=2, steps=40)
    batch = plan({"learner": "decay", **SETUP}, OVER, replicates=2, steps=40)[0]
    own_code._of_ids.clear()
    forget()
    assert compute(Probe(batch)).seconds > 0, "the estimate of a sweep is made elsewhere, too"
    take_sources([OwnSource(*vars(source).values())])  # as a process that was sent it, or an exported script
    assert sweep({"learner": "decay", **SETUP}, OVER, replicates=2, steps=40).equals(forgotten)


@pytest.mark.long
def test_a_broken_plugin_is_left_out_and_nothing_else_breaks(folder, monkeypatch, logged):
    monkeypatch.setattr(plugins, "SECONDS", 30.0)
    (folder / "raises.py").write_text("raise KeyError('x')", "utf-8")
    (folder / "ends_never.py").write_text("import time\ntime.sleep(1000)\n", "utf-8")
    (folder / "taken.py").write_text(FORM.replace('"mine"', '"banditron"'), "utf-8")
    (folder / "_helper.py").write_text("1 / 0", "utf-8")
    (folder / "notes.txt").write_text("nothing", "utf-8")
    plugins.start()
    assert {*plugins.refused} == {"raises.py", "ends_never.py", "taken.py"}
    assert plugins.refused["taken.py"] == "There is already something with the id banditron."
    assert "It did not end within 30 seconds" in plugins.refused["ends_never.py"]
    assert "decay" in learner_classes() and learner_classes()["banditron"].family == "classification"
    assert "The plugin raises.py is left out. " in logged() and logged().count("is left out") == 3


def test_a_server_runs_nothing_that_is_only_named(folder, mine, here):
    plugins.start()
    run_of("decay", 5)
    for reference in ("mine.py:Mine", "mine:Mine", "os:system"):
        with pytest.raises(ValueError, match="this server runs only what is in its catalogue"):
            create(reference)
        with pytest.raises(ValueError, match="this server runs only what is in its catalogue"):
            RunSpec((Spec(reference),), Spec("toy-ranking")).made()


def test_a_folder_that_is_missing_keeps_the_server_from_starting(folder, monkeypatch):
    shutil.rmtree(folder)
    assert any("FEEDBACK_LAB_PLUGINS must be a folder that exists" in sentence for sentence in refused())


def test_a_class_written_anew_at_a_prompt_is_made_anew(monkeypatch):
    prompt = ModuleType("prompt")  # of no file
    monkeypatch.setitem(sys.modules, "prompt", prompt)
    for title in ("first", "second"):
        prompt.Decay = type("Decay", (PreferencePerceptron,), {"title": title, "__module__": "prompt"})
        assert learner_of(Spec("prompt:Decay")).title == title
