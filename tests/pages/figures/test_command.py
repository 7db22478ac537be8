"""The plan of a figure, the command that computes it, and what it keeps."""

import ast
import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from datasets import load
from learners import Simulation, create, create_user
from learners.sweep.batch import compute
from pages.ui.figures import catalogue, command
from pages.ui.figures.digest import code_digest, computing, setup_digest, sources
from pages.ui.figures.figure import Own, Size
from pages.ui.figures.needs import here, missing
from pages.ui.figures.plan import Computation, plan
from pages.ui.figures.result import read, write
from pages.ui.figures.unfinished import Unfinished
from pages.ui.figures.verify import one_seed
from tests.conftest import ROOT
from tests.pages.figures.small import small

pytestmark = pytest.mark.long


def same(one, other):
    """Whether two results hold the same numbers, to the bit."""
    assert {p: list(s) for p, s in one.panels.items()} == {p: list(s) for p, s in other.panels.items()}
    for panel, series in one.panels.items():
        for name, drawn in series.items():
            assert drawn.x == other.panels[panel][name].x
            np.testing.assert_array_equal(drawn.y, other.panels[panel][name].y)
    return True


@pytest.fixture(scope="module")
def result():
    return command.compute(small())


def test_a_value_is_that_of_a_simulation_with_the_seed(result):
    """The content of a figure follows from the library alone."""
    for seed in range(3):
        run = Simulation("perturbed-perceptron", load("toy-ranking"), create_user("cascade"), replicates=2, seed=seed)
        run.advance(steps=64)
        drawn = result.panels["steps"]["3PR"]
        assert drawn.x[-1] == 64 and drawn.y[seed, -1] == run.history["average-regret"][63].mean()
        assert drawn.y[seed, 0] == run.history["average-regret"][0].mean()
        assert result.panels["metrics"]["3PR"].y[seed, 0] == run.history["flips"][-1].mean()


def test_a_parameter_on_the_axis_varies_those_series_alone_that_have_it(result):
    varied, level = result.panels["over"]["3PR"], result.panels["over"]["random"]
    assert varied.x == level.x == (0.0, 0.5)
    assert (level.y[:, 0] == level.y[:, 1]).all() and (varied.y[:, 0] != varied.y[:, 1]).any()
    run = Simulation(create("perturbed-perceptron", swap_probability=0.0), load("toy-ranking"), "cascade", 2, 1)
    run.advance(steps=64)
    assert varied.y[1, 0] == run.history["average-regret"][-1].mean()


def test_worlds_and_functions(result):
    few, many = result.panels["groups"]["3PR"].y[0]
    run = Simulation("perturbed-perceptron", load("toy-ranking", documents=20), "cascade", 2, 0)
    run.advance(steps=32)
    assert many == run.history["average-regret"][-1].mean() and few != many
    assert result.panels["made"]["seed"].y.tolist() == [[1, 1, 1], [2, 2, 2]]


def test_a_run_that_several_curves_need_is_made_once():
    works = plan(small()).works
    # 3 seeds × (two runs, the varied one with p = 0 and ½, two worlds × two learners), and two seeds of a function;
    # the run with p = ½ is that of the default, but with the parameter written out
    assert len(works) == 3 * (2 + 2 + 2 + 4) + 2
    assert sum(isinstance(work, Computation) for work in works) == 2
    assert [work.number for work in works] == list(range(len(works)))


def test_what_is_missing_is_left_out_or_not_a_number():
    planned = plan(small())
    assert all(not series for series in planned.gather({}).panels.values())
    whole = {work.number: compute(work) for work in planned.works[:1]}
    drawn = planned.gather(whole).panels["steps"]
    assert list(drawn) == ["3PR"] and drawn["3PR"].y.shape == (1, 5)


def test_two_processes_give_the_same(result):
    assert same(command.compute(small(), workers=2), result)


def test_a_cluster_gives_the_same(result, tmp_path):
    pytest.importorskip("distributed", reason="needs dask.distributed, which is optional")
    from tests.learners.sweep.test_cluster import ended, started

    address, processes = started(tmp_path, workers=1)
    try:
        assert same(command.compute(small(), scheduler=address), result)
    finally:
        ended(processes)


def test_a_file_holds_the_result_with_five_digits(result, tmp_path):
    file = write("X-fig1", result, tmp_path)
    found = read("X-fig1", tmp_path)
    for panel, series in result.panels.items():
        for name, drawn in series.items():
            np.testing.assert_allclose(found.panels[panel][name].y, drawn.y, rtol=1e-4)
    assert found.setup == result.setup and found.versions == result.versions and found.seeds == 2
    assert file.stat().st_size < 10_000 and not list(tmp_path.glob(".*"))
    assert read("X-fig2", tmp_path) is None


