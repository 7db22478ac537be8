"""The settings that determine the numbers of a sweep, as the page asks for it and as a link holds it."""

from collections.abc import Mapping
from dataclasses import replace

import datasets
from datasets.parameters import Parameter
from learners.catalogue import datasets_of, families, learner_classes, learners_of, user_classes, users_of
from learners.family import Family
from learners.grid import Grid, GridSpec, varying
from learners.spec import RunSpec
from pages.ui.form.form import Form
from pages.ui.form.links import choice_of
from pages.ui.race.world import NONE, SEED, ask_data, ask_learner, ask_user, written
from pages.ui.sweep.setup import MOST_POINTS, REPLICATES, STEPS

FAMILY = choice_of("family", "classification", list(families()), "The family of the learners.")
NUMBER = Parameter("number", "integer", 9, 2, MOST_POINTS, help="Number of values of the parameter.")
LOG = Parameter(
    "log", "flag", False, help="Each value is the one before times a constant factor, instead of plus a constant."
)


def ask_spec(form: Form) -> GridSpec:
    """Ask for the settings that determine the numbers. A kept sweep is known by these.

    Raises
    ------
    ValueError : with a sentence, where nothing can vary.
    """
    _, spec = ask_numbers(form)
    if spec is None:
        raise ValueError("Neither its learner nor its data set has a numeric parameter to vary.")
    return spec


def ask_numbers(form: Form) -> tuple[Family, GridSpec | None]:
    """Ask for the settings that determine the numbers. Return the family, and None where nothing can vary."""
    form.section("Setup", "race")
    names = {id: family.title for id, family in families().items()}
    family_id = form.widget(FAMILY, label="Family", titles=names.__getitem__)
    family = families()[family_id]
    for classes, suffix in ((learner_classes(), "-1"), (datasets.classes(), ""), (user_classes(), "")):
        form.offer(classes.values(), suffix)  # those of other families
    form.also |= {"user", "from-1", "to-1", "from-2", "to-2"}
    learner_choice, dataset_choice, user_choice = _choices(family)
    learner = ask_learner(form, learner_choice, dataset_choice, "Learner", "-1", owner=family_id)
    assert learner is not None
    form.section("", "world")
    box = "Settings of the data set"
    dataset = ask_data(form, dataset_choice, learners_of(family), family_id, box, family_id)
    user = ask_user(form, user_choice, "Settings of the user") if user_choice else None
    form.section("Parameters to vary", "vary")
    numeric = {name: p for name, (_, p) in varying(learner, dataset, user).items()}
    grids: list[Grid] = []
    for place in ("1", "2"):
        grid = _grid(form, numeric, place, f"{family_id}:{learner.id}", [g.name for g in grids])
        if grid is not None:
            grids.append(grid)
    form.section("Run")
    replicates = form.widget(REPLICATES)
    unit = family.unit
    form.belongs("steps", unit)  # a number of steps does not fit rounds
    steps = form.widget(_steps(family), label=f"{unit.capitalize()}s T", owner=unit)
    seed = form.widget(SEED)
    run = RunSpec((learner,), dataset, user, replicates, steps, seed)
    return family, GridSpec(run, tuple(grids)) if grids else None


def query(spec: GridSpec, metric: str) -> dict[str, str]:
    """Return the link that opens a sweep, as `ask` reads it. Parameters left out are at declared defaults."""
    run, learner = spec.run, spec.learner
    found = {"family": run.family.id, "learner": learner.id, "dataset": run.dataset.id}
    found |= written(learner_classes()[learner.id], learner, "-1")
    found |= written(datasets.classes()[run.dataset.id], run.dataset)
    if run.user:
        found |= {"user": run.user.id} | written(user_classes()[run.user.id], run.user)
    for place, grid in enumerate(spec.grids, 1):
        found |= {
            f"vary-{place}": grid.name, f"from-{place}": _shortest(grid.low), f"to-{place}": _shortest(grid.high),
            f"number-{place}": str(grid.number), f"log-{place}": str(grid.log).lower(),
        }  # fmt: skip
    return found | {
        "metric": metric, "steps": str(run.steps), "replicates": str(run.replicates), "seed": str(run.seed)
    }  # fmt: skip


def _shortest(number: float) -> str:
    """Return the shortest text of a number.

    >>> _shortest(1.0), _shortest(0.1), _shortest(1234567)
    ('1', '0.1', '1234567')
    """
    short = f"{number:g}"
    return short if float(short) == number else repr(number)


def _steps(family: Family) -> Parameter:
    """Return the length of each run."""
    if family.rounds:
        return replace(STEPS, default=family.rounds, low=1, high=1000, step=10)
    return STEPS


def _choices(family: Family) -> tuple[Parameter, Parameter, Parameter | None]:
    ids = sorted(  # those with numeric parameters come first
        learners_of(family),
        key=lambda id: not any(p.kind in ("real", "integer") for p in learner_classes()[id].parameters()),
    )
    learner = choice_of("learner", ids[0], ids, "The learner to run.")
    sets, users = datasets_of(family), users_of(family)
    dataset = choice_of("dataset", sets[0], list(sets), "The data on which the learner runs.")
    user = choice_of("user", users[0], list(users), "Who gives the feedback.") if users else None
    return learner, dataset, user


def _grid(form: Form, numeric: Mapping[str, Parameter], place: str, owner: str, taken: list[str]) -> Grid | None:
    """Ask for the grid of one parameter."""
    ids = [*([NONE] if place == "2" else []), *(name for name in numeric if name not in taken)]
    if not ids:
        form.note("Neither this learner nor this data set has a numeric parameter to vary.")
        return None
    labels = {name: p.label for name, p in numeric.items()} | {NONE: "— none —"}
    words = "First parameter" if place == "1" else "Second parameter (for a heat map)"
    which = choice_of(f"vary-{place}", ids[0], ids, "The parameter that is varied.")
    name = form.widget(which, label=words, titles=labels.__getitem__, owner=owner)
    if name == NONE:
        return None
    form.spell_out(which.name, name)  # the default depends on the other settings
    parameter = numeric[name]
    suggested = Grid.suggested(parameter)
    owner = f"{owner}:{name}"
    low, high = (
        replace(parameter, name=f"{end}-{place}", default=parameter.check(value), help=words, when=None)
        for end, value, words in (
            ("from", suggested.low, "The first value."),
            ("to", suggested.high, "The last value."),
        )
    )
    left, right = form.columns([1, 1], [low.name, high.name])
    with left:
        first = form.number(low, label="From", owner=owner)
    with right:
        last = form.number(high, label="To", owner=owner)
    number = form.widget(replace(NUMBER, name=f"number-{place}"), label="Values", owner=owner)
    spacing = replace(LOG, name=f"log-{place}", default=suggested.log)
    log = form.widget(spacing, label="Logarithmic spacing", owner=owner)
    return Grid(parameter, first, last, number, log)
