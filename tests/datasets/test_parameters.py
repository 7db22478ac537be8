"""Declared parameters: what is refused, in which words, and what comes back from a URL."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import datasets
from datasets.parameters import (
    LEAST_MAGNITUDE,
    Declared,
    Parameter,
    choice,
    flag,
    integer,
    real,
    replicates_of,
    text,
    vector,
)
from learners import create, create_user
from learners.catalogue import learner_classes, user_classes
from tests.cases import cases

CLASSES = {**learner_classes(), **user_classes(), **datasets.classes()}
each = cases("id", list(CLASSES))


@dataclass(kw_only=True)
class Example(Declared):
    """One parameter of each kind."""

    id = "example"

    rate: float = real(0.1, 0, 1, low_open=True, symbol="γ", help="A rate.")
    size: int = integer(3, 1, 9, named=True)
    how: str = choice("slow", ("slow", "fast"))
    loud: bool = flag(False)
    pitch: float = real(2.0, when=("loud", True))
    start: tuple[float, ...] = vector((1.0, -1.0), -5, 5)
    path: str = text()


# ---- by hand -------------------------------------------------------------------------------------------


@cases(
    "given, sentence",
    [
        ({"rate": 1.7}, "rate must be in (0, 1], got 1.7"),
        ({"rate": 0}, "rate must be in (0, 1], got 0"),
        ({"rate": [0.5, -0.25]}, "rate must be in (0, 1], got -0.25"),
        ({"rate": math.nan}, "rate must be in (0, 1], got nan"),
        ({"rate": True}, "rate must be in (0, 1], got True"),
        ({"rate": "0.5"}, "rate must be in (0, 1], got 0.5"),
        ({"rate": None}, "rate must be in (0, 1], got None"),
        ({"rate": []}, "rate must be in (0, 1], got []"),
        ({"rate": [[0.5]]}, "rate must be in (0, 1], got [[0.5]]"),
        ({"size": 0}, "size must be a whole number in [1, 9], got 0"),
        ({"size": 10}, "size must be a whole number in [1, 9], got 10"),
        ({"size": 2.5}, "size must be a whole number in [1, 9], got 2.5"),
        ({"how": "quick"}, "how must be one of slow, fast, got quick"),
        ({"how": 1}, "how must be one of slow, fast, got 1"),
        ({"loud": 1}, "loud must be true or false, got 1"),
        ({"loud": "true"}, "loud must be true or false, got true"),
        ({"pitch": math.inf}, "pitch must be in (-inf, inf), got inf"),
        ({"start": (1.0, 9.0)}, "start must be 2 numbers, each in [-5, 5], got [1. 9.]"),
        ({"start": (1.0,)}, "start must be 2 numbers, each in [-5, 5], got [1.]"),
        ({"start": 1.0}, "start must be 2 numbers, each in [-5, 5], got 1.0"),
        ({"path": 3}, "path must be a text, got 3"),
        (
            {"speed": 3},
            "example has no parameter 'speed'; its parameters are: rate, size, how, loud, pitch, start, path",
        ),
    ],
)
def test_what_is_refused_and_in_which_words(given, sentence):
    with pytest.raises(ValueError) as error:
        Example.make(**given)
    assert str(error.value) == sentence


def test_what_is_accepted_takes_its_proper_type():
    made = Example(rate=1, size=3.0, loud=np.bool_(True), start=[1, 2], path="a b")
    assert (made.rate, made.size, made.loud, made.start, made.path) == (1.0, 3, True, (1.0, 2.0), "a b")
    assert [type(x) for x in (made.rate, made.size, made.loud, made.start[0])] == [float, int, bool, float]
    many = Example(rate=[1, 0.5], size=np.array([1.0, 9.0]))
    assert many.rate.tolist() == [1.0, 0.5] and many.size.dtype == int and many.size.tolist() == [1, 9]


@cases(
    "name, text, value",
    [
        ("rate", "0.25", 0.25),
        ("rate", "1e-3", 0.001),
        ("size", "4", 4),
        ("how", "fast", "fast"),
        ("loud", "True", True),
        ("start", "2,-0.5", (2.0, -0.5)),
        ("path", "x/y.txt", "x/y.txt"),
    ],
)
def test_parse(name, text, value):
    found = Example.parameter(name).parse(text)
    assert found == value and type(found) is type(value)


@cases(
    "name, text",
    [
        ("rate", "high"), ("rate", "2"), ("rate", "nan"), ("rate", "1e999"), ("rate", ""), ("size", "2.5"),
        ("size", "9" * 400), ("how", "quick"), ("loud", "1"), ("start", "1"), ("start", "1,x"), ("start", "1,inf"),
        ("start", ""),
    ],
)  # fmt: skip
def test_parse_refuses_what_is_not_allowed_and_repeats_the_text(name, text):
    parameter = Example.parameter(name)
    with pytest.raises(ValueError) as error:
        parameter.parse(text)
    shown = text if len(text) <= 60 else text[:60] + "…"
    assert str(error.value) == f"{name} must be {parameter.allowed}, got {shown}"


def test_words_about_parameters():
    made = Example(rate=0.5, pitch=3.0)
    assert made.describe() == "γ = 0.5, size = 3"  # the pitch is not used while it is not loud
    assert Example(loud=True, pitch=3.0, size=[1, 2], start=(0, 2)).describe() == (
        "2 values of size, loud, pitch = 3, start = [0,2]"
    )
    assert Example.parameter("rate").label == "Rate γ" and Example.parameter("how").label == "How"
    assert made.params == {
        "rate": 0.5, "size": 3, "how": "slow", "loud": False, "pitch": 3.0, "start": (1.0, -1.0), "path": "",
    }  # fmt: skip
    assert Example.info().parameters == Example.parameters()
    assert not made.uses(Example.parameter("pitch")) and made.uses(Example.parameter("rate"))
    assert Parameter("seed", "integer", 0, 0, 2**31 - 1).allowed == "a whole number in [0, 2147483647]"


def test_one_value_a_replicate():
    replicates_of(Example(rate=[0.5, 0.1]), 2)
    replicates_of(Example(), 5)
    with pytest.raises(ValueError, match="rate must be one number or 3 of them, one per replicate, got 2"):
        replicates_of(Example(rate=[0.5, 0.1]), 3)


def large_enough(number):
    return number == 0 or abs(number) >= LEAST_MAGNITUDE


@cases("value", [1e-300, -5e-324, [0.5, 1e-12]])
def test_a_number_that_is_nearly_zero_is_refused(value):
    with pytest.raises(ValueError, match=r"rate must be (0 or at least 1e-09|in)"):
        Example(rate=value)


@settings(deadline=None)
@given(
    st.floats(allow_nan=False, allow_infinity=False).filter(large_enough),
    st.lists(st.floats(-5, 5).filter(large_enough), min_size=2, max_size=2),
)
def test_format_and_parse_go_back_and_forth(number, numbers):
    pitch, start = Example.parameter("pitch"), Example.parameter("start")
    assert pitch.parse(pitch.format(number)) == number
    assert start.parse(start.format(tuple(numbers))) == tuple(numbers)


@cases(
    "value",
    [
        pytest.param(10**400, id="too large for a float"),
        pytest.param([[0.1], [0.1, 0.2]], id="ragged"),
        pytest.param(["0.5"], id="texts in a list"),
        pytest.param([True, True], id="truth values in a list"),
        pytest.param(np.True_, id="a truth value of NumPy's"),
        pytest.param(b"0.5", id="bytes"),
    ],
)
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match=r"^rate must be in \(0, 1\], got "):
        Example(rate=value)


def test_an_array_that_was_handed_over_is_the_callers_own():
    values = np.array([0.5, 0.1])
    made = Example(rate=values)
    values[0] = 99.0
    assert made.rate.tolist() == [0.5, 0.1]


# ---- every declaration there is ---------------------------------------------------------------------------


def make(id, **params):
    maker = create if id in learner_classes() else create_user if id in user_classes() else datasets.create
    return maker(id, **params)


def wrong_values(parameter):
    """Values that must be refused, made from the declaration."""
    if parameter.kind == "choice":
        return ["", "no such choice", parameter.choices[0].upper() + "!", 0, None, True]
    if parameter.kind == "flag":
        return [0, 1, "true", None, 0.5]
    if parameter.kind == "text":
        return [0, None, True, ["a"]]
    numbers = [math.nan, math.inf, -math.inf]
    if math.isfinite(parameter.low):
        numbers += [parameter.low - 1, np.nextafter(parameter.low, -math.inf)]
        numbers += [parameter.low] if parameter.low_open else []
    if math.isfinite(parameter.high):
        numbers += [parameter.high + 1, np.nextafter(parameter.high, math.inf)]
    if parameter.kind == "integer":
        numbers += [parameter.default + 0.5]
    if parameter.kind == "vector":
        default = list(parameter.default)
        return [[x, *default[1:]] for x in numbers] + [default[1:], [*default, 0.0], [], "1", None]
    lists = [[parameter.default, x] for x in numbers] + [[], [[parameter.default]]]
    return [*numbers, *lists, str(parameter.default), None, True, {}, "x"]


@each
def test_wrong_values_are_refused_with_name_value_and_what_is_allowed(id):
    for parameter, value in [(p, value) for p in CLASSES[id].parameters() for value in wrong_values(p)]:
        with pytest.raises(ValueError) as error:
            make(id, **{parameter.name: value})
        message = str(error.value)
        several = parameter.shapes_state and isinstance(value, list) and np.ndim(value) == 1
        allowed = "one number for all replicates" if several else parameter.allowed
        assert message.startswith(f"{parameter.name} must be {allowed}, got "), message
        if isinstance(value, (int, float, str)) and not isinstance(value, bool):
            assert message.endswith(f"got {value}"), message


def right_values(parameter):
    """Values that must be taken, made from the declaration."""
    values = [parameter.default]
    if parameter.kind == "choice":
        values += parameter.choices
    if parameter.kind == "flag":
        values += [True, False]
    if parameter.kind in ("real", "integer"):
        values += [x for x in (parameter.low, parameter.high) if math.isfinite(x)]
        values = [x for x in values if not (parameter.low_open and x == parameter.low)]
    return values


@each
def test_right_values_are_taken(id):
    for parameter, value in [(p, value) for p in CLASSES[id].parameters() for value in right_values(p)]:
        made = make(id, **{parameter.name: value})
        assert getattr(made, parameter.name) == value
        assert parameter.parse(parameter.format(getattr(made, parameter.name))) == value


@each
def test_every_parameter_says_what_it_does_and_is_bounded(id):
    for parameter in CLASSES[id].parameters():
        assert len(parameter.help.split()) >= 4 and parameter.help.endswith("."), parameter.help
        if parameter.kind in ("real", "integer", "vector"):
            documented = "in any" in parameter.help or "no limit" in parameter.help
            assert (math.isfinite(parameter.low) and math.isfinite(parameter.high)) or documented, parameter
            assert parameter.low < parameter.high
        if parameter.when:
            other = CLASSES[id].parameter(parameter.when[0])
            assert other.check(parameter.when[1]) == parameter.when[1]


@each
def test_unknown_parameters_are_refused(id):
    with pytest.raises(ValueError, match=f"^{id} has no parameter 'colour'; its parameters are: "):
        make(id, colour=1)
