"""The stability lab, in which ranking learners learn from the clicks of noisy users."""

from pages.ui.entry import through_app
from pages.ui.families.ranking.stability_lab import LAB

through_app()
LAB.run()
