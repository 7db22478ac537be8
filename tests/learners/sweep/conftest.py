"""The batches of a sweep of each online family."""

import pytest

from learners.sweep import plan
from tests.learners.sweep.setups import SWEEPS


@pytest.fixture(params=SWEEPS)
def batches(request):
    setup, over = SWEEPS[request.param]
    return plan(setup, over, replicates=3, seed=7, steps=300)
