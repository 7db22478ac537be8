"""The exported scripts, run as a student runs them: in another process, from an empty folder."""

import ast
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import datasets
from datasets.parameters import Parameter
from datasets.spec import Spec
from learners import create, sweep
from learners.catalogue import families, learner_classes
from learners.grid import Grid, GridSpec
from learners.new import written
from learners.spec import RunSpec
from pages.ui.race.script import lab_script, literal, sweep_script
from tests.conftest import ROOT

pytestmark = pytest.mark.long

LETOR = "".join(f"{i % 3} qid:{i // 5} 1:{(i * 7) % 10 / 10} 2:{i % 4}\n" for i in range(50))
TABLE = "".join(f"{i % 7},{'red' if i % 2 else 'blue'},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(60))
ARFF = (
    "@relation toy\n@attribute x numeric\n@attribute y numeric\n@attribute sun {0,1}\n@attribute rain {0,1}\n@data\n"
    + "".join(f"{i % 5},{i % 3},{int(i % 5 > 2)},{int(i % 3 > 1)}\n" for i in range(40))
)
XML = '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="sun"/><label name="rain"/></labels>'


def setup_of(family, steps=6, replicates=2):
    """The smallest setup of a family's lab with two learners."""
    found = families()[family]
    user = Spec(found.user) if found.user else None
    learners = tuple(Spec(id) for id in found.rivals)
    return RunSpec(learners, found.smallest, user, replicates, steps, 3)


def own(family, dataset, id, **params):
    """The setup of a family with a file, which a lab knows by an id."""
    return replace(setup_of(family), dataset=Spec(dataset, (("path", id), *params.items())))


@pytest.fixture
def run(tmp_path):
    """Returns a function that saves a script in an empty folder and runs it there."""

    def run(script, *arguments, library=ROOT, **environment):
        home = tmp_path / "empty"
        home.mkdir(exist_ok=True)
        (home / "run.py").write_text(script, encoding="utf-8")
        clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "FEEDBACK_LAB", "FEEDBACK_LAB_DATA")}
        given = [f"--library={library}"] if library else []
        return subprocess.run(
            [sys.executable, "run.py", *given, *map(str, arguments)],
            cwd=home, env=clean | {"PYTHONIOENCODING": "utf-8"} | environment, capture_output=True, text=True,
            encoding="utf-8", timeout=300,
        )  # fmt: skip

    return run


def same(made, done, folder, data):
    """Whether what a script printed and wrote are the numbers of the lab."""
    assert done.returncode == 0, done.stderr
    table = pd.read_csv(folder / "history.csv")
    printed = iter(done.stdout.splitlines())
    for label, simulation in zip(made.labels(), made.simulations(data), strict=True):
        simulation.advance(steps=made.steps)
        assert next(printed) == label
        rows = table[table.learner == label].sort_values(["step", "replicate"])
        assert list(rows.step) == [t for t in range(1, made.steps + 1) for _ in range(made.replicates)]
        for metric, values in simulation.history.items():
            assert next(printed) == f"  {metric:26} {values[-1].mean():.6g}"
            np.testing.assert_array_equal(rows[metric], values.ravel())
        assert set(table.columns) == {"learner", "step", "replicate", *simulation.history}
    return True


@pytest.mark.parametrize("family", list(families()))
def test_the_numbers_are_those_of_the_lab(run, tmp_path, family):
    made = setup_of(family)
    done = run(lab_script(made, "https://example.org/lab?seed=3"), "--csv", tmp_path / "out" / "new")
    assert same(made, done, tmp_path / "out" / "new", datasets.load(made.dataset.id, **made.dataset.values))


def test_so_are_those_of_a_comparison(run, tmp_path):
    made = replace(setup_of("ranking"), comparison=(("method", "balanced"), ("sample", 5)))
    done = run(lab_script(made), "--csv", tmp_path)
    assert same(made, done, tmp_path, datasets.load(made.dataset.id, **made.dataset.values))


