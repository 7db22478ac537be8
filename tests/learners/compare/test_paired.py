"""Tests between learners, against SciPy, examples worked out by hand, a published example, and what chance does.

Worked out by hand: of 1, 2, 3 the mean is 2 and the standard deviation 1, so t = 2√3 with two degrees of freedom, whose
two-sided p is 1 − t / √(2 + t²) = 1 − √12 / √14. If a learner is better on each of seven seeds, 2 of the 2⁷ signs are
as one-sided, so Wilcoxon's p is 1/64; Holm multiplies the smallest of three by 3, and none may be below it.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from learners.compare import compared, holm, paired
from learners.compare.paired import critical_difference, fewest
from tests.cases import cases

# Demšar (2006), Table 6: AUC of C4.5 with m and cf tuned or not, on 14 data sets. The last two of "voting" are printed
# as 0.975, but ranked 2 and 3.
DEMSAR = {
    "C4.5": [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957],
    "+m": [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978],
    "+cf": [.771, .590, .968, .654, .886, .916, .609, .563, .866, 1, .965, .614, .975, .946],
    "+m+cf": [.798, .569, .967, .657, .898, .931, .685, .625, .875, 1, .962, .669, .9749, .970],
}  # fmt: skip
ARRAYS = {name: np.array(row) for name, row in DEMSAR.items()}


def apart_only(values):
    """Compare without intervals of effects, which take most of the time and tell nobody apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paired, "_effect", lambda mean, spread, n: (math.nan, math.nan, math.nan))
        return compared(values, "lower")


def test_the_examples_worked_out_by_hand():
    a = np.array([4.0, 7.0, 1.0])
    pair = compared({"a": a, "b": a + np.array([1, 2, 3])}, "lower").pairs[0]
    assert (pair.better, pair.difference, pair.wins) == ("a", -2.0, 3)
    assert pair.t == pytest.approx(1 - math.sqrt(12 / 14), abs=1e-12)
    assert pair.effect == pytest.approx(2)
    a = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0])
    worse, worst = np.array([1.0, 1.5, 1.25, 1.75, 0.5, 2, 2.5]), np.array([4, 5, 3, 6, 2, 7, 8])
    found = compared({"c": a + worst, "a": a, "b": a + worse}, "lower")
    assert found.names == ("a", "b", "c") and found.ranks == (1, 2, 3) and found.groups == ()
    for pair in found.pairs:
        assert pair.wilcoxon == pytest.approx(1 / 64, abs=1e-12)
        assert pair.wilcoxon_holm == pytest.approx(3 / 64, abs=1e-12) and pair.apart
    # Friedman: χ² = 12·7 / (3·4) (1 + 4 + 9 − 3·16 / 4) = 14 with two degrees of freedom, so p = exp(−7)
    assert found.friedman == pytest.approx(math.exp(-7), abs=1e-12)


