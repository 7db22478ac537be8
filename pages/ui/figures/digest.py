"""Digests of a figure's setup, and of its own code.

The setup is everything in the declaration that determines the numbers. The own code is that of the learners, users,
data sets and functions that the figure names, with the algorithms they import. The simulation around them, the kernels
and all else they use are neighbours, whose changes leave the digest as it is. Comments, docstrings, annotations and
imports, names of modules and texts about an algorithm do not count either. Whether neighbours leave the numbers alone
is asked by `python -m pages.figures --verify`, which notes the digest of all `sources` beside that of the own code.
"""

import ast
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import datasets
from datasets import home
from learners.catalogue import learner_classes, user_classes
from pages.ui.figures.figure import Figure, Group, Groups, Panel, Size

FUNCTIONS = home.module("pages.ui.figures.computed")  # the package of the functions that figures name
FOLDERS = ("datasets", "learners", "pages/ui/figures/computed", "pages/ui/search")
# fields of a declaration that play no part in the numbers
SHOWN = frozenset(
    {"title", "x_title", "y_title", "log_y", "y_range", "stands_for", "own", "lab", "printed", "timed", "assumed"}
)
SIZES = frozenset({"page", "paper", "live"})
LENGTH = 16  # hexadecimal digits


def setup_digest(figure: Figure, scale: str = "page") -> str:
    """Return a digest of everything in the declaration that determines the numbers at a scale."""
    return _short(repr([(_plain(panel), _plain(panel.size(scale))) for panel in figure.panels]))


def code_digest(figure: Figure) -> str:
    """Return a digest of the own code of a figure."""
    named = {module for panel in figure.panels for module in _modules(panel)}
    return _short("\n".join(sorted({_computing(module) for module in _with_imports(named)})))


@cache
def sources() -> str:
    """Return a digest of all files with code on which any numbers may depend."""
    files = sorted(file for folder in FOLDERS for file in (home.CODE / folder).rglob("*.py"))
    return _short("\n".join(f"{file.relative_to(home.CODE)} {_short(file.read_text('utf-8'))}" for file in files))


def _modules(panel: Panel) -> Iterator[str]:
    """Yield the modules with the learners, users, data and functions of a panel."""
    if panel.computed is not None:
        yield panel.computed.__module__
    worlds = [panel.dataset]
    users = [panel.user, *(series.user for series in panel.series)]
    if isinstance(panel.x, Groups):
        worlds += [group.dataset for group in panel.x.groups]
        users += [group.user for group in panel.x.groups]
    yield from (datasets.classes()[id].__module__ for id in worlds if id)
    yield from (user_classes()[id].__module__ for id in users if id)
    yield from (learner_classes()[series.learner].__module__ for series in panel.series if series.learner)


def _with_imports(modules: set[str]) -> set[str]:
    """Return modules with those that they import and that hold algorithms, data sets or functions as well."""
    found, waiting = set(modules), list(modules)
    while waiting:
        more = {name for name in _imports(waiting.pop()) if name in _named() or name.startswith(f"{FUNCTIONS}.")}
        waiting += more - found
        found |= more
    return found


@cache
def _named() -> frozenset[str]:
    every: tuple[Mapping[str, type], ...] = (datasets.classes(), user_classes(), learner_classes())
    return frozenset(cls.__module__ for classes in every for cls in classes.values())


@cache
def _tree(name: str) -> ast.Module:
    path = home.ROOT / Path(*name.split("."))
    return ast.parse((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8"))


def _imports(name: str) -> set[str]:
    return {node.module for node in ast.walk(_tree(name)) if isinstance(node, ast.ImportFrom) and node.module}


@cache
def _computing(name: str) -> str:
    """Return a digest of what a module computes."""
    return _short(computing(_tree(name)))


def computing(tree: ast.Module) -> str:
    """Return what code computes, without what is only told.

    >>> computing(ast.parse('title = "A"\\ndef f(x: int) -> int:\\n    "Double."\\n    return 2 * x  # twice'))
    'def f(x):\\n    return 2 * x'
    """
    return ast.unparse(_WithoutTexts().visit(ast.parse(ast.unparse(tree))))


class _WithoutTexts(ast.NodeTransformer):
    """Takes imports, docstrings and annotations out, and what is made of texts alone, outside of functions."""

    within = 0  # functions around what is visited

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        return None

    visit_ImportFrom = visit_Import

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return node.value and self.visit(ast.Assign([node.target], node.value, lineno=node.lineno))

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        self.generic_visit(node)
        called = [part.func for part in ast.walk(node.value) if isinstance(part, ast.Call)]
        parts = [part for part in ast.walk(node.value) if isinstance(part, ast.Name | ast.Constant)]
        told = all(part in called if isinstance(part, ast.Name) else part.value == "" for part in parts)
        return None if told and not self.within else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.keywords = [given for given in node.keywords if given.arg != "rare"]  # where its widget stands
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Empty a text outside of functions."""
        return ast.Constant("") if isinstance(node.value, str) and not self.within else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.within += 1
        node.returns = None
        found = self._with_body(node)
        self.within -= 1
        return found

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._with_body(node)

    def _with_body(self, node: ast.FunctionDef | ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node


def _plain(value: Any) -> Any:
    """Return a declaration as lists and texts, without what is only shown."""
    if is_dataclass(value) and not isinstance(value, type):
        sized = isinstance(value, Size | Group)
        left_out = SHOWN | SIZES if isinstance(value, Panel) else frozenset() if sized else SHOWN
        values = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in left_out}
        return [type(value).__name__, *((name, _plain(part)) for name, part in values.items())]
    if isinstance(value, Mapping):
        return sorted((str(key), _plain(part)) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if callable(value):
        return value.__qualname__  # where it stands plays no part; its code is in the other digest
    return value


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]
