"""The relevance-feedback lab, in which learners refine a base ranker by a few judgements."""

from pages.ui.entry import through_app
from pages.ui.families.refinement.refinement_lab import LAB

through_app()
LAB.run()
