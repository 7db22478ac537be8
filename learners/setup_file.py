"""An experiment as a file: a run or a sweep as TOML, which people edit and a cluster's jobs read.

`write` and `read` are each other's inverse. The file says what determines the numbers and nothing else; what is to be
measured, and where it runs, the commands are told (`python -m learners`).
"""

import json
import re
import tomllib
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any

import datasets
from datasets.parameters import Declared, shown, whole
from datasets.spec import Spec
from learners.catalogue import create, create_user
from learners.grid import Grid, GridSpec, varying
from learners.spec import RunSpec

MOST_BYTES = 1_000_000
MOST_VALUES = 10_000  # of a grid
_RUN = {"steps": 1000, "replicates": 1, "seed": 0}
_LEAST = {"steps": 1, "replicates": 1, "seed": 0}
_PARTS = ("learners", "dataset", "user", "comparison", "answers", "vary")


def write(spec: RunSpec | GridSpec) -> str:
    """Return the file of a run or a sweep.

    >>> print(write(RunSpec((Spec("banditron", (("gamma", 0.1),)),), Spec("synsep"), replicates=10)))
    # A run of Feedback Lab: python -m learners compare setup.toml, or sweep setup.toml
    steps = 1000
    replicates = 10
    seed = 0
    <BLANKLINE>
    [[learners]]
    id = "banditron"
    gamma = 0.1
    <BLANKLINE>
    [dataset]
    id = "synsep"
    <BLANKLINE>
    """
    run = spec.run if isinstance(spec, GridSpec) else spec
    swept = isinstance(spec, GridSpec)
    words = "A sweep of Feedback Lab: python -m learners sweep setup.toml"
    if not swept:
        words = "A run of Feedback Lab: python -m learners compare setup.toml, or sweep setup.toml"
    tables = [("", {name: getattr(run, name) for name in _RUN})]
    tables += [("[[learners]]", {"id": learner.id, **learner.values}) for learner in run.learners]
    tables.append(("[dataset]", {"id": run.dataset.id, **run.dataset.values}))
    tables += [("[user]", {"id": run.user.id, **run.user.values})] if run.user else []
    tables += [("[comparison]", dict(run.comparison))] if run.comparison is not None else []
    tables += [("[answers]", {str(t): items for t, items in run.answers})] if run.answers else []
    for grid in spec.grids if isinstance(spec, GridSpec) else ():
        values = {"low": grid.low, "high": grid.high, "number": grid.number, "log": grid.log}
        tables.append(("[[vary]]", {"parameter": grid.name, **values}))
    written = ["\n".join(filter(None, (head, *(f"{_key(k)} = {_value(v)}" for k, v in table.items()))))
               for head, table in tables]  # fmt: skip
    return f"# {words}\n" + "\n\n".join(written) + "\n"


def read(text: str) -> RunSpec | GridSpec:
    """Return the run or the sweep that a file describes. Parameters that are left out have their defaults.

    Raises
    ------
    ValueError : with a sentence, for a file that is no TOML, an unknown name, and a value that is not allowed.

    >>> read('[[learners]]\\nid = "banditron"\\ngamma = 2\\n[dataset]\\nid = "synsep"')
    Traceback (most recent call last):
    ValueError: learner 1: gamma must be in [1e-06, 1], got 2
    """
    if len(text) > MOST_BYTES:
        raise ValueError(f"a setup file may have {MOST_BYTES:,} letters, got {len(text):,}")
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(f"the setup file is no TOML: {str(error)[:200]}") from None
    except ValueError:
        raise ValueError("the setup file has a number of thousands of digits; write a shorter one") from None
    _only(found, (*_RUN, *_PARTS), "the setup file")
    numbers = {name: whole(name, found.get(name, value), low=_LEAST[name]) for name, value in _RUN.items()}
    learners = tuple(_spec(x, f"learner {i}", create) for i, x in enumerate(_list(found, "learners"), 1))
    if not learners:
        raise ValueError('the setup file names no learner; write one as [[learners]] with id = "banditron"')
    dataset = _spec(found.get("dataset", {}), "dataset", datasets.create)
    user = _spec(found["user"], "user", create_user) if "user" in found else None
    comparison = tuple(_table(found["comparison"], "comparison").items()) if "comparison" in found else None
    if any(not isinstance(value, (bool, int, float, str)) for _, value in comparison or ()):
        raise ValueError("comparison must give each name one value")
    answers = tuple(sorted(_answers(_table(found.get("answers", {}), "answers"))))
    run = RunSpec(learners, dataset, user, comparison=comparison, answers=answers, **numbers)
    grids = [_grid(_table(each, "vary"), run) for each in _list(found, "vary")]
    if not grids:
        return run
    if len(learners) > 1:
        raise ValueError(f"a sweep has one learner, got {len(learners)}; leave out [[vary]] to race them")
    if len({grid.name for grid in grids}) < len(grids):
        raise ValueError(f"a sweep varies each parameter once, got {grids[0].name} twice")
    return GridSpec(run, tuple(grids))


