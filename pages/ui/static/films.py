"""The recordings of an edition: each is named by what it is made from, and made only where it is not there.

The curves of labs are rounded to a part in 100,000, which halves what they take: charts have pixels, and readouts
three digits.
"""

import base64
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import orjson

from datasets import disk, home
from pages.ui.draw.charts import Look
from pages.ui.families import labs
from pages.ui.files.sharing import load_data
from pages.ui.form.form import Form
from pages.ui.lab.lab import Filled
from pages.ui.lessons.series import SeriesRun, recorded, series
from pages.ui.play.grid import KnobGrid, face
from pages.ui.play.recording import Recording
from pages.ui.race import limits
from pages.ui.race.knob import Turning, knobs_of, owners
from pages.ui.recordings import folding, made
from pages.ui.recordings.document import SUFFIX, Document, read
from pages.ui.static.store import unwrapped, wrapped

One = TypeVar("One")
CODE = ("datasets", "learners", "pages/ui/draw", "pages/ui/families", "pages/ui/lab", "pages/ui/lessons/series",
        "pages/ui/play", "pages/ui/race", "pages/ui/recordings",
        "pages/ui/static/films.py")  # fmt: skip
FOLDER = "data"  # of an edition, with all recordings
STOPS = ".stops.js"  # ending of a file with the runs at the stops of a knob
VALUES = 60_000  # of single steps that a recording keeps; between them curves have points enough
LOOK = Look()  # the page gives the recording the colours of the dark scheme itself


@dataclass(frozen=True)
class Wanted:
    """A recording that an edition needs: the settings of a lab as in a link, and what else is asked of the run.

    page : of the lab, such as "stability", or the id of a series. told : steps at which the inspector speaks. knobs :
    whether its knobs can be turned.
    """

    page: str
    settings: tuple[tuple[str, str], ...]
    told: tuple[int, ...] = ()
    knobs: bool = False

    @property
    def filled(self) -> Filled:
        """The form of the lab with these settings.

        Raises
        ------
        ValueError : for a run that asks for more than a lab allows.
        """
        filled = labs()[self.page].ask(Form(dict(self.settings)))
        assert isinstance(filled, Filled)
        limits.check(filled.run)
        return filled

    @property
    def series(self) -> SeriesRun | None:
        """The series that it is, if it is one."""
        return series()[self.page].ask(Form(dict(self.settings))) if self.page in series() else None

    @property
    def name(self) -> str:
        """A short name for all that the recording depends on: the run, how it is drawn, what is asked, and the code."""
        if (made := self.series) is not None:
            return hashlib.sha256(repr((made, code())).encode()).hexdigest()[:16]
        filled = self.filled
        speed = dict(self.settings).get("speed")
        made_from = filled.run, filled.view, filled.charts, speed, self.told, self.knobs, code()
        return hashlib.sha256(repr((self.page, made_from)).encode()).hexdigest()[:16]

    @property
    def turnings(self) -> list[Turning]:
        """The knobs of the run."""
        if not self.knobs:
            return []
        filled = self.filled
        slots = tuple(range(1, len(filled.run.learners) + 1))
        return knobs_of(filled.run, filled.lab.knobs, slots, filled.lab.family)


@cache
def code(*places: str) -> str:
    """Return a digest of some files and folders of code, by default of the code that makes recordings."""
    paths = [home.CODE / place for place in places or CODE]
    files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*.py")))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def file_of(name: str) -> str:
    """Return the file of a recording in an edition, relative to it."""
    return f"{FOLDER}/{name}{SUFFIX}.js"


def opened(file: bytes) -> Document:
    """Return the document in a file of an edition."""
    return read(unwrapped(file))


def there(folder: Path, name: str) -> list[str]:
    """Return the files of a recording in an edition, relative to it, [] where it is not there as a whole."""
    facts_of = read_facts(folder, name)
    if facts_of is None:
        return []
    found = [f"{FOLDER}/{name}.json", file_of(name), *(f"{FOLDER}/{file}" for file in facts_of["stops"])]
    return found if all((folder / file).is_file() for file in found) else []


def read_facts(folder: Path, name: str) -> dict[str, Any] | None:
    """Return the `knobs` of a recording and the files of their `stops`, None where it is not there."""
    try:
        found: dict[str, Any] = orjson.loads((folder / FOLDER / f"{name}.json").read_bytes())
    except (OSError, ValueError):
        return None
    return found


