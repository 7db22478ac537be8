"""The bandit lab, in which learners name a class and learn only whether it is right."""

from pages.ui.entry import through_app
from pages.ui.families.classification.bandit_lab import LAB

through_app()
LAB.run()
