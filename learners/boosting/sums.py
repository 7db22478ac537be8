"""Compiled sums of products."""

from __future__ import annotations

from learners.compiled import compiled


@compiled(allocates=True)
def inner(x, y):  # type: ignore[no-untyped-def]
    """Return x · y, summed in eight parts, which makes it fast and the same on every machine."""
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = 0.0
    whole = len(x) - len(x) % 8
    for j in range(0, whole, 8):
        a0 += x[j] * y[j]
        a1 += x[j + 1] * y[j + 1]
        a2 += x[j + 2] * y[j + 2]
        a3 += x[j + 3] * y[j + 3]
        a4 += x[j + 4] * y[j + 4]
        a5 += x[j + 5] * y[j + 5]
        a6 += x[j + 6] * y[j + 6]
        a7 += x[j + 7] * y[j + 7]
    for j in range(whole, len(x)):
        a0 += x[j] * y[j]
    return ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7))
