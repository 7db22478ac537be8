"""Learners that came after the five works and learn from right and wrong alone."""
