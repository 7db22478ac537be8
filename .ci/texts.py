"""A plugin of mypy: what is drawn as Markdown, HTML or by Plotly is right by its type (pages/ui/plain.py).

To mypy alone every constant and every f-string is a `str`. With the plugin, an f-string whose parts are right has the
type of its parts, an argument that is right is accepted where a `Markdown` or an `Html` is asked for, and it is an
error to draw anything else: by Streamlit, as an f-string with tags, or by calling it a `Markdown`. Right are
constants, numbers, what has the type, and what is put together of these. A local name is followed to what it is set to.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial

from mypy import nodes as n
from mypy import types as t
from mypy.plugin import FunctionSigContext, MethodSigContext, Plugin

HOME = "pages.ui.plain"
LANGUAGES = frozenset(("Html", "Markdown", "Plotly"))
KINDS = {f"{HOME}.{kind}": frozenset((kind,)) for kind in LANGUAGES} | {f"{HOME}.Ours": LANGUAGES}

ESCAPES = {"html.escape": "Html", "latex2mathml.converter.convert": "Html"}
"""Functions of others that return a text of one of the types."""

OURS: dict[str, tuple[str, ...]] = {
    "datasets.base.Dataset": ("judged_by",),
    "datasets.downloads.download.Source": ("origin", "title", "licence"),
    "datasets.parameters.Info": ("id", "title", "summary", "source"),
    "datasets.parameters.Declared": ("id", "title", "summary"),
    "datasets.parameters.Parameter": ("name", "label", "symbol", "format", "allowed", "help"),
    "learners.base.Line": ("text",),
    "learners.catalogue": ("works",),
    "learners.catalogue.LearnerInfo": ("feedback", "paper", "section"),
    "learners.base.Learner": ("paper", "section"),
    "learners.family.Family": ("title", "lab", "unit", "symbols", "asks"),
    "learners.metric.Metric": ("id", "label", "final", "absent"),
    "learners.theory.bound.Bound": ("title", "words", "note", "formula", "symbols", "bounded"),
    "learners.what_if.Question": ("help",),
    "pages.ui.draw.plotly_js": ("source",),
    "pages.ui.draw.charts.Look": ("colors", "ground", "text", "grid"),
    "pages.ui.draw.charts.Axis": ("hover",),
    "pages.ui.figures.figure.Figure": ("id", "title", "paper", "where"),
    "pages.ui.figures.statement.Statement": ("said",),
    "pages.ui.gallery.demos.Demo": ("id", "title", "text"),
    "pages.ui.lessons.lesson.Lesson": ("language", "title", "id"),
    "pages.ui.figures.view.cards.FoundCard": ("verdict",),
    "pages.ui.lab.lab.Lab": ("title", "unit", "regret"),
    "pages.ui.lab.stage.Stage": ("unit",),
    "pages.ui.race.charts.ChartView": ("unit",),
    "pages.ui.recordings.takeaway.Library": ("address", "integrity"),
}
"""Attributes and functions that hold or return only what is written in the code of this project."""

LABEL = ("label", "help")
DRAWN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("markdown", "caption", "title", "header", "subheader", "latex"), ("body", "help")),
    **dict.fromkeys(("error", "warning", "info", "success", "toast"), ("body",)),
    **dict.fromkeys(("button", "form_submit_button", "download_button", "link_button", "popover", "badge"), LABEL),
    **dict.fromkeys(("checkbox", "toggle", "slider", "select_slider", "number_input"), LABEL),
    **dict.fromkeys(("text_input", "text_area", "selectbox", "multiselect", "file_uploader"), LABEL),
    **dict.fromkeys(("expander", "status", "page_link"), LABEL),
    **dict.fromkeys(("radio", "pills", "segmented_control"), (*LABEL, "options", "captions")),
    "metric": (*LABEL, "value", "delta"),
    "progress": ("text",),
    "spinner": ("text",),
    "tabs": ("tabs",),
    "dialog": ("title",),
}
"""The parameters of Streamlit's elements that are read as Markdown."""

KEEPS = frozenset(("capitalize", "lower", "upper", "strip", "rstrip", "lstrip", "removesuffix", "removeprefix",
                   "replace", "format", "join", "splitlines", "split"))  # fmt: skip