def load(path: str | Path) -> RunSpec | GridSpec:
    """Return what the file at a path describes, as `read` does; ValueError also for one that cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return read(file.read(4 * MOST_BYTES).decode())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise ValueError(f"{shown(path)} cannot be read: {reason}") from None


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)


def _only(found: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for name in found:
        if name not in known:
            raise ValueError(f"{where} can hold {', '.join(known)}, got {shown(name)}")


def _table(found: Any, where: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise ValueError(f"{where} must be a table of names and values, got {shown(found)}")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}


def _list(found: Mapping[str, Any], name: str) -> list[Any]:
    each = found.get(name, [])
    if not isinstance(each, list):
        raise ValueError(f"{name} must be written as [[{name}]], once for each, got {shown(each)}")
    return each


def _spec(found: Any, where: str, make: Any) -> Spec:
    """Return a spec whose id and values are allowed, with no more parameters than the file names."""
    values = _table(found, where)
    id = values.pop("id", None)
    if not isinstance(id, str):
        raise ValueError(f"{where} needs an id, a text, got {shown(id)}")
    for name, value in values.items():
        if isinstance(value, dict):
            raise ValueError(f"{where}: {shown(name)} must be a value, got a table")
    try:
        made: Declared = make(id, **values)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    for name in values:
        if not isinstance(getattr(made, name), Hashable):  # an array with a value for each replicate
            raise ValueError(f"{where}: {name} must be one value, got {shown(values[name])}")
    return Spec(id, tuple((name, getattr(made, name)) for name in values))


def _answers(found: Mapping[str, Any]) -> Iterator[tuple[int, tuple[int, ...]]]:
    for t, items in found.items():
        if not re.fullmatch("[0-9]{1,9}", t) or not isinstance(items, tuple):
            raise ValueError(f"answers must map steps to lists of numbers, got {shown(t)} = {shown(items)}")
        yield int(t), tuple(whole(f"an answer to step {t}", item) for item in items)


def _grid(found: dict[str, Any], run: RunSpec) -> Grid:
    _only(found, ("parameter", "low", "high", "number", "log"), "vary")
    known = varying(run.learners[0], run.dataset, run.user)
    name = found.get("parameter")
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"vary can name {', '.join(known) or 'nothing here'} as its parameter, got {shown(name)}")
    parameter = known[name][1]
    suggested = Grid.suggested(parameter)
    ends = []
    for end in ("low", "high"):
        try:
            given = found.get(end, getattr(suggested, end))
            if isinstance(given, tuple):
                raise parameter.refuse(given)
            ends.append(parameter.check(given))
        except ValueError as error:
            raise ValueError(f"vary, {end}: {error}") from None
    log = found.get("log", suggested.log)
    if not isinstance(log, bool):
        raise ValueError(f"vary: log must be true or false, got {shown(log)}")
    return Grid(
        parameter, ends[0], ends[1], whole("number", found.get("number", suggested.number), 1, MOST_VALUES), log
    )
