"""The three families of boosting, and their common rounds, weak learners and environment."""