"""Methods of a text that return only what they are given."""

HAND_ON: dict[str, tuple[str, ...]] = {
    "builtins": ("str", "list", "tuple", "sorted", "dict", "reversed", "set", "iter", "next", "zip"),
    "textwrap": ("wrap",),
    "learners.wording": ("listed",),
    "pages.ui.counting": ("named", "counted", "duration"),
    "pages.ui.race.words": ("count", "listed", "sentence"),
    "pages.ui.search.words": ("counted",),
}
"""Functions that return only what they are given."""

TAG = re.compile(r"<[A-Za-z/]|<!(--|doctype)")
NUMBER = re.compile(r"[,dfg%e]$")  # a format that nothing but a number has

Part = tuple[n.Expression, frozenset[str]]  # of a text, and the languages in which it is right
Signature = FunctionSigContext | MethodSigContext


def of(kind: t.Type | None) -> frozenset[str]:
    """Return the languages in which whatever has a type is right."""
    kind = t.get_proper_type(kind)
    if isinstance(kind, t.NoneType | t.LiteralType | t.UninhabitedType):
        return LANGUAGES
    if isinstance(kind, t.TypeVarType):
        return of(kind.upper_bound)
    if isinstance(kind, t.UnionType | t.TupleType):
        return LANGUAGES.intersection(*map(of, kind.items))
    if not isinstance(kind, t.Instance):
        return frozenset()
    if kind.last_known_value:
        return LANGUAGES
    for base in kind.type.mro:
        if base.fullname in KINDS:
            return KINDS[base.fullname]
        if base.fullname in ("builtins.int", "builtins.float", "numpy.number", "numpy.bool"):
            return LANGUAGES
    if kind.args and kind.type.module_name in ("builtins", "typing"):
        return LANGUAGES.intersection(*map(of, kind.args))
    return frozenset()


def asks(kind: t.Type) -> frozenset[str]:
    """Return the language that a parameter asks for, if it does."""
    kind = t.get_proper_type(kind)
    if isinstance(kind, t.UnionType | t.TupleType):
        return frozenset().union(*map(asks, kind.items))
    if isinstance(kind, t.Instance):
        return KINDS.get(kind.type.fullname) or frozenset().union(*map(asks, kind.args))
    return frozenset()


def as_text(kind: t.Type, text: t.Instance) -> t.Type:
    """Return a type with `str` for each of our types in it."""
    kind = t.get_proper_type(kind)
    if isinstance(kind, t.UnionType):
        return t.UnionType([as_text(item, text) for item in kind.items])
    if isinstance(kind, t.TupleType):
        return kind.copy_modified(items=[as_text(item, text) for item in kind.items])
    if isinstance(kind, t.Instance):
        return text if kind.type.fullname in KINDS else kind.copy_modified(args=[as_text(a, text) for a in kind.args])
    return kind


HOLDS: dict[type[n.Expression], tuple[str, ...]] = {
    n.ConditionalExpr: ("if_expr", "else_expr"),
    **dict.fromkeys((n.ListExpr, n.TupleExpr, n.SetExpr, n.DictExpr), ("items",)),
    **dict.fromkeys((n.ListComprehension, n.SetComprehension), ("generator",)),
    n.GeneratorExpr: ("left_expr",),
    n.DictionaryComprehension: ("key", "value"),
    n.StarExpr: ("expr",),
    n.AssignmentExpr: ("value",),
}
"""Where an expression holds the parts of which it is put together."""


def flat(held: object) -> Iterator[object]:
    """Yield whatever lists and tuples hold."""
    if isinstance(held, list | tuple):
        for item in held:
            yield from flat(item)
    else:
        yield held


