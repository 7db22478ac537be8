"""What a run asks of the server: seconds of one core, and memory."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """seconds : of one core, in all. bytes : the most memory held at a time. step : seconds of the longest step.

    >>> (Cost(2, 100, 0.1) + Cost(3, 50, 0.5)).seconds
    5
    """

    seconds: float = 0.0
    bytes: float = 0.0
    step: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.seconds + other.seconds, self.bytes + other.bytes, max(self.step, other.step))
