"""The lower bound as a game against an adversary that beats every coactive learner."""

from pages.ui.bound import page
from pages.ui.entry import through_app

through_app()
page.run()