def test_what_was_found_is_kept_and_what_is_damaged_is_computed_again(result, tmp_path, monkeypatch):
    figure = small()
    kept = Unfinished(figure, "page", tmp_path)
    command.compute(figure, kept=kept)
    files = sorted(kept.folder.iterdir())
    assert len(files) == len(plan(figure).works)
    files[0].write_bytes(b"damaged")
    asked = []
    monkeypatch.setattr(command, "run", lambda works, *_: asked.extend(works) or command_run(works))
    assert same(command.compute(figure, kept=kept), result) and len(asked) == 1
    kept.forget()
    assert not kept.folder.exists()


def test_what_is_kept_comes_back_as_it_was(tmp_path):
    """Numbers to the last bit, names and numbers of the x axis with their types."""
    kept, work = Unfinished(small(), "page", tmp_path), plan(small()).works[0]
    y = np.array([[0.1, np.nan], [1 / 3, -np.inf]])
    part = {"curves": {"a/b": ((1, 2.5, "x"), y)}, "seconds": np.float64(0.1), "flags": np.array([True, False])}
    kept.keep(work, part)
    found = kept.read([work])[work.number]
    assert found["curves"]["a/b"][0] == (1, 2.5, "x") and [*map(type, found["curves"]["a/b"][0])] == [int, float, str]
    assert found["curves"]["a/b"][1].tobytes() == y.tobytes() and found["seconds"] == 0.1
    assert found["flags"].dtype == bool


def test_no_damaged_piece_stops_a_figure_or_runs_code(tmp_path):
    """Every cut, every byte turned, and pickles that would leave a trace when they are loaded."""
    kept, work = Unfinished(small(), "page", tmp_path), plan(small()).works[0]
    kept.keep(work, {"final": np.arange(6.0), "seconds": 0.5})
    whole = kept.file(work).read_bytes()
    for i in range(0, len(whole), 3):
        for damaged in (whole[:i], whole[:i] + bytes([whole[i] ^ 0x55]) + whole[i + 1 :]):
            kept.file(work).write_bytes(damaged)
            for part in kept.read([work]).values():  # the byte that was turned says nothing
                assert part["final"].tolist() == [0, 1, 2, 3, 4, 5] and part["seconds"] == 0.5
    trace = tmp_path / "trace"
    hostile = f"cbuiltins\nopen\n(V{trace}\nVw\ntR.".encode()
    objects = io.BytesIO()
    np.savez(objects, form=np.array('{"array": "x"}'), x=np.array([{}], dtype=object))
    for content in (hostile, objects.getvalue(), b""):
        kept.file(work).write_bytes(content)
        assert kept.read([work]) == {} and not trace.exists()


def command_run(works):
    return ((work, compute(work)) for work in works)


def test_digests_follow_what_determines_the_numbers():
    figure = small()
    panel = figure.panels[0]

    def with_panel(**changed):
        return replace(figure, panels=(replace(panel, **changed), *figure.panels[1:]))

    before = setup_digest(figure)
    for shown in ({"title": "Another"}, {"y_title": "y"}, {"own": Own("letor-file", "A file.")}, {"stands_for": "x"}):
        assert setup_digest(with_panel(**shown)) == before
    assert setup_digest(with_panel(live=Size(8))) == before != setup_digest(figure, "live")
    for counts in ({"page": Size(65, seeds=3)}, {"metric": "flips"}, {"asks": {"noise": 0.1}}, {"user": "scan"}):
        assert setup_digest(with_panel(**counts)) != before
    assert code_digest(figure) == code_digest(small())
    other = replace(panel, series=(panel.series[1],))
    assert code_digest(replace(figure, panels=(other,))) != code_digest(figure)
    assert "setup" in catalogue.stale(figure, replace(command.compute(figure, "live"), setup="x"))


ALGORITHM = '''
"""An algorithm."""
from learners.parts import add

class Learner(Base):
    title, needs = "A", ("clicks",)
    lines = (Line("observe", "x"), *(Line("show", "y"),))
    rate: float = real(0.5, help="How fast.")
    rule = staticmethod(add)

    def update(self, x):
        if self.kind == "all":
            add(x, 2)  # twice
'''


@pytest.mark.parametrize("old, new, counts", [
    ("An algorithm", "The algorithm", False), ("  # twice", "", False), ("learners.parts", "learners.world", False),
    ("clicks", "rankings", False), ("How fast.", "The rate.", False), ("rate: float", "rate: Any", False),
    ('"A"', '"B"', False), ("(self, x)", "(self, x: Array) -> None", False), ("add(x, 2)", "add(x, 3)", True),
    ("0.5", "0.6", True), ("(add)", "(take)", True), ('"all"', '"some"', True), ("(Base)", "(Other)", True),
    ('(Line("observe", "x"), *(', '((', False),
])  # fmt: skip
def test_what_is_only_told_or_a_neighbour_is_no_part_of_the_code(old, new, counts):
    assert ALGORITHM.count(old) == 1
    before, after = (computing(ast.parse(text)) for text in (ALGORITHM, ALGORITHM.replace(old, new)))
    assert (before != after) == counts


