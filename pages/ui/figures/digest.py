"""Digests of a figure's setup and of the code on which its numbers depend.

The code of a figure is that of its learners, users, data sets and environments, with all modules of this project that
they import, whether at the top of a file or within a function. Comments, docstrings and layout play no part.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import datasets
from learners.catalogue import families, learner_classes, user_classes
from pages.ui.figures.figure import Figure, Group, Groups, Panel, Size

ROOT = Path(__file__).parents[3]
PACKAGES = ("datasets", "learners", "pages.ui.figures.made", "pages.ui.search")
ALWAYS = ("learners.sweep.trial", "learners.sweep.batch", "learners.run.simulation")
# what of a declaration plays no part in the numbers
SHOWN = frozenset(
    {"title", "x_title", "y_title", "log_y", "y_range", "stands_for", "own", "lab", "printed", "timed", "assumed"}
)
SIZES = frozenset({"page", "paper", "live"})
LENGTH = 16  # hexadecimal digits


def setup_digest(figure: Figure, scale: str = "page") -> str:
    """Return a digest of everything in the declaration that determines the numbers at a scale."""
    return _short(repr([(_plain(panel), _plain(panel.size(scale))) for panel in figure.panels]))


def code_digest(figure: Figure) -> str:
    """Return a digest of the code on which the numbers of a figure depend."""
    return _code(tuple(sorted({module for panel in figure.panels for module in _modules(panel)} | set(ALWAYS))))


@cache
def _code(modules: tuple[str, ...]) -> str:
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += [found for found in _module(name)[1] if found not in seen]
    return _short("\n".join(f"{name} {_module(name)[0]}" for name in sorted(seen)))


def _modules(panel: Panel) -> Iterator[str]:
    """Yield the modules with the learners, users, data, environments and functions of a panel."""
    if panel.computed is not None:
        yield panel.computed.__module__
    worlds = [panel.dataset]
    users = [panel.user, *(series.user for series in panel.series)]
    if isinstance(panel.x, Groups):
        worlds += [group.dataset for group in panel.x.groups]
        users += [group.user for group in panel.x.groups]
    yield from (datasets.classes()[id].__module__ for id in worlds if id)
    yield from (user_classes()[id].__module__ for id in users if id)
    for series in panel.series:
        if series.learner:
            cls = learner_classes()[series.learner]
            yield cls.__module__
            yield families()[cls.family].environment.__module__


@cache
def _module(name: str) -> tuple[str, tuple[str, ...]]:
    """Return a digest of the code of a module, and the modules of this project that it imports."""
    path = ROOT / Path(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    tree = ast.parse(file.read_text("utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)) and ast.get_docstring(
            node, clean=False
        ):
            node.body = node.body[1:] or [ast.Pass()]
    # the packages themselves import everything, but what a run uses of them is among the modules at the start
    return _short(ast.dump(tree)), tuple(sorted(module for module in found - set(PACKAGES) if _ours(module)))


def _ours(name: str) -> bool:
    path = ROOT / Path(*name.split("."))
    within = any(name == package or name.startswith(f"{package}.") for package in PACKAGES)
    return within and (path.with_suffix(".py").is_file() or (path / "__init__.py").is_file())


def _plain(value: Any) -> Any:
    """Return a declaration as lists and texts, without what is only shown."""
    if is_dataclass(value) and not isinstance(value, type):
        left_out = SHOWN | SIZES if isinstance(value, Panel) else frozenset() if _sized(value) else SHOWN
        values = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in left_out}
        return [type(value).__name__, *((name, _plain(part)) for name, part in values.items())]
    if isinstance(value, Mapping):
        return sorted((str(key), _plain(part)) for key, part in value.items())
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if callable(value):
        return value.__qualname__  # where it stands plays no part; its code is in the other digest
    return value


def _sized(value: Any) -> bool:
    return isinstance(value, (Size, Group))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]
