"""Contextual bandits, which regress the reward of each label."""
