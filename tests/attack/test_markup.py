"""Every place where a text is drawn escapes it, read from the code; what escapes is tried on its own."""

import html
import json
import re
import unicodedata

import numpy as np
import pytest

from pages.ui.draw.bars import bars
from pages.ui.draw.charts import Look, wrapped
from pages.ui.draw.parameter_charts import heat_maps
from pages.ui.draw.scatter_panels import ScatterPanel, scatter_panels
from pages.ui.plain import APART, HIDDEN, MARKS, for_html, for_plotly, plain, visible
from tests.attack.browsing import KEYS
from tests.attack.declared import DECLARED, SCRIPTS
from tests.attack.markup import NAMES, PAYLOADS, texts
from tests.attack.places import File, keys, parts, scripts


def declared(file, code):
    """The entries that declare a part of a file."""
    return [
        (reason, file, entry)
        for reason, files in DECLARED.items()
        for entry in files.get(file, ())
        if code == entry or (entry.endswith("…") and code.startswith(entry[:-1]))
    ]


def test_every_text_that_is_drawn_is_escaped_or_declared_to_be_ours():
    """A new place fails here. Pass what it draws through plain, for_html or for_plotly, or say why it is ours."""
    found = list(parts())
    lost = [f"{p.file}:{p.line} draws {p.code} as {p.kind}" for p in found if not declared(p.file, p.code)]
    assert not lost, "\n".join(lost)
    used = {entry for part in found for entry in declared(part.file, part.code)}
    every = {(why, file, code) for why, files in DECLARED.items() for file, codes in files.items() for code in codes}
    assert not every - used, f"declared but no longer drawn: {sorted(every - used)}"


NEW = (  # a place as somebody might add it, and what is said to be open in it
    ("def f(data):\n    st.caption(f'Note: {data.names[0]}.')", ["data.names[0]"]),
    ("def f(name):\n    words = f'about {name}'\n    st.error(words)", ["name"]),
    ("def f(path):\n    left.button(label=path.name, help=path.parent)", ["path.name", "path.parent"]),
    ("def f(names):\n    st.radio('Class', names)", ["names"]),
    ("def f(error):\n    st.error(str(error))", ["error"]),
    ("def f(name):\n    return f'<b>{name}</b>'", ["name"]),
    ("def f(name):\n    return note(f'It is {name}.')", ["name"]),
    ("def f(names):\n    return {'type': 'bar', 'text': [f'of {name}' for name in names]}", ["names"]),
    ("def f(name, more):\n    st.markdown(plain(name) + (more if name else ''))", ["more"]),
    ("def f(name):\n    st.caption(plain(f'Note: {name}.'))\n    st.metric('n', f'{name:,}')", []),
    ("def f(names):\n    st.markdown(', '.join(plain(name) for name in names))", []),
)


@pytest.mark.parametrize("code, left", NEW)
def test_a_new_place_is_seen(tmp_path, code, left):
    path = tmp_path / "new.py"
    path.write_text(code)
    assert [part.code for part in File(path, tmp_path).parts()] == left


def test_scripts_write_html_only_where_it_is_declared():
    """Everything else reaches the page as the text of a node or as an attribute that holds no script."""
    found = {(file, code) for file, _, code in scripts()}
    assert found == set(SCRIPTS), found ^ set(SCRIPTS)


def test_the_links_that_are_tried_have_every_key_of_a_page_that_takes_a_text():
    assert keys() <= set(KEYS), keys() - set(KEYS)
    assert {"q", "vs", "lock", "figure", "lesson", "path"} <= keys()


# ---- what escapes ------------------------------------------------------------------------------------------


def test_what_is_shown_is_one_line_in_which_everything_can_be_seen():
    for text in texts(3000, seed=16):
        shown = visible(text)
        inside = shown.removeprefix("\u2068").removesuffix("\u2069")
        assert inside and all(s.isprintable() or s in "\u200c\u200d" for s in inside), ascii(text)
        assert not re.search(r"\s\s|^\s|\s$", inside), ascii(text)
        assert max(map(len, re.findall(r"\u0301*", inside))) <= MARKS
        # nothing but escapes and signs without width is added for Markdown, and nothing is lost
        taken = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", plain(text).replace(APART, ""))
        assert taken == shown, ascii(text)
        for written in (for_html(text), for_plotly(text)):
            assert "<" not in written and html.unescape(written).replace(APART, "") == shown


def test_texts_of_any_script_stay_as_they_are():
    for text in ("Müller & Söhne", "naïve", "名前", "नमस्ते", "می‌خواهم", "👨‍👩‍👧", "e\u0301", "x = 3"):
        inside = visible(text).removeprefix("\u2068").removesuffix("\u2069")
        assert inside == text and HIDDEN not in inside
    assert unicodedata.bidirectional("م") == "AL" and visible("مرحبا 12").startswith("\u2068")


# ---- figures -----------------------------------------------------------------------------------------------

OURS = re.compile(r'</?(br|b|extra)>|<span style=\\"color:#[0-9A-Fa-f]{6};font-size:18px\\">•</span>')


def test_plotly_finds_no_markup_in_names():
    look, names = Look(), NAMES
    places = np.random.default_rng(0).random((2 * len(names), 2))
    panel = ScatterPanel("", places, np.arange(len(places)) % len(names), np.zeros(len(places), bool))
    for figure in (
        bars(names, [1.0] * len(names), look, "#000"),
        heat_maps([np.eye(len(names))] * 2, ["one", "two"], names, look, 200),
        scatter_panels([panel], names, look, ""),
    ):
        written = json.dumps(figure, default=lambda array: array.tolist(), ensure_ascii=False)
        assert "pwned" in written and "<" not in OURS.sub("", written)


def test_a_title_in_lines_has_no_markup_but_its_own():
    assert wrapped(PAYLOADS["anchor"], 8).count("<") == wrapped(PAYLOADS["anchor"], 8).count("<br>")
