"""Write a static edition: `python -m pages.static OUT [--lessons …] [--demos …] [--figures]`.

    python -m pages.static edition                          # all lessons, demos and figures
    python -m pages.static edition --lessons flip gamma     # these lessons alone
    python -m pages.static edition --demos --figures        # all demos and the figures, no lesson
    python -m pages.static edition --server https://lab.example.org   # with links into the app that runs there

The folder can be put on any file server, below any path, or opened from a disk. A recording is made once: what a run
that was stopped has made stays, and later runs make anew what has changed. Numbers do not depend on the machine.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pages.ui.figures import catalogue
from pages.ui.static import demos, figures, films, home
from pages.ui.static.films import Wanted
from pages.ui.static.page import write_parts
from pages.ui.static.store import Store

One = TypeVar("One")


def chosen(ids: Sequence[str] | None, known: Mapping[str, One], noun: str) -> list[One]:
    """Return what the ids of an option name: nothing without the option, all for an option without ids.

    Raises
    ------
    ValueError : for an id that is not there.

    >>> chosen(None, {"a": 1}, "demo"), chosen([], {"a": 1}, "demo"), chosen(["a"], {"a": 1, "b": 2}, "demo")
    ([], [1], [1])
    """
    if ids is None:
        return []
    if unknown := [id for id in ids if id not in known]:
        raise ValueError(f"there is no {noun} {unknown[0][:60]!r} to record; known are: {', '.join(known)}")
    return [known[id] for id in known if id in ids or not ids]


def address_of(server: str) -> str:
    """Return the address of an app with a slash at its end, "" for none.

    Raises
    ------
    ValueError : for what is no address.
    """
    if server and not re.fullmatch(r"https?://[^\s/?#\"'<>]+(/[^\s?#\"'<>]*)?", server):
        raise ValueError(f"--server must be an address such as https://lab.example.org, got {server[:60]!r}")
    return server.rstrip("/") + "/" if server else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write an edition; return 1 where a recording could not be made."""
    parser = argparse.ArgumentParser(
        prog="python -m pages.static", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="the folder; what else it holds stays")
    parser.add_argument("--demos", nargs="*", metavar="ID", help="these demos, or all of them without an id")
    parser.add_argument("--figures", action="store_true", help="the map of figures, and a page for each")
    parser.add_argument("--server", default="", help="address of an app, to which pages then link")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    given = parser.parse_args(arguments)
    everything = given.demos is None and not given.figures
    try:
        if given.out.exists() and not given.out.is_dir():
            raise ValueError(f"{given.out} is a file, and an edition needs a folder")
        if given.workers < 1:
            raise ValueError(f"--workers must be at least 1, got {given.workers}")
        server = address_of(given.server)
        some_demos = chosen([] if everything else given.demos, demos.offered(), "demo")
    except ValueError as error:
        parser.error(str(error))
    began, with_figures = time.perf_counter(), bool(everything or given.figures)
    store = Store(given.out)
    try:
        record(store, [demos.wanted(demo) for demo in some_demos], given.workers)
    except (ValueError, OSError) as error:
        print(f"The edition is not complete: {error}", file=sys.stderr)
        return 1
    pictures = demos.write(store, some_demos, server)
    if with_figures:
        figures.write(store, server)
    home.write(store, [], some_demos, with_figures)
    write_parts(store, pictures)
    size = store.finish()
    count = len(catalogue.figures()) if with_figures else 0
    print(f"{given.out}: {len(some_demos)} demos, {count} figures, {len(store.written)} files with "
          f"{size / 1e6:.1f} MB, of which {len(store.changed)} were written, in "
          f"{time.perf_counter() - began:.0f} s")  # fmt: skip
    return 0


def record(store: Store, wanted: Sequence[Wanted], workers: int) -> None:
    """Make the recordings that are not there, and note the files of all."""
    named = {one.name: one for one in wanted}
    missing = [one for name, one in named.items() if not films.there(store.folder, name)]
    for done, (one, seconds) in enumerate(films.make_all(store.folder, missing, workers), 1):
        print(f"  {done} of {len(missing)} recordings: {one.page} in {seconds:.0f} s", flush=True)
    for name in named:
        store.keep(*films.there(store.folder, name))
    store.changed.update(name for one in missing for name in films.there(store.folder, one.name))
