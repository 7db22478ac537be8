"""Take the steps of the Dockerfile without a container engine: `python -m tests.hosting [--installed] [--port 8790]`.

It needs Linux, root and mounts (`unshare`). What the steps write goes into a layer of its own above this machine's
files, as in an image. The server then runs as the user of the Dockerfile, on a root that is mounted read-only, with an
empty folder for temporary files and a volume. FROM is this Python, with none of its packages.

--installed leaves out what takes minutes: it uses the installed packages, and compiles nothing ahead.
--stay leaves the server running until Enter is pressed, to look at it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCKERFILE = ROOT / "Dockerfile"
SLOW = ("pip install", "learners.warm")  # what --installed leaves out
IMPOSSIBLE = 2  # what the command returns where nothing can be mounted
PATIENCE = 120  # seconds until the server answers
BASE, ENV = "/opt/python", "/usr/local/image"  # where this Python is found, and its environment without packages


@dataclass
class Image:
    """The instructions of a Dockerfile so far."""

    env: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    folder: str = "/"
    volumes: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: str = ""


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile and what follows each, with continued lines joined.

    >>> instructions("# a remark\\nENV A=1 \\\\\\n    B=2\\nRUN true")
    [('ENV', 'A=1 B=2'), ('RUN', 'true')]
    """
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n\s*", "", lines)
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.splitlines()) if word]


def read(text: str) -> Image:
    """Return what an image of this Dockerfile is in the end."""
    image = Image()
    for word, rest in instructions(text):
        note(image, word, rest)
    return image


def note(image: Image, word: str, rest: str) -> None:
    """Note in an image what an instruction says of it."""
    if word == "ENV":
        image.env |= dict(pair.split("=", 1) for pair in shlex.split(rest))
    elif word == "USER":
        image.user = rest
    elif word == "WORKDIR":
        image.folder = rest
    elif word == "VOLUME":
        image.volumes.append(rest)
    elif word == "CMD":
        image.command = json.loads(rest)
    elif word == "HEALTHCHECK":
        image.health = rest.partition("CMD ")[2]
    elif word not in ("FROM", "RUN", "COPY", "EXPOSE"):
        raise ValueError(f"{DOCKERFILE.name}: {word} is not known here")


def _person(line: str) -> bool:
    """Return whether a line of passwd or group is not of the system."""
    return len(line.split(":")) > 3 and line.split(":")[2].isdigit() and 1000 <= int(line.split(":")[2]) < 60_000


class Machine:
    """The files of an image: a layer above this machine's, in `work`, seen below `root`."""

    def __init__(self, work: Path) -> None:
        self.work, self.root = work, work / "root"
        for name in ("layer", "spare", "root", "tmp"):
            (work / name).mkdir()
        (work / "tmp").chmod(0o1777)
        self.mount(
            "-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={work}/layer,workdir={work}/spare", self.root
        )
        (self.root / BASE[1:]).mkdir(parents=True)
        self.inner()
        for name in ("passwd", "group", "shadow", "gshadow"):  # an image has no users but those of the system
            file = self.root / "etc" / name
            people = {line.split(":")[0] for line in Path("/etc/passwd").read_text().splitlines() if _person(line)}
            if file.exists():
                lines = file.read_text().splitlines(keepends=True)
                file.write_text(
                    "".join(line for line in lines if line.split(":")[0] not in people and not _person(line))
                )

    def mount(self, *words: object) -> None:
        subprocess.run(["mount", *map(str, words)], check=True)

    def inner(self) -> None:
        """Mount what every process needs, and the interpreter, which may lie where other users cannot look."""
        self.mount("--bind", sys.base_prefix, self.root / BASE[1:])
        self.mount("-t", "proc", "proc", self.root / "proc")
        self.mount("--rbind", "/dev", self.root / "dev")
        self.mount("--rbind", "/sys", self.root / "sys")
        self.mount("--bind", self.work / "tmp", self.root / "tmp")

    def seal(self, volumes: list[str]) -> None:
        """Mount the root read-only, with new volumes that hold what the image holds there."""
        for number, volume in enumerate(volumes):
            kept = self.work / f"volume-{number}"
            subprocess.run(["cp", "-a", self.root / volume[1:], kept], check=True)
            self.mount("--bind", kept, self.root / volume[1:])
        self.mount("-o", "remount,ro", self.root)

    def words(self, image: Image, command: list[str]) -> list[str]:
        """Return the command that runs another as the user of the image, in its folder and environment."""
        env = {
            "PATH": f"{ENV}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "LANG": "C.UTF-8",
            "LD_LIBRARY_PATH": f"{BASE}/lib",
        } | image.env
        user = [] if image.user == "root" else ["setpriv", *self._rights(image.user), "--"]
        settings = [f"{name}={value}" for name, value in env.items()]
        inside = ["env", "-i", *settings, "sh", "-c", 'cd "$0" && exec "$@"', image.folder, *command]
        return ["chroot", str(self.root), *user, *inside]

    def _rights(self, user: str) -> list[str]:
        found = next(
            line for line in (self.root / "etc/passwd").read_text().splitlines() if line.startswith(f"{user}:")
        )
        uid, gid = found.split(":")[2:4]
        return ["--reuid", uid, "--regid", gid, "--clear-groups", "--no-new-privs", "--bounding-set=-all"]

    def run(self, image: Image, shell: str) -> None:
        subprocess.run(self.words(image, ["sh", "-c", shell]), check=True, stdin=subprocess.DEVNULL)


