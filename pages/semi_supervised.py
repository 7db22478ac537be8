"""The semi-supervised lab, with few labels, many unlabelled examples, and boosting round by round."""

from pages.ui.entry import through_app
from pages.ui.families.semi_supervised.semi_supervised_lab import LAB

through_app()
LAB.run()
