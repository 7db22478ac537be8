"""Stand-in until the take-away's branch is merged."""

from pathlib import Path

JS = Path(__file__).parent / "js"
ORDER = ("library", "curves", "pictures", "film", "timeline", "player")


def script(boot: str) -> str:
    return "\n".join((JS / f"{name}.js").read_text() for name in (*ORDER, boot) if (JS / f"{name}.js").exists())


def style() -> str:
    return "\n".join(path.read_text() for path in sorted(JS.glob("*.css")))