def test_holms_correction_worked_out_by_hand():
    """0.005·4, then 0.01·3, 0.03·2, and 0.04·1, which may not be below 0.06."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02], abs=1e-12)
    assert holm([0.5, 0.9]) == [1.0, 1.0] and holm([]) == []


def test_demsars_example():
    """The mean ranks and the critical difference that he prints; Wilcoxon's sums for the first two by hand.

    Without the two data sets on which they are equal, the ranks of the losses are 5 and 1.5 of 78.
    """
    found = compared(ARRAYS, "higher")
    ranks = dict(zip(found.names, found.ranks, strict=True))
    printed = {"C4.5": 3.143, "+m": 2.0, "+cf": 2.893, "+m+cf": 1.964}
    assert ranks == pytest.approx(printed, abs=5e-4)
    assert found.critical == pytest.approx(1.25, abs=0.01)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.01)
    pair = found.pair("C4.5", "+m")
    assert (pair.better, pair.wins, pair.ties, pair.seeds) == ("+m", 10, 2, 14)
    gains = ARRAYS["+m"] - ARRAYS["C4.5"]
    assert stats.wilcoxon(gains[np.abs(gains) > 1e-9].round(9)).statistic == 6.5


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_p_values_are_those_of_scipy(data):
    k, n = data.draw(st.integers(2, 4)), data.draw(st.integers(6, 60))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    shift = rng.normal(size=(k, 1)) * data.draw(st.sampled_from([0, 0.5, 3]))
    table = rng.normal(size=(k, n)) + shift
    better = data.draw(st.sampled_from(["lower", "higher"]))
    names = "abcd"[:k]
    found = compared(dict(zip(names, table, strict=True)), better)
    for one, other in itertools.combinations(range(k), 2):
        pair = found.pair(names[one], names[other])
        assert pair.t == pytest.approx(stats.ttest_rel(table[one], table[other]).pvalue, abs=1e-12)
        assert pair.wilcoxon == pytest.approx(stats.wilcoxon(table[one], table[other]).pvalue, abs=1e-12)
    adjusted = [min(1, max(p * (len(found.pairs) - sum(q < p for q in raw)) for p in raw if p <= own))
                for raw in [[pair.wilcoxon for pair in found.pairs]] for own in raw]  # fmt: skip
    assert [pair.wilcoxon_holm for pair in found.pairs] == pytest.approx(adjusted, abs=1e-12)
    if k > 2:
        assert found.friedman == pytest.approx(stats.friedmanchisquare(*table).pvalue, abs=1e-12)
        q = stats.studentized_range.isf(0.05, k, np.inf)
        assert found.critical == pytest.approx(q * math.sqrt(k * (k + 1) / (12 * n)), abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=6, max_size=9).filter(any))
@example([3, -1, 0, 2, 2, -4, 1, 0, 4, -2, 1, 1, 3])
@example([3, -1, 0, 2, 2, -4, 1, 0, 4, -2, 1, 1, 3, 3])
@example([0, 0, -3, 1, 1, 2, -2, 0, 4, 4, -1, 2, 0, 1, 3])
def test_the_p_value_of_equal_and_zero_differences_is_that_of_scipy(gains):
    """SciPy tries all signs of up to 13 of them one by one, we by sums; beyond both take the normal distribution."""
    pair = apart_only({"a": np.zeros(len(gains)), "b": np.array(gains) / 4}).pairs[0]
    with np.errstate(all="ignore"):
        assert pair.wilcoxon == pytest.approx(stats.wilcoxon(np.array(gains) / 4).pvalue, abs=1e-12)


def test_the_interval_of_an_effect_inverts_the_distribution_and_covers():
    rng, covered = np.random.default_rng(1), 0
    for _ in range(200):
        b = rng.normal(size=10)
        pair = compared({"a": b - 0.8 + rng.normal(size=10), "b": b}, "lower").pairs[0]
        sign = 1 if pair.better == "a" else -1
        low, high = sorted((sign * pair.low, sign * pair.high))
        covered += low <= 0.8 <= high
        t = pair.effect * math.sqrt(10)
        assert stats.nct.cdf(t, 9, pair.low * math.sqrt(10)) == pytest.approx(0.975, abs=1e-6)
    assert 180 <= covered <= 198


def test_chance_alone_tells_apart_no_more_often_than_it_may():
    rng = np.random.default_rng(2)
    tables = (rng.normal(size=(3, 9)) for _ in range(200))
    found = [apart_only(dict(zip("abc", table, strict=True))) for table in tables]
    assert 0 < sum(any(pair.apart for pair in one.pairs) for one in found) <= 18


def test_what_cannot_be_told_apart_is_not_ranked():
    rng = np.random.default_rng(3)
    base = rng.normal(size=12)
    a, b = base + rng.normal(size=12) / 10, base + rng.normal(size=12) / 10
    found = compared({"worst": base + 5, "a": a, "b": b}, "lower")
    assert found.groups in ((("a", "b"),), (("b", "a"),)) and found.names[-1] == "worst"
    assert not found.pair("a", "b").apart and found.pair("a", "worst").apart
    nothing = compared({"a": a, "b": b, "c": base + rng.normal(size=12) / 10}, "lower")
    assert nothing.groups == (nothing.names,)


def test_what_is_told_apart_shares_no_group():
    """B is worse than A by 1 on each seed; C by far on seven, and better on three: A and C, B and C may be alike."""
    a = np.arange(10.0)
    found = compared({"a": a, "b": a + 1, "c": a + np.where(np.arange(10) < 7, 6, -7)}, "lower")
    assert found.names == ("a", "b", "c") and found.pair("a", "b").apart
    assert found.groups == (("a", "c"), ("b", "c"))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_every_pair_is_told_apart_or_shares_a_group(data):
    k = data.draw(st.integers(2, 6))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    table = rng.normal(size=(k, 16)) * rng.choice([0.2, 3], size=(k, 1)) + rng.normal(size=(k, 1))
    found = apart_only(dict(zip("abcdef"[:k], table, strict=True)))
    for pair in found.pairs:
        together = any({pair.better, pair.other} <= set(group) for group in found.groups)
        assert together != pair.apart
    assert not any(set(one) < set(other) for one in found.groups for other in found.groups)


def test_too_few_seeds_are_said_whatever_the_values():
    for learners in (2, 3, 5):
        least = fewest(learners)
        steps = np.arange(least, dtype=float)
        values = {str(i): 10 * i + (1 + i) * steps for i in range(learners)}
        assert all(pair.apart for pair in compared(values, "lower").pairs)
        few = compared({name: row[:-1] for name, row in values.items()}, "lower")
        assert few.problem.endswith(f"Take at least {least}.") and not any(pair.apart for pair in few.pairs)
    assert compared({"a": np.empty(0), "b": np.empty(0)}, "lower").problem.startswith("0 seeds are too few")


def test_values_without_chance_and_values_that_are_missing():
    same = compared({"a": np.full(8, 1.0), "b": np.full(8, 2.0)}, "lower")
    assert "nothing is left to chance" in same.problem and not same.pairs[0].apart
    a = np.array([1, 2, 3, 4, 5, 6, 7, np.nan])
    found = compared({"a": a, "b": a + np.arange(1, 9)}, "lower")
    assert (found.seeds, found.left_out) == (7, 1)
    equal = compared({"a": np.arange(8.0), "b": np.arange(8.0)}, "lower").pairs[0]
    assert (equal.t, equal.wilcoxon, equal.effect, equal.ties) == (1, 1, 0, 8)
    assert compared({"a": np.arange(8.0), "b": np.arange(8.0) + 1}, "lower").pairs[0].effect == math.inf


@cases(
    ("values", "better", "words"),
    [
        ({"a": np.ones(3)}, "lower", "at least two learners"),
        ({"a": np.ones(3), "b": np.ones(4)}, "lower", "the same seeds"),
        ({"a": np.ones(3), "b": np.ones(3)}, "", "better must be"),
    ],
)
def test_wrong_input_ends_in_a_sentence(values, better, words):
    with pytest.raises(ValueError, match=words):
        compared(values, better)
