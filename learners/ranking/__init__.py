"""Ranking learners, one algorithm a file; a file added here is found by itself."""
