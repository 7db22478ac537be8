"""What the app and the library share when they make a document of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from learners import Simulation
from pages.ui.draw.charts import Look
from pages.ui.race.inspector import Inspector

STORIES = 60  # steps whose inspector goes into a document


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
        title = f"{unit.capitalize()} {event['t']:,}, {labels[event['slot']]}: {event['text']}"
        account = inspector(simulation, event["replicate"], look).html()
        found.append({name: event[name] for name in ("t", "slot", "replicate")} | {"title": title, "html": account})
    return found