def built(machine: Machine, installed: bool) -> Image:
    """Take the steps of the Dockerfile and return the image."""
    image = Image()
    environment = [f"{BASE}/bin/{Path(os.path.realpath(sys.executable)).name}", "-m", "venv", ENV]
    subprocess.run(machine.words(image, environment), check=True)
    if installed:
        here = next(Path(p) for p in sys.path if p.endswith("site-packages"))
        there = next((machine.root / ENV[1:]).glob("lib/python*/site-packages"))
        machine.mount("--bind", "-o", "ro", here, there)
        shutil.copy(f"{sys.exec_prefix}/bin/streamlit", machine.root / ENV[1:] / "bin")
        script = machine.root / ENV[1:] / "bin" / "streamlit"
        script.write_text(re.sub(r"^#!.*", f"#!{ENV}/bin/python", script.read_text()))
        image.env["FEEDBACK_LAB_WARM"] = "no"
    for word, rest in instructions(DOCKERFILE.read_text("utf-8")):
        began = time.monotonic()
        if word == "RUN" and not (installed and any(slow in rest for slow in SLOW)):
            machine.run(image, rest)
        elif word == "COPY":
            *sources, target = rest.split()
            place = machine.root / image.folder[1:] / target
            place.mkdir(parents=True, exist_ok=True)
            for source in sources:
                subprocess.run(["cp", "-r", *[str(ROOT / source) + "/." * (ROOT / source).is_dir(), place]], check=True)
        else:
            note(image, word, rest)
            if word == "WORKDIR":
                (machine.root / rest[1:]).mkdir(parents=True, exist_ok=True)
            continue
        print(f"{time.monotonic() - began:6.1f} s  {word} {rest[:90]}", flush=True)
    return image


