"""Tests whether learners differ, paired over data seeds: which unit counts, which tests, and what they say in words.

`rivals` and `planned` say what is run, `seeds.values` gathers it, `compared` tests, and `words` tells a person.
"""

from learners.compare.paired import Compared, PairTest, compared, holm
from learners.compare.seeds import Unit, planned, rivals, unit_of, values

__all__ = ["Compared", "PairTest", "Unit", "compared", "holm", "planned", "rivals", "unit_of", "values"]
