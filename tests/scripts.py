"""Scripts of the pages with stand-ins for some of their modules."""

from pages.ui import modules
from pages.ui.play import assets

PLAYER = assets.FOLDER / "player.js"


def script(entry, instead=()):
    """A module with all that it imports, as one script; `instead` has other code for modules, by the file's name."""
    instead = dict(instead)
    paths = modules.files(entry)
    assert {*instead} <= {path.name for path in paths}
    return "\n".join(modules.bare(instead.get(path.name, path.read_text("utf-8"))) for path in paths)
