"""Every figure and table of the papers: a page of the app, and the command that computes them."""

import sys


def in_app() -> bool:
    """Return whether Streamlit runs this file, and not a person with `python -m pages.figures`."""
    from streamlit import runtime

    return runtime.exists()


if __name__ == "__main__":  # worker processes import this file under another name
    if in_app():
        from pages.ui.entry import through_app
        from pages.ui.figures import page

        through_app()
        page.run()
    else:
        from pages.ui.figures import command
        from pages.ui.figures.causes import command as causes

        sys.exit(causes.main(sys.argv[2:]) if sys.argv[1:2] == ["causes"] else command.main())