class Names:
    """What each name of a file is set to; None where the syntax does not say."""

    def __init__(self, file: n.MypyFile) -> None:
        self.set: dict[n.SymbolNode | None, list[n.Expression | None]] = defaultdict(list)
        for node in within(file):
            self.read(node)

    def match(self, target: n.Expression | None, value: n.Expression | None) -> None:
        """Note that a target of an assignment is set to a value."""
        if isinstance(target, n.NameExpr):
            self.set[target.node].append(value)
        elif isinstance(target, n.StarExpr):
            self.match(target.expr, value)
        elif isinstance(target, n.IndexExpr):
            self.match(target.base, value)
        elif isinstance(target, n.TupleExpr | n.ListExpr):
            same = isinstance(value, n.TupleExpr | n.ListExpr) and len(value.items) == len(target.items)
            for i, item in enumerate(target.items):
                self.match(item, value.items[i] if same else value)  # if all of it is right, each part is

    def each(self, target: n.Expression, values: n.Expression) -> None:
        """Note that a target is set to one after the other of some values."""
        match target, values:
            case n.TupleExpr(), n.CallExpr(callee=n.NameExpr(name="zip")) if len(values.args) >= len(target.items):
                for item, among in zip(target.items, values.args, strict=False):
                    self.each(item, among)
            case n.TupleExpr(), n.CallExpr(callee=n.NameExpr(name="enumerate")):
                self.each(target.items[1], values.args[0])
            case _:
                for value in values.items if isinstance(values, n.TupleExpr | n.ListExpr) else [values]:
                    self.match(target, value)

    def read(self, o: n.Node) -> None:
        """Note what a node sets."""
        match o:
            case n.AssignmentStmt():
                for target in o.lvalues:
                    self.match(target, o.rvalue)
            case n.OperatorAssignmentStmt():
                self.match(o.lvalue, o.rvalue)
            case n.AssignmentExpr():
                self.match(o.target, o.value)
            case n.CallExpr(callee=n.MemberExpr(name="append" | "extend" | "insert")):
                self.match(o.callee.expr, o.args[-1])
            case n.ForStmt():
                self.each(o.index, o.expr)
            case n.GeneratorExpr() | n.DictionaryComprehension():
                for target, values in zip(o.indices, o.sequences, strict=True):
                    self.each(target, values)


def within(node: n.Node) -> Iterator[n.Node]:
    """Yield the nodes in a node, and itself (mypy's own visitors are compiled, and no base for a class that is not)."""
    yield node
    for name in ("rvalue", *getattr(node, "__match_args__", ())):
        if name not in ("node", "arguments"):  # which lead out of it
            for held in flat(getattr(node, name, None)):
                if isinstance(held, n.Statement | n.Expression):
                    yield from within(held)


