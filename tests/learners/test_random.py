"""Streams of random numbers: the axis of the replicates is declared, and points of a sweep share what is drawn."""

import numpy as np
import pytest

from learners.random import EACH, Seeds, Stream
from tests.cases import cases

DRAWS = {
    "random": lambda s, size: s.random(size),
    "uniform": lambda s, size: s.uniform(-1, 1, size),
    "integers": lambda s, size: s.integers(0, 10, size),
    "standard_normal": lambda s, size: s.standard_normal(size),
    "standard_exponential": lambda s, size: s.standard_exponential(size),
}


@cases("name", DRAWS)
@cases("axis", [0, 1, 2])
def test_a_draw_repeats_along_the_axis_that_is_declared(name, axis):
    """The other axes have the length P · r and r, too, and mislead nobody."""
    size = [6, 6, 2]
    size[axis] = EACH
    single, several = Seeds(1, 2).spawn(1)[0], Seeds(1, 6, points=3).spawn(1)[0]
    wanted, found = DRAWS[name](single, tuple(size)), DRAWS[name](several, tuple(size))
    np.testing.assert_array_equal(found, np.concatenate([wanted] * 3, axis=axis))
    assert found.shape[axis] == 6
    np.testing.assert_array_equal(single.common.random(4), several.common.random(4), "as much was drawn")


def test_one_replicate_draws_what_a_plain_generator_draws():
    plain, stream = np.random.default_rng(3), Stream(np.random.default_rng(3), replicates=4)
    np.testing.assert_array_equal(stream.random((2, EACH)), plain.random((2, 4)))
    wanted = plain.permuted(np.tile(np.arange(5), (4, 1)), axis=1)
    np.testing.assert_array_equal(stream.permutations(5), wanted)
    assert Stream.of(stream, 4) is stream and Stream.of(plain, 4).replicates == 4


@cases("size", [3, (3, 2), (), (EACH, EACH)])
@cases("name", DRAWS)
def test_a_draw_that_does_not_name_the_axis_of_the_replicates_is_refused(name, size):
    with pytest.raises(ValueError, match="size must hold EACH once, for the axis of the replicates"):
        DRAWS[name](Stream(np.random.default_rng(0), replicates=3), size)


def test_streams_do_not_depend_on_each_other():
    first, second = Seeds(7, 1).spawn(2), Seeds(7, 1).spawn(1, first=1)
    first[0].random((EACH, 10))
    np.testing.assert_array_equal(first[1].random((EACH, 10)), second[0].random((EACH, 10)))
    spawned = [np.random.default_rng(s).random() for s in np.random.SeedSequence(7).spawn(2)]
    assert [s.common.random() for s in Seeds(7, 1).spawn(2)] == spawned
