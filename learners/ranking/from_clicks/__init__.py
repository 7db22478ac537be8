"""Learners that rank by weights and learn from clicks by other ways than a feedback ranking."""
