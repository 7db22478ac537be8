"""The multilabel lab, in which learners show a set of labels and learn which of these are correct."""

from pages.ui.entry import through_app
from pages.ui.families.multilabel.multilabel_lab import LAB

through_app()
LAB.run()
