"""The semi-supervised lab, with few labels, many unlabelled examples, and boosting round by round."""

from pages.ui.entry import through_app
from pages.ui.labs.semi_supervised import LAB

through_app()
LAB.run()
