"""Learners that predict the class of an example and learn from the true class, or from right and wrong alone."""
