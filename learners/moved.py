"""Notes which numbers of a state a step moved most, while somebody watches."""

from __future__ import annotations

from learners.base import Array
from learners.compiled import compiled

MOST_MOVED = 4  # numbers that are noted of a step


@compiled
def note_moved(at: Array, was: Array, now: Array, before: Array, after: Array) -> None:
    """Write the places of the numbers that moved most, the largest move first, and what they were and are.

    before, after : (d,). at, was, now : (MOST_MOVED,), of which those left over stay as they are.
    """
    held, most = 0, at.shape[0]
    for j in range(before.shape[0]):
        size = abs(after[j] - before[j])
        if not size > 0.0 or (held == most and size <= abs(now[most - 1] - was[most - 1])):
            continue
        i = min(held, most - 1)
        while i > 0 and size > abs(now[i - 1] - was[i - 1]):
            at[i], was[i], now[i] = at[i - 1], was[i - 1], now[i - 1]
            i -= 1
        at[i], was[i], now[i] = j, before[j], after[j]
        held = min(held + 1, most)
