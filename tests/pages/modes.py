"""Every mode of every lab that has runs, so that no test of all labs leaves one out."""

from pages.ui.families import labs
from pages.ui.lab.lab import Lab


def modes() -> dict[str, tuple[Lab, Lab]]:
    """Return each mode with the lab on whose page it is, which for most labs is the same."""
    found = {}
    for page, lab in labs().items():
        found[page] = lab, lab
        found |= {f"{page} {id}": (lab, mode) for id, mode in lab.modes.items() if isinstance(mode, Lab)}
    return found


SHOWN = {name: lab for name, (_, lab) in modes().items()}
