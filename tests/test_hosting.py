"""Dockerfile, compose file, requirements, settings, the README and HOSTING.md say the same."""

import re
import tomllib

import pytest
import yaml

from pages.ui.server import health
from pages.ui.variables import PREFIX, VARIABLES
from tests import constraints, hosting
from tests.conftest import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
README = "".join((ROOT / name).read_text("utf-8") for name in ("README.md", "HOSTING.md"))
CADDY = COMPOSE["configs"]["caddyfile"]["content"]
STEPS = hosting.instructions(DOCKERFILE)
IMAGE = hosting.read(DOCKERFILE)
LABS = [service for service in COMPOSE["services"].values() if "build" in service]
OPTION = re.compile(r"--([a-z]+\.[A-Za-z]+)|\b(STREAMLIT_[A-Z_]+)\b")


def options():
    """The names of Streamlit's options, as they stand on a command line."""
    from streamlit import config

    return set(config.get_config_options())


def as_option(name):
    """`server.maxUploadSize` of STREAMLIT_SERVER_MAX_UPLOAD_SIZE."""
    return next(
        (o for o in options() if "STREAMLIT_" + re.sub(r"([A-Z])", r"_\1", o).replace(".", "_").upper() == name), name
    )


# ---- the image ---------------------------------------------------------------------------------------


def test_the_image_has_the_python_and_the_versions_that_were_tested():
    head = constraints.FILE.read_text("utf-8").splitlines()[1]
    tested = re.search(re.escape(constraints.PYTHON) + r"(\d+\.\d+)", head)[1]
    assert ("FROM", f"python:{tested}-slim") in STEPS
    assert ("RUN", "pip install -r requirements.txt -c constraints.txt") in STEPS
    required = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    assert tuple(map(int, tested.split("."))) >= tuple(map(int, required.removeprefix(">=").split(".")))


def test_the_image_has_what_the_app_is_made_of_and_nothing_else():
    copied = [word for name, rest in STEPS if name == "COPY" for word in rest.split()[:-1]]
    assert all((ROOT / name).exists() for name in copied) and len(copied) == len(set(copied))
    packages = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - {"tests"}
    packages = {name for name in packages if list((ROOT / name).rglob("*.py"))}
    assert packages | {".streamlit", "app.py"} <= set(copied) and "tests" not in copied
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    assert let_in == set(copied), "what is copied must reach the builder"


def test_the_server_in_the_image_has_no_rights_and_writes_to_a_volume():
    order = [name for name, _ in STEPS]
    assert (
        IMAGE.user == "lab"
        and order.index("USER") < order.index("CMD")
        and "USER" not in order[order.index("VOLUME") :]
    )
    assert IMAGE.volumes == ["/data"] and IMAGE.env["HOME"] == "/data"
    assert all(IMAGE.env[name].startswith("/data/") for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"))
    warm = STEPS.index(("RUN", "python -m learners.warm"))
    assert STEPS.index(("USER", "lab")) < warm < STEPS.index(("VOLUME", "/data")), (
        "compiled by the user, into the volume"
    )


def test_the_image_listens_where_it_says():
    port = IMAGE.env["STREAMLIT_SERVER_PORT"]
    assert ("EXPOSE", port) in STEPS and IMAGE.env["STREAMLIT_SERVER_ADDRESS"] == "0.0.0.0"
    assert IMAGE.command == ["streamlit", "run", "app.py"]
    assert health.routes()[0].path in IMAGE.health and "STREAMLIT_SERVER_PORT" in IMAGE.health
    assert not [name for name in IMAGE.env if name.startswith("STREAMLIT_") and as_option(name) not in options()]


# ---- two servers and a proxy -------------------------------------------------------------------------


def test_the_proxy_knows_the_servers_and_keeps_a_browser_with_one():
    names = {name for name, service in COMPOSE["services"].items() if "build" in service}
    to = re.search(r"reverse_proxy (.*) \{", CADDY)[1].split()
    assert {f"{name}:{IMAGE.env['STREAMLIT_SERVER_PORT']}" for name in names} == set(to) and len(to) == 2
    assert "lb_policy cookie" in CADDY and "health_uri /_stcore/health" in CADDY
    assert CADDY.count("{") == CADDY.count("}")
    proxy = COMPOSE["services"]["proxy"]
    assert {"80:80", "443:443"} <= set(proxy["ports"])
    assert not [service for service in LABS if "ports" in service], "nobody reaches a server past the proxy"
    largest = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["server"]["maxUploadSize"]
    assert int(re.search(r"max_size (\d+)MB", CADDY)[1]) >= largest


def test_the_servers_are_shut_in():
    for lab in LABS:
        assert (
            lab["read_only"] is True
            and lab["cap_drop"] == ["ALL"]
            and lab["security_opt"] == ["no-new-privileges:true"]
        )
        assert [volume.split(":")[1] for volume in lab["volumes"]] == IMAGE.volumes
        assert any(entry.startswith("/tmp") for entry in lab["tmpfs"]) and lab["mem_limit"] and lab["pids_limit"]
        own = dict(lab["environment"])
        assert own.pop("FORWARDED_ALLOW_IPS") == "*" and "ports" not in lab, "uvicorn's: only the proxy reaches it"
        for name, value in own.items():
            variable = next(v for v in VARIABLES if v.name == name)
            variable.parse(str(value))
    named = {volume.split(":")[0] for service in COMPOSE["services"].values() for volume in service["volumes"]}
    assert named == set(COMPOSE["volumes"])


# ---- versions ----------------------------------------------------------------------------------------


def test_every_requirement_is_pinned_to_a_version_that_it_allows():
    pinned = constraints.written()
    listed = [r for name in constraints.LISTS for r in constraints.listed(ROOT / name)]
    assert len(listed) > 20
    for requirement in listed:
        assert requirement.specifier.contains(pinned[requirement.name.lower().replace("_", "-")]), requirement


def test_the_pinned_versions_name_no_place_and_nothing_but_versions():
    for line in constraints.FILE.read_text("utf-8").splitlines()[2:]:
        assert re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.+]*", line), line


