"""Environment variables: each is declared, collected, told in HOSTING.md and checked when the server starts."""

import ast
import importlib
import os
import subprocess
import sys

import pytest

from datasets.variables import DATA_MB
from pages.ui import variables
from pages.ui.files import uploads
from pages.ui.files.sharing import DATA_CACHE_MB
from pages.ui.jobs import limits
from pages.ui.server import exposure
from pages.ui.server.upload_limit import MEMORY_MB
from tests.cases import cases
from tests.code import nodes
from tests.conftest import ROOT

SOURCES = [ROOT / "app.py", *(path for top in ("datasets", "learners", "pages") for path in (ROOT / top).rglob("*.py"))]
EXPORTED = ROOT / "pages" / "ui" / "race" / "script.py"  # the text of a script that stands alone


def called(node, name):
    return isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == name


def test_every_variable_that_is_declared_is_collected():
    declared = {}
    for path in SOURCES:
        for node in nodes(path):
            if called(node, "Variable"):
                declared[node.args[0].value] = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    collected = [variable.name for variable in variables.VARIABLES]
    assert len(declared) >= 9 and sorted(declared) == sorted(collected)
    for name, module in declared.items():  # the very objects that are used, and no copies
        found = vars(importlib.import_module(module)).values()
        assert any(isinstance(v, variables.Variable) and v.name == name for v in found), module
        assert any(v is w for v in found for w in variables.VARIABLES if w.name == name), name