@pytest.mark.parametrize("family", ["ranking", "classification"])
def test_so_are_those_of_a_run_that_a_person_has_answered(run, tmp_path, family):
    answers = ((1, (0, 2)), (2, ()), (5, (1,)))
    made = replace(setup_of(family), answers=answers, comparison=(("sample", 5),) if family == "ranking" else None)
    done = run(lab_script(made), "--csv", tmp_path)
    assert same(made, done, tmp_path, datasets.load(made.dataset.id, **made.dataset.values))
    assert "ANSWERS = {" in lab_script(made) and "ANSWERS" not in lab_script(setup_of(family))


OWN = {
    "ranking": ("ranking", "letor-file", {"mine.txt": LETOR}),
    "table": ("classification", "classification-file", {"mine.csv": TABLE}),
    "labels": ("multilabel", "multilabel-file", {"toy.arff": ARFF, "toy.xml": XML}),
    "quotes": ("ranking", "letor-file", {"a \"b\" 'c' 100 %.txt": LETOR}),
}


@pytest.mark.parametrize("kind", OWN)
def test_own_files_are_found_in_the_folder_that_is_named(run, tmp_path, kind):
    family, dataset, files = OWN[kind]
    there = tmp_path / "my data"
    there.mkdir()
    for name, text in files.items():
        (there / name).write_text(text, encoding="utf-8")
    name = next(iter(files))
    made = own(family, dataset, f"upload/0123456789abcdef/{name}")
    data = datasets.load(dataset, path=str(there / name))
    for arguments, environment in (("--data", there), {}), ((), {"FEEDBACK_LAB_DATA": str(there)}):
        done = run(lab_script(made), "--csv", tmp_path, *arguments, **environment)
        assert same(made, done, tmp_path, data)
    done = run(lab_script(made), "--data", tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert f"{name} is missing in {tmp_path}; name its folder by --data" in done.stderr
    assert run(lab_script(made), "--help").returncode == 0


def test_a_file_of_the_data_folder_is_found_by_its_place_in_it_or_by_its_name(run, tmp_path):
    made = own("ranking", "letor-file", "web/fold 1/train.txt")
    data = tmp_path / "data" / "web" / "fold 1"
    data.mkdir(parents=True)
    (data / "train.txt").write_text(LETOR, encoding="utf-8")
    for folder in (tmp_path / "data", data):
        assert run(lab_script(made), "--data", folder).returncode == 0
    assert run(lab_script(made), FEEDBACK_LAB_DATA=str(tmp_path)).returncode == 2


def test_a_file_that_cannot_be_read_is_refused_in_a_sentence(run, tmp_path):
    (tmp_path / "mine.txt").write_text("1 qid:1 1:abc\n", encoding="utf-8")
    done = run(lab_script(own("ranking", "letor-file", "upload/0/mine.txt")), "--data", tmp_path)
    assert done.returncode == 2 and "line 1" in done.stderr and done.stderr.count("\n") == 1


SMALL = lab_script(setup_of("classification"))


def test_without_the_library_it_says_in_one_sentence_what_is_missing(run):
    done = run(SMALL, library=None)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert "learners/ and datasets/" in done.stderr
    assert "--library PATH or the environment variable FEEDBACK_LAB" in done.stderr


def test_a_wrong_path_is_named(run, tmp_path):
    for arguments in ({"library": tmp_path / "none"}, {"library": None, "FEEDBACK_LAB": str(tmp_path / "none")}):
        done = run(SMALL, **arguments)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert f"{tmp_path / 'none'} does not hold learners/ and datasets/" in done.stderr


def test_the_library_is_also_found_by_the_environment_beside_the_script_and_where_it_is_installed(run, tmp_path):
    assert run(SMALL, library=None, FEEDBACK_LAB=str(ROOT)).returncode == 0
    assert run(SMALL, library=None, PYTHONPATH=str(ROOT)).returncode == 0
    for part in ("learners", "datasets"):
        shutil.copytree(ROOT / part, tmp_path / "empty" / part, ignore=shutil.ignore_patterns("__pycache__"))
    assert run(SMALL, library=None).returncode == 0


def test_a_missing_package_is_named(run, tmp_path):
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("raise ModuleNotFoundError('no', name='numba')", encoding="utf-8")
    done = run(SMALL, PYTHONPATH=str(tmp_path))
    assert done.returncode == 2 and done.stderr.startswith("The package numba is missing")


GRID = Grid(Parameter("gamma", "real", 0.1, 0, 1), 0.1, 0.5, 2)
POINTS = Spec("separable-points", (("examples", 200),))
SWEEP = GridSpec(RunSpec((Spec("banditron"),), POINTS, None, 3, 200, 1), (GRID,))


def test_a_sweep_gives_the_same_table(run, tmp_path):
    done = run(sweep_script(SWEEP), "--csv", tmp_path)
    assert done.returncode == 0 and "error-rate" in done.stdout, done.stderr
    mine = {"learner": create("banditron"), "dataset": datasets.create("separable-points", examples=200)}
    expected = sweep(mine, {"gamma": [0.1, 0.5]}, replicates=3, seed=1, steps=200)
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "sweep.csv"), expected)


