"""Pinned runs, which stay as pale curves beside the present run. They are kept in the link and need no widgets here.

A pin holds the settings that determine numbers and differ from their defaults, so that it means the same run whatever
the present settings are. In the link, `vs=noise~0.4~seed~3~~defaults` holds two pins, the second with every setting at
its default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import numpy as np

import datasets
from datasets.parameters import Declared, Parameter
from datasets.spec import Spec
from learners.catalogue import learner_classes, user_classes
from learners.spec import RunSpec
from pages.ui.counting import counted
from pages.ui.form.form import Asked, Form
from pages.ui.race import limits
from pages.ui.race.charts import ChartSpec, View, drawn_curves
from pages.ui.race.moment import Moment
from pages.ui.race.setup import REPLICATES, SEED, STEPS

MOST_PINS = 4  # pins of a page
VS = Parameter("vs", "text", "", help="Runs that stay as pale curves beside the present one.")
_DEFAULTS = "defaults"
_ESCAPED, _EMPTY = (("%", "%25"), ("~", "%7E")), "%00"

# Function that reads from a link what determines the numbers of a run
Ask = Callable[[Form], RunSpec]


@dataclass(frozen=True)
class Pin:
    """A run that was pinned.

    link : key and text of each setting that determines numbers and differs from its default. setup : the run.
    """

    link: tuple[tuple[str, str], ...]
    setup: RunSpec

    @property
    def text(self) -> str:
        """The pin as it stands in a link, which also tells it from others."""
        parts = [part for pair in self.link for part in pair]
        return "~".join(map(_escape, parts)) or _DEFAULTS


@dataclass(frozen=True)
class Difference:
    """A setting with its value in a pinned run and in the present one, in words.

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


def pin_of(query: Mapping[str, str], ask: Ask) -> Pin:
    """Return the run that a link opens as a pin, without the settings that only change what is drawn.

    Wrong values count as their defaults.
    """
    form = Form(query)
    return _pin(form, ask(form), query)


def _pin(form: Form, setup: RunSpec, query: Mapping[str, str]) -> Pin:
    """Return the pin of a run that was read from the link of a form. query : the part of the link that counts."""
    values = {key: (p, form.value(p, key)) for key, p in form.known.items() if key in query}
    return Pin(tuple((key, p.format(value)) for key, (p, value) in values.items() if value != p.default), setup)


def titles_of(asked: Asked) -> dict[str, tuple[str, str]]:
    """Return title and default, as texts, of each setting, by its key."""
    return {key: (title, p.format(p.default)) for key, (p, title) in asked.items()}


def write(pins: Sequence[Pin]) -> str:
    """Return the text that keeps the pins in a link."""
    return "~~".join(pin.text for pin in pins)


def read(text: str, ask: Ask, known: Mapping[str, Pin] = {}) -> tuple[list[Pin], list[str]]:
    """Return the pins that a link holds, at most `MOST_PINS`, and a sentence for each part that is wrong.

    known : pins that were read before, by their texts.
    """
    pins: list[Pin] = []
    problems: list[str] = []
    parts = text.split("~~") if text else []
    if len(parts) > MOST_PINS:
        problems.append(
            f"vs must hold at most {MOST_PINS} pinned runs, got {len(parts)}; the first {MOST_PINS} are kept."
        )
    for number, part in enumerate(parts[:MOST_PINS], 1):
        pin = known.get(part) or _read_one(part, f"Pinned run {number} in vs", ask, problems)
        if pin is not None and pin not in pins:
            pins.append(pin)
    return pins, problems


def _read_one(text: str, name: str, ask: Ask, problems: list[str]) -> Pin | None:
    """Return the pin that a text stands for, or None if nothing of it is right. The problems are added to the list."""
    if text == _DEFAULTS:
        return pin_of({}, ask)
    parts = [_unescape(part) for part in text.split("~")]
    wrong: list[tuple[str, str]] = []  # a sentence, and what becomes of this part if other parts are right
    if len(parts) % 2:
        words = f"must be settings with their values, such as noise~0.4~seed~3, or {_DEFAULTS}"
        wrong.append((f"{name} {words}; {parts.pop()[:60]!r} has no value", "this part is left out"))
    query = dict(zip(parts[::2], parts[1::2], strict=True))
    form = Form(query)
    setup, known = ask(form), form.known
    unknown = [key for key in query if key not in known]
    if unknown:
        shown = ", ".join(repr(key[:30]) for key in unknown[:3]) + f" and {len(unknown) - 3} more" * (len(unknown) > 3)
        wrong.append((f"{name} can hold {', '.join(known)}, got {shown}", "this part is left out"))
    right: dict[str, str] = {}
    for key, value in query.items():
        parameter = known.get(key)
        if parameter is None:
            continue
        try:
            parameter.parse(value)
            right[key] = value
        except ValueError as error:
            words = str(error).replace(parameter.name, key, 1)
            default = parameter.format(parameter.default) or "empty"
            wrong.append((f"{name}: {words}", f"the default {default} is used"))
    problems += [f"{sentence}; {end if right else 'the run is left out'}." for sentence, end in wrong]
    if not right:
        return None
    try:
        limits.check(setup)
    except ValueError as error:
        problems.append(f"{name} is left out. {error}")
        return None
    return _pin(form, setup, right)


# ---- what differs, in words ------------------------------------------------------------------------


def differences(then: RunSpec, now: RunSpec) -> list[Difference]:
    """Return what differs between two runs, in words and with the titles of the settings.

    Settings without effect are left out. Where another learner, data set or user is chosen, its settings belong to it
    and are not compared one by one.
    """
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
    """Return a short text for a pin.

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


# ---- what is drawn ---------------------------------------------------------------------------------


def ghosts(
    pins: Sequence[Pin], moments: Sequence[Moment | None], now: RunSpec, charts: Sequence[ChartSpec], view: View
) -> list[dict[str, Any]]:
    """Return what the browser draws of the pins, the mean curves of each chart at the steps that the run itself has.

    moments : the end of each pin's run, or as far as it is computed, or None. now : the present run, whose steps the
    curves cover. A pin of which nothing is computed yet has no curves.
    """
    found = []
    for pin, moment in zip(pins, moments, strict=True):
        drawn = {}
        for spec in charts:
            if spec.metric is not None and moment is not None and moment.t:
                drawn[spec.id] = [
                    {
                        "slot": curve.slot,
                        "x": np.ascontiguousarray(curve.x),
                        "y": np.nanmean(curve.values, axis=1).astype(np.float32),
                    }
                    for curve in drawn_curves(spec.metric, moment, view, now.steps)
                    if not (curve.faint or curve.bound) and len(curve.x)
                ]
        found.append({"id": pin.text, "label": label(differences(pin.setup, now)), "charts": drawn})
    return found


def _escape(text: str) -> str:
    for sign, code in _ESCAPED:
        text = text.replace(sign, code)
    return text or _EMPTY


def _unescape(text: str) -> str:
    if text == _EMPTY:
        return ""
    for sign, code in reversed(_ESCAPED):
        text = text.replace(code, sign)
    return text
