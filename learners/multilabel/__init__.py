"""Learners that show a set of labels and hear which of them are right."""