EVERY = {
    **{family: lab_script(setup_of(family), "https://example.org/" + "lab?a=b&" * 40) for family in families()},
    "comparison": lab_script(
        replace(setup_of("ranking"), comparison=(("method", "balanced"), ("sample", 5)))
    ),
    **{kind: lab_script(own(family, dataset, next(iter(files)))) for kind, (family, dataset, files) in OWN.items()},
    "sweep": sweep_script(SWEEP),
    "sweep of a ranking": sweep_script(
        GridSpec(
            RunSpec(
                (Spec("perturbed-perceptron"),), Spec("letor-file", (("path", "a.txt"),)), Spec("cascade"), 3, 200, 1,
            ),
            (replace(GRID, parameter=Parameter("swap_probability", "real", 0, 0, 1), number=30),),
        )
    ),
}  # fmt: skip


def test_ruff_finds_nothing_in_any_of_them(tmp_path):
    """By the project's own rules, unused and unsorted imports and long lines among them, wherever it lies."""
    for name, script in EVERY.items():
        (tmp_path / f"{name}.py").write_text(script, encoding="utf-8")
    checked = [sys.executable, "-m", "ruff", "check", "--no-cache", "--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run([*checked, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", EVERY)
def test_every_function_and_constant_of_a_script_is_used(name):
    tree = ast.parse(EVERY[name])
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    defined |= {t.id for node in tree.body if isinstance(node, ast.Assign) for t in node.targets}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert defined <= used


@pytest.mark.parametrize("text", ["", "plain", 'a "b"', "it's", "a\\b", "two\nlines", "é €", "\u202e", "\ud800", '"""'])
def test_texts_survive_in_source(text):
    assert ast.literal_eval(literal(text)) == text


def test_a_script_contains_a_learner_of_ones_own(run, tmp_path, monkeypatch):
    """It needs no file beside it; the numbers are those of the run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(written("ranking", "mine"), encoding="utf-8")
    made = RunSpec((Spec("mine.py:Mine", (("keep", 0.9),)),), Spec("toy-ranking"), Spec("cascade"), 2, 6, 3)
    script, sweeping = (
        lab_script(made),
        sweep_script(GridSpec(made, (Grid(learner_classes()["mine.py:Mine"].parameter("keep"), 0.6, 0.9, 2),))),
    )
    (tmp_path / "mine.py").unlink()
    done = run(script, "--csv", tmp_path)
    (tmp_path / "mine.py").write_text(written("ranking", "mine"), encoding="utf-8")
    same(made, done, tmp_path, datasets.load("toy-ranking"))
    swept = run(sweeping)
    assert swept.returncode == 0 and "average-regret" in swept.stdout, swept.stderr
