"""The static edition: what is written, that links are alive and relative, that only what changed is made anew."""

import base64
import gzip
import json
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import xmlschema

from pages.ui.gallery.demos import DEMOS
from pages.ui.lessons.lesson import read as read_lesson
from pages.ui.static import command, demos, films, lessons, sweeps
from pages.ui.static.store import LIST, Store, unwrapped, wrapped
from tests.pages.lessons.sample import SAMPLE

TINY = replace(
    next(demo for demo in DEMOS if demo.id == "flip"),
    settings={"steps": "20", "replicates": "1", "charts": "rank-of-best,flips", "speed": "5"},
)
LESSON = read_lesson(SAMPLE, "flipping")
SPANISH = replace(LESSON, title="Un perceptrón & un usuario", language="es")
LINK = re.compile(r'(?:href|src|data-file)="([^"]*)"')


@pytest.fixture(scope="module")
def edition(tmp_path_factory):
    """An edition with one small lesson and demo, and figures of which two are enough."""
    patch = pytest.MonkeyPatch()
    patch.setattr(demos, "DEMOS", (TINY,))
    spoken = {"en": LESSON, "es": SPANISH}
    patch.setattr(lessons.library, "lessons", lambda language="en": {LESSON.id: spoken[language]})
    patch.setattr(lessons.library, "spoken", lambda id: ("en", "es"))
    known = command.catalogue.figures()
    patch.setattr(command.catalogue, "figures", lambda: {id: known[id] for id in ("C-fig2", "S-tab1")})
    folder = tmp_path_factory.mktemp("edition")
    assert command.main([str(folder), "--workers", "1"]) == 0
    yield folder
    patch.undo()


def pages(folder):
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.html")}


def test_every_part_has_its_pages(edition):
    assert {*pages(edition)} == {
        "index.html", "index.es.html", "lesson-flipping.html", "lesson-flipping.es.html", "handout-flipping.html",
        "handout-flipping.es.html", "demo-flip.html", "figures.html", "figure-C-fig2.html", "figure-S-tab1.html",
    }  # fmt: skip


def test_links_are_relative_and_alive(edition):
    for name, text in pages(edition).items():
        for link in LINK.findall(text):
            target = link.partition("#")[0]
            assert not re.match(r"\w+:|/|\.\.", target) or target == "data:,", (name, link)
            assert target == "data:," or not target or (edition / target).is_file(), (name, link)


def told_by(text):
    """The data that a page hands to its script."""
    return json.loads(re.search(r'id="fl-page">(.*?)</script>', text)[1])


def test_curves_are_rounded_to_a_part_in_a_hundred_thousand():
    y = [1 / 3, -2e5 / 7, 0.0, None, 12345.0]
    exact = np.array([1 / 3, 2 / 7e9, np.nan, -4096.5, 0], "<f4")
    chart, picture = {"kind": "curves", "data": [{"x": [123456.7], "y": y}]}, {"kind": "figure"}
    given = {"first": 3, "charts": {"a": {"0 0 0": base64.b64encode(exact.tobytes()).decode()}}}
    found = films.rounded({"charts": [chart, picture], "exact": given})
    assert found["charts"] == [
        chart | {"data": [{"x": [123456.7], "y": [0.333333, -28571.4, 0, None, 12345]}]},
        picture,
    ]
    assert found["exact"]["first"] == 3
    kept = np.frombuffer(base64.b64decode(found["exact"]["charts"]["a"]["0 0 0"]), "<f4")
    np.testing.assert_allclose(kept, exact, rtol=1e-5)
    assert (kept.view("<u4") & 0x7F == 0).all() and kept[3] == exact[3]
    assert films.rounded({"charts": [], "exact": None}) == {"charts": [], "exact": None}


def test_what_a_page_tells_its_script_is_there(edition):
    told = told_by(pages(edition)["demo-flip.html"])
    for file in (told["file"], *told["stops"]):
        packed = unwrapped((edition / file).read_bytes())
        assert wrapped(packed) == (edition / file).read_bytes() and gzip.decompress(packed)[:1] == b"{"
    assert len(told["knobs"]) == len(told["stops"]) == 3
    home = told_by(pages(edition)["index.html"])
    assert all((edition / entry["href"]).is_file() for entry in home["entries"])
    assert {entry["kind"] for entry in home["entries"]} == {"Lesson", "Demo", "Figure"}


