"""Paired tests between learners over seeds: Wilcoxon's and the t test with Holm's correction, ranks, effect sizes.

Two learners are told apart if Wilcoxon's signed-rank test, corrected by Holm for all pairs, says so and, of three or
more, Friedman's test over all of them said that there is something to tell (Demšar, "Statistical Comparisons of
Classifiers over Multiple Data Sets", JMLR 7, 2006; Benavoli, Corani & Mangili, "Should We Really Use Post-Hoc Tests
Based on Mean-Ranks?", JMLR 17, 2016, say why pairs are better tested by Wilcoxon's test than by Nemenyi's critical
difference, by which what is said of two learners depends on the others). The critical difference and the t test stand
beside. All p-values are SciPy's.
"""

import itertools
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from learners.base import Array

ALPHA = 0.05
MOST_SIGNS = 13  # differences of which SciPy tries all signs


@dataclass(frozen=True)
class PairTest:
    """A test of two learners, the better one by its mean first.

    better, other : their names. difference, half : mean difference of their values, with the sign of the metric, and
    half its 95 % interval (Student's t). effect, low, high : Cohen's d of the pairs, positive if `better` is better,
    with its 95 % interval (noncentral t). wins, ties : seeds on which `better` is better, and on which they are equal.
    t, wilcoxon : p-values, two-sided. t_holm, wilcoxon_holm : corrected. apart : whether the two are told apart.
    """

    better: str
    other: str
    seeds: int
    difference: float
    half: float
    effect: float
    low: float
    high: float
    wins: int
    ties: int
    t: float
    wilcoxon: float
    t_holm: float
    wilcoxon_holm: float
    apart: bool


@dataclass(frozen=True)
class Compared:
    """Learners compared over seeds.

    names : by mean rank, the best first. means, ranks : of the values and of the ranks (1 is best) over the seeds.
    left_out : seeds without a value of every learner. friedman : p-value, None for two learners. critical : Nemenyi's
    critical difference of mean ranks, None likewise. groups : the largest sets of names of which no two are told
    apart. problem : a sentence if nothing can be told, else "".
    """

    names: tuple[str, ...]
    seeds: int
    left_out: int
    means: tuple[float, ...]
    ranks: tuple[float, ...]
    friedman: float | None
    critical: float | None
    pairs: tuple[PairTest, ...]
    groups: tuple[tuple[str, ...], ...]
    problem: str = ""

    @property
    def nemenyi(self) -> int:
        """The number of pairs whose mean ranks differ by the critical difference or more."""
        place = dict(zip(self.names, self.ranks, strict=True))
        least = math.inf if self.critical is None else self.critical
        return sum(abs(place[pair.better] - place[pair.other]) >= least for pair in self.pairs)

    def pair(self, one: str, other: str) -> PairTest:
        """Return the test of two learners, in either order."""
        return next(pair for pair in self.pairs if {pair.better, pair.other} == {one, other})


def compared(values: Mapping[str, Array], better: str, alpha: float = ALPHA) -> Compared:
    """Compare learners by their values on the same seeds.

    values : by name, (seeds,), in the same order of the seeds. better : "lower" or "higher".

    Raises
    ------
    ValueError : for fewer than two learners, and values of unequal length.

    >>> a, b = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), np.array([1.5, 2.25, 4.0, 4.125, 6.5, 8.0])
    >>> pair = compared({"a": b, "b": a}, "lower").pairs[0]
    >>> pair.better, pair.wins, pair.wilcoxon, pair.apart  # 2 of 2⁶ signs are as one-sided
    ('b', 6, 0.03125, True)
    """
    if better not in ("lower", "higher"):
        raise ValueError(f"better must be lower or higher, got {better}")
    if len(values) < 2:
        raise ValueError(f"a comparison needs at least two learners, got {len(values)}")
    names = list(values)
    if len({np.shape(each) for each in values.values()}) > 1:
        raise ValueError("the learners must have values of the same seeds")
    table = np.stack([np.asarray(values[name], dtype=float) for name in names])  # (learners, seeds)
    known = np.isfinite(table).all(axis=0)
    table, left_out = table[:, known], int((~known).sum())
    k, n = table.shape
    cost = table if better == "lower" else -table
    ranks = stats.rankdata(np.round(cost, 12), axis=0).mean(axis=1) if n else np.full(k, np.nan)
    order = sorted(range(k), key=lambda i: (ranks[i], cost[i].mean() if n else 0.0))
    names, table, cost, ranks = [names[i] for i in order], table[order], cost[order], ranks[order]
    problem = _problem(table, alpha)
    friedman = critical = None
    if k > 2 and n > 1:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # equal values everywhere
            friedman = _p(float(stats.friedmanchisquare(*np.round(cost, 12)).pvalue))
        critical = critical_difference(k, n, alpha)
    pairs = _pairs(names, table, cost)
    holms = [holm([pair.t for pair in pairs]), holm([pair.wilcoxon for pair in pairs])]
    telling = not problem and (friedman is None or friedman < alpha)
    tested = tuple(
        replace(pair, t_holm=t, wilcoxon_holm=w, apart=telling and w < alpha)
        for pair, t, w in zip(pairs, *holms, strict=True)
    )
    means = tuple(float(row.mean()) if n else math.nan for row in table)
    return Compared(
        tuple(names), n, left_out, means, tuple(map(float, ranks)), friedman, critical, tested,
        _groups(names, tested), problem,
    )  # fmt: skip


