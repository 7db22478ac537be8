"""A check of the promises that every learner makes; `python -m learners.check mine.py` says which hold."""

from learners.check.promises import check_learner

__all__ = ["check_learner"]
