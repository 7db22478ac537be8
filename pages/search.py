"""A search engine over the functions of four libraries, in which two learners learn from the same clicks."""

from pages.ui.entry import through_app
from pages.ui.search import page

through_app()
page.run()
