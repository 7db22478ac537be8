"""Learners that rank by weights and learn from the comparison of two documents: contextual dueling bandits."""
