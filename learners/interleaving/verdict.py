"""Tests of whether one ranker is preferred to another: counts of wins, Wilson's interval and the sign test."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from datasets.parameters import shown, whole
from learners.base import Array

MOST_OUTCOMES = 10**15  # of one kind; their sum is exact


def check_level(level: float) -> None:
    """Raise ValueError for what is no significance level."""
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise ValueError(f"level must be a number between 0 and 1, got {shown(level)}")


def wilson(wins: Array, losses: Array, level: float = 0.05) -> tuple[Array, Array]:
    """Return Wilson's interval for the probability of a win among comparisons without a tie.

    It covers that probability in 1 − level of all cases. Arrays of any one shape; NaN where nothing was decided.
    Source: Wilson, JASA 22, 1927.

    >>> low, high = wilson(np.array([60.0]), np.array([40.0]))
    >>> low.round(3), high.round(3)
    (array([0.502]), array([0.691]))
    """
    z = NormalDist().inv_cdf(1 - level / 2)
    n = np.where(wins + losses > 0, wins + losses, np.nan)
    p = wins / n
    middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return np.clip(middle - half, 0.0, 1.0), np.clip(middle + half, 0.0, 1.0)


def sign_test(wins: Array, losses: Array) -> Array:
    """Return the two-sided p-value of the exact binomial sign test.

    It is the probability of so uneven a split between equal rankers. Ties are left out, as usual; the value is 1 where
    nothing was decided. Arrays of any one shape.

    >>> sign_test(np.array([8, 60, 0]), np.array([2, 40, 0])).round(4)
    array([0.1094, 0.0569, 1.    ])
    """
    from scipy.special import bdtr

    fewer, n = np.minimum(wins, losses).astype(float), (wins + losses).astype(int)
    p: Array = np.minimum(1.0, 2 * bdtr(fewer, n, 0.5))
    return p


@dataclass(frozen=True)
class Verdict:
    """The verdict of a number of comparisons on the learner and the fixed ranker.

    wins, losses, ties : counts of the learner. share : share of wins among decided comparisons, NaN if there are none.
    low, high : Wilson's interval of the share. p_value : of the sign test. level : significance level of the verdict.

    >>> Verdict.of(60, 40, 7).says, Verdict.of(70, 40, 7).says
    ('no difference', 'better')
    """

    wins: int
    losses: int
    ties: int
    share: float
    low: float
    high: float
    p_value: float
    level: float = 0.05

    @classmethod
    def of(cls, wins: int, losses: int, ties: int, level: float = 0.05) -> Verdict:
        """Return the verdict on these counts.

        Raises
        ------
        ValueError : for a count that is no whole number from 0 on, and an impossible level.
        """
        wins, losses, ties = (
            whole(name, count, high=MOST_OUTCOMES)
            for name, count in (("wins", wins), ("losses", losses), ("ties", ties))
        )
        check_level(level)
        w, n = np.array([float(wins)]), np.array([float(losses)])
        low, high = wilson(w, n, level)
        share = wins / (wins + losses) if wins + losses else float("nan")
        return cls(wins, losses, ties, share, float(low[0]), float(high[0]), float(sign_test(w, n)[0]), level)

    @property
    def says(self) -> str:
        """Whether the learner is preferred to the fixed ranker: better, worse, or no difference.

        If asked once, it finds a difference between equal rankers in at most `level` of all cases. Looking after every
        step and stopping at the first difference errs far more often.
        """
        if self.p_value >= self.level:
            return "no difference"
        return "better" if self.wins > self.losses else "worse"
