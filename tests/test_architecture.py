"""Imports run one way and never in a circle, and a run is described in one place; read from the code of every file."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.cases import cases
from tests.code import nodes

ROOT = Path(__file__).parents[1]
SCREEN = {"streamlit", "plotly"}


def statements(nodes, package=()):
    """For each import anywhere in a file, the full names of what it imports; `package` is the file's own, for dots."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield {base, *(f"{base}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in (
            "import_module",
            "__import__",
        ):
            yield {arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)}


def imported(code, package=()):
    """Full names of all that a file imports."""
    return set().union(*statements(ast.walk(ast.parse(code)), package))


@cache
def statements_of(path):
    """The `statements` of a file of the project."""
    return list(statements(nodes(path), path.relative_to(ROOT).parent.parts))


def files(*folders):
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert paths
    return paths


def tops(path):
    """The first part of each name that the file imports."""
    return {name.split(".")[0] for names in statements_of(path) for name in names}


def named(path):
    return str(path.relative_to(ROOT))


def knowing(folders, others):
    """Names of the files in some folders that import what they should not, each with what that is."""
    return {named(path): found for path in files(*folders) if (found := tops(path) & {*others})}


def test_datasets_know_neither_learners_nor_pages():
    assert knowing(["datasets"], ["learners", "pages", "app", "tests", *SCREEN]) == {}


def test_learners_know_no_pages():
    assert knowing(["learners"], ["pages", "app", "tests", *SCREEN]) == {}


@cases(
    "name",
    ["draw/charts", "race/charts", "race/moment", "race/script", "race/limits", "play/film",
     "play/frames", "play/payload", "play/recording", "play/scenes", "play/strips",
     *(f"recordings/{name}" for name in ("document", "made", "schema", "takeaway", "texts")), "library/record",
     "library/recorder", "library/public",
     *(f"jobs/{file.stem}" for file in (ROOT / "pages" / "ui" / "jobs").glob("*.py"))],
)  # fmt: skip
def test_what_can_be_used_without_a_browser_does_not_import_streamlit(name):
    assert "streamlit" not in tops(ROOT / "pages" / "ui" / f"{name}.py")


def test_nobody_imports_the_app_or_the_tests():
    assert knowing(["datasets", "learners", "pages"], ["app", "tests"]) == {}


