"""The reading of the installed libraries, and of a small one with everything that can go wrong."""

import json
import subprocess
import sys

import pytest

from datasets.functions import corpus, reading
from datasets.functions.corpus import KINDS, PACKAGES, functions, versions
from datasets.functions.mentions import count
from tests.cases import cases


@pytest.fixture(scope="module")
def known():
    """All functions by their full names."""
    return {function.qualified: function for function in functions()}


def test_some_thousand_functions_are_found_once_and_in_order(known):
    found = functions()
    assert len(found) > 3000 and len(known) == len(found)
    keys = [(PACKAGES.index(function.package), function.qualified) for function in found]
    assert keys == sorted(keys)
    aliases = [alias for function in found for alias in function.aliases]
    assert not set(aliases) & set(known)
    assert {function.kind for function in found} == set(KINDS)


@cases(
    ("name", "kind", "word"),
    [
        ("numpy.linalg.svd", "function", "Singular Value"),
        ("numpy.sin", "function", "sine"),
        ("numpy.random.Generator.normal", "method", "normal"),
        ("pandas.DataFrame.merge", "method", "Merge"),
        ("pandas.Series.str.lower", "method", "lowercase"),
        ("pandas.DataFrame.loc", "attribute", "Access"),
        ("pandas.read_csv", "function", "csv"),
        ("scipy.special.gamma", "function", "gamma function"),
        ("scipy.stats.norm", "object", "normal"),
        ("scipy.optimize.minimize", "function", "Minimization"),
        ("sklearn.svm.SVC", "class", "Support Vector"),
        ("sklearn.model_selection.train_test_split", "function", "Split"),
    ],
)
def test_what_everybody_uses_is_there(known, name, kind, word):
    function = known[name]
    assert function.kind == kind and word in function.summary and function.body
    assert function.qualified == name and name.endswith(function.last)


def test_texts_are_plain_and_names_are_public(known):
    for name, function in known.items():
        assert not any(part.startswith("_") for part in name.split(".")), name
        assert ".tests" not in name and function.last != "test"
        assert function.summary and function.summary == " ".join(function.summary.split())
        assert "``" not in function.summary + function.body and ":func:" not in function.body, name
        assert ".. versionadded" not in function.body and all(p.isidentifier() for p in function.parameters)
        assert function.mentions >= 0 and name not in function.aliases


def test_aliases_and_popularity(known):
    assert "numpy.abs" in known["numpy.absolute"].aliases
    assert known["numpy.array"].mentions > 100 > known["numpy.linalg.det"].mentions > 0
    assert {"a", "full_matrices", "compute_uv"} <= set(known["numpy.linalg.svd"].parameters)
    assert "svdvals" in known["scipy.linalg.svd"].see_also and known["scipy.linalg.svd"].examples


def test_mentions_by_hand():
    """`svd` is named by two others, once under See Also and once in examples; by itself does not count."""
    names = {"pk.la.svd": ("pk.svd_old",), "pk.la.eig": (), "pk.Frame.sum": (), "pk.Frame.mean": ()}
    texts = {
        "pk.la.svd": {"See Also": "svd : itself\npk.la.eig, nothing.here"},
        "pk.la.eig": {"See Also": "svd : in the same module", "Examples": ">>> pk.la.svd(a)"},
        "pk.Frame.sum": {"See Also": "Frame.mean : of the class\nmean : by its short name"},
        "pk.Frame.mean": {"Examples": ">>> from pk.la import svd, eig\n>>> from pk import svd_old\n>>> sum(1)"},
    }
    assert count("pk", names, texts) == {"pk.la.svd": 2, "pk.la.eig": 2, "pk.Frame.sum": 0, "pk.Frame.mean": 1}


