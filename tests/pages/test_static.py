"""The static edition: what is written, that links are alive and relative, that only what changed is made anew."""

import json
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pages.ui.gallery.demos import DEMOS
from pages.ui.lessons.lesson import read as read_lesson
from pages.ui.recordings.document import read
from pages.ui.static import command, demos, films
from pages.ui.static.store import LIST, Store
from tests.pages.lessons.sample import SAMPLE

TINY = replace(
    next(demo for demo in DEMOS if demo.id == "flip"),
    settings={"steps": "20", "replicates": "1", "charts": "rank-of-best,flips", "speed": "5"},
)
LESSON = read_lesson(SAMPLE, "flipping")
LINK = re.compile(r'(?:href|src)="([^"]*)"')


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """An edition with one small lesson and demo, and figures of which two are enough."""
    patch = pytest.MonkeyPatch()
    patch.setattr(demos, "DEMOS", (TINY,))
    patch.setattr(command.library, "lessons", lambda: {LESSON.id: LESSON})
    known = command.catalogue.figures()
    patch.setattr(command.catalogue, "figures", lambda: {id: known[id] for id in ("C-fig2", "S-tab1")})
    folder = tmp_path_factory.mktemp("edition")
    assert command.main([str(folder), "--workers", "1"]) == 0
    yield folder
    patch.undo()


def pages(folder):
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.html")}


def test_every_part_has_its_pages(edition):
    assert {*pages(edition)} == {"index.html", "lesson-flipping.html", "demo-flip.html", "figures.html",
                                 "figure-C-fig2.html", "figure-S-tab1.html"}  # fmt: skip


def test_links_are_relative_and_alive(edition):
    for name, text in pages(edition).items():
        for link in LINK.findall(text):
            target = link.partition("#")[0]
            assert not re.match(r"\w+:|/|\.\.", target) or target == "data:,", (name, link)
            assert target == "data:," or not target or (edition / target).is_file(), (name, link)


def told_by(text):
    """What a page tells its script."""
    return json.loads(re.search(r'id="fl-page">(.*?)</script>', text)[1])


def test_what_a_page_tells_its_script_is_there(edition):
    told = told_by(pages(edition)["demo-flip.html"])
    for file in (told["file"], *told["stops"]):
        assert (edition / file).is_file() and (edition / f"{file}.js").read_text("utf-8").count(f'"{file}"') == 1
    assert len(told["knobs"]) == len(told["stops"]) == 3
    home = told_by(pages(edition)["index.html"])
    assert all((edition / entry["href"]).is_file() for entry in home["entries"])
    assert {entry["kind"] for entry in home["entries"]} == {"Lesson", "Demo", "Figure"}


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


def test_a_lesson_has_its_recordings_its_numbers_and_its_searches(edition):
    lesson = told_by(pages(edition)["lesson-flipping.html"])["lesson"]
    meet, guess, _, noise, hand = lesson["cards"]
    runs = {meet["run"], *noise["stops"]["runs"]}
    assert all((edition / run).is_file() and (edition / f"{run}.js").is_file() for run in runs)
    assert isinstance(guess["truth"], float) and len(noise["stops"]["truths"]) == len(noise["stops"]["runs"])
    assert hand["tree"]["of"] == LESSON.cards[-1].hand.searches


def test_a_package_names_all_its_files_and_plays_alone(edition, tmp_path, capsys):
    path = tmp_path / "flipping.zip"
    arguments = ["--scorm", str(path), str(edition), "--lessons", "flipping", "--workers", "1"]
    assert command.main(arguments) == 0
    assert "SCORM 1.2" in capsys.readouterr().out
    first = path.read_bytes()
    assert command.main(arguments) == 0 and path.read_bytes() == first
    with zipfile.ZipFile(path) as package:
        names = {*package.namelist()}
        manifest = ElementTree.fromstring(package.read("imsmanifest.xml"))
        page = package.read("index.html").decode()
    space = {"c": "http://www.imsproject.org/xsd/imscp_rootv1p1p2"}
    adl = "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"
    (resource,) = manifest.findall(".//c:resource", space)
    assert (resource.get("href"), resource.get(f"{adl}scormtype")) == ("index.html", "sco")
    assert {file.get("href") for file in resource.findall("c:file", space)} == names - {"imsmanifest.xml"}
    assert manifest.find(".//c:item", space).get("identifierref") == resource.get("identifier")
    assert manifest.find("c:metadata/c:schemaversion", space).text == "1.2"
    told = told_by(page)
    runs = [card["run"] for card in told["lesson"]["cards"] if card["run"]]
    assert told["course"] and {*runs} <= names and {link for link in LINK.findall(page) if "." in link} <= names


