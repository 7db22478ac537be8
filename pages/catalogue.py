"""The catalogue: every algorithm in the notation of its paper and in code, and every data set."""

from pages.ui.catalogue import page
from pages.ui.entry import through_app

through_app()
page.run()
