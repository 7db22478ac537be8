"""Write a static edition, `python -m pages.static OUT [--lessons …] [--demos …] [--figures]`, or a lesson for a course.

    python -m pages.static edition                          # all lessons, demos and figures
    python -m pages.static edition --lessons flip gamma     # these lessons alone
    python -m pages.static edition --demos --figures        # all demos and the figures, no lesson
    python -m pages.static edition --server https://lab.example.org   # with links into the app that runs there
    python -m pages.static --scorm flip.zip --lessons flip  # a SCORM 1.2 package of one lesson, for a course
    python -m pages.static --scorm flip.zip --lessons flip.de       # the same in German

The folder can be put on any file server, below any path, or opened from a disk. A recording is made once: those of
a stopped run stay, and later runs make anew those that have changed. Numbers do not depend on the machine. Pages
that cannot be made are left out, and named at the end.
"""

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TypeVar

from pages.ui.counting import counted
from pages.ui.figures import catalogue
from pages.ui.gallery.demos import Demo
from pages.ui.lessons.lesson import Lesson
from pages.ui.static import demos, figures, films, home, lessons, scorm, sweeps
from pages.ui.static.films import Wanted, done_in
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
    """Write an edition; return 1 where something of it could not be made."""
    parser = argparse.ArgumentParser(
        prog="python -m pages.static", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, nargs="?", help="the folder; what else it holds stays")
    parser.add_argument("--lessons", nargs="*", metavar="ID", help="these lessons, or all of them without an id")
    parser.add_argument("--demos", nargs="*", metavar="ID", help="these demos, or all of them without an id")
    parser.add_argument("--figures", action="store_true", help="the map of figures, and a page for each")
    parser.add_argument("--server", default="", help="address of an app, to which pages then link")
    parser.add_argument("--scorm", type=Path, metavar="ZIP", help="write one lesson as a package instead")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    given = parser.parse_args(arguments)
    asked = given.lessons is not None or given.demos is not None or given.figures
    try:
        if given.out is None and given.scorm is None:
            raise ValueError("name the folder of the edition, or with --scorm the file of a package")
        if given.out is not None and given.out.exists() and not given.out.is_dir():
            raise ValueError(f"{given.out} is a file, and an edition needs a folder")
        if given.workers < 1:
            raise ValueError(f"--workers must be at least 1, got {given.workers}")
        if given.scorm is not None and (len(given.lessons or ()) != 1 or given.demos is not None or given.figures):
            raise ValueError("--scorm needs exactly one lesson, such as --lessons flip, and nothing else")
        server = address_of(given.server)
        known = lessons.offered(every_language=given.scorm is not None)
        some_lessons = chosen(given.lessons if asked else [], known, "lesson")
        some_demos = chosen(given.demos if asked else [], demos.offered(), "demo")
    except ValueError as error:
        parser.error(str(error))
    try:
        if given.scorm is not None:
            with nullcontext(given.out) if given.out is not None else tempfile.TemporaryDirectory() as folder:
                package(given.scorm, Store(Path(folder)), some_lessons[0], server, given.workers)
        else:
            with_figures = given.figures or not asked
            failed = edition(Store(given.out), some_lessons, some_demos, with_figures, server, given.workers)
            if failed:
                raise ValueError(told(failed))
    except (ValueError, OSError, BrokenProcessPool) as error:
        print(f"It is not complete: {error}", file=sys.stderr)
        return 1
    return 0


def edition(
    store: Store, some_lessons: Sequence[Lesson], some_demos: Sequence[Demo], with_figures: bool, server: str,
    workers: int,
) -> dict[str, str]:  # fmt: skip
    """Write an edition into a folder, and say what there is. Return what is left out, each with why."""
    began = time.perf_counter()
    swept = [demo for demo in some_demos if sweeps.is_sweep(demo)]
    wanted = [(name_of(demo), demos.wanted(demo)) for demo in some_demos if demo not in swept]
    failed = record(store, [*wanted, *films_of(some_lessons)], workers)
    failed |= documents(store, [*swept, *(one for one in some_lessons if name_of(one) not in failed)], workers)
    pictures = False
    writing = {name_of(lesson): partial(lessons.write, store, lesson, server) for lesson in some_lessons}
    writing |= {name_of(demo): partial(demos.write, store, demo, server) for demo in some_demos}
    for name, write in writing.items():
        if name not in failed:
            drawn = tried(write)
            if isinstance(drawn, Exception):
                failed[name] = str(drawn)
            else:
                pictures |= drawn
    some_lessons = [lesson for lesson in some_lessons if name_of(lesson) not in failed]
    some_demos = [demo for demo in some_demos if name_of(demo) not in failed]
    if with_figures:
        figures.write(store, server)
    home.write(store, some_lessons, some_demos, with_figures)
    write_parts(store, pictures)
    size = store.finish()
    count = len(catalogue.figures()) if with_figures else 0
    print(f"{store.folder}: {counted(len(some_lessons), 'lesson')}, {counted(len(some_demos), 'demo')}, "
          f"{counted(count, 'figure')}; {len(store.written):,} files with {size / 1e6:.1f} MB, of which "
          f"{len(store.changed):,} were written, in {time.perf_counter() - began:.0f} s")  # fmt: skip
    return failed


