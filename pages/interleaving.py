"""The interleaving lab, a simulated search engine that compares learners with a fixed ranker."""

from pages.ui.entry import through_app
from pages.ui.families.interleaving.interleaving_lab import LAB

through_app()
LAB.run()