def holm(p: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm's step-down procedure (1979), in the order given.

    The smallest is multiplied by their number m, the next by m − 1, and so on; none is below one before it, or above 1.

    >>> [round(x, 3) for x in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    found, most = [0.0] * len(p), 0.0
    for place, i in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        most = max(most, min(1.0, (len(p) - place) * p[i]))
        found[i] = most
    return found


@lru_cache(maxsize=100)
def critical_difference(learners: int, seeds: int, alpha: float = ALPHA) -> float:
    """Return how far apart mean ranks over so many seeds must lie at least (Nemenyi; Demšar's Eq. in §3.2.2).

    >>> round(critical_difference(4, 14), 2)  # Demšar's example: 2.569 √(4·5 / (6·14)) = 1.25
    1.25
    """
    q = float(stats.studentized_range.isf(alpha, learners, np.inf)) / math.sqrt(2)
    return q * math.sqrt(learners * (learners + 1) / (6 * seeds))


def fewest(learners: int, alpha: float = ALPHA) -> int:
    """Return the fewest seeds with which two of the learners can be told apart at all.

    Even if one is better on each of n seeds, Wilcoxon's p is 2 / 2ⁿ, which Holm multiplies by the number of pairs.

    >>> [fewest(k) for k in (2, 3, 4, 8)]
    [6, 7, 8, 11]
    """
    pairs = learners * (learners - 1) // 2
    return next(n for n in itertools.count(2) if pairs * 2.0 ** (1 - n) < alpha)


def _problem(table: Array, alpha: float) -> str:
    k, n = table.shape
    least = fewest(k, alpha)
    if n < least:
        return (
            f"{n} seed{' is' if n == 1 else 's are'} too few to tell {k} learners apart: even if one were better on "
            f"every seed, chance could do the same more often than in {100 * alpha:g} % of all cases. "
            f"Take at least {least}."
        )
    if (table == table[:, :1]).all():
        return "Every seed gives the same values: nothing is left to chance here, so a test has nothing to say."
    return ""


def _pairs(names: Sequence[str], table: Array, cost: Array) -> list[PairTest]:
    found = []
    for i, j in itertools.combinations(range(len(names)), 2):
        if table.shape[1] and cost[i].mean() > cost[j].mean():
            i, j = j, i
        gain = cost[j] - cost[i]  # positive where i is better
        gain = np.where(np.abs(gain) <= 1e-12 * np.maximum(np.abs(cost[i]), np.abs(cost[j])), 0.0, gain)
        n, mean = len(gain), float(gain.mean()) if len(gain) else math.nan
        spread = float(gain.std(ddof=1)) if n > 1 else math.nan
        if n < 2 or not gain.any():
            t = wilcoxon = 1.0
        else:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")  # differences that are all the same
                t = _p(float(stats.ttest_rel(table[i], table[j]).pvalue))
                wilcoxon = _p(_wilcoxon(gain))
        half = float(stats.t.isf(0.025, n - 1)) * spread / math.sqrt(n) if n > 1 else math.nan
        effect, low, high = _effect(mean, spread, n)
        difference = float((table[i] - table[j]).mean()) if n else math.nan
        wins, ties = int((gain > 0).sum()), int((gain == 0).sum())
        found.append(
            PairTest(
                names[i], names[j], n, difference, half, effect, low, high, wins, ties, t, wilcoxon, 1.0, 1.0, False
            )
        )
    return found


def _wilcoxon(gain: Array) -> float:
    """Return the p-value of `stats.wilcoxon`; where SciPy calls a function for each choice of the signs, by sums.

    It does so for up to 13 differences of which some are zero or equal, and takes a hundred times as long.
    """
    ranks = stats.rankdata(np.abs(gain[gain != 0]))
    if len(gain) > MOST_SIGNS or len(np.unique(ranks)) == len(gain):
        return float(stats.wilcoxon(gain).pvalue)
    sums = np.zeros(1)  # of the ranks of positive differences; halves at most, so without rounding
    for rank in ranks:
        sums = np.concatenate((sums, sums + rank))
    own = ranks[gain[gain != 0] > 0].sum()
    return min(1.0, 2 * float(min((sums <= own).mean(), (sums >= own).mean())))


def _p(value: float) -> float:
    return value if math.isfinite(value) else 1.0


def _effect(mean: float, spread: float, n: int) -> tuple[float, float, float]:
    """Return Cohen's d of paired differences and its 95 % interval, from that of the noncentrality of t."""
    if n < 2 or mean == 0 == spread:
        return (0.0, 0.0, 0.0) if n > 1 else (math.nan,) * 3
    if spread <= 1e-12 * abs(mean):
        return (math.copysign(math.inf, mean),) * 3
    d, root = mean / spread, math.sqrt(n)
    t = d * root

    def noncentrality(share: float) -> float:
        def above(nc: float) -> float:
            return float(stats.nct.cdf(t, n - 1, nc)) - share

        wide = 4.0 + abs(t)
        return float(brentq(above, t - wide, t + wide)) / root

    try:
        return d, noncentrality(0.975), noncentrality(0.025)
    except ValueError:  # so large that the distribution cannot be computed
        return d, math.nan, math.nan


def _groups(names: Sequence[str], pairs: Sequence[PairTest]) -> tuple[tuple[str, ...], ...]:
    """Return the largest groups of which no two are told apart; a name may belong to several, or to none.

    They need not lie next to each other: who is worse by a little on every seed is told apart sooner than who is worse
    by much on most of them.
    """
    alike = {frozenset((pair.better, pair.other)) for pair in pairs if not pair.apart}
    found: set[frozenset[int]] = set()
    for i, name in enumerate(names):
        near = {j for j in range(i) if frozenset((name, names[j])) in alike}
        found |= {(group & near) | {i} for group in found} | {frozenset({i})}
        found = {group for group in found if not any(group < other for other in found)}
    return tuple(tuple(names[i] for i in group) for group in sorted(map(sorted, found)) if len(group) > 1)
