"""Learners that came after the five works and learn from few labels."""