MODULES = {
    "__init__.py": '''
"""A library."""
import math
from . import parts
from .parts import add, Thing
plus = add
number = 3
root = math.sqrt
class Shape:
    """A shape of no kind."""
shape = Shape()
class _Hidden:
    """Nobody sees it."""
hidden = _Hidden()
hidden.__class__.__doc__ = "An object of a hidden class."
def undocumented(): pass
def test():
    """Run the tests."""
print("noise")
''',
    "parts.py": '''
__all__ = ["add", "Thing", "missing"]
def add(a, b):
    """Add two numbers.

    Parameters
    ----------
    a, b : int
        The numbers.
    """
class Thing:
    """A thing. It has methods.

    See Also
    --------
    add : Adds.
    """
    def turn(self):
        """Turn it."""
    @property
    def weight(self):
        """The weight in kg."""
    def _secret(self):
        """Hidden."""
    @property
    def broken(self):
        """Raises only when asked of an object."""
        raise RuntimeError
def left_out():
    """Stand in no list."""
''',
    "bad.py": "raise RuntimeError('no')",
    "exits.py": "import sys; sys.exit(3)",
    "lazy.py": """
def __getattr__(name):
    raise ValueError(name)
__all__ = ["nothing"]
""",
}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """The functions of a small library."""
    home = tmp_path / "smalllib"
    home.mkdir()
    for name, code in MODULES.items():
        (home / name).write_text(code, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    where = ("smalllib", "smalllib.parts", "smalllib.bad", "smalllib.exits", "smalllib.lazy", "smalllib.absent")
    monkeypatch.setitem(reading.MODULES, "smalllib", where)
    monkeypatch.setattr(reading, "MEMBERS_OF", ("smalllib.Thing", "smalllib.Nothing"))
    yield {function.qualified: function for function in reading.read("smalllib")}
    for name in [name for name in sys.modules if name.split(".")[0] == "smalllib"]:
        del sys.modules[name]


def test_a_small_library_with_all_that_can_go_wrong(small, capsys):
    # what is made in `parts` is found there, since smalllib has no list of its own
    assert {name: function.kind for name, function in small.items()} == {
        "smalllib.Shape": "class",
        "smalllib.hidden": "object",
        "smalllib.parts.Thing": "class",
        "smalllib.parts.add": "function",
        "smalllib.Thing.broken": "attribute",
        "smalllib.Thing.turn": "method",
        "smalllib.Thing.weight": "attribute",
    }
    add = small["smalllib.parts.add"]
    assert (add.summary, add.body, add.parameters) == ("Add two numbers.", "a, b : int The numbers.", ("a", "b"))
    assert add.mentions == 1 and small["smalllib.parts.Thing"].body == "It has methods."


def test_packages_are_chosen_and_others_refused():
    only = functions(["scipy", "scipy"])
    assert {function.package for function in only} == {"scipy"} and functions(()) == ()
    with pytest.raises(ValueError, match="packages must be among numpy, pandas, scipy, sklearn, got 'torch'"):
        functions(["numpy", "torch"])


def test_versions_are_those_installed():
    import numpy
    import sklearn

    assert list(versions()) == list(PACKAGES)
    assert (versions()["numpy"], versions()["sklearn"]) == (numpy.__version__, sklearn.__version__)


def test_what_was_read_is_kept_and_a_broken_file_is_read_again(cache_folder, monkeypatch):
    corpus._functions.cache_clear()
    first = functions(["numpy"])
    reads = []
    with monkeypatch.context() as patch:
        patch.setattr(corpus, "_read", lambda packages: reads.append(packages) or iter(()))
        corpus._functions.cache_clear()
        assert functions(["numpy"]) == first and reads == [[]]
        corpus._functions.cache_clear()
        for path in cache_folder.glob("functions-numpy-*.npz"):
            path.write_bytes(b"broken")
        assert functions(["numpy"]) == () and reads[-1] == ["numpy"]  # asked for, and the stand-in reads nothing
    corpus._functions.cache_clear()
    assert functions(["numpy"]) == first


def test_a_package_that_cannot_be_read_is_left_out():
    assert list(corpus._read(["no_such_package"])) == []


def test_the_reading_process_is_quiet_and_the_same_each_time(tmp_path):
    """Other seeds of Python's hash give the same bytes, so the rows of functions mean the same everywhere."""
    written = []
    for seed in ("1", "2"):
        path = tmp_path / f"{seed}.json"
        code = [sys.executable, "-W", "ignore", "-m", "datasets.functions.reading", "numpy", str(path)]
        environment = {**__import__("os").environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(code, capture_output=True, text=True, check=True, env=environment)
        assert done.stdout == ""
        written.append(path.read_bytes())
    assert written[0] == written[1] and len(json.loads(written[0])) > 500
