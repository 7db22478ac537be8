"""Every place where a text is drawn escapes it, by its type; what escapes is tried on its own."""

import ast
import html
import inspect
import json
import re
import runpy
import subprocess
import sys
import unicodedata
from importlib import import_module

import numpy as np
import streamlit as st

from pages.ui.draw.bars import bars
from pages.ui.draw.charts import Look, wrapped
from pages.ui.draw.parameter_charts import heat_maps
from pages.ui.draw.scatter_panels import ScatterPanel, scatter_panels
from pages.ui.plain import APART, HIDDEN, MARKS, for_html, for_plotly, plain, visible
from tests.attack.browsing import KEYS
from tests.attack.declared import SCRIPTS
from tests.attack.markup import NAMES, PAYLOADS, texts
from tests.attack.places import ROOT, charts, keys, scripts, sources
from tests.code import nodes

SAMPLE = """
import html
import json

import streamlit as st

from pages.ui.plain import NOTHING, Html, Markdown, Ours, for_html, for_plotly, plain


class Row:
    name: str
    title: Ours
    count: int


def told(row: Row) -> Html:
    return f"<b>{for_html(row.name)}</b>{row.title}{row.count}"


def shown(rows: list[Row], lead: Markdown = NOTHING) -> None:
    words = f"{len(rows)} rows"
    for row in rows:
        words += f" of {plain(row.name)}"
    st.caption(words, help=f"Note: {lead}")
    st.container().button("Go" if rows else plain(rows[0].name))
    st.html("".join(told(row) for row in rows))
    st.metric("n", f"{rows[0].count:,}")
    st.radio("Class", [row.name for row in rows], format_func=plain)
    shown(rows, "**A** constant.")


def wrong(rows: list[Row], error: Exception) -> Html:
    row = rows[0]
    st.caption(f"Note: {row.name}.")  # wrong
    words = "about "
    words += row.name  # wrong
    st.error(words)
    st.error(str(error))  # wrong
    st.container().button(label=plain(row.name), help=row.name)  # wrong
    st.radio("Class", [row.name for row in rows])  # wrong
    parts = [f"{len(rows)} rows"]
    parts.append(row.name)  # wrong
    st.markdown(", ".join(parts))
    st.markdown(plain(row.name) + (row.name if rows else ""))  # wrong
    st.markdown("about %s" % row.name)  # wrong
    st.markdown(f"**{html.escape(row.name)}**")  # wrong: escaped for another language
    st.html(plain(row.name))  # wrong
    st.html(f"<i>{for_plotly(row.name)}</i>")  # wrong
    for name in [row.name for row in rows]:  # wrong
        st.caption(name)
    shown(rows, row.name)  # wrong
    shown(rows, json.loads(row.name))  # wrong
    label = f"<b>{row.name}</b>"  # wrong
    print(Markdown(f"of {row.name}"), label)  # wrong
    return row.name  # wrong
"""
STREAMLIT = """
from collections.abc import Callable, Sequence
class Place:
    def button(self, label: str, help: str | None = None) -> bool: ...
def container() -> Place: ...
def caption(body: str, help: str | None = None) -> None: ...
def error(body: str) -> None: ...
def html(body: str) -> None: ...
def markdown(body: str) -> None: ...
def metric(label: str, value: str) -> None: ...
def radio(label: str, options: Sequence[str], format_func: Callable[[str], str] = str) -> str: ...
"""


def test_mypy_sees_what_is_drawn_and_neither_escaped_nor_ours(tmp_path):
    """The plugin, on a page that draws everything once rightly and once wrongly; stubs stand for Streamlit."""
    home = tmp_path / "pages" / "ui"
    home.mkdir(parents=True)
    (home / "plain.py").write_text((ROOT / "pages/ui/plain.py").read_text("utf-8"), "utf-8")
    (home / "sample.py").write_text(SAMPLE, "utf-8")
    (tmp_path / "streamlit").mkdir()
    (tmp_path / "streamlit" / "__init__.pyi").write_text(STREAMLIT, "utf-8")
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nstrict = true\nplugins = {ROOT}/.ci/texts.py\n", "utf-8")
    command = [sys.executable, "-m", "mypy", "--explicit-package-bases", "--config-file=mypy.ini", "pages/ui/sample.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    found = {int(line.split(":")[1]) for line in said.splitlines() if line.startswith("pages/ui/sample.py:")}
    marked = {number for number, line in enumerate(SAMPLE.splitlines(), start=1) if "# wrong" in line}
    assert found == marked and len(marked) == 17, said


def test_the_plugin_knows_the_parameters_of_streamlit():
    texts = runpy.run_path(str(ROOT / ".ci" / "texts.py"))
    for name, parameters in texts["DRAWN"].items():
        known = inspect.signature(getattr(st, name)).parameters
        assert {"body", "label", "title", "text", "tabs"} & set(parameters) & known.keys(), name
    assert "body" in inspect.signature(st.html).parameters


def test_the_plugin_knows_attributes_that_exist():
    for home, names in runpy.run_path(str(ROOT / ".ci" / "texts.py"))["OURS"].items():
        within, _, name = home.rpartition(".")
        place = getattr(import_module(within), name) if name[:1].isupper() else import_module(home)
        code = "".join(map(inspect.getsource, getattr(place, "__mro__", (place, object))[:-1]))
        assert all(re.search(rf"\b{name}\b", code) for name in names), home


def test_texts_of_charts_pass_through_for_plotly_or_have_its_type():
    """Plotly reads them from dictionaries, at which mypy does not look."""
    found = [f"{path.name}: {code}" for path in sources() for code in charts(nodes(path))]
    assert not found, found


def test_a_new_text_of_a_chart_is_seen():
    code = "{'hovertemplate': '', 'text': [f'of {name}' for name in names], 'title': {'text': Plotly(name)}}"
    assert list(charts(list(ast.walk(ast.parse(code))))) == ["name"]


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
