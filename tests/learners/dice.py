"""Random numbers that a test has chosen."""

import numpy as np

from learners.random import EACH


class Dice:
    """Stands in for random numbers: hands out what it was given, a draw at a time, and checks their shape.

    A draw has the shape that is asked for, but for leading axes of length 1, which it may leave out.
    """

    replicates = 1

    def __init__(self, *draws):
        self.draws = [np.array(draw, dtype=float) for draw in draws]

    def random(self, shape):
        shape = tuple(1 if size is EACH else size for size in (shape if isinstance(shape, tuple) else (shape,)))
        draw = self.draws.pop(0)
        assert draw.shape == shape[len(shape) - draw.ndim :], f"{draw.shape} of {shape}"
        return draw.reshape(shape)

    standard_normal = random
