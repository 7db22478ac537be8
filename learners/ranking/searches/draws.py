"""The random numbers of a block of steps whose queries differ in length."""

import numpy as np

from learners.base import Array


def runs(widths: Array) -> list[tuple[int, int]]:
    """Return the widths of successive steps, each with the number of steps that have it."""
    ends = np.flatnonzero(np.diff(widths, append=-1))
    return [(int(widths[end]), int(number)) for end, number in zip(ends, np.diff(ends, prepend=-1), strict=True)]


def padded(parts: list[tuple[Array, int]]) -> tuple[Array, Array]:
    """Join random numbers (b, R, m) of successive steps to (B, R, most m). Also return the m of each step, (B,)."""
    widths = np.repeat([part.shape[2] for part, _ in parts], [b for _, b in parts])
    if len(parts) == 1:
        return parts[0][0], widths
    steps, (_, replicates, _) = len(widths), parts[0][0].shape
    joined, at = np.zeros((steps, replicates, widths.max())), 0
    for part, b in parts:
        joined[at : at + b, :, : part.shape[2]] = part
        at += b
    return joined, widths
