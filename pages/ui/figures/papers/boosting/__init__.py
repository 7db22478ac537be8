"""Boosting: chapters 1 to 3 of [V]."""
