"""Learners, users and data sets of one's own, without a fork: the class itself, "mine.py:Decay" or "module:Class".

Such a reference stands wherever an id does. A sweep elsewhere takes the source of the class along, so that all
processes and machines run the same text, whatever becomes of the file. A server runs none but those that its operator
has put into a folder (`learners.plugins`).
"""

import ast
import hashlib
import importlib
import importlib.util
import linecache
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from datasets import home

PARTS, PACKAGE = ("datasets", "learners"), "feedback_lab"
_HOME = "_feedback_lab_own"  # of a module that was read from a source: what stands before the colon


@dataclass(frozen=True)
class OwnSource:
    """The text of a file with classes of one's own. name : what names it in a reference. path : where it lies."""

    name: str
    path: str
    text: str

    @property
    def digest(self) -> str:
        """A short text that tells its content from any other."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]


_loaded: dict[str, tuple[str, ModuleType]] = {}  # digest and module, by path
_travelled: dict[str, OwnSource] = {}  # what other processes sent along, by name
_of_ids: dict[str, tuple[OwnSource, str]] = {}  # ids that files of an operator bring, with the source and the class
_closed = ""  # why references are refused


def close(reason: str) -> None:
    """Refuse all references from now on, as a server does whose links and files come from anybody."""
    global _closed
    _closed = reason


class OwnOrKnown(dict[str, type[Any]]):
    """Classes by id. A reference stands for a class of one's own, which is not among those that are listed."""

    def __missing__(self, id: str) -> type[Any]:
        if id in _of_ids:  # of an operator, in a process that was sent them
            source, name = _of_ids[id]
            found: type[Any] = getattr(_read(source), name)
            return found
        if not is_reference(id):
            raise KeyError(id)
        return resolve(id)


def is_reference(id: Any) -> bool:
    """Return whether a text names a class by where it is written.

    >>> is_reference("mine.py:Decay"), is_reference("banditron")
    (True, False)
    """
    return isinstance(id, str) and ":" in id


def resolve(reference: str) -> type[Any]:
    """Return the class that "file.py:Class" or "module:Class" names.

    Raises
    ------
    ValueError : in a sentence, if there is no such file, module or class, if its code raises, and where references are
        refused.

    >>> resolve("datasets.parameters:Info").__name__ if not home.PREFIX else "Info"
    'Info'
    >>> resolve("nowhere.py:Decay")
    Traceback (most recent call last):
    ValueError: there is no file nowhere.py
    """
    if _closed:
        raise ValueError(_closed)
    place, _, name = reference.rpartition(":")
    found: Any = module(place)
    for part in name.split("."):
        found = getattr(found, part, None)
    if not isinstance(found, type):
        raise ValueError(f"there is no class {name or '(without a name)'} in {place}")
    return found


def module(place: str) -> ModuleType:
    """Return the module of a file ending in .py, or with a name; a file that has changed is read anew."""
    if place in _travelled:
        return _read(_travelled[place])
    if place.endswith(".py"):
        return _read(read_source(place))
    if place not in sys.modules and (alone := _source(place)):
        return _read(alone)
    try:
        return importlib.import_module(place)
    except Exception as error:  # it is somebody's code
        if isinstance(error, ModuleNotFoundError) and error.name == place.split(".")[0]:
            raise ValueError(f"there is no module {place}; a file is named by its path, such as mine.py") from None
        raise ValueError(f"{place} cannot be imported: {told(error)}") from error


def read_source(place: str) -> OwnSource:
    """Read a file as it is now; ValueError in a sentence if that cannot be."""
    path = Path(place).expanduser().resolve()
    try:
        return OwnSource(place, str(path), path.read_text("utf-8"))
    except FileNotFoundError:
        raise ValueError(f"there is no file {place}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{place} cannot be read: {told(error)}") from None


def _read(source: OwnSource) -> ModuleType:
    """Return a source as a module, the same one until its text changes."""
    digest, found = _loaded.get(source.path, ("", None))
    if found is not None and digest == source.digest:
        return found
    if found is not None and source.name not in _travelled:
        said = f"{source.name} has changed since it was read; what is made of it from now on follows the new text."
        warnings.warn(said, stacklevel=2)
    name = f"{PACKAGE}_own_{hashlib.sha256(source.path.encode()).hexdigest()[:8]}_{Path(source.path).stem}"
    made = ModuleType(name)
    made.__file__ = source.path
    setattr(made, _HOME, source.name)
    lines = source.text.splitlines(keepends=True)
    linecache.cache[source.path] = (len(source.text), None, lines, source.path)  # of this text, for tracebacks
    before = sys.modules.get(name)
    sys.modules[name] = made  # dataclasses and compiled rules look for it there
    try:
        exec(compile(_translated(ast.parse(source.text, source.path)), source.path, "exec"), made.__dict__)
    except Exception as error:  # it is somebody's code
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise ValueError(f"{source.name} cannot be read: {told(error)}") from error
    _loaded[source.path] = source.digest, made
    return made


