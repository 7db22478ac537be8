"""The payload by which the browser plays a recording, as JSON."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import orjson

from learners.base import Array
from learners.run.events import events_of
from learners.spec import RunSpec
from pages.ui import glossary
from pages.ui.draw.charts import PATTERNS, Look, light, mean_of
from pages.ui.draw.hues import displaced
from pages.ui.draw.legend import entries, legend
from pages.ui.plain import for_plotly
from pages.ui.play.film import film
from pages.ui.race.charts import ChartSpec, ChartView, bounds_of, drawn_curves, figure, revision
from pages.ui.race.moment import Moment

SPEEDS = ("1", "2", "5", "10", "25", "50", "100", "250", "1000", "2500", "10000", "max")  # steps per second
EVENTS = 40  # of one kind and learner, the most telling ones
ALL_VALUES = 400_000  # the same for a file that stands alone
VALUES = 60_000  # of single steps that are sent at once of all curves of a run; of a longer run those around a step
WHOLE: dict[str, Any] = {  # what a payload holds that is complete and that no page around it changes
    "script": "", "complete": True, "pending": False, "failed": "", "answer": 0, "waiting": "", "t": 0, "opened": 0,
    "put": False, "speed": "100", "usual_speed": "100", "speeds": SPEEDS, "preview": True, "present": False,
    "fit": False, "ghosts": [], "futures": [], "asked": [], "knobs": [], "turned": None,
}  # fmt: skip
NEAR = 256  # steps by which they move on, so that they are not sent anew with every step


def parts(
    moment: Moment,
    specs: Sequence[ChartSpec],
    view: ChartView,
    look: Look,
    replicate: int,
    thin: str,
    films: bool = False,
) -> dict[str, Any]:
    """Return the part of the payload that depends on how far the run is computed.

    thin : what thin lines show. films : whether it has the curves of single replicates.
    """
    metrics = [spec.metric for spec in specs if spec.metric is not None]
    bounds = [bounds_of(moment, n, metrics) for n in (0, 1)] if view.bounds and any(m.bounds for m in metrics) else []
    told = zip(moment.setup.labels(), displaced(moment.setup.ids), strict=True)
    names = legend(
        [f"{label} (not in its usual colour)" if other else label for label, other in told],
        look.raced(moment.setup.ids), [name for name in bounds if name],
        thin=thin if view.which == "both" and any(m.companion for m in metrics) else "",
    )  # fmt: skip
    return {
        "reached": moment.t,
        "charts": charts(moment, specs, view, look),
        "events": events(moment, replicate),
        "learners": learners(moment.setup, look),
        "legend": entries(names),
        "revision": revision(moment, view),
        "film": film(moment, specs, view, look, curves=films),
    }


def charts(moment: Moment, specs: Sequence[ChartSpec], view: ChartView, look: Look) -> list[dict[str, Any]]:
    """Return the charts with their curves up to a moment; those that are pictures come without their keyframes."""
    found = []
    for spec in specs:
        title = view.titled(spec.title, spec.metric)
        chart: dict[str, Any] = {"id": spec.id, "title": title, "help": spec.help, "wide": spec.wide}
        chart["terms"] = glossary.found(title)
        if spec.metric is None:
            chart["kind"] = "html" if spec.write is not None else "figure"
        else:
            made = figure(spec, moment, view, look)
            data = [light(trace) for trace in made["data"]]
            chart |= drawn(data, made["layout"])
        found.append(chart)
    return found


def drawn(data: list[dict[str, Any]], layout: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a chart of curves. Names are drawn as they are, but Plotly reads signs in those it has."""
    escaped = [trace | {"name": for_plotly(trace["name"])} if "name" in trace else trace for trace in data]
    return {"kind": "curves", "data": escaped, "layout": layout, "format": ".3g", "lines": lines(data)}


