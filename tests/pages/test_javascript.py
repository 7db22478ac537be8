"""The scripts for the browser can be read by a JavaScript engine, each alone and all together."""

import shutil
import subprocess

import pytest

from pages.ui.follow import session as follow
from pages.ui.home import page as home
from pages.ui.lessons import cards
from pages.ui.log import log
from pages.ui.play import assets
from pages.ui.search import results
from tests.conftest import ROOT

NODE = shutil.which("node")
FILES = sorted((ROOT / "pages").rglob("*.js"))

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed; it is only needed for this check")


def complaint(code, path):
    """Return what node says against a script; the ending .mjs makes it a module, as Streamlit's components are."""
    path.write_text(code, encoding="utf-8")
    done = subprocess.run([NODE, "--check", path], capture_output=True, text=True, timeout=60)
    return done.stderr if done.returncode else ""


def test_every_script_is_looked_at():
    folders = {"draw", "follow", "home", "lessons", "log", "play", "search", "share", "sheet", "shelf"}
    assert {path.parent.parent.name for path in FILES} == folders


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_a_script_has_no_syntax_error(path, tmp_path):
    assert not complaint(path.read_text("utf-8"), tmp_path / "script.mjs")


@pytest.mark.parametrize("end", ["host", "alone"])
def test_the_parts_of_the_player_fit_together(end, tmp_path):
    """No name is declared by two of them, which only the joined script shows."""
    code = assets.script(end)
    assert not complaint(code, tmp_path / "whole.mjs")
    assert "has already been declared" in complaint(f"{code}\nclass Player {{}}", tmp_path / "twice.mjs")


@pytest.mark.parametrize(
    "parts", [("store", "listen", "listener"), ("store", "sheet", "row", "compare", "list", "page")]
)
def test_the_parts_of_the_run_log_fit_together(parts, tmp_path):
    assert not complaint(log._script(*parts), tmp_path / "whole.mjs")


def test_the_parts_of_a_lesson_fit_together(tmp_path):
    assert {*cards.PARTS} == {path.stem for path in cards.FOLDER.glob("*.js")}
    assert not complaint(cards.script(), tmp_path / "whole.mjs")


def test_the_lists_of_a_search_fit_to_what_all_share(tmp_path):
    assert not complaint(results.SCRIPT, tmp_path / "whole.mjs")


def test_the_parts_of_a_class_fit_together(tmp_path):
    assert {*follow.PARTS} == {path.stem for path in follow.FOLDER.glob("*.js")}
    assert not complaint(follow.script(), tmp_path / "whole.mjs")


def test_the_parts_of_the_home_page_fit_together(tmp_path):
    assert not complaint(home.code(), tmp_path / "whole.mjs")


def test_an_error_is_seen(tmp_path):
    assert "SyntaxError" in complaint("const a = ;", tmp_path / "script.mjs")
