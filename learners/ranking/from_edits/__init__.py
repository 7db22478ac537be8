"""Learners that score documents by a model of their own, and learn from edits of their lists."""
