"""A share of what can happen to folders while pages use them."""

import errno
import os
from pathlib import Path

import pytest

from tests.attack.folders import FAULTS, FOLDERS, cases, judge, refusing
from tests.attack.tally import FINE, REFUSED


@pytest.mark.parametrize(
    "case",
    [("uploads", "removed"), ("uploads", "bits flipped"), ("downloads", "bits flipped"), ("all", "disk full")],
    ids=" ".join,
)
def test_pages_go_on_or_say_in_a_sentence_what_is_wrong(case):
    outcome, words = judge(case)
    assert outcome == REFUSED and words, (outcome, words)


def test_a_folder_of_parsed_files_is_missed_by_nobody():
    assert judge(("datasets", "files cut in half")) == (FINE, "")


def test_a_fault_is_felt_by_whoever_writes(tmp_path):
    """The harness would see nothing if its faults did nothing."""
    with refusing(errno.ENOSPC)(tmp_path / "full"):
        for write in (lambda path: path.write_text("x"), Path.mkdir, os.mkdir):
            with pytest.raises(OSError, match="No space left"):
                write(tmp_path / "full")
        (tmp_path / "other").write_text("x")
    with refusing(errno.EIO, reading=True)(tmp_path / "other"), pytest.raises(OSError, match="Input/output"):
        (tmp_path / "other").read_text()
    assert (tmp_path / "other").read_text() == "x"


def test_the_harness_sees_a_page_that_breaks(monkeypatch):
    monkeypatch.setattr("pages.ui.files.uploads.checked", lambda id: 1 / 0)
    assert judge(("datasets", "removed"))[0] == "not one sentence"


def test_every_fault_happens_to_every_folder():
    assert len(cases()) == len(FOLDERS) * len(FAULTS) == 60 and len(cases(share=0.1)) == 6
