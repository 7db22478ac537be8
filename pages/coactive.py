"""The coactive lab, with every algorithm of the coactive learning paper and users from perfect to misleading."""

from pages.ui.entry import through_app
from pages.ui.families.ranking.coactive_lab import LAB

through_app()
LAB.run()
