"""The files that people upload: written once, whole or not at all, found by its content, and within a stated room."""

import errno
import io
import multiprocessing
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pages.ui.files import choose, shelf, uploads
from tests.pages.test_pages import clean, lab, open_page
from tests.waiting import soon

FILE = {"mine.csv": b"1,2,a\n3,4,b\n"}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder of uploads for one test, with nothing remembered of others."""
    monkeypatch.setattr(uploads, "folder", lambda: tmp_path / "uploads")
    monkeypatch.setattr(uploads, "FORMER", tmp_path / "former")
    monkeypatch.setattr(uploads, "_owned", {})
    monkeypatch.setattr(shelf, "_whole", {})
    return tmp_path / "uploads"


def test_the_folder_lies_in_the_cache_of_the_user(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert uploads.folder() == tmp_path / "feedback-lab" / "uploads"


def id_of(address, name="mine.csv"):
    return f"upload/{address}/{name}"


def unused(place, seconds):
    os.utime(place, (time.time() - seconds,) * 2)


def given(name, content):
    file = io.BytesIO(content)
    file.name = name
    return file


# ---- one content, one file


def test_an_upload_is_written_once_and_stays_the_same_file(home):
    first = uploads.keep(FILE, "me")
    path = uploads.find(id_of(first))
    before = path.stat()
    assert path.read_bytes() == FILE["mine.csv"] and uploads.keep(dict(FILE), "you") == first
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns, before.st_ctime_ns) == (
        after.st_ino,
        after.st_mtime_ns,
        after.st_ctime_ns,
    )
    assert uploads.keep({"mine.csv": b"other"}, "me") != first and uploads.keep({"its.csv": b"1,2,a\n"}, "me") != first
    assert [path.name for path in home.iterdir() if path.name.startswith(".")] == []


def test_only_the_user_of_the_server_can_look_into_the_folder(home):
    home.mkdir(mode=0o755)
    address = uploads.keep(FILE, "me")
    assert stat.S_IMODE(home.stat().st_mode) == 0o700 and stat.S_IMODE((home / address).stat().st_mode) == 0o700


@pytest.mark.parametrize("linked", [True, False])
def test_a_folder_that_belongs_to_somebody_else_is_not_used(home, tmp_path, monkeypatch, linked):
    if linked:
        (tmp_path / "theirs").mkdir()
        home.symlink_to(tmp_path / "theirs")
    else:
        home.mkdir()
        monkeypatch.setattr(os, "getuid", lambda: 4711)
    with pytest.raises(PermissionError, match="belongs to another user of this machine"):
        uploads.keep(FILE, "me")
    assert not any(home.iterdir()) and uploads.find(id_of("0" * 32)) is None


@pytest.mark.parametrize(
    "name", ["../../evil.txt", "..", "a/b\\c.txt", "x" * 4000 + ".csv", "☃" * 300, "\udcff.csv", "\0", "", ".bashrc"]
)
def test_every_name_becomes_one_that_a_disk_can_hold(home, name):
    safe = uploads.safe(name)
    assert uploads.safe(safe) == safe and 0 < len(safe.encode()) <= uploads.LONGEST_NAME
    path = uploads.find(id_of(uploads.keep({safe: b"content"}, "me"), safe))
    assert path.read_bytes() == b"content" and path.parent.parent == home


def test_two_files_of_one_name_are_refused(home, monkeypatch):
    monkeypatch.setattr(choose.st, "session_state", {})
    with pytest.raises(ValueError, match="two of these files have the same name"):
        choose.save([given("my file.txt", b"1"), given("my_file.txt", b"2")], "ranking")


@pytest.mark.parametrize(
    "path", ["../mine.csv", ".new-x/mine.csv", "0" * 32, "0" * 32 + "/../x", "0" * 32 + "/a/b", "x/y"]
)
def test_an_id_names_nothing_but_an_upload(home, path):
    unfinished = home / ".new-x"
    unfinished.mkdir(parents=True)
    (unfinished / "mine.csv").write_bytes(b"half")
    assert uploads.find(f"upload/{path}") is None


# ---- many at once


CONTENTS = [{"data.csv": bytes([65 + i]) * 300_000, "data.xml": bytes([97 + i]) * 100} for i in range(4)]


def _read_while_others_write(found, until):
    """Read whatever is there two hundred times; note how many reads there were, and what was not whole."""
    reads, wrong = 0, []
    while reads < 200 and time.monotonic() < until:
        for files in CONTENTS:
            address = shelf.address(files)
            for name, content in files.items():
                path = uploads.find(id_of(address, name))
                if path is not None:
                    reads += 1
                    got = path.read_bytes()
                    if got != content:
                        wrong.append((name, len(got)))
            if (path := uploads.find(id_of(address, "data.csv"))) is not None and not path.with_name(
                "data.xml"
            ).is_file():
                wrong.append((address, "without its companion"))
    found.append((reads, wrong))


def _write(folder, begun, over):
    uploads.folder = lambda: folder
    while not over.is_set():
        for files in CONTENTS:
            uploads.keep(files, "other")
        begun.set()


@pytest.mark.long
def test_nobody_who_reads_while_others_upload_finds_a_file_that_is_not_whole(home):
    """Where each run of a page wrote its file anew in place, 733 of 744 reads found it empty."""
    spawn = multiprocessing.get_context("spawn")
    begun, over = spawn.Event(), spawn.Event()
    other = spawn.Process(target=_write, args=(home, begun, over))
    other.start()
    assert begun.wait(60)
    found, until = [], time.monotonic() + 60
    threads = [threading.Thread(target=_read_while_others_write, args=(found, until)) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        for files in CONTENTS:
            uploads.keep(files, "me")
    over.set()
    other.join()
    assert other.exitcode == 0
    reads, wrong = sum(reads for reads, _ in found), [each for _, wrong in found for each in wrong]
    assert reads > 700 and wrong == []


def test_what_is_removed_while_others_read_it_is_read_whole_or_not_at_all(home):
    """As when the server makes room, or somebody empties the cache folder."""
    files, seen, over = CONTENTS[0], [], threading.Event()
    place = home / shelf.address(files)

    def read():
        while not over.is_set():
            try:
                seen.append((uploads.find(id_of(place.name, "data.csv")) or place / "none").read_bytes())
            except FileNotFoundError:
                seen.append(None)

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(3)]
        try:
            for _ in range(60):
                before = len(seen)
                uploads.keep(files, "me")
                soon(lambda before=before: files["data.csv"] in seen[before:])
                shelf.remove(place)
        finally:
            over.set()
        for reader in readers:
            reader.result()
    assert files["data.csv"] in seen and set(seen) <= {None, files["data.csv"]}


def test_thirty_who_upload_one_file_at_the_same_time_share_it(home):
    with ThreadPoolExecutor(30) as pool:
        found = set(pool.map(lambda i: uploads.keep(FILE, f"person {i}"), range(30)))
    assert len(found) == 1 and len(list(home.iterdir())) == 1


# ---- room


def test_the_oldest_uploads_of_a_person_make_room_but_not_those_of_others(home, monkeypatch):
    monkeypatch.setenv(uploads.PERSON_MB.name, "1")
    theirs = uploads.keep({"a": b"t" * 600_000}, "you")
    shared = uploads.keep({"a": b"s" * 300_000}, "you")
    assert uploads.keep({"a": b"s" * 300_000}, "me") == shared
    mine = [uploads.keep({"a": bytes([i]) * 300_000}, "me") for i in range(4)]
    there = {place.name for place in home.iterdir()}
    assert there == {theirs, shared, *mine[1:]}, "what two people have brought stays as long as one of them keeps it"
    with pytest.raises(ValueError, match="these files have 1 MB; this server keeps at most 1 MB of one person's visit"):
        uploads.keep({"a": b"x" * 1_100_000}, "me")


def test_a_full_server_refuses_rather_than_take_what_is_in_use(home, monkeypatch):
    monkeypatch.setenv(uploads.ALL_MB.name, "1")
    first, second = (uploads.keep({"a": bytes([i]) * 400_000}, f"{i}") for i in range(2))
    with pytest.raises(ValueError, match="this server keeps 1 MB of uploads, and others use all of them; try again"):
        uploads.keep(FILE | {"b": b"x" * 300_000}, "me")
    assert {place.name for place in home.iterdir()} == {first, second}
    unused(home / first, uploads.IDLE + 1)
    third = uploads.keep(FILE | {"b": b"x" * 300_000}, "me")
    assert {place.name for place in home.iterdir()} == {second, third}


def test_a_thousand_small_uploads_count_as_more_than_their_bytes(home, monkeypatch):
    monkeypatch.setenv(uploads.PERSON_MB.name, "1")
    for i in range(30):
        uploads.keep({"a": b"%d" % i}, "me")
    assert uploads.taken() == (10, 10 * shelf.LEAST_BYTES)


def test_what_nobody_uses_is_swept_after_the_stated_days(home, monkeypatch):
    old, used, new = (uploads.keep({"a": bytes([i])}, "me") for i in range(3))
    (home / ".new-killed").mkdir()
    unused(home / ".new-killed", 2 * uploads.IDLE)
    for place in (old, used):
        unused(home / place, 31 * 86_400)
    assert uploads.find(id_of(used, "a")) is not None, "a page that shows it uses it, even if its data are in memory"
    uploads.sweep(now=True)
    assert {place.name for place in home.iterdir()} == {used, new}
    monkeypatch.setattr(uploads, "_swept", time.monotonic())
    unused(home / new, 31 * 86_400)
    uploads.sweep()
    assert (home / new).is_dir(), "once an hour is enough"
    monkeypatch.setenv(uploads.DAYS.name, "40")
    uploads.sweep(now=True)
    assert (home / new).is_dir()


def test_a_clock_that_was_set_back_keeps_no_upload_for_ever(home, monkeypatch):
    """A year back: what was uploaded before seems used in a year. It is kept as if used now, and then makes room."""
    monkeypatch.setenv(uploads.ALL_MB.name, "1")
    now = time.time()
    first = uploads.keep({"a": b"a" * 900_000}, "you")
    monkeypatch.setattr(time, "time", lambda: now - 365 * 86_400)
    assert uploads.find(id_of(first, "a")) is not None
    with pytest.raises(ValueError, match="others use all of them"):
        uploads.keep({"a": b"b" * 900_000}, "me")
    monkeypatch.setattr(time, "time", lambda: now - 365 * 86_400 + uploads.IDLE + 1)
    second = uploads.keep({"a": b"b" * 900_000}, "me")
    assert {place.name for place in home.iterdir()} == {second}


# ---- a disk that fails


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
@pytest.mark.parametrize("call", ["mkdtemp", "write_bytes", "replace"])
def test_an_upload_that_cannot_be_written_leaves_nothing_behind(home, monkeypatch, call, number):
    kept = uploads.keep({"a": b"kept"}, "me")

    def fail(*_, **__):
        raise OSError(number, os.strerror(number))

    target = {"mkdtemp": shelf.tempfile, "write_bytes": shelf.Path, "replace": shelf.os}[call]
    with monkeypatch.context() as patch:
        patch.setattr(target, call, fail)
        with pytest.raises(OSError) as error:
            uploads.keep(FILE, "me")
    assert error.value.errno == number and {place.name for place in home.iterdir()} == {kept}
    assert uploads.find(id_of(uploads.keep(FILE, "me"))).read_bytes() == FILE["mine.csv"]


def test_a_folder_that_is_removed_while_the_server_runs_is_made_again(home):
    address = uploads.keep(FILE, "me")
    shutil.rmtree(home)
    assert uploads.find(id_of(address)) is None and uploads.taken() == (0, 0)
    with pytest.raises(
        ValueError, match=r"^path names the upload mine.csv, which is not on this server; upload it again in"
    ):
        uploads.checked(id_of(address))
    assert uploads.keep(FILE, "me") == address
    assert uploads.checked(id_of(address)).read_bytes() == FILE["mine.csv"]


@pytest.mark.parametrize("damage", [b"", b"1,2,a\n3,4", b"1,2,a\n3,4,c\n", FILE["mine.csv"] * 2])
def test_a_copy_that_was_damaged_is_never_read(home, damage):
    address = uploads.keep(FILE, "me")
    (home / address / "mine.csv").write_bytes(damage)
    with pytest.raises(
        ValueError, match=r"^the copy of mine.csv on this server was damaged, so it was removed; upload"
    ):
        uploads.checked(id_of(address))
    assert uploads.find(id_of(address)) is None
    assert uploads.keep(FILE, "me") == address
    assert uploads.checked(id_of(address)).read_bytes() == FILE["mine.csv"]


def test_a_damaged_copy_is_replaced_by_the_next_upload_of_the_same(home):
    address = uploads.keep(FILE, "me")
    (home / address / "mine.csv").write_bytes(b"")
    assert uploads.keep(FILE, "me") == address
    assert uploads.checked(id_of(address)).read_bytes() == FILE["mine.csv"]


def test_a_copy_that_cannot_be_read_for_now_is_not_removed(home, monkeypatch):
    address = uploads.keep(FILE, "me")
    monkeypatch.setattr(shelf, "_whole", {})

    def fail(path):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(shelf, "_digest", fail)
        with pytest.raises(ValueError, match=r"^mine.csv cannot be read on this server: Input/output error$"):
            uploads.checked(id_of(address))
    assert uploads.checked(id_of(address)).read_bytes() == FILE["mine.csv"]


FULL = """
import errno, os, sys
from pathlib import Path
from pages.ui.files import uploads
home = Path(sys.argv[1])
uploads.folder = lambda: home / "uploads"
first = uploads.keep({"a": b"1" * 600_000}, "me")
try:
    uploads.keep({"b": b"2" * 600_000, "c": b"3" * 600_000}, "me")
