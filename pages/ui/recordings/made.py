"""What the app, the library and the static edition share when they make a document of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from learners import Simulation
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.play import payload
from pages.ui.play.recording import Recording
from pages.ui.play.scenes import SceneJob
from pages.ui.play.scenes import shown as scene_of
from pages.ui.race.change import CHANGE
from pages.ui.race.charts import ChartSpec, ChartView
from pages.ui.race.inspector import Inspector
from pages.ui.race.scene import Scene
from pages.ui.recordings.document import Document

STORIES = 60  # steps whose inspector goes into a document


def document(
    recording: Recording, specs: Sequence[ChartSpec], view: ChartView, look: Look, inspector: type[Inspector],
    page: str, title: str, spec: RunSpec | None, scene: Scene | str | None = None, replicate: int = 0,
    values: int = payload.ALL_VALUES, thin: str = "", told: Sequence[int] = (), films: bool = True,
    **more: Any,
) -> Document:  # fmt: skip
    """Return the document of a complete recording, without a page around it.

    spec : None where none determines the numbers. scene : as in a lab. values : most of single steps that are kept.
    thin : what thin lines show. told : steps at which the inspector speaks of each learner besides the marked ones.
    films : whether single replicates have their curves. more : other parts of the payload.
    """
    setup, moment = recording.setup, recording.moment()
    parts = payload.parts(moment, specs, view, look, replicate, thin, films)
    charts = [
        chart | {"frames": recording.frames[chart["id"]].since(0)} if chart["id"] in recording.frames else chart
        for chart in parts["charts"]
    ]
    whole = payload.WHOLE | parts | {
        "charts": charts, "exact": payload.exact(moment, specs, view, payload.near(moment, specs, recording.t, values)),
        "scene": _scene(recording, specs, scene, inspector, replicate), "run": recording.name, "drawn": recording.name,
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
    labels = setup.labels()
    return Document.of(
        title, whole, stories([*asked, *marked], recording.at, labels, recording.unit, inspector, look), spec=spec
    )


def _scene(
    recording: Recording, specs: Sequence[ChartSpec], scene: Scene | str | None, inspector: type[Inspector],
    replicate: int,
) -> dict[str, Any] | None:  # fmt: skip
    """Return the scene of the payload: what happened in each step, or the chart that stands in its place."""
    if isinstance(scene, Scene):
        job = SceneJob(recording, scene, replicate)
        while not job.complete:
            job.advance(1e9)
        return scene_of(job, recording, None, 0)[0]
    if scene is None or not any(spec.id == scene for spec in specs):
        return None
    made: dict[str, Any] = {"kind": "picture", "chart": scene, "complete": True}
    if (frames := recording.frames.get(CHANGE)) is not None and inspector.change is not None:
        made["change"] = inspector.change.face() | {"id": CHANGE, "frames": frames.since(0)}
    return made


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
        said = f": {event['text']}" if event["text"] else ""
        title = f"{unit.capitalize()} {event['t']:,}, {labels[event['slot']]}{said}"
        account = inspector(simulation, event["replicate"], look).html()
        found.append({name: event[name] for name in ("t", "slot", "replicate")} | {"title": title, "html": account})
    return found
