"""Learners with a matrix that knows how sure they are of each direction."""
