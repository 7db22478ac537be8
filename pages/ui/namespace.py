"""The names of `import feedback_lab`: the library by its short names, and what shows or records runs.

Installed, this file is the top of the one package; in a checkout it can be imported under its own name.

>>> from pages.ui import namespace as fl
>>> sim = fl.Simulation("perturbed-perceptron", "toy-ranking", "cascade", replicates=5)
>>> sim.advance(steps=50)
>>> sim.history["flips"].shape
(50, 5)
"""

import importlib
from typing import Any

from datasets import check_dataset, load
from datasets.home import module
from learners import Simulation, check_learner, create, create_user, sweep
from learners.interleaving import Comparison
from learners.run import display

_LATER = dict.fromkeys(("show", "record", "Recorder", "open_recording"), "pages.ui.library.public")

__all__ = ["Comparison", "Simulation", "check_dataset", "check_learner", "create", "create_user", "load", "sweep"]


def __getattr__(name: str) -> Any:
    """Import what draws or writes runs when it is asked for; a script that only computes does without."""
    if name not in _LATER:
        raise AttributeError(f"feedback_lab has no {name!r}")
    return getattr(importlib.import_module(module(_LATER[name])), name)


def _bundle(run: Any) -> display.Bundle:
    found: display.Bundle = importlib.import_module(module("pages.ui.library.notebook")).bundle(run)
    return found


display.by(_bundle)  # runs show themselves in a notebook
