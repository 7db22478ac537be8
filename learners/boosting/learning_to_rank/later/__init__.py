"""Learners that came after the five works and learn to rank from grades."""
