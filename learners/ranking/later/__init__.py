"""Learners that came after the five works, or that they build on, and learn to rank from clicks."""
