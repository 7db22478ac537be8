"""Run `python -m pages.static`."""

import sys

from pages.ui.static import command

if __name__ == "__main__":
    sys.exit(command.main())
