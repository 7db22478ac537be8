"""Learners that refine the ranking of a base ranker from a few judgements; a step is one round of boosting."""
