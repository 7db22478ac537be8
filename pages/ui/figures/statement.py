"""The statements of a paper, and the rules by which each is compared with the result.

A value of the result has one number for every data seed. A statement names the values of which its sentence tells, and
its rules take values or these names:

>>> import numpy as np
>>> from pages.ui.figures.result import Drawn, Result
>>> result = Result({"web": {"3PR": Drawn((10, 100), np.array([[0.5, 0.85], [0.6, 0.87]])),
...                          "top": Drawn((10, 100), np.array([[0.5, 0.77], [0.4, 0.75]]))}})
>>> ours, theirs = at("web", "3PR"), at("web", "top")
>>> f"{Number(ours.of(result)):.2f}, a difference of {Number((ours - theirs).of(result)):.2f}"
'0.86 ± 0.01, a difference of 0.10 ± 0.02'
>>> said = Statement("3PR is better.", "3PR has {a:.2f}, {a - b:.2f} more.", Above("a", "b"), Near("a / b", 1.1, 0.1),
...                  a=ours, b=theirs)
>>> said.verdict(result), said.here(result)
('agrees', '3PR has 0.86 ± 0.01, 0.10 ± 0.02 more.')
>>> [words for words, _ in said.outcomes(result)]
['3PR above top by more than 2 standard errors', '3PR divided by top within 0.1 of 1.1']

Values in a row are called a, b, c … in their order:

>>> Statement("", "3PR has {b:.2f}.", Above("b", "a"), values=(theirs, ours)).here(result)
'3PR has 0.86 ± 0.01.'
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from string import Formatter, ascii_lowercase
from typing import TYPE_CHECKING, Any

import numpy as np

from learners.base import Array

if TYPE_CHECKING:
    from pages.ui.figures.result import Result

AGREES, PARTLY, DIFFERS, OPEN = VERDICTS = "agrees", "agrees in part", "differs", "not run"


class Signed(float):
    """A number that is written with a minus sign in place of a hyphen.

    >>> f"{Signed(-0.5):.2f}"
    '−0.50'
    """

    def __format__(self, spec: str) -> str:
        return super().__format__(spec).replace("-", "−")


class Number:
    """A number for each data seed, which is written as their mean ± one standard error.

    mean, error, least, most : floats, which take any format. A format that ends with p gives percentage points.

    >>> f"{Number([0.84, 0.86]):.2f} (from {Number([0.84, 0.86]).least:.2f})"
    '0.85 ± 0.01 (from 0.84)'
    >>> f"{Number([-12.0]):.0f} {Number([0.43, 0.45]):.0%} {Number([0.43, 0.45]):+.0p} points"
    '−12 44 ± 1 % +44 ± 1 points'
    """

    def __init__(self, values: Any) -> None:
        self.values: Array = np.atleast_1d(np.asarray(values, dtype=float))
        self.mean = Signed(self.values.mean())
        several = len(self.values) > 1
        self.error = float(self.values.std(ddof=1) / np.sqrt(len(self.values))) if several else 0.0
        self.least, self.most = Signed(self.values.min()), Signed(self.values.max())

    def __format__(self, spec: str) -> str:
        percent = " %" if spec.endswith("%") else ""
        factor, form = (100, spec[:-1] + "f") if spec.endswith(("%", "p")) else (1, spec)
        mean = format(factor * self.mean, form).replace("-", "−")
        error = f" ± {format(factor * self.error, form.lstrip('+'))}" if len(self.values) > 1 else ""
        return mean + error + percent


@dataclass(frozen=True)
class Value:
    """A value of a result, one number for every data seed, and what it is in words. Values can be reckoned with."""

    words: str
    of: Callable[[Result], Array]

    def __sub__(self, other: Value | float) -> Value:
        return self._with(other, "less", lambda a, b: a - b)

    def __add__(self, other: Value | float) -> Value:
        return self._with(other, "and", lambda a, b: a + b)

    def __truediv__(self, other: Value | float) -> Value:
        return self._with(other, "divided by", lambda a, b: a / b)

    def __mul__(self, other: Value | float) -> Value:
        return self._with(other, "times", lambda a, b: a * b)

    def _with(self, other: Value | float, word: str, how: Callable[[Any, Any], Any]) -> Value:
        second = _value(other)
        return Value(f"{self.words} {word} {second.words}", lambda result: how(self.of(result), second.of(result)))

    def named(self, words: str) -> Value:
        """Return it with other words."""
        return Value(words, self.of)


Given = Value | str  # a value, or the name of one of the statement's, or two names with a sign of SIGNS between them
SIGNS: dict[str, Callable[[Value, Value], Value]] = {" - ": operator.sub, " / ": operator.truediv}


def _value(given: Given | float) -> Value:
    if isinstance(given, str):
        raise TypeError(f"a rule takes {given!r} by name, which only rules of a statement can")
    return given if isinstance(given, Value) else Value(f"{given:g}", lambda result: np.array([float(given)]))


def at(panel: str, series: str, x: float | str | None = None) -> Value:
    """Return the value of a series at x, between two points interpolated; at its last point without x."""
    words = series if x is None else f"{series} at {x:,g}" if isinstance(x, (int, float)) else f"{series}, {x}"

    def of(result: Result) -> Array:
        drawn = result.drawn(panel, series)
        if x is None:
            return drawn.y[:, -1]
        if isinstance(x, str):
            return drawn.y[:, drawn.place(x)]
        return np.array([np.interp(x, drawn.numbers, row) for row in drawn.y])

    return Value(words, of)


def lowest(panel: str, series: str) -> Value:
    """Return the lowest value of a series, that of its mean curve over x, at the same x for every seed."""
    return _along(f"{series}, lowest", panel, series, lambda x, y: y[:, int(np.nanargmin(y.mean(axis=0)))])


def highest(panel: str, series: str, low: float = -np.inf) -> Value:
    """Return the highest value of a series from x = low on, that of its mean curve, at the same x for every seed."""
    words = f"{series}, highest" + (f" from {low:,g} on" if np.isfinite(low) else "")
    return _along(words, panel, series, lambda x, y: y[:, int(np.nanargmax(y.mean(axis=0)))], low)


def mean_of(panel: str, series: str, low: float = -np.inf, high: float = np.inf) -> Value:
    """Return the mean of a series over its points from x = low to high."""
    ends = (f" from {low:,g}" if np.isfinite(low) else "") + (f" to {high:,g}" if np.isfinite(high) else "")
    return _along(f"mean of {series}{ends}", panel, series, lambda x, y: y.mean(axis=1), low, high)


def where_lowest(panel: str, series: str) -> Value:
    """Return the x at which the mean curve is lowest, one number for all seeds."""
    words = f"place of the lowest {series}"
    return _along(words, panel, series, lambda x, y: x[[int(np.nanargmin(y.mean(axis=0)))]])


def slope(panel: str, series: str, low: float, high: float) -> Value:
    """Return the slope of a curve on two logarithmic axes between two x, by least squares."""
    words = f"slope of {series} from {low:,g} to {high:,g}"
    return _along(words, panel, series, lambda x, y: _steepness(np.log(x), y), low, high)


def rate(panel: str, series: str, low: float, high: float) -> Value:
    """Return how fast a curve falls or rises exponentially between two x: the slope of its logarithm against x."""
    return _along(f"rate of {series} from {low:,g} to {high:,g}", panel, series, _steepness, low, high)


def _steepness(x: Array, y: Array) -> Array:
    return np.array([np.polyfit(x, np.log(np.maximum(row, 1e-300)), 1)[0] for row in y])


def straightness(panel: str, series: str, low: float) -> Value:
    """Return R² of a straight line against log x, from `low` on."""
    words = f"R² of {series} against a straight line in log x"
    return _along(
        words, panel, series, lambda x, y: np.array([np.corrcoef(np.log(x), row)[0, 1] ** 2 for row in y]), low
    )


def _along(
    words: str, panel: str, series: str, of: Callable[[Array, Array], Array], low: float = -np.inf,
    high: float = np.inf,
) -> Value:  # fmt: skip
    """Return what a function gives of the x from low to high, (points,), and the curves there, (seeds, points)."""

    def value(result: Result) -> Array:
        drawn = result.drawn(panel, series)
        part = (drawn.numbers >= low) & (drawn.numbers <= high)
        return of(drawn.numbers[part], drawn.y[:, part])

    return Value(words, value)


def least_gap(panel: str, upper: str, lower: str) -> Value:
    """Return by how much one series exceeds another at least, over all x; negative where it does not, somewhere."""

    def of(result: Result) -> Array:
        gap: Array = (result.drawn(panel, upper).y - result.drawn(panel, lower).y).min(axis=1)
        return gap

    return Value(f"{upper} less {lower}, over all points", of)


def best(panel: str, series: tuple[str, ...], x: float | str | None = None) -> Value:
    """Return the value at x of the series whose mean is the highest there, the same for every seed."""

    def of(result: Result) -> Array:
        values = [at(panel, name, x).of(result) for name in series]
        return max(values, key=lambda found: float(found.mean()))

    return Value(f"the best of {', '.join(series)}" + (f" at {x}" if x is not None else ""), of)


# ---- rules -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Near:
    """The mean is within a distance of a printed number."""

    value: Given
    printed: float
    within: float

    @property
    def words(self) -> str:
        return f"{_value(self.value).words} within {self.within:g} of {self.printed:g}"

    def margin(self, result: Result) -> Array:
        return _value(self.value).of(result)

    def holds(self, result: Result) -> bool:
        return bool(abs(self.margin(result).mean() - self.printed) <= self.within)


@dataclass(frozen=True)
class Above:
    """The first is above the second: the mean difference, seed by seed, is more than `sure` standard errors above 0."""

    first: Given
    second: Given | float
    sure: float = 2.0

    @property
    def words(self) -> str:
        by = f" by more than {self.sure:g} standard errors" if self.sure else ""
        return f"{_value(self.first).words} above {_value(self.second).words}{by}"

    def margin(self, result: Result) -> Array:
        return _value(self.first).of(result) - _value(self.second).of(result)

    def holds(self, result: Result) -> bool:
        number = Number(self.margin(result))
        return number.mean > self.sure * number.error and number.mean > 0


@dataclass(frozen=True)
class Between:
    """The mean is between two numbers."""

    value: Given
    low: float
    high: float

    @property
    def words(self) -> str:
        return f"{_value(self.value).words} between {self.low:g} and {self.high:g}"

    def margin(self, result: Result) -> Array:
        return _value(self.value).of(result)

    def holds(self, result: Result) -> bool:
        return bool(self.low <= self.margin(result).mean() <= self.high)


@dataclass(frozen=True)
class Always:
    """The first is at least the second for every data seed."""

    first: Given
    second: Given | float

    @property
    def words(self) -> str:
        return f"{_value(self.first).words} at least {_value(self.second).words} for every data seed"

    def margin(self, result: Result) -> Array:
        return _value(self.first).of(result) - _value(self.second).of(result)

    def holds(self, result: Result) -> bool:
        return bool(np.all(self.margin(result) >= 0))


Rule = Near | Above | Between | Always  # the `margin` (seeds,) of each is the number that it bounds


def moved(rule: Rule, one: Result, other: Result) -> bool:
    """Return whether a rule's number differs between two results by more than two standard errors of the difference."""
    before, after = Number(rule.margin(one)), Number(rule.margin(other))
    return abs(after.mean - before.mean) > 2 * float(np.hypot(before.error, after.error))


