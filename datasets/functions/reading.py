"""The reading process: `python -m datasets.functions.reading package path` writes a package's functions as JSON.

The packages are imported in a process of their own, since some hundred modules take seconds and memory, and may print,
warn, or end the process. `corpus` starts it.
"""

import importlib
import inspect
import json
import sys
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

from datasets.functions import text
from datasets.functions.corpus import DocumentedFunction
from datasets.functions.mentions import count
from datasets.functions.places import LEFT_OUT, MEMBERS_OF, MODULES

_ELSEWHERE = ("See Also", "References", "Examples", "Methods")  # sections that are not part of the body


def read(package: str) -> list[DocumentedFunction]:
    """Import a package and return its public functions, sorted by full name.

    An object with several public names is listed once, under the name with the fewest dots, among these its own, among
    these the one whose module or class `places` lists first. An object without a docstring of its own is left out.
    """
    places = _named(package)
    texts = {name: text.sections(docstring) for name, (_, docstring) in places.items()}
    mentions = count(package, {name: place.aliases for name, (place, _) in places.items()}, texts)
    found = []
    for name in sorted(places):
        place, parts = places[name][0], texts[name]
        summary, rest = text.opening(parts[""])
        if not summary:
            continue
        body = [rest, *(text.plain(parts[s]) for s in text.SECTIONS if s in parts and s not in _ELSEWHERE)]
        found.append(
            DocumentedFunction(
                package, place.module, place.name, place.kind, summary, " ".join(part for part in body if part),
                text.parameters("\n".join(parts.get(s, "") for s in ("Parameters", "Other Parameters"))),
                text.plain(parts.get("See Also", "")), "Examples" in parts, place.aliases, mentions[name],
            )
        )  # fmt: skip
    return found


class _Place:
    """A public name of an object, and its kind."""

    aliases: tuple[str, ...] = ()

    def __init__(self, module: str, name: str, kind: str, item: Any) -> None:
        self.module, self.name, self.kind, self.item = module, name, kind, item

    @property
    def qualified(self) -> str:
        return f"{self.module}.{self.name}"


def _named(package: str) -> dict[str, tuple[_Place, str]]:
    """Return the place and the docstring of each public object by its full name."""
    places: dict[int, list[_Place]] = {}
    for place in _public(package):
        places.setdefault(id(place.item), []).append(place)
    found = {}
    for held in places.values():
        own = getattr(held[0].item, "__name__", "")
        order = [(p.qualified.count("."), p.name.rsplit(".", 1)[-1] != own, i) for i, p in enumerate(held)]
        first = held[order.index(min(order))]
        first.aliases = tuple(dict.fromkeys(p.qualified for p in held if p is not first))
        docstring = _docstring(first.item)
        if docstring and not (first.kind == "object" and id(type(first.item)) in places):  # the class has that text
            found[first.qualified] = (first, docstring)
    return found


def _public(package: str) -> Iterator[_Place]:
    """Yield the public names of the public modules and classes, in the order of `places`; an object may come again."""
    for where in MODULES[package]:
        module = _imported(where)
        listed = getattr(module, "__all__", None)
        for name in sorted(set(dir(module) if listed is None else listed)):
            item = _attribute(module, name)
            home = _home(item, package)
            # without a list of its own, a module only stands for what was made in it
            mine = listed is not None or home == where or home.startswith(f"{where}._")
            if mine and home and not name.startswith("_") and name not in LEFT_OUT:
                yield _Place(where, name, _kind(item), item)
    for where in MEMBERS_OF:
        if where.startswith(f"{package}."):
            yield from _members(where)


def _members(where: str) -> Iterator[_Place]:
    """Yield the public methods and attributes of a class, or of an accessor of a class."""
    parts = where.split(".")
    cut = next(i for i, part in enumerate(parts) if part[0].isupper())
    module, inside = ".".join(parts[:cut]), ".".join(parts[cut:])
    holder = _imported(module)
    for part in parts[cut:]:
        holder = _attribute(holder, part)
    for name in sorted(dir(holder)) if isinstance(holder, type) else ():
        item = _attribute(holder, name)
        if name.startswith("_") or isinstance(item, type):
            continue
        if callable(item):
            yield _Place(module, f"{inside}.{name}", "method", item)
        elif inspect.isdatadescriptor(item):
            yield _Place(module, f"{inside}.{name}", "attribute", item)


def _imported(name: str) -> Any:
    """Return a module, or None where it is missing or cannot be imported."""
    try:
        return importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a module may raise anything, and some end the process
        return None


def _attribute(holder: Any, name: str) -> Any:
    """Return an attribute, or None where it is missing or cannot be computed."""
    try:
        return getattr(holder, name, None)
    except Exception:
        return None


def _home(item: Any, package: str) -> str:
    """Return the module in which an object was made, or "" for modules, plain values, and what others made."""
    if inspect.ismodule(item):
        return ""
    home = getattr(item, "__module__", None) or type(item).__module__
    if type(item).__name__ == "ufunc":  # NumPy's class, and it does not say who made it
        return package
    return home if isinstance(home, str) and home.split(".")[0] == package else ""


def _kind(item: Any) -> str:
    """Return whether an object of a module is a class, a function, or something else."""
    if isinstance(item, type):
        return "class"
    routine = inspect.isroutine(item) or type(item).__name__ in ("ufunc", "MultiUFunc", "cython_function_or_method")
    return "function" if routine else "object"


def _docstring(item: Any) -> str:
    """Return the docstring of an object, or ""."""
    found = _attribute(item, "__doc__")
    return found if isinstance(found, str) else ""


def main(package: str, path: str) -> int:
    """Read a package and write its functions, a list of values for each, into the file."""
    Path(path).write_text(json.dumps([astuple(function) for function in read(package)]), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
