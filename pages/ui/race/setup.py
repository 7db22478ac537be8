"""The settings of a run in a lab, and what the lab keeps of it."""

from __future__ import annotations

from typing import Any

from datasets.parameters import Parameter
from learners import Simulation
from learners.family import Family
from learners.spec import RunSpec
from pages.ui.glossary import says

MEGABYTES = 48.0  # of the states of all learners, from which the page looks back at earlier steps
RECORDED = 400_000  # steps × replicates that the history of a lab holds before it is thinned

REPLICATES = Parameter(
    "replicates", "integer", 20, 1, 100,
    help=f"{says('replicate')} Curves show their mean. Choose 1 to follow a single run.",
)  # fmt: skip
STEPS = Parameter(
    "steps", "integer", 1000, 10, 100_000, step=10,
    help="Length of the run. The papers use 1,000 (toy) to 50,000.",
)  # fmt: skip
SEED = Parameter(
    "seed", "integer", 0, 0, 2**31 - 1,
    help="Determines all random numbers. The same seed gives the same curves on every machine; "
    "of a few data sets the last digits of utilities may differ.",
)  # fmt: skip


def recorded(run: RunSpec) -> int:
    """Return how many steps the history holds before it is thinned."""
    return max(2000, RECORDED // run.replicates)


def kept(run: RunSpec) -> dict[str, Any]:
    """Return what each simulation of a lab's run keeps."""
    return {"recorded": recorded(run), "megabytes": MEGABYTES / len(run.learners)}


def lab_simulation(run: RunSpec, number: int, data: Any) -> Simulation:
    """Return the simulation of one learner, by its number from 0, as a lab runs it."""
    return run.simulation(number, data, **kept(run))


def raced(family: Family, learner: str) -> dict[str, str]:
    """Return the query that opens the family's lab with this learner and a rival."""
    rival = next(id for id in family.rivals if id != learner)
    return {"learner-1": learner, "learner-2": rival, "learner-3": "none", "learner-4": "none"}