def test_the_versions_of_an_environment_include_what_is_required_in_turn(tmp_path):
    file = tmp_path / "requirements.txt"
    file.write_text("# a remark\n-r other.txt\nstreamlit>=1.67,<2  # and why\n")
    found = constraints.versions(constraints.listed(file))
    assert {"streamlit", "starlette", "tornado", "jinja2", "markupsafe"} - {"tornado"} <= set(found)
    assert "pytest" not in found, "extras that nobody asked for are left out"
    file.write_text("no-such-package-of-ours>=1\n")
    with pytest.raises(ValueError, match="no-such-package-of-ours is required and is not installed here"):
        constraints.versions(constraints.listed(file))


def test_a_version_that_differs_is_told(tmp_path, monkeypatch):
    file = tmp_path / "constraints.txt"
    file.write_text(constraints.text().replace("\nnumpy==", "\nnumpy==0.").replace("\nplotly==", "\nother=="))
    monkeypatch.setattr(constraints, "FILE", file)
    here = constraints.tested()
    assert sorted(constraints.differences()) == [
        f"numpy is {here['numpy']} here and 0.{here['numpy']} in constraints.txt.", "plotly is not in constraints.txt.",
    ]  # fmt: skip


def test_the_tests_run_on_the_pinned_versions_and_the_steps_of_the_image_are_taken():
    checked = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "-r tests/requirements.txt -c constraints.txt" in checked and "-m tests.hosting --installed" in checked


# ---- the README --------------------------------------------------------------------------------------


def test_the_readme_names_options_variables_and_files_that_exist():
    for found in OPTION.finditer(README):
        name = found[1] or as_option(found[2])
        assert name in options(), name
    known = {variable.name for variable in VARIABLES}
    assert set(re.findall(rf"{PREFIX}[A-Z_]+[A-Z]", README)) <= known
    for name in ("Dockerfile", "compose.yaml", "constraints.txt", ".streamlit/config.toml"):
        assert f"`{name}`" in README and (ROOT / name).exists()
    port = IMAGE.env["STREAMLIT_SERVER_PORT"]
    assert f"http://localhost:{port}" in README and set(re.findall(r"\b8\d{3}:8\d{3}\b", README)) == {f"{port}:{port}"}
    assert set(re.findall(r"docker compose up .*?(lab-\d)", README)) <= set(COMPOSE["services"])


def test_the_app_listens_on_this_machine_alone_and_keeps_the_guards_of_streamlit():
    server = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["server"]
    assert server["address"] == "localhost"
    assert not {"enableCORS", "enableXsrfProtection", "corsAllowedOrigins", "enableAgentApi"} & set(server)