def told(error: BaseException) -> str:
    """Return an error in a few words, with the line of the file where it is known."""
    line = getattr(error, "lineno", None)
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get(_HOME):
            line = trace.tb_lineno
        trace = trace.tb_next
    words = f"{type(error).__name__}: {getattr(error, 'msg', None) or error}".rstrip(": ")
    return f"{words} (line {line})" if line else words


def _translated(tree: ast.Module) -> ast.Module:
    """Let imports of the library mean the one that runs, installed as one package or a checkout."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            node.module = _there(node.module, [alias.name for alias in node.names])
        elif isinstance(node, ast.Import):
            for alias in node.names:
                there = _there(alias.name, [])
                if there != alias.name and (alias.asname or "." not in alias.name):
                    alias.asname, alias.name = alias.asname or alias.name, there
    return tree


def _there(name: str, names: list[str]) -> str:
    """Return the name of a module of the library as it is imported here; any other name stays."""
    top, _, rest = name.partition(".")
    if not home.PREFIX:
        if top == PACKAGE:
            return rest if rest.split(".")[0] in PARTS else home.module("pages.ui.namespace")
        return name
    if top not in PARTS or importlib.util.find_spec(home.module(top)) is None:
        return name
    try:
        ours = importlib.import_module(home.module(name))
    except ImportError:
        return name  # of the other package with this name
    return home.module(name) if all(hasattr(ours, n) or _has(ours, n) for n in names) else name


def _has(package: ModuleType, name: str) -> bool:
    return hasattr(package, "__path__") and importlib.util.find_spec(f"{package.__name__}.{name}") is not None


# ---- back from a class to its name, and what travels ------------------------------------------------------


def reference(cls: type[Any]) -> str:
    """Return the id of a class in the catalogue, or what else names it.

    >>> from datasets.discovery import classes
    >>> reference(classes()["moons"])
    'moons'
    """
    own = sys.modules.get(cls.__module__)
    place = getattr(own, _HOME, "")
    if place and _of_ids.get(cls.id, (None, ""))[1] == cls.__qualname__:
        return str(cls.id)
    if place:
        return f"{place}:{cls.__qualname__}"
    ours = cls.__module__.startswith(tuple(home.module(f"{part}.") for part in PARTS))
    return str(cls.id) if ours else f"{cls.__module__}:{cls.__qualname__}"


def sources(ids: Iterable[str]) -> tuple[OwnSource, ...]:
    """Return the sources that others need who are to make what these ids and references name.

    A module that is part of a package, or is installed, has to be there.
    """
    found: dict[str, OwnSource] = {}
    for id in ids:
        if id in _of_ids:
            found[id] = _named(*_of_ids[id], id)
        elif is_reference(id):
            place = id.rpartition(":")[0]
            source = _travelled.get(place) or _source(place)
            if source is not None:
                found[place] = source
    return tuple(found.values())


def _named(source: OwnSource, name: str, id: str) -> OwnSource:
    return OwnSource(f"{id}={name}", source.path, source.text)


def _source(place: str) -> OwnSource | None:
    if place.endswith(".py"):
        return read_source(place)
    path = getattr(sys.modules.get(place), "__file__", None)
    if place not in sys.modules and place.isidentifier() and (found := importlib.util.find_spec(place)):
        path = found.origin
    if "." in place or not path or "site-packages" in path or not path.endswith(".py") or path.endswith("__init__.py"):
        return None
    return OwnSource(place, path, read_source(path).text)


def homeless(id: str) -> str:
    """Return in a sentence why other processes cannot make what a reference names, or ""."""
    place, _, name = id.rpartition(":")
    if place != "__main__" or sources([id]):
        return ""
    return (
        f"{name} was written in a notebook or at a prompt, where other processes cannot find it; write it to a file, "
        f'such as mine.py, and name it "mine.py:{name}".'
    )


def take_sources(sent: Iterable[OwnSource]) -> None:
    """Let references and ids stand for these sources from now on, as an exported script does."""
    for source in sent:
        id, _, name = source.name.partition("=")
        if name:
            _of_ids.setdefault(id, (source, name))
        else:
            _travelled[source.name] = source


@contextmanager
def using(sent: Iterable[OwnSource]) -> Iterator[None]:
    """Let references stand for the sources that were sent along, whatever lies on this machine."""
    before, ids = dict(_travelled), dict(_of_ids)
    take_sources(sent)
    try:
        yield
    finally:
        _travelled.clear()
        _travelled.update(before)
        _of_ids.clear()
        _of_ids.update(ids)


def bring(source: OwnSource, names: Mapping[str, str]) -> None:
    """Let ids stand for classes of a file that an operator has put there, by the names of the classes."""
    for id, name in names.items():
        _of_ids[id] = source, name


def file_of(cls: type[Any]) -> str:
    """Return the name of the file of one's own in which a class is written, "" for those of the library."""
    own = sys.modules.get(cls.__module__)
    return Path(getattr(own, "__file__", None) or "").name if hasattr(own, _HOME) else ""


def brought() -> list[type[Any]]:
    """Return the classes that files of an operator bring."""
    return [getattr(_read(source), name) for source, name in _of_ids.values()]
