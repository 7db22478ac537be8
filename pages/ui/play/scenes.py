"""The steps of one replicate of a recording, noted in the background and sent to the scene of the player."""

import threading
import time
import weakref
from collections import OrderedDict
from typing import Any

import numpy as np
import orjson

from learners.base import Array
from learners.run.pieces import Pieces
from learners.run.watch import Watch
from pages.ui.jobs.job import Sliced
from pages.ui.jobs.once import once
from pages.ui.jobs.queue import QUEUE
from pages.ui.play import payload
from pages.ui.play.frames import plain, rarely
from pages.ui.play.recording import Recording
from pages.ui.race.change import CHANGE, StepChange
from pages.ui.race.scene import Scene

MOST_STEPS = 2000  # steps that are kept of a longer run
NEAR, MOST_NEAR = 30, 1500  # steps around a marked event that are kept as well, and how many of these in all
PART = 250  # steps that are noted of one learner before the next has its turn
BEFORE, AFTER = 8, 24  # steps around the playhead that are told where the run is thinned
RESTS = 8  # of which as many are kept
MOST_FACES = 8  # data whose faces are kept

Columns = dict[str, Array]


class SceneJob(Sliced):
    """Notes what one replicate did in the steps of a recording, for every learner, once its curves are complete.

    All steps of a run of at most 2,000 are kept; of a longer one 2,000 at equal distances, and in addition up to 1,500
    around the marked events of the replicate.

    Parameters
    ----------
    recording : the run. scene : says what is drawn of a step. replicate : counted from 0.

    Attributes
    ----------
    name : differs from those of all other runs, scenes and replicates. kept : steps that are ready.
    """

    def __init__(self, recording: Recording, scene: Scene, replicate: int) -> None:
        super().__init__()
        self.name, self.scene, self.replicate = name_of(recording, scene, replicate), scene, replicate
        self.kept = 0
        self._recording: Recording | None = recording  # until all is noted
        self._done = False
        self._watches: list[Watch] = []
        self._wanted: Array = np.empty(0, dtype=np.int64)
        self._held = 0  # bytes of the learners that are watched
        self._gathered: list[list[Columns]] = []  # by learner, of the steps up to the next that all will have reached
        self._parts: list[tuple[Array, list[Columns]]] = []  # steps, and their columns by learner
        self._faces = b""
        self._rests: OrderedDict[int, tuple[Array, list[Columns]]] = OrderedDict()
        self._resting = threading.Lock()

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to note."""
        return self._done or bool(self.failed)

    @property
    def ready(self) -> bool:
        """Whether it can begin: the curves come first."""
        return self._recording is not None and self._recording.shown

    def seconds_left(self) -> float:
        """Return infinitely many seconds, since curves come before scenes."""
        return float("inf")

    def advance(self, seconds: float) -> None:
        """Note steps for about `seconds`, at least one block of one learner."""
        recording, stop, begun = self._recording, time.perf_counter() + seconds, False
        if recording is None or not recording.complete:
            return
        if not self._watches:
            self.worked += recording.worked  # who has had much goes behind those who have had little
            self._wanted = wanted(recording, self.replicate)
            self._watches = [Watch(simulation, self.replicate) for simulation in recording.simulations]
            self._gathered = [[] for _ in self._watches]
            shape, replicates = recording.setup.family.shape(recording.data), recording.setup.replicates
            self._held = sum(simulation.learner.memory(shape, replicates) for simulation in recording.simulations)
            self._weigh()
        while self.kept < len(self._wanted):
            at = self._wanted[self.kept : self.kept + PART]
            for watch, gathered in zip(self._watches, self._gathered, strict=True):
                while watch.t < at[-1]:
                    if begun and time.perf_counter() >= stop:
                        return
                    begun = True
                    gathered += _drawn(watch, at, self.scene, recording)
            self._parts.append((at, [_joined(parts) for parts in self._gathered]))
            self._gathered = [[] for _ in self._watches]
            self.kept += len(at)
            self._weigh()
        self._recording, self._watches, self._held, self._done = None, [], 0, True
        self._weigh()

    def _weigh(self) -> None:
        parts = [*self._parts, *self._rests.values()]
        arrays = [array for at, slots in parts for columns in ({"at": at}, *slots) for array in columns.values()]
        self.bytes = sum(array.nbytes for array in arrays) + len(self._faces) + self._held

    # ---- what is sent --------------------------------------------------------------------------------

    def after(self, n: int, thin: bool = False) -> tuple[dict[str, Any], int]:
        """Return the part of the payload after the first n steps that are kept, and how many steps there are now.

        thin : leave out what a step has in common with the one before, and a learner with the first.
        """
        last = self.kept
        first, at, slots = min(max(n, 0), last), [], []
        start = 0
        for steps, columns in list(self._parts):
            if start + len(steps) > first and start < last:
                skip = max(0, first - start)
                at.append(steps[skip:])
                slots.append([{name: values[skip:] for name, values in one.items()} for one in columns])
            start += len(steps)
        joined = [_joined(list(parts)) for parts in zip(*slots, strict=True)]
        steps = np.concatenate(at) if at else np.empty(0, dtype=np.int64)
        return {"first": first, "at": plain(steps), "slots": thinned(joined) if thin else plain(joined)}, last

    def faces(self, data: Any) -> orjson.Fragment:
        """Return how the documents or examples of the data look, as JSON."""
        if not self._faces:
            self._faces = _faces_of(self.scene, data)
            self._weigh()
        return orjson.Fragment(self._faces)

    def now(self, recording: Recording, t: int) -> dict[str, Any] | None:
        """Return the steps around step t if it is not among those kept so far, else None."""
        if not 1 <= t <= recording.t or any(t in steps for steps, _ in list(self._parts)):
            return None
        with self._resting:
            if t not in self._rests:
                at = np.arange(max(1, t - BEFORE), min(recording.t, t + AFTER) + 1)
                self._rests[t] = at, once(self._around(recording, at))
                while len(self._rests) > RESTS:
                    self._rests.popitem(last=False)
                self._weigh()
            self._rests.move_to_end(t)
            at, slots = self._rests[t]
        return {"at": plain(at), "slots": plain(slots)}

    def _around(self, recording: Recording, at: Array) -> Pieces[list[Columns]]:
        """Return what is drawn of the steps `at`, for each learner."""
        slots = []
        for simulation in recording.simulations:
            watch, parts = Watch(simulation, self.replicate, int(at[0]) - 1), list[Columns]()
            while watch.t < at[-1]:
                parts += _drawn(watch, at, self.scene, recording)
                yield
            slots.append(_joined(parts))
        return slots


def name_of(recording: Recording, scene: Scene, replicate: int) -> str:
    """Return the name of the scene of a replicate."""
    return f"{recording.name} {scene.kind} {replicate}"


def scene_job(recording: Recording, scene: Scene, replicate: int) -> SceneJob:
    """Have the scene of a replicate of a recording noted, and return the job."""
    return QUEUE.open(name_of(recording, scene, replicate), lambda: SceneJob(recording, scene, replicate))


def shown(
    job: SceneJob, recording: Recording, known: int | None, rest: int, thin: bool = False
) -> tuple[dict[str, Any], int]:
    """Return the scene of the payload, and how many steps the browser will then have.

    known : how many it has, or None if it has nothing of this scene. rest : the step at which the playhead rests.
    thin : as in `SceneJob.after`.
    """
    complete = job.complete  # before what there is: what comes meanwhile is asked for
    part, held = job.after(known or 0, thin)
    made = {
        "kind": job.scene.kind, "name": job.name, "replicate": job.replicate, "complete": complete,
        "title": job.scene.title, "help": job.scene.help, "change": job.scene.change.face(len(recording.simulations)),
        "learners": [job.scene.about(simulation.learner) for simulation in recording.simulations],
    }  # fmt: skip
    if part["first"] == 0 and (known is None or part["slots"]):
        made["faces"] = job.faces(recording.data)
    if not part["slots"]:
        part["slots"] = [{} for _ in recording.simulations]
    if (now := job.now(recording, rest)) is not None:
        made["now"] = now
    return made | part, held


def pictured(
    chart: str, recording: Recording, change: StepChange | None, known: int = 0
) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the scene of the payload where a chart is it, and how many keyframes of what steps changed it then has.

    known : how many of these the browser has.
    """
    made: dict[str, Any] = {"kind": "picture", "chart": chart, "complete": True}
    if change is None or (frames := recording.frames.get(CHANGE)) is None:
        return made, {}
    sent = frames.since(known)
    made["change"] = change.face(len(recording.simulations)) | {"id": CHANGE, "frames": sent}
    return made, {CHANGE: sent["first"] + len(sent["frames"])}


