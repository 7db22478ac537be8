"""The wheel: one package, built and run as somebody has it who has no checkout, beside a stranger named datasets."""

import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import numpy as np
import pytest
from packaging.requirements import Requirement

from datasets.spec import Spec
from learners import Simulation, sweep
from learners.spec import RunSpec
from pages.ui import namespace
from pages.ui.race.script import lab_script
from pages.ui.start import NEEDED
from tests import constraints
from tests.cases import cases
from tests.code import nodes
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SETUP = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}
OVER = {"swap_probability": [0.1, 0.4], "documents": [5, 8]}

spec = importlib.util.spec_from_file_location("backend", ROOT / ".ci" / "backend.py")
backend = importlib.util.module_from_spec(spec)
spec.loader.exec_module(backend)


# ---- what stands in it -------------------------------------------------------------------------------


@cases(
    ("code", "anew"),
    [
        ("from learners import create\n", "from feedback_lab.learners import create\n"),
        ("from pages.ui.draw import (\n    a,\n)\n", "from feedback_lab.pages.ui.draw import (\n    a,\n)\n"),
        ("def f():\n    import datasets  # late\n", "def f():\n    from feedback_lab import datasets  # late\n"),
        ('"""Doc.\n\n>>> import datasets\n"""\n', '"""Doc.\n\n>>> from feedback_lab import datasets\n"""\n'),
        ('"""Doc.\n\n>>> if 1:\n...     from learners.base import Line\n"""\n', None),
        ('"""`python -m learners.warm` compiles."""\n', '"""`python -m feedback_lab.learners.warm` compiles."""\n'),
    ],
)
def test_imports_are_renamed(code, anew):
    found = backend.renamed(code)
    assert found == (anew or code.replace("from learners", "from feedback_lab.learners"))


@cases(
    "code",
    [
        'SCRIPT = """\nfrom datasets import load\n"""\n',
        "import numpy\nfrom . import learners\n",
        "from mypages import a\n",
    ],
)
def test_texts_and_what_is_not_ours_stay(code):
    assert backend.renamed(code) == code


@cases("code", ["import learners.base\n", "import os, datasets\n", "import datasets as d\n"])
def test_an_import_that_cannot_be_renamed_stops_the_build(code):
    with pytest.raises(ValueError, match="line 1 cannot be renamed: import"):
        backend.renamed(code)


def test_nothing_names_a_module_of_ours_by_a_text():
    """Such names would be wrong in the wheel; `datasets.home.module` makes them."""
    texts = re.compile(r"(?:datasets|learners|pages)(?:\.\w+)+|(?:datasets|learners|pages)\.")
    found = []
    for part in backend.PARTS:
        for path in sorted((ROOT / part).rglob("*.py")):
            calls = [node for node in nodes(path) if isinstance(node, ast.Call)]
            names = [getattr(call.func, "attr", getattr(call.func, "id", "")) for call in calls]
            fine = [call for call, name in zip(calls, names, strict=True) if name in ("module", "getLogger")]
            made = {id(argument) for call in fine for argument in call.args}
            found += [
                f"{path.relative_to(ROOT)}:{node.lineno} {node.value}" for node in nodes(path)
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in made
                and texts.fullmatch(node.value) and path.name != "namespace.py"
            ]  # fmt: skip
    assert found == []


def test_its_requirements_are_those_of_the_app():
    """Those of the library, and as an extra those of the pages alone."""
    listed = {str(requirement) for requirement in constraints.listed(ROOT / "requirements.txt")}
    extra = PROJECT["optional-dependencies"]["app"]
    assert {str(Requirement(text)) for text in (*PROJECT["dependencies"], *extra)} == listed
    assert {Requirement(text).name for text in extra} == set(NEEDED)


def test_the_names_at_its_top():
    for name in namespace.__all__:
        assert getattr(namespace, name) is not None
    with pytest.raises(AttributeError, match="feedback_lab has no 'nothing'"):
        _ = namespace.nothing


# ---- built and run -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "--no-index", "--quiet", "-w", str(folder)]
    subprocess.run([*command, "--disable-pip-version-check"], check=True, timeout=300)
    (file,) = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder where the wheel is unpacked, beside another package named datasets."""
    folder = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(folder)
    (folder / "datasets").mkdir()
    (folder / "datasets" / "__init__.py").write_text("stranger = True\n", "utf-8")
    return folder


@pytest.fixture
def python(installed, tmp_path):
    """Returns a function that runs Python on arguments in an empty folder, where only the wheel is installed."""

    def python(*arguments, **environment):
        without = ("PYTHONPATH", "FEEDBACK_LAB", "FEEDBACK_LAB_CACHE")
        kept = {key: value for key, value in os.environ.items() if key not in without}
        kept |= {"PYTHONPATH": str(installed), "FEEDBACK_LAB_CACHE": str(installed / "cache")}
        done = subprocess.run(
            [sys.executable, *map(str, arguments)], cwd=tmp_path, env=kept | environment, capture_output=True,
            text=True, timeout=600,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return python


@pytest.fixture
def script(python, tmp_path):
    """Returns a function that runs a script and returns what its last line says in JSON."""

    def script(code, **environment):
        (tmp_path / "script.py").write_text(code, "utf-8")
        return json.loads(python("script.py", **environment).splitlines()[-1])

    return script


@pytest.mark.long
def test_the_sources_build_the_same_wheel(wheel, tmp_path):
    """Byte for byte, and at another time, when a build front end packs the sources first."""
    packed = tmp_path / backend.build_sdist(str(tmp_path))
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / packed.name.removesuffix(".tar.gz")
    assert (unpacked / "PKG-INFO").read_text("utf-8").startswith("Metadata-Version: 2.1\nName: feedback-lab\n")
    build = "import backend, sys; print(backend.build_wheel(sys.argv[1]))"
    named = subprocess.run(
        [sys.executable, "-c", build, str(tmp_path)], cwd=unpacked / ".ci", check=True, capture_output=True, text=True
    )
    assert (tmp_path / named.stdout.strip()).read_bytes() == wheel.read_bytes()


RUN = f"""
import datasets, json, sys
import feedback_lab as fl
if __name__ == "__main__":
    sim = fl.Simulation(**{SETUP}, replicates=3, seed=1)
    sim.advance(steps=100)
    from feedback_lab.learners.compiled import counts
    loaded = [name for name in sys.modules if name.split(".")[0] in ("streamlit", "plotly", "learners", "pages")]
    print(json.dumps([sim.history["average-regret"].tolist(), datasets.stranger, loaded, counts()["compiled"]]))