def test_verifying_notes_the_code_and_leaves_a_result_as_it_is(result, tmp_path, monkeypatch):
    figure, id = small(), small().id
    write(id, replace(result, code="x", sources="x"), tmp_path)
    before = (tmp_path / f"{id}.json").read_bytes()
    assert command.verified(figure, read(id, tmp_path), tmp_path) == ""
    found = read(id, tmp_path)
    assert (found.code, found.sources) == (code_digest(figure), sources())
    assert (tmp_path / f"{id}.json").read_bytes() == before
    monkeypatch.setattr(command, "one_seed", lambda *_, **__: "other values")
    assert command.verified(figure, found, tmp_path) == "", "what was compared with this code is not run again"
    assert command.verified(figure, replace(found, sources="x"), tmp_path) == "other values"
    assert "setup" in command.verified(figure, replace(found, setup="x"), tmp_path)


def test_verifying_goes_on_after_a_figure_that_raises_and_lists_what_is_not_the_same(monkeypatch, capsys):
    ids = [figure.id for figure in command.chosen(["B-*"])]

    def one_seed(figure, *_, **__):
        if figure.id == ids[0]:
            raise ZeroDivisionError("by nothing")
        return "other values" if figure.id == ids[1] else ""

    monkeypatch.setattr(command, "verified", one_seed)
    assert command.main(["B-*", "--verify"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f"{ids[0]}: It raised ZeroDivisionError: by nothing", f"{ids[1]}: other values"]
    assert lines[2:-1] == [f"{id}: one data seed gives the same numbers" for id in ids[2:]]
    assert lines[-1] == f"not the same: {ids[0]}, {ids[1]}"
    monkeypatch.setattr(command, "verified", lambda *_: "")
    assert command.main(["B-*", "--verify"]) == 0


def test_a_file_that_is_not_here_is_said():
    figure = small()
    panel = replace(figure.panels[0], dataset="classification-file", data={"path": "nowhere.csv"})
    assert missing(replace(figure, panels=(panel,))) == (
        "Over steps needs the file nowhere.csv, which is not here; FEEDBACK_LAB_DATA may name the folder that holds it."
    )
    assert missing(figure) == ""
    both = replace(figure, panels=(panel, *figure.panels))
    assert missing(both) and here(both).panels == figure.panels  # the others run


def largest():
    """The figure with the most runs at the smallest size that are simulations."""
    numbers = {f.id: len(plan(f, "live").works) for f in catalogue.figures().values() if not missing(f)}
    return max(numbers, key=numbers.__getitem__)


HOURS = 1e6  # seconds


def counted(file):
    """Write into a kept piece that it took hours, by which the result tells whether it was used."""
    with np.load(file) as held:
        arrays = dict(held)
    form = json.loads(str(arrays["form"]))
    form["items"]["seconds"] = 2 * HOURS
    np.savez(file, **arrays | {"form": np.array(json.dumps(form))})


def test_a_command_that_is_killed_goes_on(tmp_path):
    """kill -9 in the middle leaves no result; the second command computes only the rest, and finds the same numbers."""
    id = largest()

    def start(folder, kept):
        words = [sys.executable, "-m", "pages.figures", id, "--scale", "live"]
        words += ["--folder", str(tmp_path / folder), "--kept", str(tmp_path / kept)]
        return subprocess.Popen(words, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)})

    first = start("results", "kept")
    deadline = time.monotonic() + 120
    while len(list(tmp_path.glob("kept/*/*.npz"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.005)
    first.send_signal(signal.SIGKILL)
    first.wait(30)
    assert list(tmp_path.glob("kept/*/*.npz")) and not (tmp_path / "results").exists()
    counted(next(tmp_path.glob("kept/*/*.npz")))
    second, whole = start("results", "kept"), start("whole", "another")
    assert second.wait(300) == whole.wait(300) == 0
    resumed, anew = read(id, tmp_path / "results"), read(id, tmp_path / "whole")
    assert same(resumed, anew) and resumed.seconds > HOURS > anew.seconds, "a piece that was kept is not used"
    assert not list(tmp_path.glob("kept/*")), "what was kept goes when the result is written"


def test_an_unknown_figure_is_refused_in_a_sentence(capsys):
    with pytest.raises(SystemExit):
        command.main(["C-fig99"])
    assert "there is no figure 'C-fig99'; known are: " in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command.main(["--scale", "live"])
    assert "needs a --folder" in capsys.readouterr().err


def test_a_result_is_kept_if_one_seed_gives_the_same(result):
    figure = small()
    assert one_seed(figure, result) == ""
    panels = {panel: dict(series) for panel, series in result.panels.items()}
    drawn = panels["groups"]["random"]
    panels["groups"]["random"] = replace(drawn, y=drawn.y * 1.001)
    assert one_seed(figure, replace(result, panels=panels)) == "groups, random: other values"
    panels["groups"]["random"] = replace(drawn, x=("few", "more"))
    assert one_seed(figure, replace(result, panels=panels), seed=1) == "groups, random: other points"
