"""Learners that came after the five works and choose a set of labels."""
