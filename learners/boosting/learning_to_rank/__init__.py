"""Learners of rankings from whole queries of graded documents; a step is one round of boosting."""