"""

SWEEP = f"""
import datasets, json, os, warnings
import feedback_lab as fl
if __name__ == "__main__":
    warnings.simplefilter("error")
    where = {{"scheduler": os.environ["SCHEDULER"]}} if "SCHEDULER" in os.environ else {{"workers": 2}}
    table = fl.sweep({SETUP}, {OVER}, replicates=2, steps=64, metrics=["flips", "ndcg@5"], **where)
    print(json.dumps(table.value.tolist()))
"""


@pytest.mark.long
def test_a_run_beside_a_stranger_named_datasets(script):
    """The same numbers as in a checkout, without pages; what was compiled is found by the next process."""
    sim = Simulation(**SETUP, replicates=3, seed=1)
    sim.advance(steps=100)
    values, stranger, loaded, compiled = script(RUN)
    np.testing.assert_array_equal(values, sim.history["average-regret"])
    assert (stranger, loaded) == (True, []) and compiled > 0
    assert script(RUN)[3] == 0


@pytest.mark.long
def test_a_sweep_in_worker_processes(script):
    wanted = sweep(SETUP, OVER, replicates=2, steps=64, metrics=["flips", "ndcg@5"])
    np.testing.assert_array_equal(script(SWEEP), wanted.value)


@pytest.mark.long
def test_a_sweep_on_a_cluster(script, tmp_path):
    """Its workers have never heard of it."""
    pytest.importorskip("distributed")
    from tests.learners.sweep.test_cluster import ended, started

    address, processes = started(tmp_path, 1)
    try:
        wanted = sweep(SETUP, OVER, replicates=2, steps=64, metrics=["flips", "ndcg@5"])
        np.testing.assert_array_equal(script(SWEEP, SCHEDULER=address), wanted.value)
    finally:
        ended(processes)


@pytest.mark.long
@pytest.mark.parametrize("comparison", [None, (("sample", 2),)], ids=["run", "comparison"])
def test_an_exported_script_runs_with_it_and_with_a_checkout(python, tmp_path, comparison):
    run = RunSpec((Spec("perturbed-perceptron"),), Spec("web-search", (("queries", 50),)), Spec("noisy-grades"), 2, 40)
    (tmp_path / "run.py").write_text(lab_script(RunSpec(**{**vars(run), "comparison": comparison})), "utf-8")
    installed = python("run.py")
    assert "average-regret" in installed
    shared = os.environ["FEEDBACK_LAB_CACHE"]  # where the code of the checkout has been compiled
    assert python("run.py", "--library", ROOT, PYTHONPATH="", FEEDBACK_LAB_CACHE=shared) == installed


@pytest.mark.long
def test_its_examples(python):
    """The doctests of modules whose names, or whose files, count."""
    options = ("-q", "--doctest-modules", "-o", "doctest_optionflags=NORMALIZE_WHITESPACE", "-p", "no:cacheprovider")
    names = (
        "datasets.guard",
        "datasets.discovery",
        "datasets.home",
        "learners.catalogue",
        "pages.ui.figures.catalogue",
    )
    said = python("-m", "pytest", *options, "--pyargs", "feedback_lab.__init__", *(f"feedback_lab.{n}" for n in names))
    assert re.search(r"\b([6-9]|\d\d) passed", said), said


@pytest.mark.long
def test_its_pages_are_drawn(python, installed, tmp_path):
    (tmp_path / "pages.py").write_text(
        "import sys\nfrom streamlit.testing.v1 import AppTest\n"
        f"test = AppTest.from_file({str(installed / 'feedback_lab' / 'app.py')!r}, default_timeout=100)\n"
        "for page in ('home', 'stability', 'figures', 'catalogue', 'lessons'):\n"
        "    test.switch_page(f'pages/{page}.py').run()\n"
        "    assert not test.exception, test.exception\n"
        "    print(page, len(test.main))\n",
        "utf-8",
    )
    assert len(re.findall(r"^\w+ [1-9]", python("pages.py", FEEDBACK_LAB_WARM="no"), re.M)) == 5
