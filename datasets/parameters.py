"""Declared parameters: checks, widgets, URL values and documentation all follow from one declaration.

A learner, a simulated user or a data set is a dataclass derived from `Declared`. Each of its fields is
made by `real`, `integer`, `choice`, `flag`, `vector` or `text`, which states the allowed values once:

>>> from dataclasses import dataclass
>>> @dataclass(kw_only=True)
... class Example(Declared):
...     id = "example"
...     gamma: float = real(0.1, 0, 1, low_open=True, symbol="γ", help="Share of exploring steps.")
>>> Example(gamma=0.5).gamma
0.5
>>> Example(gamma=1.7)
Traceback (most recent call last):
ValueError: gamma must be in (0, 1], got 1.7
>>> Example.parameter("gamma").parse("0.25")
0.25
"""

import copy
import dataclasses
import math
from collections.abc import Container, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Self, cast

import numpy as np

LEAST_MAGNITUDE = 1e-9  # the smallest size of a number other than 0


def _plain(number: float) -> str:
    """Return a bound as a person writes it: 2147483647 and not 2.14748e+09."""
    return f"{number:.0f}" if abs(number) < 1e15 and number == round(number) else f"{number:g}"


def shown(value: object, most: int = 60) -> str:
    """Return a value as an error message shows it, in one line and not too long.

    >>> shown("a\\nb"), shown(np.zeros((2, 2)))
    ('a b', '[[0. 0.] [0. 0.]]')
    """
    try:
        is_list = isinstance(value, (list, tuple, np.ndarray)) and np.asarray(value).dtype.kind in "biuf"
        text = np.array2string(np.asarray(value), threshold=8) if is_list else str(value)
    except Exception:  # lists of unequal length, numbers of thousands of digits, and whatever cannot be written
        text = f"something that is a {type(value).__name__}" if not isinstance(value, (list, tuple)) else repr(value)
    text = " ".join(text[: 10 * most].split())
    return text if len(text) <= most else text[:most] + "…"


