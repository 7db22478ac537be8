"""Classes named under bandit feedback: the bandit lab, its pictures, inspector and scene."""
