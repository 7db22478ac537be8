"""The adversary of [C] Lemma 3, from which no coactive learner learns faster than 1/√T."""

from learners.adversary.adversary import Adversary

__all__ = ["Adversary"]
