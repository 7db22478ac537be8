"""Builds the wheel: the packages of the checkout become one, `feedback_lab`, beside which others may be named datasets.

The files are copied, and their imports of each other get the new name, in code and in the examples of docstrings;
texts stay as they are. `app.py` and the settings of Streamlit come along, so that the command `feedback-lab` starts the
app. pip and build call the functions of PEP 517 below; nothing has to be installed for it.
"""

from __future__ import annotations

import ast
import base64
import gzip
import hashlib
import io
import re
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = "feedback_lab"
PARTS = ("datasets", "learners", "pages")
NAMESPACE = "pages/ui/namespace.py"  # becomes the top of the package
SOURCES = (*PARTS, "app.py", ".streamlit/config.toml", ".ci/backend.py", "pyproject.toml", "README.md", "LICENSE")
DATE = (2020, 1, 1, 0, 0, 0)  # of all files in the wheel, so that it has the same bytes whenever it is built
_LEFT_OUT = {"__pycache__", "node_modules"}

_NAMES = "|".join(PARTS)
_BEGINS = r"^([ \t]*(?:(?:>>>|\.\.\.) +)?)"  # of a statement, or of one in an example
_STATEMENTS = (
    (re.compile(rf"{_BEGINS}from ({_NAMES})\b(?=[\w.]* import)", re.M), rf"\1from {PACKAGE}.\2"),
    (re.compile(rf"{_BEGINS}import ({_NAMES})(?=\s*$|\s+#)", re.M), rf"\1from {PACKAGE} import \2"),
)
_COMMAND = re.compile(rf"\bpython -m ({_NAMES})\b")


def renamed(code: str) -> str:
    """Return the code of a file with its imports as the one package has them.

    Raises
    ------
    ValueError : for an import that is written in a way that is not known here.

    >>> renamed("from learners.base import Learner\\nimport datasets\\n")
    'from feedback_lab.learners.base import Learner\\nfrom feedback_lab import datasets\\n'
    """
    own = {line for node in _imports(code) for line in range(node.lineno, node.end_lineno + 1)}
    lines = code.splitlines(keepends=True)
    for i, line in enumerate(lines):
        if i + 1 in own or line.lstrip().startswith((">>> ", "... ")):
            for pattern, anew in _STATEMENTS:
                line = pattern.sub(anew, line)
        lines[i] = _COMMAND.sub(rf"python -m {PACKAGE}.\1", line)
    found = "".join(lines)
    if left := list(_imports(found)):
        raise ValueError(f"line {left[0].lineno} cannot be renamed: {ast.unparse(left[0])}")
    return found


def _imports(code: str) -> Iterator[Any]:
    """Yield the imports of the parts by their names in the checkout."""
    for node in ast.walk(ast.parse(code)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
        if any(name.split(".")[0] in PARTS for name in names):
            yield node


def files() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the package, each with its place in the wheel."""
    for part in (*PARTS, "app.py", ".streamlit/config.toml"):
        for path in _under(ROOT / part):
            content = path.read_bytes()
            place = path.relative_to(ROOT).as_posix()
            if path.suffix == ".py":
                content = renamed(content.decode()).encode()
            yield f"{PACKAGE}/{place}", content
            if place == NAMESPACE:
                yield f"{PACKAGE}/__init__.py", content
    yield f"{PACKAGE}/py.typed", b""


def _under(path: Path) -> list[Path]:
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [file for file in found if file.is_file() and not _LEFT_OUT & {*file.parts}]


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return project


def _metadata(project: dict[str, Any]) -> str:
    lines = [
        "Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
        f"Summary: {project['description']}", f"License: {project['license']}",
        f"Requires-Python: {project['requires-python']}", "Description-Content-Type: text/markdown",
        *(f"Classifier: {words}" for words in project["classifiers"]),
        *(f"Requires-Dist: {needed}" for needed in project["dependencies"]),
    ]  # fmt: skip
    for extra, needs in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {needed} ; extra == "{extra}"' for needed in needs)]
    return "\n".join([*lines, "", (ROOT / "README.md").read_text("utf-8")])


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """Write the wheel into a folder and return its name."""
    project = _project()
    named = f"{PACKAGE}-{project['version']}"
    scripts = "".join(f"{name} = {place}\n" for name, place in project["scripts"].items())
    about = {
        "METADATA": _metadata(project),
        "WHEEL": "Wheel-Version: 1.0\nGenerator: feedback-lab\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": f"[console_scripts]\n{scripts}",
        "licenses/LICENSE": (ROOT / "LICENSE").read_text("utf-8"),
    }
    contents = [*files(), *((f"{named}.dist-info/{name}", text.encode()) for name, text in about.items())]
    record = f"{named}.dist-info/RECORD"
    rows = [f"{place},sha256={_digest(content)},{len(content)}\n" for place, content in contents]
    with zipfile.ZipFile(Path(wheel_directory, f"{named}-py3-none-any.whl"), "w") as wheel:
        for place, content in [*contents, (record, "".join([*rows, f"{record},,\n"]).encode())]:
            wheel.writestr(zipfile.ZipInfo(place, DATE), content, zipfile.ZIP_DEFLATED)
    return f"{named}-py3-none-any.whl"


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Write the sources of the wheel into a folder, as they stand in the checkout, and return the archive's name."""
    project = _project()
    named = f"{PACKAGE}-{project['version']}"
    with (
        gzip.GzipFile(Path(sdist_directory, f"{named}.tar.gz"), "wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        contents = [
            (path.relative_to(ROOT).as_posix(), path.read_bytes()) for s in SOURCES for path in _under(ROOT / s)
        ]
        for place, content in [*contents, ("PKG-INFO", _metadata(project).encode())]:
            entry = tarfile.TarInfo(f"{named}/{place}")
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
    return f"{named}.tar.gz"
