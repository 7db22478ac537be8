"""Interleaving merges two rankings into one list; a simulated live search engine compares rankers by it."""

from learners.interleaving.comparison import Comparison
from learners.interleaving.engine import Trial
from learners.interleaving.fixed import HAND_TUNED, LINEAR_SAMPLE
from learners.interleaving.verdict import Verdict, sign_test, wilson
from learners.ranking.interleave import METHODS, Interleaved, credit, interleave, preference

__all__ = [
    "HAND_TUNED",
    "LINEAR_SAMPLE",
    "METHODS",
    "Comparison",
    "Interleaved",
    "Trial",
    "Verdict",
    "credit",
    "interleave",
    "preference",
    "sign_test",
    "wilson",
]
