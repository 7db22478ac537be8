"""The recordings of the library: `record`, `Recorder`, `open_recording` and `show`.

These four are public, and `feedback_lab` hands them on. None of them needs Streamlit or Plotly; what they need beside
the library is orjson and latex2mathml.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from learners import Simulation
from learners.run import display
from pages.ui.library.notebook import Output, bundle
from pages.ui.library.record import document_of
from pages.ui.library.recorder import Recorder
from pages.ui.recordings.document import Document, read

__all__ = ["Recorder", "open_recording", "record", "show"]

display.by(bundle)


def record(simulations: Simulation | Sequence[Simulation], path: str | Path, title: str = "", **how: Any) -> Path:
    """Write a run, or several that were run beside each other, as far as they have come, into a file `.flab`.

    how : `charts`, `replicate` and `window` as in `pages.ui.library.record.document_of`. Return the path.

    Raises
    ------
    ValueError : for simulations that have taken no step, or do not belong together.

    >>> import tempfile
    >>> sim = Simulation("perturbed-perceptron", "toy-ranking", "cascade", replicates=3, seed=1)
    >>> sim.advance(steps=100)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = open_recording(record(sim, Path(folder) / "run.flab"))
    >>> found.spec.learners[0].id, found.payload["steps"]
    ('perturbed-perceptron', 100)
    """
    Path(path).write_bytes(document_of(simulations, title, **how).packed())
    return Path(path)


def open_recording(path: str | Path) -> Document:
    """Return the recording in a file, which may come from anywhere.

    Raises
    ------
    ValueError : for a file that is no valid recording, with one sentence.
    """
    return read(Path(path).read_bytes())


def show(what: Any, offline: bool = False, link: str = "", **how: Any) -> Output:
    """Return a run, several that ran beside each other, or a recording, as a notebook shows it.

    A simulation, and a recording, that end a cell show themselves; this is for what needs words. offline : whether
    plotly.js is within the output, where figures need it, and all figures are shown. link : an address outside the
    frame. how : as in `record`.

    Raises
    ------
    ValueError : for what cannot be shown.
    """
    return Output(bundle(what, offline, link, **how))