@dataclass(frozen=True)
class Parameter:
    """The allowed values of one field; `kind` is real, integer, choice, flag, vector or text."""

    name: str
    kind: str
    default: Any
    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    choices: tuple[str, ...] = ()
    size: int = 0  # length of a vector
    step: float | None = None  # of the widget
    symbol: str = ""
    help: str = ""
    when: tuple[str, Any] | None = None  # used only while another parameter has this value
    named: bool = False  # appears in the short description even at its default
    family: str = ""  # the only family whose learners use it, for data sets that serve several
    shapes_state: bool = False  # determines the shape of the state, so all replicates must share one value
    rare: bool = False  # set so rarely that its widget stands behind “More”

    @property
    def label(self) -> str:
        """The name in plain words with the paper's symbol, such as `Swap probability p`."""
        return f"{self.name.replace('_', ' ').capitalize()} {self.symbol}".strip()

    @property
    def spacing(self) -> float:
        """The step of a number's widget, and of a grid of its values."""
        return self.step or (1 if self.kind == "integer" else 0.01)

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 is practically excluded: the number must be above 0, or above what is small beside its spacing.

        >>> [Parameter("rate", "real", 0.5, low, 1).excludes_zero for low in (1e-6, 0.1)]
        [True, False]
        """
        return self.low_open or (self.kind == "real" and 0 < self.low <= self.spacing / 10)

    @property
    def per_replicate(self) -> bool:
        """Whether the value may be an array with one entry for each replicate."""
        return self.kind in ("real", "integer") and not self.shapes_state

    @property
    def allowed(self) -> str:
        """The allowed values in words, to complete a sentence such as "gamma must be …"."""
        if self.kind == "choice":
            return "one of " + ", ".join(self.choices) if self.choices else "left out"
        if self.kind == "flag":
            return "true or false"
        if self.kind == "text":
            return "a text"
        left = "(" if self.low_open or self.low == -math.inf else "["
        right = ")" if self.high == math.inf else "]"
        interval = f"in {left}{_plain(self.low)}, {_plain(self.high)}{right}"
        if self.kind == "integer":
            return f"a whole number {interval}"
        if self.kind == "vector":
            return f"{self.size} numbers, each {interval}"
        return interval

    def refuse(self, value: object) -> ValueError:
        """Return an error for `value`: one sentence naming the parameter, the value and what is allowed."""
        return ValueError(f"{self.name} must be {self.allowed}, got {shown(value)}")

    def check(self, value: Any) -> Any:
        """Return `value` converted to its proper type; raise ValueError if it is not allowed.

        Real numbers and integers may also be arrays of shape (R,), one value for each replicate, unless the
        parameter determines the shape of the state.
        """
        if self.kind in ("choice", "text"):
            if not isinstance(value, str) or (self.kind == "choice" and value not in self.choices):
                raise self.refuse(value)
            return value
        if self.kind == "flag":
            if not isinstance(value, (bool, np.bool_)):
                raise self.refuse(value)
            return bool(value)
        try:
            given = np.asarray(value)
        except ValueError:  # lists of unequal length
            raise self.refuse(value) from None
        if given.dtype.kind not in "iuf":  # strings, Booleans, integers beyond 64 bits
            raise self.refuse(value)
        numbers = given.astype(float)
        if self.shapes_state and numbers.ndim == 1:
            raise ValueError(f"{self.name} must be one number for all replicates, got {numbers.size} of them")
        expected = (self.size,) if self.kind == "vector" else ()
        per_replicate = self.per_replicate and numbers.ndim == 1 and numbers.size > 0
        if numbers.shape != expected and not per_replicate:
            raise self.refuse(value)
        outside = (numbers < self.low) | (numbers > self.high) | ~np.isfinite(numbers)
        if self.low_open:
            outside |= numbers == self.low
        if self.kind == "integer":
            outside |= numbers != np.round(numbers)
        if outside.any():
            raise self.refuse(numbers[outside][0] if per_replicate else value)
        if (
            (numbers != 0) & (abs(numbers) < LEAST_MAGNITUDE)
        ).any():  # its square or its inverse would leave the range of floats
            raise ValueError(f"{self.name} must be 0 or at least {LEAST_MAGNITUDE:g} in size, got {value}")
        if self.kind == "vector":
            return tuple(float(x) for x in numbers)
        if per_replicate:
            return numbers.astype(int) if self.kind == "integer" else numbers
        return int(numbers) if self.kind == "integer" else float(numbers)

    def parse(self, text: str) -> Any:
        """Return the value that a text (from a URL) stands for; raise ValueError if it is not allowed."""
        value: Any = text
        try:
            if self.kind in ("real", "integer", "vector") and ("_" in text or not text.isascii()):
                raise ValueError  # which Python would take for digits
            if self.kind == "flag":
                value = {"true": True, "false": False}[text.lower()]
            elif self.kind == "vector":
                value = [float(x) for x in text.split(",")]
            elif self.kind in ("real", "integer"):
                value = float(text)
            return self.check(value)
        except (KeyError, ValueError):
            raise self.refuse(text) from None

    def format(self, value: Any) -> str:
        """Return the text from which `parse` recovers `value`."""
        if self.kind == "flag":
            return str(bool(value)).lower()
        if self.kind == "vector":
            return ",".join(repr(float(x)).removesuffix(".0") for x in value)
        return repr(value) if self.kind == "real" else str(value)


def _field(kind: str, default: Any, **given: Any) -> Any:
    return field(default=default, metadata={"parameter": {"kind": kind, "default": default, **given}})


def real(default: float, low: float = -math.inf, high: float = math.inf, **given: Any) -> Any:
    """Declare a real number in [low, high]; `low_open=True` excludes `low` itself."""
    return _field("real", default, low=low, high=high, **given)


def integer(default: int, low: float = -math.inf, high: float = math.inf, **given: Any) -> Any:
    """Declare a whole number in [low, high]."""
    return _field("integer", default, low=low, high=high, **given)


def choice(default: str, choices: Iterable[str], **given: Any) -> Any:
    """Declare a choice among a few words."""
    return _field("choice", default, choices=tuple(choices), **given)


def flag(default: bool, **given: Any) -> Any:
    """Declare a switch that is either on or off."""
    return _field("flag", default, **given)


def vector(default: tuple[float, ...], low: float = -math.inf, high: float = math.inf, **given: Any) -> Any:
    """Declare a vector of real numbers in [low, high], as long as its default."""
    return _field("vector", default, low=low, high=high, size=len(default), **given)


def text(default: str = "", **given: Any) -> Any:
    """Declare free text, such as the path of a file."""
    return _field("text", default, **given)


@dataclass(frozen=True)
class Info:
    """The catalogue entry of a data set, a learner or a simulated user."""

    id: str
    title: str
    family: str
    parameters: tuple[Parameter, ...] = ()
    summary: str = ""
    feedback: str = ""  # the feedback that a learner needs
    paper: str = ""
    section: str = ""

    @property
    def source(self) -> str:
        """The citation: paper and section."""
        return ", ".join(part for part in (self.paper, self.section) if part)


@cache
def _parameters(cls: Any) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(name=f.name, **f.metadata["parameter"]) for f in dataclasses.fields(cls) if "parameter" in f.metadata
    )


@dataclass(kw_only=True)
class Declared:
    """Base class of everything with an id and declared parameters; a value out of range is refused by a ValueError."""

    id: ClassVar[str] = ""
    title: ClassVar[str] = ""
    family: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    needs: ClassVar[str] = ""  # the feedback that a learner requires, in words
    paper: ClassVar[str] = ""  # the short name of its source
    section: ClassVar[str] = ""
    works: ClassVar[Mapping[str, str]] = {}  # citations that it brings along, by their short names
    circumstance: ClassVar[bool] = False  # whether its parameters are met, such as noise, and nobody's choice

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            setattr(self, parameter.name, parameter.check(getattr(self, parameter.name)))

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declarations in the order of the fields."""
        return _parameters(cast("Hashable", cls))

    @classmethod
    def used_by(cls, family: str) -> tuple[Parameter, ...]:
        """Return the declarations of the parameters that learners of this family use."""
        return tuple(p for p in cls.parameters() if p.family in ("", family))

    @classmethod
    def parameter(cls, name: str) -> Parameter:
        """Return the declaration of the parameter `name`; raise ValueError if there is none."""
        for parameter in cls.parameters():
            if isinstance(name, str) and parameter.name == name:
                return parameter
        names = ", ".join(p.name for p in cls.parameters()) or "none"
        raise ValueError(f"{cls.id} has no parameter {shown(name)!r}; its parameters are: {names}")

    @classmethod
    def info(cls) -> Info:
        """Return the catalogue entry."""
        return Info(
            cls.id,
            cls.title,
            cls.family,
            cls.parameters(),
            summary=cls.summary,
            feedback=cls.needs,
            paper=cls.paper,
            section=cls.section,
        )

    @classmethod
    def make(cls, **params: Any) -> Self:
        """Return an instance with these parameters; raise ValueError for an unknown name."""
        for name in params:
            cls.parameter(name)
        return cls(**params)

    def uses(self, parameter: Parameter) -> bool:
        """Return whether the parameter has any effect, given the values of the others."""
        return parameter.when is None or getattr(self, parameter.when[0]) == parameter.when[1]

    def describe(self, without: Container[str] = ()) -> str:
        """Describe the instance by the parameters that are marked as `named` or differ from their default.

        An array is described by its length. without : names of parameters that are not told.
        """
        words = []
        for p in self.parameters():
            value = getattr(self, p.name)
            array = isinstance(value, np.ndarray)
            if p.name in without or not self.uses(p) or (not p.named and not array and value == p.default):
                continue
            if p.kind in ("choice", "text"):
                words.append(str(value))
            elif p.kind == "flag":
                words.append(p.name if value else f"not {p.name}")
            elif array:
                words.append(f"{len(value)} values of {p.symbol or p.name}")
            elif p.kind == "vector":
                words.append(f"{p.symbol or p.name} = [{p.format(value)}]")
            else:
                words.append(f"{p.symbol or p.name.replace('_', ' ')} = {value:g}")
        return ", ".join(words)

    @property
    def params(self) -> dict[str, Any]:
        """The parameter values by name."""
        return {p.name: getattr(self, p.name) for p in self.parameters()}


