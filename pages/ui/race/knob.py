"""A knob: a setting of a lab with a few values, all of which are computed ahead, so that curves follow the hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import datasets
from datasets.parameters import Parameter
from datasets.spec import Spec
from learners.catalogue import learner_classes, user_classes
from learners.spec import RunSpec

MOST_KNOBS = 4  # knobs that a lab shows


@dataclass(frozen=True)
class Knob:
    """The declaration of a knob in a lab.

    name : of the parameter. of : whose it is. values : the stops of the knob, in rising order. title : in words, if the
    name of the parameter says too little, without its symbol.

    A parameter of learners has a knob for each learner of the race that uses it.
    """

    name: str
    of: Literal["learner", "user", "dataset"]
    values: tuple[float, ...]
    title: str = ""


@dataclass(frozen=True)
class Turning:
    """A knob as a run has it.

    key : of the setting in the link. parameter : its declaration. of, slot : whose it is; the learner by its number
    from 0. values : the stops, among which is the value of the run. value : that of the run. home : the default.
    """

    key: str
    parameter: Parameter
    of: str
    slot: int | None
    values: tuple[Any, ...]
    value: Any
    home: Any = None
    title: str = ""

    @property
    def label(self) -> str:
        """The name of the setting, with its symbol."""
        return f"{self.title} {self.parameter.symbol}".strip() if self.title else self.parameter.label

    def given(self, run: RunSpec, value: Any) -> RunSpec:
        """Return the run with this value of the setting.

        >>> noise = Turning("noise", Parameter("noise", "real", 0.2, 0, 1), "user", None, (0.0, 0.2), 0.2)
        >>> run = RunSpec((Spec("preference-perceptron"),), Spec("toy-ranking"), Spec("cascade", (("noise", 0.2),)))
        >>> noise.given(run, 0.0).user
        Spec(id='cascade', params=(('noise', 0.0),))
        """
        return run.given(self.of, {self.parameter.name: value}, self.slot or 0)

    def nearest(self) -> list[int]:
        """Return the numbers of all stops, those next to the value of the run first.

        >>> Turning("p", Parameter("p", "real", 0.5), "learner", 0, (0.0, 0.2, 0.5, 1.0), 0.5).nearest()
        [2, 3, 1, 0]
        """
        here = self.values.index(self.value)
        return sorted(range(len(self.values)), key=lambda i: (abs(i - here), -i))


def knobs_of(run: RunSpec, declared: tuple[Knob, ...], slots: tuple[int, ...], family: str) -> list[Turning]:
    """Return the knobs that a run has.

    slots : for each learner of the run, its number in the lab's settings, from 1. family : id of the lab's learners.
    """
    found = []
    for knob in declared:
        if knob.of == "learner":
            for number, spec in enumerate(run.learners):
                key = f"{knob.name}-{slots[number]}"
                found += _turning(knob, key, number, spec, learner_classes()[spec.id].parameters())
        elif knob.of == "user" and run.user is not None:
            found += _turning(knob, knob.name, None, run.user, user_classes()[run.user.id].parameters())
        elif knob.of == "dataset" and "path" not in run.dataset.values:
            used = datasets.classes()[run.dataset.id].used_by(family)
            found += _turning(knob, knob.name, None, run.dataset, used)
    return found[:MOST_KNOBS]


def owners(knobs: Sequence[Turning], learners: Sequence[str]) -> list[str]:
    """Return for each knob the name of its learner if another knob has the same label, else "".

    >>> p = Parameter("p", "real", 0.5, symbol="p")
    >>> knobs = [Turning(f"p-{slot}", p, "learner", slot, (0.5,), 0.5) for slot in (0, 1)]
    >>> owners(knobs, ["A", "B"]), owners(knobs[:1], ["A", "B"])
    (['A', 'B'], [''])
    """
    labels = [knob.label for knob in knobs]
    return [
        learners[knob.slot] if knob.slot is not None and labels.count(knob.label) > 1 else "" for knob in knobs
    ]  # fmt: skip


def _turning(knob: Knob, key: str, slot: int | None, spec: Spec, parameters: tuple[Parameter, ...]) -> list[Turning]:
    for parameter in parameters:
        if parameter.name != knob.name or (parameter.when and spec.values.get(parameter.when[0]) != parameter.when[1]):
            continue
        value = spec.values.get(knob.name, parameter.default)
        allowed = {parameter.check(v) for v in knob.values if parameter.low <= v <= parameter.high} | {value}
        return [Turning(key, parameter, knob.of, slot, tuple(sorted(allowed)), value, parameter.default, knob.title)]
    return []
