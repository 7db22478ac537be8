"""Imports run one way: datasets ← learners ← pages ← app.py; read from the import statements of every file."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCREEN = {"streamlit", "plotly"}


def imported(code, package=()):
    """Full names of the modules that a file imports, anywhere in it; `package` is the file's own, for dots."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in (
            "import_module",
            "__import__",
        ):
            found |= {arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}
    return found


def files(*folders):
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert paths
    return paths


def tops(path):
    """The first part of each name that the file imports."""
    return {name.split(".")[0] for name in imported(path.read_text("utf-8"), path.relative_to(ROOT).parent.parts)}


def named(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", files("datasets"), ids=named)
def test_datasets_know_neither_learners_nor_pages(path):
    assert not tops(path) & {"learners", "pages", "app", "tests", *SCREEN}


@pytest.mark.parametrize("path", files("learners"), ids=named)
def test_learners_know_no_pages(path):
    assert not tops(path) & {"pages", "app", "tests", *SCREEN}


@pytest.mark.parametrize("name", ["draw/charts", "lab/race", "lab/setup"])
def test_what_can_be_used_without_a_browser_does_not_import_streamlit(name):
    assert "streamlit" not in tops(ROOT / "pages" / "ui" / f"{name}.py")


@pytest.mark.parametrize("path", files("datasets", "learners", "pages"), ids=named)
def test_nobody_imports_the_app_or_the_tests(path):
    assert not tops(path) & {"app", "tests"}


def test_the_reader_of_imports_finds_them_all():
    code = """
import a.b, c as d
from e.f import g
from . import h
from ..i import j
def late():
    if True:
        import k
    import importlib; importlib.import_module("l.m")
    return __import__("n")
"""
    found = imported(code, ("top", "sub"))
    assert {"a.b", "c", "e.f", "e.f.g", "top.sub.h", "top.i", "top.i.j", "k", "l.m", "n"} <= found
    assert "d" not in found