class Reader:
    """Reads of an expression which of its parts are right in which language."""

    def __init__(self, context: Signature) -> None:
        self.checker = context.api
        self.names = names_of(context.api.tree)

    def type(self, e: n.Expression) -> t.Type:
        """Return the type of an expression; none is known while it is looked for."""
        if known := self.checker.lookup_type_or_none(e):
            return known
        if e in BUSY:
            return t.AnyType(t.TypeOfAny.special_form)
        BUSY.add(e)
        try:
            return self.checker.get_expression_type(e)
        finally:
            BUSY.remove(e)

    def right(self, *several: n.Expression) -> frozenset[str]:
        """Return the languages in which expressions are right."""
        return LANGUAGES.intersection(*(kinds for e in several for _, kinds in self.parts(e)))

    def wrong(self, kind: str, *several: n.Expression) -> list[n.Expression]:
        """Return the parts of expressions that are not right in the languages of a type."""
        return [part for e in several for part, kinds in self.parts(e) if not KINDS[f"{HOME}.{kind}"] <= kinds]

    def parts(self, e: n.Expression, seen: tuple[n.SymbolNode, ...] = ()) -> Iterator[Part]:
        """Yield the parts of an expression that are no constants, each with the languages in which it is right."""
        into: list[n.Expression | None] = []
        if isinstance(e, n.ConditionalExpr | n.ListComprehension | n.GeneratorExpr | n.DictionaryComprehension):
            self.type(e)  # what it sets, and what it finds about types, is known to its parts only then
        match e:
            case n.StrExpr() | n.LambdaExpr() | n.ComparisonExpr():
                return
            case n.OpExpr(op="*"):  # a text, repeated
                into = [e.left] if self.of_text(e.left) else [e.right]
            case n.OpExpr(op="+" | "or" | "and" | "%"):
                into = [e.left, e.right]
            case n.CallExpr():
                into = self.given(e)
            case _ if type(e) in HOLDS:
                into = list(flat([getattr(e, name) for name in HOLDS[type(e)]]))
        if not into:
            if kinds := of(self.type(e)):
                yield e, kinds
                return
            match e:
                case n.NameExpr() | n.MemberExpr() if e.name.strip("_").isupper():
                    return  # a constant of a module
                case n.NameExpr() | n.MemberExpr() if self.ours(e):
                    return
                case n.CallExpr() if self.ours(e.callee):
                    return
                case n.IndexExpr():
                    into = [e.base]
                case n.NameExpr(node=n.Var(is_inferred=True) as name):
                    into = [] if name in seen else self.names.get(name, [])
                    if name in seen:
                        return
                    seen = (*seen, name)
                case n.CallExpr(callee=n.MemberExpr(name="get" | "items" | "values")):
                    into = [e.callee.expr, *e.args[1:]]
        if not into or None in into:
            yield e, frozenset()
        else:
            for part in into:
                yield from self.parts(part, seen)

    def given(self, e: n.CallExpr) -> list[n.Expression | None]:
        """Return what a call hands on, if it does nothing else."""
        if not isinstance(e.callee, n.RefExpr):
            return []
        if isinstance(e.callee, n.MemberExpr) and e.callee.name in KEEPS and self.of_text(e.callee.expr):
            if e.callee.name == "format" and isinstance(e.args[-1], n.StrExpr) and NUMBER.search(e.args[-1].value):
                return [e.callee.expr]
            return [e.callee.expr, *e.args]
        if e.callee.fullname == "re.sub":
            return [e.args[1].expr() if isinstance(e.args[1], n.LambdaExpr) else e.args[1], e.args[2]]
        inner = getattr(getattr(e.callee, "expr", None), "callee", None)
        if getattr(inner, "fullname", "") == "base64.b64encode":
            return [n.StrExpr("")]  # letters and digits
        home, _, name = e.callee.fullname.rpartition(".")
        if name in HAND_ON.get(home, ()):
            return list(e.args) or [n.StrExpr("")]
        return []

    def of_text(self, e: n.Expression) -> bool:
        """Whether an operand is a text, and no number by which it is repeated."""
        kind = t.get_proper_type(self.type(e))
        return isinstance(kind, t.Instance) and kind.type.has_base("builtins.str")

    def ours(self, e: n.Expression) -> bool:
        """Whether an attribute holds, or a function returns, what is written in the code of this project."""
        if isinstance(e, n.MemberExpr) and not e.fullname:
            return any(e.name in OURS.get(name, ()) for name in self.classes(self.type(e.expr)))
        home, _, name = getattr(e, "fullname", "").rpartition(".")
        return name in OURS.get(home, ())

    def classes(self, kind: t.Type) -> Iterator[str]:
        """Yield the full names of the classes of an object, or of a class."""
        kind = t.get_proper_type(kind)
        if isinstance(kind, t.UnionType):
            yield from (name for item in kind.items for name in self.classes(item))
        elif isinstance(kind, t.TypeType):
            yield from self.classes(kind.item)
        elif isinstance(kind, t.TypeVarType):
            yield from self.classes(kind.upper_bound)
        elif isinstance(kind, t.CallableType) and kind.is_type_obj():
            yield from self.classes(kind.ret_type)
        elif isinstance(kind, t.Instance):
            yield from (base.fullname for base in kind.type.mro)


BUSY: set[n.Expression] = set()
KNOWN: dict[str, tuple[n.MypyFile, Names]] = {}


def names_of(file: n.MypyFile) -> dict[n.SymbolNode | None, list[n.Expression | None]]:
    """Return what the names of a file are set to."""
    if KNOWN.get(file.fullname, (None,))[0] is not file:
        KNOWN[file.fullname] = file, Names(file)
    return KNOWN[file.fullname][1].set


def fail(context: Signature, parts: list[n.Expression], language: str) -> None:
    """Report parts that are not right in a language."""
    for part in parts:
        if not context.api.current_node_deferred:
            context.api.fail(f"Drawn as {language}, but anybody's text: escape it, or type it at its source", part)


def formats(context: Signature) -> list[n.Expression]:
    """Return what a call is told to make of each of its options, if that is right."""
    place = context.default_signature.arg_names.index("format_func")
    for made in context.args[place]:
        kind = t.get_proper_type(Reader(context).type(made))
        if isinstance(kind, t.CallableType) and "Markdown" in of(kind.ret_type):
            return [n.StrExpr("")]
    return []


