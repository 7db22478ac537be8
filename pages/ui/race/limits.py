"""The limits of a run on a shared server, and what a lab keeps of it."""

from dataclasses import replace
from typing import Any

import datasets
from datasets.spec import Spec
from datasets.variables import DATA_MB
from learners import Simulation
from learners.family import StepWork
from learners.random import Seeds
from learners.ranking.users.base import User
from learners.run.cost import held
from learners.spec import RunSpec
from pages.ui.counting import counted
from pages.ui.jobs.estimate import RaceEstimate
from pages.ui.race.answers import check_items

MEGABYTES = 48.0  # of the states of all learners, from which the page looks back at earlier steps
RECORDED = 400_000  # steps × replicates that the history of a lab holds before it is thinned


def recorded(run: RunSpec) -> int:
    """Return how many steps the history holds before it is thinned."""
    return max(2000, RECORDED // run.replicates)


def kept(run: RunSpec) -> dict[str, Any]:
    """Return what each simulation of a lab's run keeps."""
    return {"recorded": recorded(run), "megabytes": MEGABYTES / len(run.learners)}


def lab_simulation(run: RunSpec, number: int, data: Any) -> Simulation:
    """Return the simulation of one learner, by its number from 0, as a lab runs it."""
    return run.simulation(number, data, **kept(run))


def check_size(dataset: Spec) -> Any:
    """Return the size of a data set that a shared server should build; None of a file, whose loader has own limits.

    Raises
    ------
    ValueError : with a sentence that says what to do.
    """
    return _checked_size(_unbuilt(dataset))


def _unbuilt(dataset: Spec) -> Any:
    """Return a data set that is not built yet; of a file its class."""
    if "path" in dataset.values:
        return datasets.classes()[dataset.id]
    return datasets.create(dataset.id, **dataset.values)


def _checked_size(data: Any) -> Any:
    if isinstance(data, type):
        return None
    size = data.size()
    if size.bytes > DATA_MB.at_start * 1e6:
        raise ValueError(
            f"This data set needs {size.bytes / 1e6:,.0f} MB of memory; this server allows {DATA_MB.at_start:,} MB. "
            "Make it smaller or run it as a script."
        )
    return size


def check_world(run: RunSpec) -> Any:
    """Check that the learners can learn on the data and from the user, before the data are built. Return these.

    Raises
    ------
    ValueError : with the learner's sentence.
    """
    data, user = _unbuilt(run.dataset), run.made_user()
    for made in run.made():
        if made.fixed_list and (reason := made.unfit(data, user)):
            raise ValueError(f"{reason}.")
    return data


def check(run: RunSpec) -> None:
    """Check that a run does not ask for more than a shared server should give.

    Raises
    ------
    ValueError : with a sentence that says what to change.
    """
    if not run.learners:
        raise ValueError("Choose at least one learner to watch.")
    family, steps = run.family, len(run.learners) * run.steps * run.replicates
    if steps > family.budget.steps:
        raise ValueError(
            f"{counted(len(run.learners), 'learner')} × {run.steps:,} {family.unit}s × {run.replicates} "
            f"replicates are {steps:,} {family.unit}s in all; a lab allows {family.budget.steps:,}. Lower the "
            f"{family.unit}s or the replicates."
        )
    size = _checked_size(check_world(run))
    if family.budget.planned is not None and size is not None:
        _check_work(run, family.budget.planned(size))


def _check_work(run: RunSpec, work: StepWork) -> None:
    """Raise a ValueError for more work of a step than a lab allows."""
    family, total = run.family, run.replicates * work.amount
    if total > family.budget.most_work:
        raise ValueError(
            f"{run.replicates} replicates × {work.words} are {total:,} {work.unit} a {family.unit}; a lab allows "
            f"{family.budget.most_work:,}. Lower the replicates or the {work.lower}."
        )


def check_step(run: RunSpec, data: Any) -> RaceEstimate | None:
    """Check that one step on these data takes neither too much work nor too much memory, and has what was answered.

    Return the estimate of the run, which may still be made; None if the run is light.

    Raises
    ------
    ValueError : with a sentence that says what to lower, why the user cannot judge these data, or
        which answer does not belong to them.
    """
    family, learners = run.family, run.made()
    budget, shape = family.budget, family.shape(data)
    if budget.work is not None:
        _check_work(run, budget.work(data))
    state = sum(learner.memory(shape, run.replicates) for learner in learners)
    if state > budget.megabytes * 1e6:
        full = any(c.values.get("matrices") == "full" for c in run.learners)
        documents = max(shape.documents, shape.examples)
        size = f"{shape.classes:,} labels" if shape.classes else f"{documents:,} documents"
        raise ValueError(
            f"{counted(len(run.learners), 'learner')} × {run.replicates} replicates would hold "
            f"{state / 1e6:,.0f} MB for {shape.features:,} features and {size}; a lab allows "
            f"{budget.megabytes:,} MB. Lower the replicates{', or choose diagonal matrices' * full}."
        )
    user = run.made_user()
    if isinstance(user, User) and (reason := user.unfit(data)):
        raise ValueError(f"{reason}.")
    keeps = kept(run)
    check_items(run.answers, family, data, Seeds(run.seed, run.replicates))
    return RaceEstimate(
        replace(run, answers=()), family, len(learners), run.replicates, run.steps, state,
        sum(held(learner, shape, run.replicates, run.steps, keeps["recorded"], again=1) for learner in learners),
        make=lambda number, replicates: replace(run, replicates=replicates).simulation(number, data, **keeps),
    ).checked()  # fmt: skip
