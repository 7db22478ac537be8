"""The functions of the libraries that are installed, with their docstrings; nothing is read before somebody asks."""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import json
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import astuple, dataclass
from functools import lru_cache
from io import StringIO
from typing import Any

import numpy as np

from datasets import file_cache
from datasets.functions import text
from datasets.functions.mentions import count
from datasets.functions.places import DISTRIBUTIONS, MEMBERS_OF, MODULES, PACKAGES

VERSION = 2  # of what is kept on disk
KINDS = ("function", "class", "method", "attribute", "object")


@dataclass(frozen=True)
class Function:
    """A public function, class, method, attribute or object of a library.

    package, module, name : such as sklearn, sklearn.svm and SVC; the name of a method is DataFrame.merge.
    kind : one of `KINDS`.
    summary : the first sentence of the docstring. body : the rest, without examples, as plain text.
    parameters : the names of the parameters that the docstring describes.
    see_also : the section "See Also" as plain text. examples : whether there are examples.
    aliases : the other public names of the same object.
    mentions : in how many other docstrings of the package it is named under "See Also" or in examples.
    """

    package: str
    module: str
    name: str
    kind: str
    summary: str
    body: str
    parameters: tuple[str, ...] = ()
    see_also: str = ""
    examples: bool = False
    aliases: tuple[str, ...] = ()
    mentions: int = 0

    @property
    def qualified(self) -> str:
        """The full name, such as sklearn.svm.SVC."""
        return f"{self.module}.{self.name}"


def versions(packages: Iterable[str] = PACKAGES) -> dict[str, str]:
    """Return the version of each of the packages that is installed, without importing it."""
    found = {}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(DISTRIBUTIONS[package])
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def functions(packages: Iterable[str] = PACKAGES) -> tuple[Function, ...]:
    """Return the functions of these packages, sorted by package and full name.

    The first call imports the packages and reads their docstrings; what was read is kept on disk until a version
    changes.

    Raises
    ------
    ValueError : for a package that is not one of `PACKAGES`.
    """
    chosen = tuple(packages)
    for package in chosen:
        if package not in PACKAGES:
            raise ValueError(f"packages must be among {', '.join(PACKAGES)}, got {package!r}")
    return _functions(tuple(package for package in PACKAGES if package in chosen))


@lru_cache(maxsize=8)
def _functions(packages: tuple[str, ...]) -> tuple[Function, ...]:
    return tuple(function for package in packages for function in _package(package))


@lru_cache(maxsize=len(PACKAGES))
def _package(package: str) -> tuple[Function, ...]:
    """Return the functions of one package, from disk if its version has been read before."""
    name = "functions-" + file_cache.key(VERSION, **versions((package,)))
    kept = file_cache.load(name)
    if kept is not None:
        rows: list[list[Any]] = json.loads(kept["text"].tobytes())
        return tuple(map(_restored, rows))
    found = tuple(read(package))
    content = json.dumps([astuple(function) for function in found]).encode()
    file_cache.save(name, {"text": np.frombuffer(content, dtype=np.uint8)})
    return found


def _restored(row: list[Any]) -> Function:
    """Return a function from its values as JSON keeps them."""
    values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in row]
    return Function(*values)


