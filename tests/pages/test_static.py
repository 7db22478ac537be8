"""The static edition: what is written, that links are alive and relative, that only what changed is made anew."""

import json
import re
from dataclasses import replace

import pytest

from pages.ui.gallery.demos import DEMOS
from pages.ui.recordings.document import read
from pages.ui.static import command, demos, films
from pages.ui.static.store import LIST, Store

TINY = replace(
    next(demo for demo in DEMOS if demo.id == "flip"),
    settings={"steps": "20", "replicates": "1", "charts": "rank-of-best,flips", "speed": "5"},
)
LINK = re.compile(r'(?:href|src)="([^"]*)"')


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """An edition with one small demo, and figures of which two are enough."""
    patch = pytest.MonkeyPatch()
    patch.setattr(demos, "DEMOS", (TINY,))
    known = command.catalogue.figures()
    patch.setattr(command.catalogue, "figures", lambda: {id: known[id] for id in ("C-fig2", "S-tab1")})
    folder = tmp_path_factory.mktemp("edition")
    assert command.main([str(folder), "--demos", "--figures", "--workers", "1"]) == 0
    yield folder
    patch.undo()


def pages(folder):
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.html")}


def test_every_part_has_its_pages(edition):
    assert {*pages(edition)} == {"index.html", "demo-flip.html", "figures.html", "figure-C-fig2.html",
                                 "figure-S-tab1.html"}  # fmt: skip


def test_links_are_relative_and_alive(edition):
    for name, text in pages(edition).items():
        for link in LINK.findall(text):
            target = link.partition("#")[0]
            assert not re.match(r"\w+:|/|\.\.", target) or target == "data:,", (name, link)
            assert target == "data:," or not target or (edition / target).is_file(), (name, link)


def test_what_a_page_tells_its_script_is_there(edition):
    told = json.loads(re.search(r'id="fl-page">(.*?)</script>', pages(edition)["demo-flip.html"])[1])
    for file in (told["file"], *told["stops"]):
        assert (edition / file).is_file() and (edition / f"{file}.js").read_text("utf-8").count(f'"{file}"') == 1
    assert len(told["knobs"]) == len(told["stops"]) == 3
    home = json.loads(re.search(r'id="fl-page">(.*?)</script>', pages(edition)["index.html"])[1])
    assert all((edition / entry["href"]).is_file() for entry in home["entries"])
    assert {entry["kind"] for entry in home["entries"]} == {"Demo", "Figure"}


def test_no_other_host_is_named(edition):
    for name, text in pages(edition).items():
        assert "default-src 'none'" in text
        for address in re.findall(r"https?://[^\s\"'<)]+", text):
            assert address.startswith("http://www.w3.org/"), (name, address)


def test_a_recording_is_that_of_the_lab(edition):
    wanted = demos.wanted(TINY)
    document = read((edition / films.FOLDER / f"{wanted.name}.flab").read_bytes())
    assert document.spec == wanted.filled.run
    assert (document.payload["steps"], document.payload["speed"]) == (20, "5")
    assert document.payload["scene"]["kind"] == "ranking" and document.stories


def test_only_what_is_missing_is_made_again(edition, capsys):
    arguments = [str(edition), "--demos", "--figures", "--workers", "1"]
    assert command.main(arguments) == 0
    assert " recordings: " not in capsys.readouterr().out
    stamps = {path: path.stat().st_mtime_ns for path in edition.rglob("*") if path.is_file()}
    gone = edition / "data" / f"{demos.wanted(TINY).name}-1.stops"
    before = gone.read_bytes()
    gone.unlink()
    assert command.main(arguments) == 0
    assert "1 of 1 recordings" in capsys.readouterr().out and gone.read_bytes() == before
    again = {path for path, at in stamps.items() if path.stat().st_mtime_ns != at}
    assert {path.parent.name for path in again} == {"data"}


def test_what_an_edition_no_longer_has_goes_and_other_files_stay(tmp_path):
    (tmp_path / "mine.txt").write_text("stays")
    (tmp_path / LIST).write_text(json.dumps(["old.html", "../outside.txt", "kept.html", 3]))
    outside = tmp_path.parent / "outside.txt"
    for path in (tmp_path / "old.html", tmp_path / "kept.html", outside):
        path.write_text("x")
    store = Store(tmp_path)
    store.write("kept.html", "x")
    store.finish()
    assert sorted(path.name for path in tmp_path.iterdir()) == [LIST, "kept.html", "mine.txt"]
    assert outside.is_file()
    outside.unlink()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--demos", "nonsense"], "there is no demo 'nonsense'"),
        (["--demos", "valley"], "there is no demo 'valley' to record"),
        (["--server", "javascript:alert(1)"], "--server must be an address"),
        (["--server", 'https://a.example/"x'], "--server must be an address"),
        (["--workers", "0"], "--workers must be at least 1"),
    ],
)
def test_wrong_arguments_are_told_in_one_sentence(tmp_path, capsys, arguments, said):
    with pytest.raises(SystemExit) as stop:
        command.main([str(tmp_path / "out"), *arguments])
    assert stop.value.code == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert said in lines[-1] and not (tmp_path / "out").exists()


def test_a_file_in_place_of_the_folder_is_refused(tmp_path, capsys):
    (tmp_path / "out").write_text("x")
    with pytest.raises(SystemExit):
        command.main([str(tmp_path / "out")])
    assert "is a file, and an edition needs a folder" in capsys.readouterr().err