def number_of(words: str, rules: tuple[Rule, ...]) -> Value:
    """Return how many rules hold, one number for all seeds, such as that of the data sets on which a learner wins."""
    return Value(words, lambda result: np.array([float(sum(rule.holds(result) for rule in rules))]))


class Statement:
    """A sentence that the paper prints, the one that came out, and the rules that compare them.

    printed : in words, with the paper's numbers. template : what came out, in words, with fields for values: "3PR has
    {a:.3f}, the perceptron {b:.3f}". rules : of values or their names. All hold: it agrees. None: it differs.
    values, named : the values by their names, or in a row; a field is filled with a `Number`. told : those of fields.
    where : section, figure or table if it is not that of the figure. why : the cause of a difference. said : whether
    `printed` is what a paper prints, what one claims (in our words), or what we expected before anything was run.

    Raises
    ------
    TypeError : if a rule or the template names a value that is not given.
    """

    def __init__(
        self, printed: str, template: str, *rules: Rule, values: Mapping[str, Value] | Iterable[Value] = (),
        where: str = "", why: str = "", said: str = "Printed", **named: Value,
    ) -> None:  # fmt: skip
        self.printed, self.template, self.where, self.why, self.said = printed, template, where, why, said
        row = values if isinstance(values, Mapping) else zip(ascii_lowercase, values, strict=False)
        self.values = named | dict(row)
        told = {field.split(".")[0] for _, field, _, _ in Formatter().parse(template) if field}
        self.told = {name: _called(self.values, name, "the template") for name in told}
        self.rules = tuple(_with(self.values, rule) for rule in rules)

    def here(self, result: Result) -> str:
        """Return what came out, in words."""
        return self.template.format(**{name: Number(value.of(result)) for name, value in self.told.items()})

    def outcomes(self, result: Result) -> list[tuple[str, bool]]:
        """Return the rules in words, each with whether it holds."""
        return [(rule.words, rule.holds(result)) for rule in self.rules]

    def verdict(self, result: Result) -> str:
        """Return one of VERDICTS: all rules hold, some, or none."""
        held = [rule.holds(result) for rule in self.rules]
        return AGREES if all(held) else PARTLY if any(held) else DIFFERS


def _with(values: Mapping[str, Value], rule: Rule) -> Rule:
    """Return a rule with values in place of their names."""
    named = {field.name: name for field in fields(rule) if isinstance(name := getattr(rule, field.name), str)}
    bound: Rule = replace(rule, **{field: _called(values, name, "a rule") for field, name in named.items()})  # type: ignore
    return bound


def _called(values: Mapping[str, Value], name: str, by: str) -> Value:
    """Return the value of a name, or of two with a sign between them; TypeError if there is none."""
    sign = next((sign for sign in SIGNS if sign in name), None)
    names = name.split(sign) if sign else [name]
    if unknown := [one for one in names if one not in values]:
        raise TypeError(f"{by} takes {unknown[0]!r}, but the values are: {', '.join(values)}")
    return SIGNS[sign](*(values[one] for one in names)) if sign else values[name]


Claimed = partial(Statement, said="Claimed")
OURS = "Expected"
Expected = partial(Statement, said=OURS)
