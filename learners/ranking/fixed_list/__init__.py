"""Learners without weights, which keep numbers of each document of one fixed list."""
