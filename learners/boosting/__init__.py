"""What the three families of boosting have in common: rounds, weak learners, the environment."""