def drawn(context: Signature, names: tuple[str, ...], language: str) -> t.CallableType:
    """Check what is handed to parameters that are drawn."""
    if context.api.tree.fullname == HOME:  # which makes the types
        return context.default_signature
    for name, values in zip(context.default_signature.arg_names, context.args, strict=True):
        if name in names:
            if name == "options" and (shown := formats(context)):
                values = shown
            for value in values:
                fail(context, Reader(context).wrong(language, value), language)
    return context.default_signature


def joined(context: Signature) -> t.CallableType:
    """Check an f-string with tags; give an f-string, or what is joined otherwise, the type of its parts."""
    call = context.context
    if not isinstance(call, n.CallExpr) or not isinstance(call.callee, n.MemberExpr):
        return context.default_signature
    if not context.api.tree.fullname.startswith(("pages.", "app")):
        return context.default_signature
    reader = Reader(context)
    items = call.args[0].items if isinstance(call.args[0], n.ListExpr) else []
    tags = any(isinstance(item, n.StrExpr) and TAG.search(item.value) for item in items)
    right = reader.right(call.callee.expr, *call.args)
    if tags and not right & {"Html", "Plotly"}:
        language = min(("Html", "Plotly"), key=lambda language: len(reader.wrong(language, *call.args)))
        fail(context, reader.wrong(language, *call.args), language)
    kind = "Html" if tags and "Html" in right else "".join(right) if len(right) == 1 else ""
    return typed(context, kind) if kind else context.default_signature


def typed(context: Signature, kind: str) -> t.CallableType:
    """Return the signature with one of our types as what is returned."""
    home = context.api.modules.get(HOME)  # which a file that is checked earlier may not have read
    if home is None:
        return context.default_signature
    return context.default_signature.copy_modified(ret_type=t.Instance(home.names[kind].node, []))


def accepted(context: Signature) -> t.CallableType:
    """Accept what is right for parameters that ask for one of our types."""
    signature = context.default_signature
    types = list(signature.arg_types)
    for i, values in enumerate(context.args):
        if values and (language := asks(types[i])):
            reader = Reader(context)
            if language <= reader.right(*values):
                text = as_text(types[i], context.api.named_generic_type("builtins.str", []))
                types[i] = t.UnionType([types[i], text])
            else:  # mypy itself takes whatever has no type
                unknown = [v for v in values if isinstance(t.get_proper_type(reader.type(v)), t.AnyType)]
                fail(context, unknown, "-".join(sorted(language)))
    return signature.copy_modified(arg_types=types)


class Texts(Plugin):
    """The hooks, all of them for signatures: what fails in another makes mypy look for another overload."""

    def get_additional_deps(self, file: n.MypyFile) -> list[tuple[int, str, int]]:
        """Have each file of pages know the types."""
        return [(10, HOME, -1)] if file.fullname.startswith("pages.") and file.fullname != HOME else []

    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], t.CallableType] | None:
        """Check calls of Streamlit, of our types and of our functions."""
        if fullname in KINDS:
            return partial(drawn, names=("object",), language=fullname.rpartition(".")[2])
        if fullname in ESCAPES:
            return partial(typed, kind=ESCAPES[fullname])
        return self._hook(fullname)

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], t.CallableType] | None:
        """Check calls of Streamlit's elements and of our methods, and f-strings."""
        return joined if fullname in ("builtins.str.join", f"{HOME}.Html.join") else self._hook(fullname)

    def _hook(self, fullname: str) -> Callable[..., t.CallableType] | None:
        name = fullname.rpartition(".")[2]
        if fullname.startswith("streamlit."):
            if fullname == "streamlit.components.v2.component":
                return partial(drawn, names=("html",), language="Html")
            if name == "html":
                return partial(drawn, names=("body",), language="Html")
            return partial(drawn, names=DRAWN[name], language="Markdown") if name in DRAWN else None
        return accepted if fullname.startswith("pages.") else None


def plugin(version: str) -> type[Texts]:
    """Return the plugin, as mypy asks for it."""
    return Texts
