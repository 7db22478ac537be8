"""Find in the code every place where a text is drawn, and what of it is not known to be ours or escaped.

Read from the syntax of each file. A part of a text is right if it is a constant, a number that is formatted as one, or
what one of ESCAPED returns. A name of the same function is followed to what it is set to. What remains, such as
`learner.title`, must be declared with the reason why it is ours (tests/attack/declared.py). So a new place where a name
from a file or a link is drawn without an escape fails the test, and so does a declaration that nothing needs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from tests.code import nodes

ROOT = Path(__file__).parents[2]

# What Streamlit reads as Markdown: the parameters of its elements, in the order in which they stand
LABEL = ("label",)
MARKDOWN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("markdown", "caption", "title", "header", "subheader", "latex"), ("body",)),
    **dict.fromkeys(("error", "warning", "info", "success", "toast"), ("body",)),
    **dict.fromkeys(("button", "form_submit_button", "download_button", "link_button", "popover", "badge"), LABEL),
    **dict.fromkeys(
        ("checkbox", "toggle", "slider", "select_slider", "number_input", "text_input", "text_area"), LABEL
    ),
    **dict.fromkeys(("selectbox", "multiselect", "file_uploader", "expander", "status", "chat_input"), LABEL),
    **dict.fromkeys(("radio", "pills", "segmented_control"), ("label", "options")),
    "page_link": ("page", "label"),  # the page is one of ours
    "metric": ("label", "value", "delta"),
    "progress": ("value", "text"),
    "spinner": ("text",),
    "tabs": ("tabs",),
    "widget": ("parameter", "label"),  # of `Settings`, which hands it on
    "dialog": ("title",),
}
ALWAYS = ("help",)  # of each of them
NEVER = {"page_link": "page", "progress": "value", "widget": "parameter"}
ESCAPED = frozenset(("plain", "for_html", "for_plotly", "escape", "convert"))
NUMBERS = frozenset(("len", "round", "min", "max", "int", "sum", "abs", "float"))
KEEPS = frozenset(("str", "sentence", "listed", "short", "capitalize", "lower", "upper", "strip", "rstrip", "lstrip",
                   "removesuffix", "removeprefix", "replace", "join", "explained", "marked", "map", "list", "tuple",
                   "sorted", "dict"))  # fmt: skip
"""What returns only what it is given."""

BUILDERS = frozenset((
    "note", "summary", "bars", "strip", "card", "image", "weight_map", "figures", "weight_sheet", "sheets", "row",
    "ink", "signed", "sheet", "formula_line", "formulas",
))  # fmt: skip
"""What makes HTML; what is handed to it as HTML is looked at where it is called, the rest it escapes."""
RAW: dict[str, int] = {"note": 0, "card": 0, "figures": 0, "strip": 0, "sheets": 0, "summary": 1, "Part": 0}
"""The argument of a function that is HTML already."""

WRITES = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|srcdoc|DOMParser|eval)\b"
    r"|new Function|setHTML|\.(?:href|src) ?=(?!=)|setAttribute\('(?:href|src|on|style)"
)  # what makes elements, addresses or scripts of a text in the browser

TAG = re.compile(r"<[A-Za-z/!]")
PLOTLY = frozenset(("text", "name", "ticktext", "hovertemplate", "hovertext", "texttemplate", "title", "customdata"))


@dataclass(frozen=True)
class Part:
    """A part of a text that is drawn: the file, the kind of place, the expression and its line."""

    file: str
    kind: str
    code: str
    line: int


class File:
    """A file of the project and the parts of texts in it."""

    def __init__(self, path: Path, root: Path = ROOT) -> None:
        self.name = str(path.relative_to(root))
        self.nodes = nodes(path)

    @cached_property
    def above(self) -> dict[ast.AST, ast.AST]:
        """The node that holds each node."""
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    @cached_property
    def functions(self) -> dict[ast.AST, dict[str, list[ast.expr | None]]]:
        """What each name of each function is set to; None where the syntax does not say."""
        return {}

    def scope(self, node: ast.AST) -> ast.AST:
        """The function, or the file, in which a node stands."""
        while not isinstance(node, ast.FunctionDef | ast.Module):
            node = self.above[node]
        return node

    def values(self, name: ast.Name) -> list[ast.expr | None]:
        """Return what a name is set to in its function; empty if it is not set there."""
        scope = self.scope(name)
        if scope not in self.functions:
            self.functions[scope] = dict(self._set(scope))
        return self.functions[scope].get(name.id, [])

    def _set(self, scope: ast.AST) -> dict[str, list[ast.expr | None]]:
        found: dict[str, list[ast.expr | None]] = {}
        for node in ast.walk(scope):
            if node is not scope and self.scope(node) is not scope and not isinstance(node, ast.FunctionDef):
                continue
            pairs: list[tuple[ast.expr, ast.expr | None]] = []
            if isinstance(node, ast.Assign):
                pairs = [(target, node.value) for target in node.targets]
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr | ast.AugAssign):
                pairs = [(node.target, node.value)]
            elif isinstance(node, ast.For | ast.comprehension):
                pairs = [(node.target, None)]
                if isinstance(node.iter, ast.Tuple | ast.List):
                    pairs = [(node.target, element) for element in node.iter.elts]
                elif isinstance(node.iter, ast.Name) and isinstance(node.target, ast.Name):
                    pairs = [(node.target, node.iter)]  # one of them is as right as all
            elif isinstance(node, ast.withitem) and node.optional_vars:
                pairs = [(node.optional_vars, None)]
            for target, value in pairs:
                for one, its in _matched(target, value):
                    found.setdefault(one, []).append(its)
        return found

    # ---- what remains of an expression -----------------------------------------------------------------------

    def left(self, node: ast.expr | None, seen: frozenset[str] = frozenset()) -> Iterator[ast.expr]:
        """Yield the parts of an expression that are neither ours by their syntax nor escaped."""
        if node is None or isinstance(node, ast.Constant | ast.Lambda | ast.Compare):
            return
        if isinstance(node, ast.JoinedStr):
            for part in node.values:
                yield from self.left(part, seen)
        elif isinstance(node, ast.FormattedValue):
            spec = ast.unparse(node.format_spec)[2:-1] if node.format_spec else ""
            if not re.search(r"[,dfg%e]$", spec):  # a number, or the formatting fails
                yield from self.left(node.value, seen)
        elif isinstance(node, ast.BinOp):
            if not isinstance(node.op, ast.Add | ast.Mult | ast.Mod):
                return
            yield from self.left(node.left, seen)
            if isinstance(node.op, ast.Add):
                yield from self.left(node.right, seen)
        elif isinstance(node, ast.IfExp):
            yield from self.left(node.body, seen)
            yield from self.left(node.orelse, seen)
        elif isinstance(node, ast.BoolOp | ast.Tuple | ast.List):
            for part in node.values if isinstance(node, ast.BoolOp) else node.elts:
                yield from self.left(part, seen)
        elif isinstance(node, ast.Starred | ast.NamedExpr):
            yield from self.left(node.value, seen)
        elif isinstance(node, ast.Dict):
            for part in (*node.keys, *node.values):
                yield from self.left(part, seen)
        elif isinstance(node, ast.GeneratorExp | ast.ListComp):
            yield from self.left(node.elt, seen)
        elif isinstance(node, ast.Subscript) and (isinstance(node.slice, ast.Slice) or self._set_here(node.value)):
            yield from self.left(node.value, seen)
        elif isinstance(node, ast.Call):
            yield from self._called(node, seen)
        elif isinstance(node, ast.Name):
            yield from self._named(node, seen)
        else:
            yield node

    def _set_here(self, node: ast.expr) -> bool:
        """Whether a list or a dictionary is a name that its function sets to what the syntax shows."""
        return isinstance(node, ast.Name) and bool(values := self.values(node)) and None not in values

    def _called(self, node: ast.Call, seen: frozenset[str]) -> Iterator[ast.expr]:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in ESCAPED | NUMBERS | BUILDERS or name in ("counted", "count"):
            return
        if name == "map" and getattr(node.args[0], "id", getattr(node.args[0], "attr", "")) in ESCAPED:
            return
        if name in KEEPS:
            if isinstance(node.func, ast.Attribute):
                yield from self.left(node.func.value, seen)
            for part in node.args:
                yield from self.left(part, seen)
        else:
            yield node

    def _named(self, node: ast.Name, seen: frozenset[str]) -> Iterator[ast.expr]:
        if node.id.isupper() or node.id.lstrip("_").isupper() or node.id in seen:  # a constant of ours
            return
        values = self.values(node)
        if not values or None in values:
            yield node
        else:
            for value in values:
                yield from self.left(value, seen | {node.id})

    # ---- places ------------------------------------------------------------------------------------------------

    def parts(self) -> Iterator[Part]:
        """Yield what remains of each text that is drawn as Markdown, as HTML or by Plotly."""
        for node in self.nodes:
            for kind, drawn in self._drawn(node):
                for part in self.left(drawn):
                    yield Part(self.name, kind, ast.unparse(part), part.lineno)

    def _drawn(self, node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "title":  # of the page, see pages/ui/draw/theme.py
                yield from (("markdown", value) for value in node.args)
            elif node.func.id in RAW and len(node.args) > RAW[node.func.id]:
                yield "html", node.args[RAW[node.func.id]]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if isinstance(node.func.value, ast.Call) and ast.unparse(node.func.value.func) == "logging.getLogger":
                return  # what is logged is not shown
            if name in MARKDOWN:
                named = dict(zip(MARKDOWN[name], node.args, strict=False))
                named |= {k.arg: k.value for k in node.keywords if k.arg in (*MARKDOWN[name], *ALWAYS)}
                yield from (("markdown", value) for key, value in named.items() if key != NEVER.get(name))
            elif name == "html" and node.args:
                yield "html", node.args[0]
        elif isinstance(node, ast.JoinedStr) and TAG.search(
            "".join(p.value for p in node.values if isinstance(p, ast.Constant))
        ):
            yield "html", node
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in PLOTLY and not isinstance(value, ast.Dict):
                    yield "plotly", value


def _matched(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the names of a target of an assignment, each with its own value where the syntax shows it."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        same = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
        values = value.elts if same else [None] * len(target.elts)
        for one, its in zip(target.elts, values, strict=True):
            yield from _matched(one, its)


@cache
def keys() -> set[str]:
    """Return the keys of links whose values may be any text: settings of pages that are texts or choices."""
    found = set()
    for file in files():
        for node in file.nodes:
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                kind = node.args[1] if len(node.args) > 1 else None
                is_text = isinstance(kind, ast.Constant) and kind.value in ("text", "choice", "vector")
                made = getattr(node.func, "id", "")
                if made == "choice_of" or (made.endswith("Parameter") and is_text):
                    found.add(str(node.args[0].value))
    return found


def files() -> list[File]:
    """Return the files that may draw a text."""
    return [File(path) for path in [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]]


def parts() -> Iterator[Part]:
    """Yield the parts of texts in all files that are neither ours by their syntax nor escaped."""
    for file in files():
        yield from file.parts()


def scripts() -> Iterator[tuple[str, int, str]]:
    """Yield each line of a script for the browser that may make more than text of a text: file, line and code."""
    for path in sorted((ROOT / "pages").rglob("*.js")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if WRITES.search(line):
                yield str(path.relative_to(ROOT)), number, line.strip()