def test_the_numbers_of_a_figure_are_there_packed(edition):
    text = gzip.decompress(unwrapped((edition / "data" / "C-fig2.csv.js").read_bytes())).decode()
    assert text.startswith("figure,panel,series,x,seed,value\nC-fig2,") and text.count("\n") > 100
    assert 'data-take="C-fig2.csv" data-file="data/C-fig2.csv.js"' in pages(edition)["figure-C-fig2.html"]


def test_no_other_host_is_named(edition):
    for name, text in pages(edition).items():
        assert "default-src 'none'" in text
        for address in re.findall(r"https?://[^\s\"'<)]+", text):
            assert address.startswith("http://www.w3.org/"), (name, address)


def test_a_recording_is_that_of_the_lab(edition):
    wanted = demos.wanted(TINY)
    document = films.opened((edition / films.file_of(wanted.name)).read_bytes())
    assert document.spec == wanted.filled.run
    assert (document.payload["steps"], document.payload["speed"]) == (20, "5")
    assert document.payload["scene"]["kind"] == "ranking" and document.stories


def test_a_lesson_has_its_recordings_its_numbers_and_its_searches(edition):
    lesson = told_by(pages(edition)["lesson-flipping.html"])["lesson"]
    meet, guess, _, noise, hand = lesson["cards"]
    runs = {meet["run"], *noise["stops"]["runs"]}
    assert all((edition / run).is_file() for run in runs)
    assert isinstance(guess["truth"], float) and len(noise["stops"]["truths"]) == len(noise["stops"]["runs"])
    tree = json.loads(gzip.decompress(unwrapped((edition / hand["tree"]).read_bytes())))
    assert tree["of"] == LESSON.cards[-1].hand.searches


def test_a_lesson_in_another_language_plays_the_same_files_and_each_leads_to_the_other(edition):
    english, spanish = (pages(edition)[f"lesson-flipping{end}.html"] for end in ("", ".es"))
    assert '<html lang="en">' in english and '<html lang="es">' in spanish
    assert "<h1>Un perceptrón &amp; un usuario</h1>" in spanish and ">Lecciones</a>" in spanish
    ours, theirs = (told_by(text)["lesson"] for text in (english, spanish))
    assert [[card[part] for part in lessons.PARTS] for card in ours["cards"]] == [
        [card[part] for part in lessons.PARTS] for card in theirs["cards"]
    ]
    assert (ours["lang"], theirs["lang"]) == ("en", "es")
    to = {text: re.findall(r'<a href="(lesson-[^"]*)" hreflang="(..)"', text) for text in (english, spanish)}
    assert to == {english: [("lesson-flipping.es.html", "es")], spanish: [("lesson-flipping.html", "en")]}
    home = pages(edition)["index.es.html"]
    assert '<a href="index.es.html#lessons">Lecciones</a>' in home and '<a href="index.html" hreflang="en"' in home
    (card,) = told_by(home)["lessons"]
    assert (card["href"], card["level"]) == ("lesson-flipping.es.html", "primeros pasos")
    assert {entry["kind"] for entry in told_by(home)["entries"]} == {"Lección", "Demo", "Figura"}


def test_a_lesson_leads_to_its_handout_and_back(edition):
    lesson, paper = (pages(edition)[f"{kind}-flipping.es.html"] for kind in ("lesson", "handout"))
    assert '<a href="handout-flipping.es.html">Hoja de trabajo</a>' in lesson
    assert '<a href="lesson-flipping.es.html">‹ Lección</a>' in paper and "Para el docente" in paper


@pytest.mark.parametrize(
    ("id", "settings", "shown"),
    [
        ("valley", {"examples": "200", "steps": "50", "number-1": "3"}, ["<svg", "The best mean is ", " ± "]),
        ("noise-map", {"steps": "20", "number-1": "3", "number-2": "2"},
         ["fl-heat-map", "The best swap probability for each noise", "--share: 100%"]),
    ],
)  # fmt: skip
def test_a_sweep_is_run_once_and_told_as_a_curve_or_a_map(tmp_path, id, settings, shown):
    demo = next(demo for demo in DEMOS if demo.id == id)
    demo = replace(demo, settings=demo.settings | settings | {"replicates": "2"})
    assert sweeps.made(tmp_path, demo) is None
    sweeps.make(tmp_path, demo)
    assert sweeps.made(tmp_path, replace(demo, settings=demo.settings | {"steps": "21"})) is None
    store = Store(tmp_path)
    assert not demos.write(store, demo, "https://lab.example.org/") and store.written >= {f"demo-{id}.html"}
    text = (tmp_path / f"demo-{id}.html").read_text("utf-8")
    assert all(words in text for words in shown) and "Press Start" not in text
    assert f'href="https://lab.example.org/sweep?demo={id}&amp;' in text