def test_only_what_is_missing_is_made_again(edition, capsys):
    arguments = [str(edition), "--workers", "1"]
    assert command.main(arguments) == 0
    said = capsys.readouterr().out
    assert " recordings: " not in said and " 1 lessons" not in said
    stamps = {path: path.stat().st_mtime_ns for path in edition.rglob("*") if path.is_file()}
    gone = edition / "data" / f"{demos.wanted(TINY).name}-1.stops"
    before = gone.read_bytes()
    gone.unlink()
    assert command.main(arguments) == 0
    assert "1 of 1 recordings" in capsys.readouterr().out and gone.read_bytes() == before
    again = {path for path, at in stamps.items() if path.stat().st_mtime_ns != at}
    assert {path.parent.name for path in again} == {"data"}


def test_what_fails_is_left_out_and_told_and_all_else_is_there(edition, capsys, monkeypatch):
    """The recording of the demo is gone and cannot be made again; then the document of the lesson cannot."""
    gone = edition / "data" / f"{demos.wanted(TINY).name}.json"
    kept = gone.read_bytes()
    gone.unlink()

    def fails(*given):
        raise RuntimeError("no disk")

    arguments = [str(edition), "--workers", "1"]
    with monkeypatch.context() as patch:
        patch.setattr(films, "make", fails)
        assert command.main(arguments) == 1
    said = capsys.readouterr()
    assert "1 of 1 recordings: stability failed: no disk" in said.out
    assert said.err.strip() == "It is not complete: demo 'flip' (no disk) could not be made"
    assert {"index.html", "lesson-flipping.html", "figures.html"} < {*pages(edition)}
    assert "demo-flip.html" not in pages(edition)
    assert [one["kind"] for one in told_by(pages(edition)["index.html"])["entries"]] == ["Lesson", "Figure", "Figure"]
    gone.write_bytes(kept)
    document = edition / "data" / "lesson-flipping.json"
    whole = document.read_bytes()
    document.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(command.lessons, "make", fails)
        assert command.main(arguments) == 1
        assert command.main(["--scorm", str(edition / "x.zip"), *arguments, "--lessons", "flipping"]) == 1
    assert capsys.readouterr().err.count("lesson 'flipping' (no disk) could not be made") == 2
    assert "demo-flip.html" in pages(edition) and "lesson-flipping.html" not in pages(edition)
    document.write_bytes(whole)
    with monkeypatch.context() as patch:
        patch.setattr(command.demos, "write", fails)
        assert command.main(arguments) == 1
    assert "demo 'flip' (no disk)" in capsys.readouterr().err and "lesson-flipping.html" in pages(edition)
    assert command.main(arguments) == 0 and "lesson-flipping.html" in pages(edition)


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
        (["--lessons", "nonsense"], "there is no lesson 'nonsense'"),
        (["--scorm", "x.zip"], "--scorm needs exactly one lesson"),
        (["--scorm", "x.zip", "--lessons", "flip", "gamma"], "--scorm needs exactly one lesson"),
    ],
)
def test_wrong_arguments_are_told_in_one_sentence(tmp_path, capsys, arguments, said):
    with pytest.raises(SystemExit) as stop:
        command.main([str(tmp_path / "out"), *arguments])
    assert stop.value.code == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert said in lines[-1] and not (tmp_path / "out").exists()


def test_an_edition_needs_a_folder(capsys):
    with pytest.raises(SystemExit):
        command.main([])
    assert "name the folder of the edition" in capsys.readouterr().err


def test_a_file_in_place_of_the_folder_is_refused(tmp_path, capsys):
    (tmp_path / "out").write_text("x")
    with pytest.raises(SystemExit):
        command.main([str(tmp_path / "out")])
    assert "is a file, and an edition needs a folder" in capsys.readouterr().err