def test_no_code_reads_the_environment_beside_its_declaration():
    for path in SOURCES:
        if path in (EXPORTED, ROOT / "datasets" / "variables.py"):
            continue
        for node in nodes(path):
            if called(node, "get") or called(node, "getenv") or isinstance(node, ast.Subscript):
                inner = node.args[:1] if isinstance(node, ast.Call) else [node.slice]
                names = [a.value for a in inner if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                assert not any(name.startswith(variables.PREFIX) for name in names), (path, node.lineno)


@cases("variable", variables.VARIABLES)
def test_a_variable_has_a_default_that_is_allowed_and_says_what_it_does(variable, monkeypatch):
    monkeypatch.delenv(variable.name, raising=False)
    assert variable.check(variable.default) == variable.value == variable.default
    assert variable.name.startswith(variables.PREFIX) and variable.name == variable.name.upper()
    assert variable.help.endswith(".") and variable.help[0].isupper() and "|" not in variable.help
    monkeypatch.setenv(variable.name, "  ")
    assert variable.value == variable.default, "set to nothing is not set"


def test_the_text_on_hosting_lists_the_variables():
    assert variables.section() in (ROOT / "HOSTING.md").read_text("utf-8"), "run python -m pages.ui.variables"


def test_values_that_are_not_allowed_are_named_together(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_WORKERS", "zero")
    monkeypatch.setenv("FEEDBACK_LAB_DASK", "true")
    with pytest.raises(SystemExit) as stop:
        variables.check()
    assert str(stop.value).splitlines() == [
        "FEEDBACK_LAB_WORKERS must be a whole number in [1, 1000], got zero.",
        "FEEDBACK_LAB_DASK must be one of no, yes, got true.",
    ]


def test_an_earlier_name_works_as_long_as_the_new_one_is_not_set(monkeypatch, logged):
    monkeypatch.setenv("FEEDBACK_LAB_SWEEP_SECONDS", "77")
    assert limits.RUN_SECONDS.value == 77
    variables.check()
    assert "FEEDBACK_LAB_SWEEP_SECONDS is now FEEDBACK_LAB_RUN_SECONDS." in logged()
    assert "There is no" not in logged()
    monkeypatch.setenv("FEEDBACK_LAB_RUN_SECONDS", "99")
    assert limits.RUN_SECONDS.value == 99
    names = [name for variable in variables.VARIABLES for name in (variable.name, *variable.formerly)]
    assert len(set(names)) == len(names)


def test_limits_follow_from_a_budget_and_one_that_is_set_still_holds(monkeypatch, logged):
    budgets = {v.of.name for v in variables.VARIABLES if v.of is not None}
    assert budgets == {"FEEDBACK_LAB_RAM_MB", "FEEDBACK_LAB_DISK_MB", "FEEDBACK_LAB_RUN_SECONDS"}
    monkeypatch.setenv("FEEDBACK_LAB_RAM_MB", "1400")
    assert (limits.MEMORY_MB.value, limits.RUN_MB.value, limits.JOBS_MB.value) == (200, 200, 800)
    assert (DATA_CACHE_MB.value, MEMORY_MB.value, DATA_MB.value) == (200, 200, 100)
    together = limits.MEMORY_MB.value + limits.JOBS_MB.value + DATA_CACHE_MB.value + MEMORY_MB.value
    assert together == 1400, "the shares are the whole"
    monkeypatch.setenv("FEEDBACK_LAB_DISK_MB", "60")
    assert (uploads.ALL_MB.value, uploads.PERSON_MB.value) == (20, 3)
    monkeypatch.setenv("FEEDBACK_LAB_RUN_SECONDS", "60")
    assert limits.PERSON_MINUTES.value == 2, "two runs of a minute"
    monkeypatch.setenv("FEEDBACK_LAB_JOBS_MB", "900")
    monkeypatch.setenv("FEEDBACK_LAB_SWEEP_MB", "77")
    monkeypatch.setenv("FEEDBACK_LAB_KEEP_SECONDS", "7")
    assert (limits.JOBS_MB.value, limits.RUN_MB.value, limits.KEEP_SECONDS.value) == (900, 77, 7)
    variables.check()
    for name, instead in (("JOBS_MB", "4/7 of FEEDBACK_LAB_RAM_MB"), ("SWEEP_MB", "1/7 of FEEDBACK_LAB_RAM_MB"),
                          ("KEEP_SECONDS", "300")):  # fmt: skip
        said = f"FEEDBACK_LAB_{name} is deprecated; leave it out for {instead}. The value that is set still holds."
        assert said in logged()
    assert "There is no" not in logged()


def test_about_ten_variables_are_listed():
    listed = [variable.name for variable in variables.VARIABLES if not variable.deprecated]
    assert len(listed) <= 13 and variables.table().count("\n") == len(listed) + 1
    assert all(f"`{name}` |" in variables.table() for name in listed)


def test_a_budget_that_is_not_allowed_is_said_once(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_RAM_MB", "much")
    assert variables.refused() == ["FEEDBACK_LAB_RAM_MB must be a whole number in [100, 100000000], got much."]


@cases(
    ("name", "value", "words"),
    [
        ("FEEDBACK_LAB_OPERATOR", "short", "a text of at least 8 characters, got 5"),  # the key itself is not told
        ("FEEDBACK_LAB_DATA", "/nonexistent", "a folder that exists, got /nonexistent"),
        ("FEEDBACK_LAB_DATA_MB", "１２", "a whole number in [1, 100000], got １２"),
        ("FEEDBACK_LAB_DATA_MB", "1_0", "a whole number in [1, 100000], got 1_0"),
    ],
)
def test_what_is_set_by_mistake_is_no_silent_default(name, value, words, monkeypatch):
    monkeypatch.setenv(name, value)
    assert variables.refused() == [f"{name} must be {words}."]


def test_the_server_does_not_start_with_a_value_that_is_not_allowed():
    wrong = {"FEEDBACK_LAB_WORKERS": "zero", "FEEDBACK_LAB_OPERATOR": "short", "FEEDBACK_LAB_DATA": "/nonexistent"}
    done = subprocess.run(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", "0"],
        cwd=ROOT, env=os.environ | wrong | {"FEEDBACK_LAB_CLUSTERS": "all"},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert all(name in done.stderr for name in wrong) and "short" not in done.stderr
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "FEEDBACK_LAB_WORKERS must be a whole number in [1, 1000], got zero." in done.stderr
    assert "There is no FEEDBACK_LAB_CLUSTERS; it does nothing." in done.stderr


@cases(
    ("address", "headers", "expected"),
    [
        ("localhost", {}, False),
        ("127.0.0.1", {"Host": "localhost:8501", "User-Agent": "x"}, False),
        ("0.0.0.0", {}, True),
        (None, {}, True),
        ("localhost", {"X-Forwarded-For": "203.0.113.7"}, True),
        ("localhost", {"forwarded": "for=203.0.113.7"}, True),
    ],
)
def test_others_may_come_where_the_address_is_open_or_a_proxy_lets_them_in(address, headers, expected, monkeypatch):
    monkeypatch.setattr(exposure.st.config, "get_option", lambda name: {"server.address": address}[name])
    monkeypatch.setattr(exposure.st, "context", type("Context", (), {"headers": headers}))
    assert exposure.is_public() is expected
    for setting, may in {"auto": not expected, "yes": True, "no": False}.items():
        monkeypatch.setenv("FEEDBACK_LAB_FETCH", setting)
        assert exposure.may_fetch() is may
