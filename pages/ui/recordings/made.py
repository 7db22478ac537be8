"""Parts of a document of a run, for the app, the library and the static edition."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from learners import Simulation
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.play import payload
from pages.ui.play.recording import Recording
from pages.ui.play.scenes import SceneJob, shown
from pages.ui.play.scenes import pictured as scene_pictured
from pages.ui.race.charts import ChartSpec, ChartView
from pages.ui.race.face import Face
from pages.ui.race.inspector import Inspector
from pages.ui.recordings.document import Document

LONG = 1e9  # seconds
STORIES = 60  # steps whose inspector goes into a document


def document(
    recording: Recording, specs: Sequence[ChartSpec], view: ChartView, look: Look, face: Face, page: str, title: str,
    spec: RunSpec | None, replicate: int = 0, values: int = payload.ALL_VALUES, thin: str = "",
    told: Sequence[int] = (), films: bool = True, pictured: Recording | None = None, **more: Any,
) -> Document:  # fmt: skip
    """Return the document of a complete recording, without a page around it.

    spec : None where none determines the numbers. values : most of single steps that are kept. thin : what thin lines
    show. told : steps at which the inspector speaks of each learner besides the marked ones. films : whether single
    replicates have their curves. pictured : the recording that has the pictures, if it is another one. more : other
    parts of the payload.
    """
    setup, moment, pictured = recording.setup, recording.moment(), pictured or recording
    parts = payload.parts(moment, specs, view, look, replicate, thin, films)
    charts = [
        chart | {"frames": pictured.frames[chart["id"]].since(0)} if chart["id"] in pictured.frames else chart
        for chart in parts["charts"]
    ]
    whole = payload.WHOLE | parts | {
        "charts": charts, "exact": payload.exact(moment, specs, view, payload.near(moment, specs, recording.t, values)),
        "scene": _scene(recording, pictured, face, replicate), "run": recording.name, "drawn": recording.name,
        "page": page, "title": title, "steps": setup.steps, "unit": recording.unit, "replicates": setup.replicates,
        "text": look.text, "grid": look.grid, "other": look.other, "failed": recording.failed,
    } | more  # fmt: skip
    marked = parts["events"]["list"]
    known = {(event["t"], event["slot"]) for event in marked}
    asked = [
        {"t": t, "slot": slot, "replicate": replicate, "text": ""}
        for t in sorted({t for t in told if 0 < t <= recording.t})
        for slot in range(len(setup.learners))
        if (t, slot) not in known
    ]
    account = stories([*asked, *marked], recording.at, setup.labels(), recording.unit, face.inspector, look)
    return Document.of(title, whole, account, spec=spec)


def _scene(recording: Recording, drawn: Recording, face: Face, replicate: int) -> dict[str, Any] | None:
    """Return the scene of the payload: what happened in each step, or the chart that stands in its place."""
    if isinstance(face.scene, str):
        return scene_pictured(face.scene, drawn, face.inspector.change)[0] if face.scene in drawn.frames else None
    if face.scene is None:
        return None
    job = SceneJob(recording, face.scene, replicate)
    while not job.complete:
        job.advance(LONG)
    return shown(job, recording, None, 0)[0]


def stories(
    events: Iterable[Mapping[str, Any]], at: Callable[[int, int], Simulation], labels: Sequence[str], unit: str,
    inspector: type[Inspector], look: Look,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return what the inspector tells of the steps of marked events.

    at : function from a learner's number and a step to the simulation as it was after that step.
    """
    found = []
    for event in islice(events, STORIES):
        simulation = at(event["slot"], event["t"])
        if simulation.t == 0:  # nothing to tell yet
            continue
        said = f": {event['text']}" if event["text"] else ""
        title = f"{unit.capitalize()} {event['t']:,}, {labels[event['slot']]}{said}"
        account = inspector(simulation, event["replicate"], look).html()
        found.append({name: event[name] for name in ("t", "slot", "replicate")} | {"title": title, "html": account})
    return found
