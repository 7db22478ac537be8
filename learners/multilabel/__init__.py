"""Learners that show a set of labels, told which of those shown are right, or all that are."""
