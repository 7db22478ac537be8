"""Learners of classes from few labels and many examples without one; a step is one round of boosting."""