_drawn_faces: OrderedDict[tuple[type[Scene], int], tuple[Any, bytes]] = OrderedDict()


def _faces_of(scene: Scene, data: Any) -> bytes:
    """Return the faces as JSON. Those of the latest data are kept: a run with another setting is often on the same."""
    key = type(scene), id(data)
    whose, faces = _drawn_faces.get(key, (None, b""))
    if whose is None or whose() is not data:
        faces = orjson.dumps(scene.faces(data))
        _drawn_faces[key] = weakref.ref(data), faces
        while len(_drawn_faces) > MOST_FACES:
            _drawn_faces.popitem(last=False)
    return faces


def wanted(recording: Recording, replicate: int) -> Array:
    """Return the steps of a recording that are kept, in rising order."""
    steps = recording.t
    if steps <= MOST_STEPS:
        return np.arange(1, steps + 1)
    even = np.unique(np.linspace(1, steps, MOST_STEPS).round().astype(np.int64))
    with recording.looked_at():
        marked = payload.events(recording.moment(), replicate)["list"]
    near = around(np.unique([event["t"] for event in marked]).astype(np.int64), steps)
    return np.union1d(even, near)


def around(marks: Array, steps: int, near: int = NEAR, most: int = MOST_NEAR) -> Array:
    """Return the steps, from 1 to `steps`, that are `near` to one of the marks; if too many, those that are nearest.

    >>> around(np.array([3, 40]), steps=41, near=2, most=100)
    array([ 1,  2,  3,  4,  5, 38, 39, 40, 41])
    >>> around(np.array([3, 40]), steps=41, near=2, most=5)
    array([ 2,  3,  4, 39, 40])
    """
    offsets = np.arange(-near, near + 1)
    at = (marks[:, None] + offsets).ravel()
    far = np.tile(np.abs(offsets), len(marks))
    inside = (at >= 1) & (at <= steps)
    order = np.lexsort((at[inside], far[inside]))
    at, far = at[inside][order], far[inside][order]
    _, first = np.unique(at, return_index=True)  # of a step near to several marks, its distance to the nearest
    return np.sort(at[np.sort(first)[:most]])


