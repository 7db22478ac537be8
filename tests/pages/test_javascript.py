"""The modules for the browser, joined to the scripts that it gets. `.ci/run` has types and lint checked, too."""

import re
import shutil
import subprocess

import pytest

from pages.ui import modules
from pages.ui.form import links
from tests.conftest import ROOT

NODE = shutil.which("node")
FILES = sorted((ROOT / "pages").rglob("*.js"))
BEGIN = ("play/js/alone.js", "lessons/js/files.js", "static/js/edition.js")  # by themselves
ALONE = {ROOT / "pages/ui" / name for name in BEGIN}
ENTRIES = [path for path in FILES if path in ALONE or "\nexport default " in path.read_text("utf-8")]


def named(path):
    return f"{path.parent.parent.name}/{path.stem}"


def test_every_module_is_part_of_a_script():
    assert len(ENTRIES) >= 20
    assert {*FILES} == {path for entry in ENTRIES for path in modules.files(entry)}


@pytest.mark.skipif(NODE is None, reason="node is not installed; it is only needed for this check")
@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_a_joined_script_has_no_syntax_error(entry, tmp_path):
    """The ending .mjs makes it a module, as scripts of Streamlit's components are."""
    path = tmp_path / "whole.mjs"
    path.write_text(modules.joined(entry), encoding="utf-8")
    done = subprocess.run([NODE, "--check", path], capture_output=True, text=True, timeout=60)
    assert not done.stderr


@pytest.mark.parametrize("entry", ENTRIES, ids=named)
def test_nothing_of_a_module_is_left_in_a_joined_script(entry):
    code = modules.joined(entry)
    assert not re.search(r"^\s*(import\b|export (?!default)|//|/?\*)", code, re.MULTILINE)
    assert len(re.findall(r"^export default ", code, re.MULTILINE)) == (entry not in ALONE)


@pytest.mark.skipif(NODE is None, reason="node is not installed; it is only needed for this check")
def test_the_pure_parts_of_the_modules_pass_their_own_tests():
    done = subprocess.run([NODE, "--test", ROOT / "tests" / "js"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


# ---- languages -------------------------------------------------------------------------------------------

LANGUAGES = ("de", "es")
SAID = re.compile(r"flSay\(((?:[^()']|'[^'\n]*'|\([^()]*\))*?)(?:, *\{|\))")  # the text, or one of two by a condition
FIELD = re.compile(r"\{\w+\}")
MADE = re.compile(r"^(?:Largest drop of (?:the )?|All )| (?:\w|right)$")  # what Python adds to a name
BETWEEN = re.compile(r"\{\w+\}|[,;()]| (?:of|falls) ")  # the parts of a sentence that it makes


def texts_said(code):
    """Return the texts that a module says, as far as they stand where they are said."""
    return {text for part in SAID.findall(bare_of_comments(code)) for text in re.findall(r"'([^'\n]{2,})'", part)}


def bare_of_comments(code):
    return re.sub(r"^ *//.*$", "", code, flags=re.MULTILINE)


def translations():
    found = {language: {} for language in LANGUAGES}
    for path in FILES:
        for language, table in modules.tables(path).items():
            assert not (twice := found[language].keys() & table.keys()), f"{path.name} translates {twice} again"
            found[language] |= table
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_a_script_says_has_its_translation(language):
    said = {text for path in FILES for text in texts_said(path.read_text("utf-8"))}
    table = translations()[language]
    assert len(said) > 100 and not said - table.keys()
    assert table.keys() == translations()[LANGUAGES[0]].keys(), "one language knows more than another"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_is_of_a_text_that_is_said_and_fills_in_nothing_else(language):
    code = "\n".join(path.read_text("utf-8") for path in FILES)
    sent = "\n".join(path.read_text("utf-8") for part in ("learners", "pages") for path in (ROOT / part).rglob("*.py"))
    sent = sent.lower()
    for text, translated in translations()[language].items():
        parts = [part.strip().lower() for part in BETWEEN.split(MADE.sub("", text))]
        assert f"'{text}'" in code or f" {text}:" in code or all(part in sent for part in parts), text
        assert {*FIELD.findall(translated)} <= {*FIELD.findall(text)}, text
        assert translated.strip() == translated != ""


def test_translations_come_with_the_module_beside_which_they_stand(tmp_path):
    write(tmp_path, a="import { b } from './b.js';\nb();\n", b="export const b = 1;\n")
    (tmp_path / "b.de.toml").write_text('"</script>" = "<b>"\n', encoding="utf-8")
    code = modules.joined(tmp_path / "a.js")
    assert code.split() == [
        "const", "b", "=", "1;", "flTranslate('de',", r'{"\u003c/script>":', r'"\u003cb>"});', "b();",
    ]  # fmt: skip


def write(folder, **files):
    for name, code in files.items():
        (folder / f"{name}.js").write_text(code, encoding="utf-8")
    return folder


def test_modules_are_joined_each_once_and_after_those_that_they_import(tmp_path):
    write(
        tmp_path,
        a="// Begins.\n\nimport { b } from './b.js';\nimport {\n  c,\n} from './c.js';\n\nb(c);  // stays\n",
        b="import { c } from './c.js';\n/**\n * Adds.\n */\nexport function b() { return c; }\n",
        c="import './d.js';\nexport const c = 1;\n",
        d="globalThis.d = 2;\n",
    )
    code = modules.joined(tmp_path / "a.js")
    expected = "globalThis.d = 2; const c = 1; function b() { return c; } b(c); // stays"
    assert " ".join(code.split()) == expected


def test_a_name_that_two_modules_declare_is_refused(tmp_path):
    write(tmp_path, a="import { b } from './b.js';\nconst same = b;\n", b="export const b = 1;\nfunction same() {}\n")
    with pytest.raises(ValueError, match=r"a\.js and its imports declare same more than once"):
        modules.joined(tmp_path / "a.js")


def test_modules_that_import_each_other_are_refused(tmp_path):
    write(tmp_path, a="import { b } from './b.js';\nexport const a = 1;\n", b="import { a } from './a.js';\n")
    with pytest.raises(ValueError, match="in a circle"):
        modules.joined(tmp_path / "a.js")


def test_browser_and_server_agree_which_keys_belong_to_others():
    code = (ROOT / "pages/ui/form/js/tracking.js").read_text("utf-8")
    names, prefixes = (re.findall(r"'(\w+)'", code.split(f"const {name} = [")[1].split("]")[0])
                       for name in ("NAMES", "PREFIXES"))  # fmt: skip
    assert ({*names}, {*prefixes}) == (links.TRACKING_KEYS, {*links.TRACKING_PREFIXES})


def test_every_script_is_short_and_plain():
    for path in sorted(ROOT.glob("pages/**/*.js")):
        lines = path.read_text("utf-8").splitlines()
        assert len(lines) <= 400, path.name
        assert max(map(len, lines)) <= 120, path.name