except OSError as error:
    assert error.errno == errno.ENOSPC, error
    assert [path.name for path in (home / "uploads").iterdir()] == [first], "half a file stayed"
    assert uploads.checked(f"upload/{first}/a").read_bytes() == b"1" * 600_000
    uploads.keep({"d": b"4" * 100_000}, "me")
    os.system(f"mount -o remount,ro none {home}")
    assert uploads.checked(f"upload/{first}/a").read_bytes() == b"1" * 600_000
    try:
        uploads.keep({"e": b"5"}, "me")
    except OSError as error:
        print(os.strerror(error.errno))
"""


def test_a_disk_that_is_full_and_then_read_only(tmp_path):
    """A real one, of 1 MB, where the system lets one be mounted."""
    mount = f"mount -t tmpfs -o size=1m none {tmp_path}"
    alone = ["unshare", "--mount", "--map-root-user", "sh", "-c"]
    if shutil.which("unshare") is None or subprocess.run([*alone, mount], capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a disk")
    run = f"{mount} && \"{sys.executable}\" -c '{FULL}' {tmp_path}"
    done = subprocess.run([*alone, run], capture_output=True, text=True, timeout=120, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "Read-only file system"


# ---- links


def test_a_link_of_an_earlier_version_works_while_its_file_is_there(home, tmp_path):
    place = tmp_path / "former" / "0123456789abcdef"
    place.mkdir(parents=True)
    (place / "mine.csv").write_bytes(b"".join(b"%d,%d,%s\n" % (i % 7, i % 4, b"ab"[i % 2 :][:1]) for i in range(40)))
    link = {"dataset": "classification-file", "path": "upload/0123456789abcdef/mine.csv"}
    clean(open_page("catalogue", show="data", family="classification", **link))
    clean(open_page("bandit", **link, steps="5"))


@pytest.mark.parametrize("page", ["catalogue", "stability"])
def test_a_link_to_an_upload_that_is_gone_says_so_in_one_sentence(home, page):
    show = {"show": "data"} if page == "catalogue" else {}
    gone = "upload/0123456789abcdef0123456789abcdef/mine.txt"
    app = open_page(page, dataset="letor-file", path=gone, **show)
    assert not app.exception
    assert [w.value for w in app.warning] == [
        "path names the upload mine.txt, which is not on this server; upload it again in the catalogue."
    ]


def test_an_upload_that_is_removed_while_a_page_shows_it_is_missed_in_one_sentence(home):
    text = b"".join(b"%d qid:%d 1:%d 2:%d\n" % (i % 3, i // 5, i % 7, i % 4) for i in range(50))
    address = uploads.keep({"mine.txt": text}, "me")
    app = clean(lab(dataset="letor-file", path=id_of(address, "mine.txt")))
    shutil.rmtree(home)
    app = app.run()
    assert not app.exception
    assert [e.value for e in app.error] == ["Choose a file, or upload one in the catalogue."]
    assert sum("is not on this server" in w.value for w in app.warning) == 1


# ---- on the page


def bring(app, *files):
    field = app.file_uploader[0]
    return field.set_value([(name, content, "text/plain") for name, content in files]).run()


ROWS = b"".join(b"%d qid:%d 1:%d 2:%d\n" % (i % 3, i // 5, i % 7, i % 4) for i in range(50))


def test_each_run_of_the_page_leaves_the_file_as_it_is(home, monkeypatch):
    written = []
    keep = uploads.keep
    monkeypatch.setattr(uploads, "keep", lambda *given: written.append(given) or keep(*given))
    app = clean(bring(open_page("catalogue", show="data", dataset="letor-file"), ("mine.txt", ROWS)))
    assert app.selectbox(key="catalogue:path").value == id_of(shelf.address({"mine.txt": ROWS}), "mine.txt")
    for _ in range(3):
        clean(app.run())
    assert len(written) == 1, "the content is looked at once"
    shutil.rmtree(home)
    clean(app.run())
    assert len(written) == 2 and uploads.taken()[0] == 1, "what the browser still has is kept again"


def test_an_upload_without_room_is_refused_in_one_sentence(home, monkeypatch):
    monkeypatch.setenv(uploads.PERSON_MB.name, "1")
    app = bring(open_page("catalogue", show="data", dataset="letor-file"), ("mine.txt", ROWS * 2000))
    assert not app.exception
    (error,) = app.error
    assert error.value.startswith("Not uploaded: these files have ") and "of one person's visit." in error.value


def test_a_full_disk_is_said_in_one_sentence(home, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(shelf.tempfile, "mkdtemp", full)
    app = bring(open_page("catalogue", show="data", dataset="letor-file"), ("mine.txt", ROWS))
    assert not app.exception
    (error,) = app.error
    assert error.value == "The upload could not be stored on this server: No space left on device."