def _drawn(watch: Watch, at: Array, scene: Scene, recording: Recording) -> list[Columns]:
    """Let a learner take the next block of steps. Return what is drawn of those among `at`, if any."""
    before = watch.t
    columns = watch.advance(min(watch.block, int(at[-1]) - before))
    rows = at[(at > before) & (at <= watch.t)] - before - 1
    if not len(rows):
        return []
    seen = {name: values[rows] for name, values in columns.items()}
    drawn = scene.drawn(seen, recording.data, len(recording.simulations))
    return [{name: small(values) for name, values in drawn.items()}]


def small(values: Array) -> Array:
    """Return whole numbers in the smallest type with a sign that holds them, others in single precision.

    >>> small(np.array([-1, 127])).dtype, small(np.array([128])).dtype
    (dtype('int8'), dtype('int16'))
    """
    if values.dtype.kind == "f":
        return values.astype(np.float32)
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    kinds = (np.int8, np.int16, np.int32)
    fitting = (kind for kind in kinds if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)
    return np.asarray(values, dtype=next(fitting, np.int64))


def thinned(slots: list[Columns]) -> list[dict[str, Any]]:
    """Return columns by learner as they travel: 0 for one that is that of the first learner.

    >>> thinned([{"row": np.array([4, 4, 9])}, {"row": np.array([4, 4, 9])}])
    [{'row': [4, 4, 9]}, {'row': 0}]
    """
    first = slots[0] if slots else {}
    return [
        {
            name: 0 if slot and name in first and np.array_equal(values, first[name]) else rarely(values)
            for name, values in columns.items()
        }
        for slot, columns in enumerate(slots)
    ]


def _joined(parts: list[Columns]) -> Columns:
    """Return columns of several parts as one."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]} if parts else {}
