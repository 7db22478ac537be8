"""Every figure and table of the papers: a page of the app, and the command that computes them."""

import sys

from pages.ui.figures import command

if __name__ == "__main__":  # worker processes import this file under another name
    sys.exit(command.main())
