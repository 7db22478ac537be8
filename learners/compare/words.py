"""Says what a comparison found, in words for somebody who has never heard of a test."""

import math
from collections.abc import Sequence

from learners import wording
from learners.compare.paired import Compared, PairTest
from learners.compare.seeds import Unit
from learners.metric import Metric
from learners.tables import PrintedTable, number

# the rule by which two of several learners differ, and its reason
DECIDES = (
    "What decides: two learners count as different if Friedman's test says that not all are alike and Wilcoxon's "
    "test of this pair does too. It looks at the two alone: on how many seeds one is better, and by how much. Who "
    "tests many pairs finds a difference by luck, so Holm's procedure demands more, the more pairs there are. "
    "Nemenyi's critical difference compares mean ranks, in which what is said of two learners depends on who else "
    "takes part; papers print it, so it is told here, and decides nothing."
)


def headline(found: Compared) -> str:
    """Return the answer to "Is the difference real?", in a few words."""
    apart = sum(pair.apart for pair in found.pairs)
    if found.problem:
        return "This cannot be answered yet."
    if len(found.names) == 2:
        return f"Yes: {found.pairs[0].better} is better." if apart else "It cannot be told."
    if not apart:
        return "No two of them can be told apart."
    return (
        "Yes, all of them differ." if apart == len(found.pairs) else "Some differences are real, others may be chance."
    )


def sentences(found: Compared, metric: Metric, unit: Unit) -> list[str]:
    """Return what was found, a sentence or two for each point, the most important first."""
    name = metric.short or metric.title.lower()
    if found.problem:
        return [found.problem]
    if len(found.names) == 2:
        return [_pair(found.pairs[0], name, metric, unit), *_end(found, unit)]
    said = []
    for one in found.names:
        worse = [pair.other for pair in found.pairs if pair.apart and pair.better == one]
        if worse:
            said.append(f"{one} is better than {listed(worse)}.")
    said += [f"{listed(group)} cannot be told apart." for group in found.groups]
    apart = sorted((pair for pair in found.pairs if pair.apart), key=lambda pair: pair.wilcoxon_holm)
    said += [_pair(pair, name, metric, unit) for pair in apart[:1]]
    return said + _end(found, unit)


def _pair(pair: PairTest, name: str, metric: Metric, unit: Unit) -> str:
    n, better = unit.of(pair.seeds), metric.better
    ties = f", and the same on {pair.ties}" * bool(pair.ties)
    first = f"On {pair.wins} of {n} {pair.better} had a {better} {name} than {pair.other}{ties}."
    often = f"chance alone would give results at least as one-sided in {odds(pair.wilcoxon_holm)} comparisons"
    if pair.apart:
        low, high = sorted((abs(pair.difference) - pair.half, abs(pair.difference) + pair.half))
        return (
            f"{first} If neither were better, {often} ({p_words(pair.wilcoxon_holm)}). On average it is "
            f"{number(abs(pair.difference))} {better} (95 % interval {number(low)} to {number(high)})."
        )
    return f"{first} If neither were better, {often}, which is not rare. This does not say that the two are equal."


def _end(found: Compared, unit: Unit) -> list[str]:
    said = []
    if any(not pair.apart for pair in found.pairs):
        said.append("What cannot be told apart now, more seeds may tell apart.")
    if found.left_out:
        said.append(f"{unit.of(found.left_out)} left out, since a learner has no value there.")
    return said


def odds(p: float) -> str:
    """Return a probability as a count.

    >>> odds(0.26), odds(0.0234), odds(1e-6)
    ('about 26 of 100', 'about 23 of 1,000', 'less than 1 of 1,000')
    """
    if p >= 0.095:
        return f"about {100 * p:.0f} of 100"
    return f"about {1000 * p:.0f} of 1,000" if p >= 0.001 else "less than 1 of 1,000"


def p_words(p: float) -> str:
    """Return a p-value as papers print it.

    >>> p_words(0.0312), p_words(1e-9)
    ('p = 0.031', 'p < 0.001')
    """
    return f"p = {p:.3f}" if p >= 0.001 else "p < 0.001"


def listed(names: Sequence[str]) -> str:
    """Return names with commas and "and"; with semicolons, where names have commas.

    >>> listed(["a", "b", "c"]), listed(["a, 1", "a, 2"])
    ('a, b and c', 'a, 1; and a, 2')
    """
    if not any("," in name for name in names):
        return wording.listed(names)
    *first, last = names
    return "; ".join([*first, f"and {last}"]) if first else last


def method(found: Compared, unit: Unit) -> str:
    """Return how it was tested, in a sentence or two for a caption or a paper."""
    pairs = len(found.pairs)
    said = f"Wilcoxon's signed-rank test over {unit.of(found.seeds)}, two-sided, at the level of 5 %"
    if pairs > 1:
        said += f", corrected for {pairs} pairs by Holm's procedure"
    if found.friedman is not None and found.critical is not None:
        said += (
            f", after Friedman's test over all ({p_words(found.friedman)}). By Nemenyi's critical difference of the "
            f"mean ranks, {found.critical:.2f}, {found.nemenyi} of {pairs} pairs differ"
        )
    return said + "."


def table(found: Compared) -> PrintedTable:
    """Return the tests of all pairs as a table."""
    head = ("better", "other", "won on", "equal on", "seeds", "difference", "± 95 %", "d", "d low", "d high",
            "Wilcoxon p", "Wilcoxon p (Holm)", "t test p", "t test p (Holm)", "told apart")  # fmt: skip
    rows = [
        (pair.better, pair.other, pair.wins, pair.ties, pair.seeds, pair.difference, pair.half, pair.effect, pair.low,
         pair.high, pair.wilcoxon, pair.wilcoxon_holm, pair.t, pair.t_holm, "yes" if pair.apart else "no")
        for pair in found.pairs
    ]  # fmt: skip
    return PrintedTable(head, tuple(rows))


def printed(found: Compared) -> PrintedTable:
    """Return the tests of all pairs as a table that fits into a column of a paper."""
    head = ("better", "than", "won on", "difference", "95 % interval", "d", "p (Holm)")
    rows = [
        (pair.better, pair.other, f"{pair.wins}/{pair.seeds}", pair.difference,
         f"{number(pair.difference - pair.half)} to {number(pair.difference + pair.half)}", pair.effect,
         p_words(pair.wilcoxon_holm).removeprefix("p ").removeprefix("= "))
        for pair in found.pairs
    ]  # fmt: skip
    return PrintedTable(head, tuple(rows))


def ranking(found: Compared) -> PrintedTable:
    """Return the learners by mean rank as a table, each with those that cannot be told apart from it."""
    alike = [{pair.better, pair.other} for pair in found.pairs if not pair.apart]
    rows = [
        (name, math.nan if math.isnan(rank) else round(rank, 2), mean,
         "; ".join(other for other in found.names if {name, other} in alike))
        for name, rank, mean in zip(found.names, found.ranks, found.means, strict=True)
    ]  # fmt: skip
    return PrintedTable(("learner", "mean rank", "mean", "not told apart from"), tuple(rows))
