"""What the browser needs to play a recording, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from learners.run.events import events_of
from pages.ui.draw.charts import PATTERNS, Look, light
from pages.ui.race.charts import ChartSpec, View, figure
from pages.ui.race.moment import Moment
from pages.ui.race.setup import Setup

EVENTS = 40  # of one kind and learner, the most telling ones


def charts(moment: Moment, specs: Sequence[ChartSpec], view: View, look: Look) -> list[dict[str, Any]]:
    """Return the charts with their curves up to a moment; those that are pictures come without their keyframes."""
    found = []
    for spec in specs:
        chart: dict[str, Any] = {"id": spec.id, "title": spec.title, "help": spec.help, "wide": spec.wide}
        if spec.metric is None:
            chart["kind"] = "html" if spec.write is not None else "figure"
        else:
            made = figure(spec, moment, view, look)
            data = [light(trace) for trace in made["data"]]
            chart |= {"kind": "curves", "data": data, "layout": made["layout"], "format": ".3g", "lines": lines(data)}
        found.append(chart)
    return found


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


def learners(setup: Setup, look: Look) -> list[dict[str, Any]]:
    """Return how each learner is called and drawn."""
    look = look.raced(setup.ids)
    return [
        {"label": label, "short": short, "color": look.colors[i % 4], "dash": PATTERNS[look.dashes[i % 4]]}
        for i, (label, short) in enumerate(zip(setup.labels(), setup.shorts(), strict=True))
    ]


def encoded(payload: Mapping[str, Any]) -> bytes:
    """Return the payload as JSON."""
    return orjson.dumps(payload, option=orjson.OPT_SERIALIZE_NUMPY)