def test_with_a_server_a_card_by_hand_leads_there(edition):
    hand = told_by(pages(edition)["lesson-flipping.es.html"])["lesson"]["cards"][-1]["hand"]
    assert hand["href"] == "lessons?lesson=flipping&card=5&lang=es"


def test_a_package_names_all_its_files_and_plays_alone(edition, tmp_path, capsys):
    path = tmp_path / "flipping.zip"
    arguments = ["--scorm", str(path), str(edition), "--lessons", "flipping", "--workers", "1"]
    assert command.main(arguments) == 0
    assert "SCORM 1.2" in capsys.readouterr().out
    first = path.read_bytes()
    assert command.main(arguments) == 0 and path.read_bytes() == first
    beside = tmp_path / "unpacked"
    with zipfile.ZipFile(path) as package:
        package.extractall(beside)
        names = {*package.namelist()}
    manifest = ElementTree.fromstring((beside / "imsmanifest.xml").read_bytes())
    page = (beside / "index.html").read_text("utf-8")
    space = {"c": "http://www.imsproject.org/xsd/imscp_rootv1p1p2"}
    adl = "{http://www.adlnet.org/xsd/adlcp_rootv1p2}"
    (resource,) = manifest.findall(".//c:resource", space)
    assert (resource.get("href"), resource.get(f"{adl}scormtype")) == ("index.html", "sco")
    assert {file.get("href") for file in resource.findall("c:file", space)} == {
        name for name in names if not name.endswith((".xsd", ".xml"))
    }
    assert manifest.find(".//c:item", space).get("identifierref") == resource.get("identifier")
    assert manifest.find("c:metadata/c:schemaversion", space).text == "1.2"
    told = told_by(page)
    runs = [card["run"] for card in told["lesson"]["cards"] if card["run"]]
    assert told["course"] and {*runs} <= names and {link for link in LINK.findall(page) if "." in link} <= names
    held_against_the_schemas_within(beside / "imsmanifest.xml")
    arguments[-3] = "flipping.es"
    assert command.main(arguments) == 0
    with zipfile.ZipFile(path) as package:
        page, manifest = (package.read(name).decode() for name in ("index.html", "imsmanifest.xml"))
    assert '<html lang="es">' in page and told_by(page)["lesson"]["lang"] == "es" and "<nav" not in page
    assert '"feedback-lab-flipping.es"' in manifest and "<title>Un perceptrón &amp; un usuario</title>" in manifest


def held_against_the_schemas_within(manifest):
    """A manifest is valid by the schemas of SCORM 1.2 that it names, and would not be if it were otherwise."""
    attributes = manifest.with_name("ims_xml.xsd")  # binds the reserved namespace anew, which expat does not allow
    space = b' xmlns="http://www.w3.org/XML/1998/namespace"'
    assert attributes.read_bytes().count(space) == 1
    attributes.write_bytes(attributes.read_bytes().replace(space, b""))
    xmlschema.validate(manifest)
    text = manifest.read_text("utf-8")
    for there, instead in (
        ("resources>", "resource>"), ('adlcp:scormtype="sco"', 'adlcp:scormtype="lesson"'), (' identifier="org"', ""),
        ('type="webcontent" ', ""), ('identifier="item"', 'identifier="org"'), ('isvisible="true"', 'isvisible="ja"'),
        ("<title>A perceptron and a noisy user</title>", "<titel>A perceptron</titel>"),
    ):  # fmt: skip
        assert there in text
        manifest.write_text(text.replace(there, instead), encoding="utf-8")
        with pytest.raises(xmlschema.XMLSchemaValidationError):
            xmlschema.validate(manifest)


def test_only_what_is_missing_is_made_again(edition, capsys):
    arguments = [str(edition), "--workers", "1"]
    assert command.main(arguments) == 0
    said = capsys.readouterr().out
    assert " recordings: " not in said and " documents: " not in said
    stamps = {path: path.stat().st_mtime_ns for path in edition.rglob("*") if path.is_file()}
    gone = edition / "data" / f"{demos.wanted(TINY).name}-1{films.STOPS}"
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
    entries = told_by(pages(edition)["index.html"])["entries"]
    assert [one["kind"] for one in entries] == ["Lesson", "Figure", "Figure"]
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