def package(path: Path, store: Store, lesson: Lesson, server: str, workers: int) -> None:
    """Write the package of a lesson, with what an edition in a folder has of it.

    Raises
    ------
    ValueError : where something of it cannot be made.
    """
    if failed := record(store, films_of([lesson]), workers) or documents(store, [lesson], workers):
        raise ValueError(told(failed))
    size = scorm.write(path, store.folder, lesson, server)
    print(f"{path}: the lesson {lesson.title!r} as a SCORM 1.2 package, {size / 1e6:.1f} MB")


def name_of(one: Lesson | Demo) -> str:
    """Return how a message names a lesson or a demo."""
    return f"{type(one).__name__.lower()} {one.id!r}"


def told(failed: Mapping[str, str]) -> str:
    """Return what is left out, as a text.

    >>> told({"demo 'flip'": "there is no disk", "lesson 'gamma'": "it is too long"})
    "demo 'flip' (there is no disk), lesson 'gamma' (it is too long) could not be made"
    """
    return f"{', '.join(f'{name} ({why})' for name, why in failed.items())} could not be made"


def films_of(some_lessons: Sequence[Lesson]) -> list[tuple[str, Wanted]]:
    """Return all recordings of some lessons, each with the name of its lesson."""
    return [(name_of(lesson), one) for lesson in some_lessons for one in lessons.films_of(lesson)]


def tried(job: Callable[[], One]) -> One | Exception:
    """Return what a job returns, or what it raises, so that the others go on."""
    try:
        return job()
    except Exception as error:
        return ValueError(str(error) or type(error).__name__)  # others may have no way between processes


def documents(store: Store, some: Sequence[Lesson | Demo], workers: int) -> dict[str, str]:
    """Make of lessons, and of sweeps, what is not there or has changed. Return those that failed, with why."""
    missing: list[Lesson | Demo] = []
    jobs: list[Callable[[], Exception | None]] = []
    for one in some:
        if isinstance(one, Lesson) and lessons.made(store.folder, one) is None:
            missing.append(one)
            jobs.append(partial(tried, partial(lessons.make, store.folder, one)))
        if isinstance(one, Demo) and sweeps.made(store.folder, one) is None:
            missing.append(one)
            jobs.append(partial(tried, partial(sweeps.make, store.folder, one)))
    failed: dict[str, str] = {}
    for done, (number, result) in enumerate(done_in(jobs, workers), 1):
        name = name_of(missing[number])
        print(f"  {done} of {len(jobs)} documents: {name}", flush=True)
        if isinstance(result, Exception):
            failed[name] = str(result)
    return failed


def record(store: Store, wanted: Iterable[tuple[str, Wanted]], workers: int) -> dict[str, str]:
    """Make the recordings that are not there, and note the files of all. Return whose recordings failed, with why."""
    owners: dict[str, list[str]] = {}
    named: dict[str, Wanted] = {}
    failed: dict[str, str] = {}
    for owner, one in wanted:
        name = tried(partial(getattr, one, "name"))
        if isinstance(name, Exception):
            failed[owner] = str(name)
            continue
        named[name] = one
        owners.setdefault(name, []).append(owner)
    missing = [name for name in named if not films.there(store.folder, name)]
    jobs = [partial(tried, partial(films.make, store.folder, named[name])) for name in missing]
    for done, (number, result) in enumerate(done_in(jobs, workers), 1):
        name = missing[number]
        what = f"  {done} of {len(missing)} recordings: {named[name].page}"
        if isinstance(result, Exception):
            print(f"{what} failed: {result}", flush=True)
            failed |= dict.fromkeys(owners[name], str(result))
        else:
            print(f"{what} in {result:.0f} s", flush=True)
    files = {name: films.there(store.folder, name) for name in named}
    store.keep(*(file for name in named for file in files[name]))
    store.changed.update(file for name in missing for file in files[name])
    return failed