def exact(moment: Moment, specs: Sequence[ChartSpec], view: ChartView, among: tuple[int, int]) -> dict[str, Any] | None:
    """Return the value of every curve after each step from the first to the last of `among`, or None before any.

    In a chart a curve has its values, in single precision and base 64, under its learner, whether it is faint, and its
    number among the bounds. A step of which a thinned history keeps no row has the value of the last row before it.
    """
    first, last = among
    if last < first:
        return None
    found: dict[str, dict[str, str]] = {}
    for spec in specs:
        if spec.metric is None:
            continue
        curves = found[spec.id] = {}
        for curve in drawn_curves(spec.metric, moment, view, moment.setup.steps, among):
            if not len(curve.x):
                continue
            row = np.searchsorted(curve.x, np.arange(first, last + 1), side="right") - 1
            key = f"{curve.slot} {curve.faint:d} {curve.bound}"
            curves[key] = packed(np.where(row < 0, np.nan, mean_of(curve.values)[row]))
    return {"first": first, "charts": found}


def packed(values: Array) -> str:
    """Return values in single precision and base 64.

    >>> packed(np.array([0.5]))
    'AAAAPw=='
    """
    return base64.b64encode(np.asarray(values).astype("<f4").tobytes()).decode()


def near(moment: Moment, specs: Sequence[ChartSpec], t: int, values: int = VALUES) -> tuple[int, int]:
    """Return the first and the last step whose values are sent while the playhead rests at step t.

    They are all, if that is at most so many `values`.
    """
    curves = 2 * len(moment.simulations) * sum(spec.metric is not None for spec in specs)  # with thin lines or bounds
    if moment.t * curves <= values:
        return 1, moment.t
    block = t // NEAR
    return max(1, (block - 1) * NEAR), min(moment.t, (block + 2) * NEAR)


def lines(data: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the traces of a chart are; the trace before a line may be its ribbon."""
    found = []
    for i, trace in enumerate(data):
        meta = trace.get("meta", {})
        if "slot" in meta:
            band = i - 1 if i and data[i - 1].get("fill") else None
            found.append({"trace": i, "name": trace["name"], "band": band} | meta)
    return found


def events(moment: Moment, replicate: int) -> dict[str, Any]:
    """Return the marked events of every learner in one replicate, each with the earlier step that brought it, if one
    did (`cause`). Those that are `common` to the race come once, as the last of
    their step."""
    happened, kinds = [], {}
    numbers: dict[tuple[str, int], int] = {}  # of events of each kind and learner, of which not all are marked
    for slot, simulation in enumerate(moment.simulations):
        for found in events_of(simulation, replicate, most=EVENTS) if moment.t else ():
            event = found.event
            if event.common and slot:
                continue  # it is marked once for the race
            kind = {"id": event.id, "title": event.title, "sign": event.sign, "help": event.help}
            numbers[event.id, slot] = found.of
            kinds[event.id] = kind | {"of": sum(n for (id, _), n in numbers.items() if id == event.id)}
            one = {"t": found.t, "kind": event.id, "slot": slot, "replicate": replicate, "text": found.text}
            one |= {"common": True} if event.common else {}
            happened.append(one | ({"cause": found.cause} if 0 < found.cause < found.t else {}))
    return {"kinds": list(kinds.values()), "list": sorted(happened, key=lambda e: (int(e["t"]), "common" in e))}


def learners(setup: RunSpec, look: Look) -> list[dict[str, Any]]:
    """Return how each learner is called and drawn."""
    look = look.raced(setup.ids)
    return [
        {"label": label, "short": short, "color": look.colors[i % 4], "dash": PATTERNS[look.dashes[i % 4]]}
        for i, (label, short) in enumerate(zip(setup.labels(), setup.shorts(), strict=True))
    ]


def encoded(payload: Mapping[str, Any]) -> bytes:
    """Return the payload as JSON."""
    return orjson.dumps(payload, option=orjson.OPT_SERIALIZE_NUMPY)
