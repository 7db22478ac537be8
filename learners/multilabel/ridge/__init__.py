"""Learners that fit a ridge regressor to the answers on each label."""
