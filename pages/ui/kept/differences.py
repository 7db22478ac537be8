"""The differences between two runs, in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import datasets
from datasets.parameters import Declared, Parameter
from datasets.spec import Spec
from learners.catalogue import learner_classes, user_classes
from learners.grid import Grid, GridSpec
from learners.spec import RunSpec
from pages.ui.counting import counted
from pages.ui.race.world import REPLICATES, SEED, STEPS


@dataclass(frozen=True)
class Difference:
    """A setting with its value in two runs, in words.

    >>> Difference("noise η", "0.2", "0.4").words
    'noise η 0.2 → 0.4'
    """

    title: str
    then: str
    now: str

    @property
    def words(self) -> str:
        """The difference as a short text."""
        return f"{self.title} {self.then} → {self.now}"


def differences(then: RunSpec | GridSpec, now: RunSpec | GridSpec) -> list[Difference]:
    """Return what differs between two runs or two sweeps, in words and with the titles of the settings.

    Settings without effect are left out. Where another learner, data set or user is chosen, its settings belong to it
    and are not compared one by one.
    """
    if isinstance(then, GridSpec) and isinstance(now, GridSpec):
        places = range(max(len(then.grids), len(now.grids)))
        pairs = [[_grid(spec.grids[i] if i < len(spec.grids) else None) for spec in (then, now)] for i in places]
        varied = [Difference(f"parameter {i}:", *pair) for i, pair in enumerate(pairs, 1) if pair[0] != pair[1]]
        return differences(then.run, now.run) + varied
    if isinstance(then, GridSpec) or isinstance(now, GridSpec):
        kinds = ["sweep" if isinstance(spec, GridSpec) else "run" for spec in (then, now)]
        return [Difference("kind:", *kinds)]
    classes = learner_classes()
    found: list[Difference] = []
    for slot in range(max(len(then.learners), len(now.learners))):
        pair = [setup.learners[slot] if slot < len(setup.learners) else None for setup in (then, now)]
        found += _of_choices(f"learner {slot + 1}", pair[0], pair[1], classes, learner=True)
    found += _of_choices("data set", then.dataset, now.dataset, datasets.classes())
    found += _of_choices("simulated user", then.user, now.user, user_classes())
    before, after = dict(then.comparison or ()), dict(now.comparison or ())
    for name in dict.fromkeys([*before, *after]):
        if before.get(name) != after.get(name):
            found.append(Difference(name.replace("_", " "), _plain(before.get(name)), _plain(after.get(name))))
    unit = f"{now.family.unit}s T" if now.learners else STEPS.name
    for title, a, b in (
        (REPLICATES.name, then.replicates, now.replicates),
        (unit, then.steps, now.steps),
        (SEED.name, then.seed, now.seed),
    ):
        if a != b:
            found.append(Difference(title, _plain(a), _plain(b)))
    if then.answers != now.answers:
        earlier, later = (counted(len(setup.answers), "step") for setup in (then, now))
        found.append(Difference("answered by hand:", earlier, f"{later} otherwise" if earlier == later else later))
    return found


def label(found: Sequence[Difference], most: int = 2) -> str:
    """Return a short text for a kept run, by how it differs from another.

    >>> label([]), label([Difference("noise η", "0.2", "0.4"), Difference("seed", "0", "3")], most=1)
    ('this run', 'noise η 0.2 → 0.4 and 1 more')
    """
    if not found:
        return "this run"
    more = f" and {len(found) - most} more" * (len(found) > most)
    return ", ".join(difference.words for difference in found[:most]) + more


def _of_choices(
    title: str, then: Spec | None, now: Spec | None, classes: Mapping[str, type[Declared]], learner: bool = False
) -> Iterator[Difference]:
    """Find the differences between two choices. The settings of a learner are named together with the learner."""
    if then is None or now is None or then.id != now.id:
        if then != now:
            yield Difference(f"{title}:", _named(then, classes, learner), _named(now, classes, learner))
        return
    prefix = f"{title}, " if learner else ""
    cls, before, after = classes[now.id], then.values, now.values
    for p in cls.parameters():
        used = p.when is None or p.when[1] in (before.get(p.when[0]), after.get(p.when[0]))
        if used and before.get(p.name, p.default) != after.get(p.name, p.default):
            values = [_plain(values.get(p.name, p.default), p) for values in (before, after)]
            yield Difference(f"{prefix}{p.name.replace('_', ' ')} {p.symbol}".strip(), *values)


def _grid(grid: Grid | None) -> str:
    """Return the grid of a parameter in words."""
    if grid is None:
        return "none"
    spacing = " (logarithmic)" * grid.log
    return f"{grid.parameter.label.replace('_', ' ')} in {grid.number} values {grid.low:g} to {grid.high:g}{spacing}"


def _named(choice: Spec | None, classes: Mapping[str, type[Declared]], described: bool) -> str:
    if choice is None:
        return "none"
    cls = classes[choice.id]
    return ", ".join(filter(None, (cls.title, cls.make(**choice.values).describe() if described else "")))


def _plain(value: Any, parameter: Parameter | None = None) -> str:
    """Return a value as a person writes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    if parameter is not None and parameter.kind == "vector":
        return f"({', '.join(f'{x:g}' for x in value)})"
    if parameter is not None and parameter.name == "path":
        value = PurePosixPath(value).name
    return str(value)[:60] or "empty"
