"""The notebooks that a lecturer may hand out, executed from their first cell to their last."""

import os
from pathlib import Path

import pytest

from tests.conftest import ROOT

NOTEBOOKS = sorted(Path(__file__).parent.glob("*.ipynb"))
# in a checkout the package is not installed under its own name
NAMESPACE = "from pages.ui.namespace import *\nfrom pages.ui.namespace import __getattr__\n"


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_its_run_plays_in_it(path, tmp_path, monkeypatch):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    (tmp_path / "feedback_lab.py").write_text(NAMESPACE, "utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    shown = [output["data"] for output in outputs if "data" in output]
    assert len(shown) == 1 and {*shown[0]} == {"text/plain", "text/html", "image/svg+xml"}
    assert "<iframe sandbox" in shown[0]["text/html"] and len(shown[0]["text/html"].encode()) < 600_000
    printed = "".join(
        output["text"] for output in outputs if output.output_type == "stream" and output.name == "stdout"
    )
    complaints = [o["text"] for o in outputs if o.output_type == "stream" and o.name == "stderr"]
    assert not [text for text in complaints if "streamlit" in text.lower()], complaints
    assert printed.count("\n") >= 2 and not [output for output in outputs if output.output_type == "error"]


def test_there_is_one_a_family_without_outputs():
    nbformat = pytest.importorskip("nbformat")
    assert len(NOTEBOOKS) == 6
    for path in NOTEBOOKS:
        assert not any(cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells)
