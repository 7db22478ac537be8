"""The learning-to-rank lab, with graded queries and boosting round by round."""

from pages.ui.entry import through_app
from pages.ui.labs.learning_to_rank import LAB

through_app()
LAB.run()
