"""All environment variables of the server: `python -m pages.ui.variables` writes the table of HOSTING.md.

A variable is declared where it is used. Here they are collected for HOSTING.md, for the status page, and for the check
when the server starts.
"""

from __future__ import annotations

import difflib
import logging
import os
from collections.abc import Iterable
from pathlib import Path

from datasets import paths
from datasets import variables as declared
from datasets.downloads import base
from datasets.variables import Variable
from learners import plugins, warm
from learners.compiled import store
from pages.ui.files import sharing, uploads
from pages.ui.jobs import limits
from pages.ui.recordings import view
from pages.ui.server import exposure, status, upload_limit
from pages.ui.sweep import setup

# the modules that declare variables, in the order of the table
MODULES = (
    paths, declared, sharing, uploads, base, exposure, upload_limit, limits, status, setup, store, warm,
    plugins, view,
)  # fmt: skip
VARIABLES: tuple[Variable, ...] = tuple(
    {v.name: v for module in MODULES for v in vars(module).values() if isinstance(v, Variable)}.values()
)
PREFIX = "FEEDBACK_LAB_"
HOSTING = Path(__file__).parents[2] / "HOSTING.md"
BEGIN, END = "<!-- variables: made by python -m pages.ui.variables -->", "<!-- end of variables -->"


def check() -> None:
    """Say in the log which variables do not exist, are deprecated or have a new name. Called when the server starts.

    Raises
    ------
    SystemExit : if a value is not allowed, with a sentence for each such variable.
    """
    for sentence in (*unknown(), *renamed()):
        logging.getLogger(__name__).log(logging.WARNING, sentence)
    if wrong := refused():
        raise SystemExit("\n".join(wrong))


def refused() -> list[str]:
    """Return a sentence for each variable whose value in the environment is not allowed."""
    found = []
    for variable in VARIABLES:
        try:
            _ = variable.value
        except ValueError as error:
            found.append(f"{error}.")
    return list(dict.fromkeys(found))  # from one budget several follow


def unknown(names: Iterable[str] | None = None) -> list[str]:
    """Return a sentence for each name that begins as ours do and is none of them. names : by default the environment's.

    >>> unknown(["FEEDBACK_LAB_CLUSTERS", "FEEDBACK_LAB_WORKER", "PATH"])[1]
    'There is no FEEDBACK_LAB_WORKER; did you mean FEEDBACK_LAB_WORKERS?'
    """
    known = [name for variable in VARIABLES for name in (variable.name, *variable.formerly)]
    found = []
    for name in sorted(name for name in (os.environ if names is None else names) if name.startswith(PREFIX)):
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.9)
            found.append(f"There is no {name}; " + (f"did you mean {near[0]}?" if near else "it does nothing."))
    return found


def renamed(names: Iterable[str] | None = None) -> list[str]:
    """Return a sentence for each deprecated or earlier name that is used. names : by default the environment's.

    >>> renamed(["FEEDBACK_LAB_JOBS_MB", "FEEDBACK_LAB_JOBS"])[0]
    'FEEDBACK_LAB_JOBS is deprecated; leave it out for 3. The value that is set still holds.'
    """
    given = set(os.environ if names is None else names)
    return [
        f"{name} is deprecated; leave it out for {variable.follows}. The value that is set still holds."
        if variable.deprecated
        else f"{name} is now {variable.name}. The old name holds as long as the new one is not set."
        for variable in VARIABLES
        for name in (*([variable.name] if variable.deprecated else []), *variable.formerly)
        if name in given
    ]


def table() -> str:
    """Return the table, a row for each variable that is not deprecated."""
    lines = ["| variable | default | allowed | what it does |", "|---|---|---|---|"]
    for variable in VARIABLES:
        if variable.deprecated:
            continue
        default = f"`{variable.format(variable.default).removesuffix('.0')}`" if variable.default != "" else "–"
        allowed = f"a number {variable.allowed}" if variable.kind == "real" else variable.allowed
        lines.append(f"| `{variable.name}` | {default} | {allowed} | {variable.help} |")
    return "\n".join(lines)


def section() -> str:
    """Return what stands between its two marks."""
    return f"{BEGIN}\n\n{table()}\n\n{END}"


def write(file: Path = HOSTING) -> None:
    """Put the table into the text for those who run a server."""
    text = file.read_text("utf-8")
    before, rest = text.split(BEGIN, 1)
    file.write_text(before + section() + rest.split(END, 1)[1], "utf-8")


if __name__ == "__main__":
    write()