def read(package: str) -> list[Function]:
    """Import a package and read the docstrings of its public objects."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        held = _named(package)
        texts: dict[str, dict[str, str]] = {}
        objects: dict[str, tuple[str, str, str, tuple[str, ...]]] = {}
        for (module, name, kind, aliases), docstring in held:
            parts = text.sections(docstring)
            texts[f"{module}.{name}"] = parts
            objects[f"{module}.{name}"] = (module, name, kind, aliases)
    mentions = count(package, {name: objects[name][3] for name in objects}, texts)
    found = []
    for qualified in sorted(objects):
        module, name, kind, aliases = objects[qualified]
        parts = texts[qualified]
        summary, rest = text.opening(parts[""])
        if not summary:
            continue
        rest = " ".join([rest, *(text.plain(parts[s]) for s in text.SECTIONS if s in parts and s not in _ELSEWHERE)])
        found.append(
            Function(
                package, module, name, kind, summary, rest.strip(),
                text.parameters("\n".join(parts.get(s, "") for s in ("Parameters", "Other Parameters"))),
                text.plain(parts.get("See Also", "")), "Examples" in parts, aliases, mentions.get(qualified, 0),
            )
        )  # fmt: skip
    return found


_ELSEWHERE = ("See Also", "References", "Examples", "Methods")
_Place = tuple[str, str, str, tuple[str, ...]]


def _named(package: str) -> list[tuple[_Place, str]]:
    """Return ((module, name, kind, aliases), docstring) of each public object, once, under its shortest name."""
    names: dict[int, list[tuple[str, str, str, Any]]] = {}
    for module, name, kind, item in _public(package):
        names.setdefault(id(item), []).append((module, name, kind, item))
    found = []
    for places in names.values():
        own = getattr(places[0][3], "__name__", "")
        places.sort(key=lambda p: (f"{p[0]}.{p[1]}".count("."), p[1] != own, len(p[1]), p[0], p[1]))
        module, name, kind, item = places[0]
        docstring = _docstring(item)
        if docstring:
            others = dict.fromkeys(f"{m}.{n}" for m, n, _, _ in places[1:])
            found.append(((module, name, kind, tuple(others)), docstring))
    return found


def _public(package: str) -> Iterator[tuple[str, str, str, Any]]:
    """Yield (module, name, kind, object) for the public objects of the public modules; aliases come several times."""
    for where in MODULES[package]:
        module = _imported(where)
        if module is None:
            continue
        for name in sorted(set(getattr(module, "__all__", None) or dir(module))):
            item = _attribute(module, name)
            kind = _kind(item, package)
            if not name.startswith("_") and kind:
                yield where, name, kind, item
    for where in MEMBERS_OF:
        if where.startswith(f"{package}."):
            yield from _members(where)


def _members(where: str) -> Iterator[tuple[str, str, str, Any]]:
    """Yield the public methods and attributes of a class, or of an accessor of a class."""
    parts = where.split(".")
    cut = next(i for i, part in enumerate(parts) if part[0].isupper())
    module = ".".join(parts[:cut])
    holder = _imported(module)
    for part in parts[cut:]:
        holder = _attribute(holder, part)
    if not isinstance(holder, type):
        return
    inside = ".".join(parts[cut:])
    for name in sorted(dir(holder)):
        if not name.startswith("_"):
            item = _attribute(holder, name)
            if callable(item) and not isinstance(item, type):
                yield module, f"{inside}.{name}", "method", item
            elif inspect.isdatadescriptor(item):
                yield module, f"{inside}.{name}", "attribute", item


def _imported(name: str) -> Any:
    """Return a module, or None where it is missing or cannot be imported."""
    try:
        return importlib.import_module(name)
    except BaseException as error:  # a module may raise anything, and some end the process
        if isinstance(error, KeyboardInterrupt):
            raise
        return None


def _attribute(holder: Any, name: str) -> Any:
    """Return an attribute, or None where it is missing or cannot be computed."""
    try:
        return getattr(holder, name, None)
    except Exception:
        return None


def _kind(item: Any, package: str) -> str:
    """Return the kind of a module's object, or "" for one that is not of the package or is a plain value."""
    if inspect.ismodule(item):
        return ""
    home = (getattr(item, "__module__", None) or type(item).__module__ or "").split(".")[0]
    if home != package:
        return ""
    if isinstance(item, type):
        return "class"
    if type(item).__name__ in ("function", "builtin_function_or_method", "ufunc", "cython_function_or_method"):
        return "function"
    return "function" if inspect.isroutine(item) else "object"


def _docstring(item: Any) -> str:
    """Return the docstring of an object, or ""."""
    found = _attribute(item, "__doc__")
    return found if isinstance(found, str) else ""
