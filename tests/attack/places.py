"""Find in the code the places that mypy does not see: scripts that make elements of a text, and texts of charts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.code import nodes

ROOT = Path(__file__).parents[2]

WRITES = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|srcdoc|DOMParser|eval)\b"
    r"|new Function|setHTML|\.(?:href|src) ?=(?!=)|setAttribute\('(?:href|src|on|style)"
)  # what makes elements, addresses or scripts of a text in the browser

PLOTLY = frozenset(("text", "name", "ticktext", "hovertemplate", "hovertext", "texttemplate", "title"))
"""What Plotly draws, with the tags in it."""

TAG, NUMBER = re.compile(r"<[A-Za-z/!]"), re.compile(r"[,dfg%e]}'?$")

CHART = frozenset(("hovertemplate", "ticktext", "tickvals", "showarrow", "standoff"))
"""The keys by which a file is known to draw charts."""


def sources() -> list[Path]:
    """Return the files that may draw a text."""
    return [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]


@cache
def keys() -> set[str]:
    """Return the keys of links whose values may be any text: settings of pages that are texts or choices."""
    found = set()
    for path in sources():
        for node in nodes(path):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                kind = node.args[1] if len(node.args) > 1 else None
                is_text = isinstance(kind, ast.Constant) and kind.value in ("text", "choice", "vector")
                made = getattr(node.func, "id", "")
                if made == "choice_of" or (made.endswith("Parameter") and is_text):
                    found.add(str(node.args[0].value))
    return found


def charts(code: list[ast.AST]) -> Iterator[str]:
    """Yield what a file draws by Plotly and does not pass through `for_plotly`, nor through `Plotly`, for mypy.

    code : all nodes of the file, which draws nothing without CHART.
    """
    dicts = [{k.value: v for k, v in zip(node.keys, node.values, strict=True) if isinstance(k, ast.Constant)}
             for node in code if isinstance(node, ast.Dict)]  # fmt: skip
    if any(CHART & found.keys() for found in dicts):
        for found in dicts:
            named = "hovertemplate" in found and ast.unparse(found.get("showlegend", ast.Constant(""))) == "False"
            for key in PLOTLY & found.keys() - ({"name"} if named else set()):
                yield from map(ast.unparse, _open(found[key]))


def _open(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the parts of a text that mypy does not look at: an f-string with tags, a call of `Plotly`."""
    if isinstance(node, ast.JoinedStr):
        if not TAG.search("".join(part.value for part in node.values if isinstance(part, ast.Constant))):
            for part in node.values:
                if isinstance(part, ast.FormattedValue) and not (part.format_spec and NUMBER.search(ast.unparse(part))):
                    yield from _open(part.value)
    elif isinstance(node, ast.IfExp):
        yield from (*_open(node.body), *_open(node.orelse))
    elif isinstance(node, ast.ListComp):
        yield from _open(node.elt)
    elif isinstance(node, ast.Call):
        if getattr(node.func, "id", "") not in ("for_plotly", "wrapped", "Plotly"):
            yield node
    elif not isinstance(node, ast.Constant | ast.Dict) and not getattr(node, "id", "").isupper():
        yield node


def scripts() -> Iterator[tuple[str, int, str]]:
    """Yield each line of a script for the browser that may make more than text of a text: file, line and code."""
    for path in sorted((ROOT / "pages").rglob("*.js")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if WRITES.search(line):
                yield str(path.relative_to(ROOT)), number, line.strip()