def make(folder: Path, wanted: Wanted) -> float:
    """Run what is wanted, write its files, the last of which says that it is whole, and return the seconds it took."""
    began, name = time.perf_counter(), wanted.name
    if (made_of := wanted.series) is not None:
        disk.write(folder / file_of(name), wrapped(recorded(made_of, LOOK).packed()))
        _note(folder, name, [], [])
        return time.perf_counter() - began
    filled = wanted.filled
    lab, run = filled.lab, filled.run
    data = load_data(run.dataset)
    limits.check_step(run, data)
    specs = lab.drawn(filled.charts, run, data)
    recording = Recording(name, run, data, lab.face.drawn(specs, LOOK))
    while not recording.complete:
        recording.advance(1e9)
    document = made.document(
        recording, specs, filled.view, LOOK, lab.face, lab.id.replace("-", "_"), lab.title, run, values=VALUES,
        thin=lab.thin, told=wanted.told, films=wanted.knobs, fit=wanted.knobs, usual_speed=lab.speed,
        speed=dict(wanted.settings).get("speed", lab.speed),
    )  # fmt: skip
    document = replace(document, payload=document.payload | rounded(document.payload))
    disk.write(folder / file_of(name), wrapped(document.packed()))
    knobs, stops = [], []
    turnings = wanted.turnings
    for number, (turning, owner) in enumerate(zip(turnings, owners(turnings, run.shorts()), strict=True)):
        file = f"{name}-{number}{STOPS}"
        disk.write(folder / FOLDER / file, wrapped(folding.packed(_turned(recording, turning, filled, specs, file))))
        knobs.append(face(turning, owner, run, LOOK))
        stops.append(file)
    _note(folder, name, knobs, stops)
    return time.perf_counter() - began


def _note(folder: Path, name: str, knobs: list[dict[str, Any]], stops: list[str]) -> None:
    """Write what `read_facts` reads, which says that the files of a recording are whole."""
    disk.write(
        folder / FOLDER / f"{name}.json",
        orjson.dumps({"knobs": knobs, "stops": stops}, option=orjson.OPT_SERIALIZE_NUMPY),
    )


def _turned(recording: Recording, turning: Turning, filled: Filled, specs: Any, name: str) -> dict[str, Any]:
    """Return the runs at all stops of a knob, as the player is sent them."""
    grid = KnobGrid(recording, turning, specs, filled.view, LOOK, load_data)
    while not grid.complete:
        grid.advance(1e9)
    for _, charts in grid.found:
        for line in (line for chart in charts for line in chart["lines"]):
            line["points"][1::2] = [text and coarse(text) for text in line["points"][1::2]]
    return {
        "key": turning.key, "grid": name, "first": 0, "stops": grid.found, "complete": True,
        "left_out": grid.left_out, "failed": grid.failed,
    }  # fmt: skip


def rounded(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the curves of a payload, and their values after each step, rounded."""
    charts = [
        chart if chart["kind"] != "curves" else chart | {
            "data": [trace | {"y": [y and float(f"{y:.6g}") for y in trace["y"]]} for trace in chart["data"]]
        }
        for chart in payload["charts"]
    ]  # fmt: skip
    exact = payload["exact"] and payload["exact"] | {
        "charts": {
            id: {curve: coarse(text) for curve, text in curves.items()}
            for id, curves in payload["exact"]["charts"].items()
        }
    }
    return {"charts": charts, "exact": exact}


def coarse(text: str) -> str:
    """Return packed values in single precision rounded to 17 of their 24 binary digits.

    >>> values = np.array([1 / 3, -2.0, np.nan, 0.0], "<f4")
    >>> text = base64.b64encode(values.tobytes()).decode()
    >>> [round(float(value), 5) for value in np.frombuffer(base64.b64decode(coarse(text)), "<f4")]
    [0.33333, -2.0, nan, 0.0]
    """
    bits = np.frombuffer(base64.b64decode(text), "<u4")
    return base64.b64encode((bits + np.uint32(0x40) & np.uint32(0xFFFFFF80)).astype("<u4").tobytes()).decode()


def done_in(jobs: Sequence[Callable[[], One]], workers: int) -> Iterator[tuple[int, One]]:
    """Do jobs in worker processes, and yield the number of each with what it returned, as they are done.

    Raises
    ------
    ValueError : for one that cannot be done, with a sentence; what others have written stays.
    """
    if workers == 1:
        yield from ((number, job()) for number, job in enumerate(jobs))
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(job): number for number, job in enumerate(jobs)}
        try:
            for future in as_completed(waiting):
                yield waiting[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)