def named(value: object) -> str:
    """Return what somebody's code has returned, in a few words.

    >>> named(np.zeros((2, 3))), named([1, 2]), named(None)
    ('an array (2, 3) of float64, first [0. 0. 0.]', '[1 2]', 'None')
    """
    if isinstance(value, np.ndarray):
        return f"an array {value.shape} of {value.dtype}, first {shown(value[0] if value.ndim else value)}"
    return shown(value)


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number of Python or NumPy; a Boolean and a span of time are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def within(name: str, value: Any, low: int, high: int, what: str = "") -> int:
    """Return `value` as an integer from `low` to `high`; raise ValueError for anything else, such as 1.0.

    >>> within("replicate", 2, 0, 1)
    Traceback (most recent call last):
    ValueError: replicate must be from 0 to 1, got 2
    """
    if not is_whole(value) or not low <= value <= high:
        raise ValueError(f"{name} must be {what}from {low} to {high}, got {shown(value)}")
    return int(value)


def whole(name: str, value: Any, low: int = 0, high: float = math.inf) -> int:
    """Return `value` as an integer from `low` to `high`; raise ValueError for anything else, Booleans included.

    >>> whole("replicates", 0, low=1)
    Traceback (most recent call last):
    ValueError: replicates must be a whole number of at least 1, got 0
    """
    if not is_whole(value) or not low <= value <= high:
        limit = "" if high == math.inf else f" and at most {high:,}"
        raise ValueError(f"{name} must be a whole number of at least {low}{limit}, got {shown(value)}")
    return int(value)


