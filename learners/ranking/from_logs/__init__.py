"""Learners that see only what a log holds: lists that another ranker has shown, and the clicks on them."""
