"""The learning-to-rank lab, with graded queries and boosting round by round."""

from pages.ui.entry import through_app
from pages.ui.families.learning_to_rank.learning_to_rank_lab import LAB

through_app()
LAB.run()
