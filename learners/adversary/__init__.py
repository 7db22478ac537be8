"""The adversary of [C] Lemma 3, which shows that no coactive learner learns faster than 1/√T."""

from learners.adversary.adversary import Adversary

__all__ = ["Adversary"]