def tried(machine: Machine, image: Image, port: int, stay: bool) -> list[str]:
    """Start the server as the image does, ask it, and return a sentence for whatever is not as it should be."""
    image.env["STREAMLIT_SERVER_PORT"] = str(port)
    machine.seal(image.volumes)
    log = machine.work / "log"
    problems = [f"{path} can be written to." for path in ("/app/x", "/x", "/usr/x") if _writes(machine, image, path)]
    problems += [f"{path} cannot be written to." for path in ("/data/x", "/tmp/x") if not _writes(machine, image, path)]
    began = time.monotonic()
    with log.open("w") as file:
        server = subprocess.Popen(machine.words(image, image.command), stdout=file, stderr=file)
    try:
        address = f"http://127.0.0.1:{port}"
        while (health := _get(f"{address}/health")) is None and time.monotonic() < began + PATIENCE:
            if server.poll() is not None:
                break
            time.sleep(0.2)
        print(f"{time.monotonic() - began:6.1f} s  {' '.join(image.command)}", flush=True)
        if health is None:
            return [*problems, "The server does not answer.", log.read_text()[-2000:]]
        said = json.loads(health)
        print(f"          /health: {said['status']}, {said['memory_mb']} MB", flush=True)
        problems += [f"/health says {words}." for words in said["problems"]]
        if subprocess.run(machine.words(image, ["sh", "-c", image.health])).returncode:
            problems.append("The health check of the image fails.")
        if b"<title>Streamlit" not in (_get(address) or b""):
            problems.append("The first page is not served.")
        status = Path(f"/proc/{server.pid}/status").read_text()
        if "Uid:\t0" in status or "CapEff:\t0000000000000000" not in status:
            problems.append("The server has rights that it does not need.")
        problems += _page(machine, image)
        if stay:
            input(f"{address} — press Enter to end. ")
    finally:
        server.terminate()
        server.wait(30)
    return problems + [f"The log has: {line}" for line in log.read_text().splitlines() if "Error" in line]


def _writes(machine: Machine, image: Image, path: str) -> bool:
    return not subprocess.run(machine.words(image, ["sh", "-c", f"touch {path} 2>/dev/null && rm {path}"])).returncode


def _get(address: str) -> bytes | None:
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return bytes(answer.read())
    except OSError:
        return None


def _page(machine: Machine, image: Image) -> list[str]:
    """Run pages and a sweep's process as the server's user, on the sealed root; return what is wrong."""
    code = """
import os
os.environ["FEEDBACK_LAB_WARM"] = "no"
from streamlit.testing.v1 import AppTest
for name, query in (("stability", {"steps": "20"}), ("catalogue", {"show": "data"}), ("figures", {})):
    app = AppTest.from_file("app.py", default_timeout=300)
    app.switch_page(f"pages/{name}.py")
    app.query_params.update(query)
    app.run()
    for wrong in (*app.exception, *app.error):
        print(f"Page {name}: {wrong.value}")
from learners import sweep
setup = {"learner": "perturbed-perceptron", "dataset": "toy-ranking", "user": "cascade"}
table = sweep(setup, over={"swap_probability": [0.1, 0.2]}, replicates=2, seed=0, steps=20, workers=2)
if not len(table):
    print("A sweep gives nothing.")
"""
    done = subprocess.run(machine.words(image, ["python", "-c", code]), capture_output=True, text=True)
    return [*done.stdout.splitlines(), *([done.stderr[-2000:]] if done.returncode or "Error" in done.stderr else [])]


def apart(work: Path, given: argparse.Namespace) -> int:
    """Take the steps, in a namespace of mounts that ends with this process. Return 0 if all is as it should be."""
    try:
        machine = Machine(work)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"The steps need Linux, root and mounts, which cannot be had here ({error}).")
        return IMPOSSIBLE
    problems = tried(machine, built(machine, given.installed), given.port, given.stay)
    print("\n".join(problems) or "All steps were taken, and the server is well.")
    return bool(problems)


def main() -> int:
    """Take the steps in another process, and remove what they wrote: nothing is mounted where this process looks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--installed", action="store_true")
    parser.add_argument("--stay", action="store_true")
    parser.add_argument("--port", type=int, default=8790)
    parser.add_argument("--apart", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.apart:
        return apart(given.apart, given)
    work = Path(tempfile.mkdtemp(prefix="feedback-lab-image-"))
    command = [sys.executable, "-m", "tests.hosting", *sys.argv[1:], "--apart", str(work)]
    try:
        if subprocess.run(["unshare", "--mount", "true"], check=False).returncode:
            return IMPOSSIBLE
        return subprocess.run(["unshare", "--mount", "--propagation", "private", *command], cwd=ROOT).returncode
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
