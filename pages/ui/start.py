"""The command `feedback-lab`, which starts the app of the installed package; it takes what `streamlit run` takes."""

import sys
from importlib.util import find_spec

from datasets.home import CODE

NEEDED = ("streamlit", "plotly", "segno", "starlette")


def main() -> None:
    """Start the server, or say what is missing."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        sys.exit(f'The app also needs {", ".join(missing)}: pip install "feedback-lab[app]"')
    from streamlit.web.cli import main as streamlit

    sys.argv = ["streamlit", "run", str(CODE / "app.py"), *sys.argv[1:]]
    streamlit()


if __name__ == "__main__":
    main()