def dotted(path):
    """The name under which a file is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def graph(paths, node):
    """Return, for each node, the nodes it imports; `node` maps the name of a module to what stands for it.

    Imports inside functions and those for the type checker alone count: they hide a circle, they do not end it.
    """
    modules = {dotted(path) for path in paths}
    found = {node(name): set() for name in modules}
    for path in paths:
        for names in statements_of(path):
            names = names & modules
            # `from package import module` imports the module; that the package comes with it is no choice
            names = {name for name in names if not any(other.startswith(f"{name}.") for other in names)}
            found[node(dotted(path))] |= {node(name) for name in names}
    # a folder and what lies in it hold one thing: only imports across count
    return {
        name: {o for o in others - {name} if not f"{o}.".startswith(f"{name}.") and not f"{name}.".startswith(f"{o}.")}
        for name, others in found.items()
    }


def circles(edges):
    """Return a shortest circle through each group of nodes that reach each other."""
    found, seen = [], set()
    for start in sorted(edges):
        if start in seen:
            continue
        ways = {other: (start, other) for other in sorted(edges[start])}
        queue = list(ways)
        for here in queue:  # grows: breadth first
            for other in sorted(edges[here] - ways.keys()):
                ways[other] = (*ways[here], other)
                queue.append(other)
        if start in ways:
            found.append(" → ".join(ways[start]))
            seen |= {start, *(n for n in ways if start in reached(edges, n))}
    return found


def reached(edges, start):
    """Return the nodes to which a way leads."""
    found, queue = set(), [start]
    while queue:
        new = edges[queue.pop()] - found
        found |= new
        queue += new
    return found


def room(name):
    """The room of a module: learners.ranking of learners.ranking.users.scan; a module outside of rooms is its own."""
    parts = name.split(".")
    depth = 3 if parts[:2] == ["pages", "ui"] else 2
    return ".".join(parts[:depth])


def folder(name):
    """The folder of a module; one that lies at the top of its package is its own."""
    within = (ROOT / name.replace(".", "/")).is_dir()
    parts = name.split(".") if within else name.split(".")[:-1]
    return ".".join(parts) if len(parts) > (2 if name.startswith("pages.ui") else 1) else name


@pytest.mark.parametrize("node", [str, folder, room], ids=["modules", "folders", "rooms"])
def test_imports_do_not_run_in_circles(node):
    found = circles(graph(files("datasets", "learners", "pages"), node))
    assert not found, "\n".join(["these import each other:", *found])


def test_circles_are_found():
    edges = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": set(), "e": {"f", "a"}, "f": {"e"}}
    assert circles(edges) == ["a → b → c → a", "e → f → e"]
    assert circles({"a": {"b"}, "b": set()}) == []


def described(path):
    """Names of the classes in a file that declare both a learner and a data set as fields."""
    for node in nodes(path):
        if isinstance(node, ast.ClassDef):
            fields = {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
            if "dataset" in fields and fields & {"learner", "learners"}:
                yield node.name


def test_a_run_is_described_in_one_place():
    """Whatever describes, keeps or sends a run holds a `RunSpec`."""
    found = {name for path in files("datasets", "learners", "pages") for name in described(path)}
    assert found == {"RunSpec"}


ROOMS = [named(path.parent) for path in (ROOT / "learners").rglob("family.py") if path.parent != ROOT / "learners"]
FAMILY = re.compile(f"({'|'.join(ROOMS)}|learners/(interleaving|adversary)|pages/ui/families/\\w+)/")
SEVERAL = 1  # names that may have several meanings; to be lowered with every one that gets a single meaning


FOUND = ("labs", "face_of")  # by which the rooms of pages are found
SHARED = (
    "learners", "pages/ui/answer", "pages/ui/catalogue", "pages/ui/files", "pages/ui/form", "pages/ui/jobs",
    "pages/ui/kept", "pages/ui/lab", "pages/ui/library", "pages/ui/play", "pages/ui/race", "pages/ui/recordings",
    "pages/ui/runs", "pages/ui/share", "pages/ui/static", "pages/ui/sweep",
)  # fmt: skip
KNOWING = {
    "learners/spec.py", "learners/warm.py", "pages/ui/library/record.py",  # comparisons by interleaving
    "learners/run/change.py", "pages/ui/race/limits.py", "pages/ui/answer/person.py",  # what users of rankings do
    "pages/ui/files/bring.py", "pages/ui/files/choose.py",  # kinds of files
    "pages/ui/catalogue/data_sets.py", "pages/ui/sweep/form.py",  # the family at first
}  # fmt: skip


def test_what_all_families_share_knows_none_of_them():
    """So that nothing else need be touched where a family is added."""
    from learners.catalogue import families

    room, ids, found = re.compile(FAMILY.pattern.replace("/", r"\.")), set(families()), set()
    for path in files(*SHARED):
        if FAMILY.match(named(path)) or named(path).startswith("learners/boosting/"):
            continue
        imports = {f"{name}." for names in statements_of(path) for name in names if name.split(".")[-1] not in FOUND}
        texts = {node.value for node in nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        if texts & ids or any(map(room.match, imports)):
            found.add(named(path))
    assert found == KNOWING


def test_the_name_of_a_class_has_one_meaning():
    """But families may each have their own of a kind, such as a `Feedback`, in a room of theirs."""
    found = {}
    for path in files("datasets", "learners", "pages"):
        for node in nodes(path)[0].body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(named(path))
    several = set()
    for name, paths in found.items():
        rooms = [match.group() for path in paths if (match := FAMILY.match(path))]
        if len(paths) > 1 and len({*rooms}) != len(paths):
            several.add(name)
    assert len(several) <= SEVERAL, "\n".join(f"{name}: {', '.join(found[name])}" for name in sorted(several))


def sentences(path):
    """The sentences and clauses of all docstrings of a file."""
    for node in nodes(path):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
            yield from re.split(r"(?<=[.:;?])\s+|\n\n", text)


def test_a_sentence_about_the_code_has_a_noun_as_its_subject():
    found = [
        f"{named(path)}: {sentence}"
        for path in files("datasets", "learners", "pages")
        for sentence in sentences(path)
        if re.match(r"(What|Who|Whose|Whoever|Whatever)\b", sentence)
    ]
    assert not found, "\n".join(found)


def test_the_reader_of_imports_finds_them_all():
    code = """
import a.b, c as d
from e.f import g
from . import h
from ..i import j
def late():
    if True:
        import k
    import importlib; importlib.import_module("l.m")
    return __import__("n")
"""
    found = imported(code, ("top", "sub"))
    assert {"a.b", "c", "e.f", "e.f.g", "top.sub.h", "top.i", "top.i.j", "k", "l.m", "n"} <= found
    assert "d" not in found


def metric_ids():
    import learners.adversary.metrics
    import learners.interleaving.metrics
    from learners.catalogue import families
    from learners.metric import Metric

    apart = (learners.adversary.metrics, learners.interleaving.metrics)
    found = {item.id for module in apart for item in vars(module).values() if isinstance(item, Metric)}
    return found | {metric.id for family in families().values() for metric in family.metrics}


def test_metrics_are_listed_where_they_are_declared_and_nowhere_else():
    ids, found = metric_ids(), []
    for path in files("learners", "pages"):
        for node in nodes(path) if path.name != "metrics.py" else ():
            if isinstance(node, ast.List | ast.Tuple | ast.Set):
                listed = [e.value for e in node.elts if isinstance(e, ast.Constant) and e.value in ids]
                found += [f"{named(path)}:{node.lineno} lists {listed}"] * (len(listed) > 1)
    assert not found, "\n".join(found)