def pick(id: Any, classes: Mapping[str, type[Declared]], what: str, base: type[Any] = Declared) -> type[Any]:
    """Return the class with this id, or a class of one's own that is given or named as "mine.py:Decay".

    Raises
    ------
    ValueError : that lists the known ids if there is none, and for a class that is not derived from `base`.
    """
    try:
        found = id if isinstance(id, type) else classes[id]
    except (KeyError, TypeError):  # what is no text may not be hashable
        raise ValueError(f"there is no {what} {shown(id)!r}; known are: {', '.join(classes)}") from None
    if not issubclass(found, base):
        raise ValueError(f"{found.__name__} is no {what}: it must be derived from {base.__name__}")
    return found


def altered(item: Any, values: Mapping[str, Any]) -> Any:
    """Return a copy of an item with other values of its attributes."""
    item = copy.copy(item)
    for name, value in values.items():
        setattr(item, name, value)
    return item


def of_replicate(item: Any, replicate: int) -> Any:
    """Return a copy of an item in which each parameter that is an array, one value for each replicate, is a number."""
    each = {name: value for name, value in item.params.items() if isinstance(value, np.ndarray)}
    return altered(item, {name: value[replicate].item() for name, value in each.items()})


def replicates_of(item: Declared, replicates: int) -> None:
    """Raise ValueError unless every array among the parameters of `item` has one value for each replicate."""
    for name, value in item.params.items():
        if isinstance(value, np.ndarray) and value.shape != (replicates,):
            raise ValueError(f"{name} must be one number or {replicates} of them, one per replicate, got {len(value)}")
