"""A share of all learners on all data at the ends of what their parameters allow."""

import warnings

import pytest

from learners import Simulation, create
from tests.attack.extremes import Case, cases, extremes, fault
from tests.conftest import ALWAYS_LATER

SHARE = [
    pytest.param(
        case,
        id=str(case),
        # the index of the search takes seconds to build
        marks=pytest.mark.long if number % 3 else ALWAYS_LATER if case.dataset[0] == "function-search" else (),
    )
    for number, case in enumerate(cases(share=0.008, seed=1))
]


@pytest.mark.parametrize("case", SHARE)
def test_an_extreme_runs_or_is_refused(case):
    assert fault(case) == ""


@pytest.mark.parametrize(
    "learner, params",
    [
        ("pairwise-svm", {"C": 1e-300}),
        ("label-spreading", {"width": 1e-300}),
        ("convex-perceptron", {"radius": 1e-12}),
        ("second-order-perceptron", {"gamma": 5e-324}),
        ("banditron-labels", {"gamma": 5e-324}),
        ("exponentiated-gradient", {"gamma": 5e-324}),
        ("potential", {"gamma": 5e-324}),
    ],
)
def test_a_scale_that_is_nearly_zero_is_refused(learner, params):
    """Each of these blocked a solver, divided by zero or overflowed."""
    with pytest.raises(ValueError, match=f"{next(iter(params))} must be "):
        create(learner, **params)


def test_the_smallest_that_is_allowed_runs():
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for learner in ("banditron-labels", "exponentiated-gradient", "potential"):
            run = Simulation(create(learner, gamma=create(learner).parameter("gamma").low), "digits", replicates=2)
            run.advance(steps=50)


def test_the_harness_sees_a_fault(monkeypatch):
    """A run that divides by zero, one that raises, and one that says it in a sentence."""
    case = Case(("perceptron", ()), ("wine", ()), None)
    assert fault(Case(("no-learner", ()), ("toy-ranking", ()), None)) == ""
    monkeypatch.setattr("tests.attack.extremes.create", lambda id: 1 / 0)
    assert fault(case).startswith("ZeroDivisionError")
    assert 1e-6 in extremes(create("banditron").parameter("gamma"))
