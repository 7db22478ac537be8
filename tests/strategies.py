"""Strategies of hypothesis that several tests share."""

from hypothesis import strategies as st

from datasets.parameters import LEAST_MAGNITUDE


def amounts(high):
    """Numbers from 0 to `high` that a parameter takes: 0, or not less than LEAST_MAGNITUDE."""
    return st.floats(0, high).map(lambda x: x if x >= LEAST_MAGNITUDE else 0.0)
