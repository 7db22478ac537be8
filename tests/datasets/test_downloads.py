"""Downloads without a network: what the fetchers would give, what goes wrong, and stopping at any moment."""

import errno
import http.client
import json
import os
import re
import signal
import subprocess
import sys
from types import SimpleNamespace
from urllib.error import HTTPError, URLError

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from scipy.sparse import csr_array, csr_matrix

import datasets
from datasets import SOURCES, Cancelled, create, download, load
from datasets.downloads import download as downloads
from datasets.downloads import process
from datasets.downloads.base import folder
from datasets.tables import packing
from tests.cases import cases

IDS = ["openml", "reuters4", "newsgroups", "movielens"]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_DOWNLOADS", str(tmp_path / "downloads"))
    monkeypatch.setattr("datasets.downloads.download._POLL", 0.01)
    return tmp_path / "downloads"


def fake(monkeypatch, code):
    """Let the download run this Python code instead, with `home` and `np` at hand."""
    begin = "import sys, time, pathlib, numpy as np; home = pathlib.Path(sys.argv[1])\n"
    monkeypatch.setattr(downloads, "_command", lambda home, dataset: [sys.executable, "-c", begin + code, str(home)])


KEEP = (
    "np.savez(home / 'data.npz', features=np.array([[3.0, 4.0], [0, 1]]), labels=np.array([0, 1]),"
    " names=np.array(['a', 'b']), notes=np.array([], dtype=str), image=np.array([], dtype=int),"
    " size=np.array([2, 2, 2, 48]))"
)


WAIT = "while not (home / 'told').exists(): time.sleep(0.01)\n"  # until `telling` has let it go on


def telling(home, told, last):
    """Return a callback that notes what it is told, and lets the fake download go on once that is `last`."""

    def tell(*what):
        told.append(what)
        if what == last:
            next(home.iterdir()).joinpath("told").touch()

    return tell


# ---- before the download -------------------------------------------------------------------------------


@cases(
    "id, params, sentence",
    [
        ("openml", {}, "openml pendigits is not downloaded yet; press Download in the catalogue, "
                       "or call datasets.download('openml', name='pendigits')"),
        ("openml", {"name": "letter", "version": 2}, "openml letter version 2 is not downloaded yet; press Download in "
         "the catalogue, or call datasets.download('openml', name='letter', version=2)"),
        ("reuters4", {}, "reuters4 is not downloaded yet; press Download in the catalogue, "
                         "or call datasets.download('reuters4')"),
        ("newsgroups", {}, "newsgroups is not downloaded yet; press Download in the catalogue, "
                           "or call datasets.download('newsgroups')"),
        ("openml", {"name": "../x"}, "name must be the name of a data set on openml.org, got '../x'"),
        ("openml", {"name": ""}, "name must be the name of a data set on openml.org, got ''"),
        ("openml", {"name": "é" * 99}, f"name must be the name of a data set on openml.org, got {'é' * 60!r}"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said_and_not_downloaded(monkeypatch, id, params, sentence):
    monkeypatch.setattr("socket.socket.connect", None)
    for ask in (create(id, **params).size, create(id, **params).build):
        with pytest.raises(ValueError) as error:
            ask()
        assert str(error.value) == sentence
    assert not folder().exists()


def test_what_is_no_download():
    with pytest.raises(
        ValueError, match=r"^there is no download 'digits'; known are: openml, reuters4, newsgroups, movielens$"
    ):
        download("digits")
    with pytest.raises(ValueError, match=r"^openml has no parameter 'colour'"):
        download("openml", colour=1)
    with pytest.raises(ValueError, match=r"^name must be the name of a data set on openml.org, got 'a b'$"):
        download("openml", name="a b")


def test_sources_are_told():
    assert {label.split()[0] for label in SOURCES} == set(IDS)
    for label, source in SOURCES.items():
        assert source.title and source.megabytes > 0 and source.licence
        assert re.fullmatch(r"about \d+ MB from .+", source.words)
        id, *name = label.split()
        parameter = {"openml": "name", "movielens": "edition"}.get(id)
        assert create(id, **({parameter: name[0]} if name else {})).label == label
        assert not name or name[0] in create(id).parameter(parameter).help


def test_the_folder(monkeypatch):
    monkeypatch.setenv("FEEDBACK_LAB_DOWNLOADS", "relative")
    assert folder().is_absolute()
    monkeypatch.delenv("FEEDBACK_LAB_DOWNLOADS")
    assert folder().parts[-2:] == ("feedback-lab", "downloads")


# ---- the process ---------------------------------------------------------------------------------------


def test_a_download_is_kept_and_read_back(monkeypatch, home):
    fake(monkeypatch, "(home / 'words').write_text('downloading')\n" + WAIT + KEEP)
    told, last = [], (len("downloading"), 1_000_000, "downloading")
    download("openml", telling(home, told, last), lambda: False, name="letter")
    assert [path.name for path in home.iterdir()] == ["openml-letter-1.npz"]
    assert told[0] == (0, 1_000_000, "starting") and last in told
    spec = create("openml", name="Letter")  # names differ in more than capitals
    assert (spec.size().examples, spec.size().features, spec.size().classes, spec.size().bytes) == (2, 2, 2, 48)
    assert np.allclose(spec.build().features, [[0.6, 0.8], [0, 1]]) and spec.build().names == ("a", "b")
    assert load("openml", name="letter", unit_length=False).features.tolist() == [[3, 4], [0, 1]]
    assert spec.build().params == {**spec.params, "name": "Letter", "version": 1, "unit_length": True}
    fake(monkeypatch, "raise SystemExit(1)")
    download("openml", name="letter")  # it is there, so nothing happens


def test_progress_of_a_download_of_unknown_size(monkeypatch, home):
    fake(monkeypatch, "(home / 'x').mkdir(); (home / 'x' / 'y').write_bytes(b'0' * 500)\n" + WAIT + KEEP)
    told, last = [], (500, None, "starting")
    download("openml", telling(home, told, last), name="other")
    assert last in told


@pytest.mark.parametrize("after", [0, 3])
def test_a_download_can_be_cancelled(monkeypatch, home, after):
    fake(monkeypatch, "(home / 'half').write_text('x' * 1000); time.sleep(60)")
    asked = []

    def cancelled():
        asked.append(os.listdir(home))
        return len(asked) > after

    processes, start = [], subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *a, **options: processes.append(start(*a, **options)) or processes[0]
    )
    with pytest.raises(Cancelled, match=r"^the download of newsgroups was cancelled; nothing was changed$"):
        download("newsgroups", cancelled=cancelled)
    assert [process.returncode for process in processes] == [-signal.SIGKILL], "it is not waited for"
    assert len(asked) == after + 1 and len(asked[0]) == 1 and list(home.iterdir()) == []


def test_an_error_in_the_callback_leaves_nothing_behind(monkeypatch, home):
    fake(monkeypatch, "time.sleep(60)")
    with pytest.raises(ZeroDivisionError):
        download("newsgroups", lambda *_: 1 / 0)
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    "code, sentence",
    [
        ("(home / 'error').write_text('so it is'); sys.exit(1)", "so it is"),
        ("sys.exit(1)", "the download of reuters4 ended early; try again"),
        ("import os; os.kill(os.getpid(), 9)", "the download of reuters4 ended early; try again"),
        ("pass", "reuters4 cannot be kept: No such file or directory; nothing was changed"),
    ],
)
def test_what_the_process_says_is_handed_on(monkeypatch, home, code, sentence):
    fake(monkeypatch, code)
    with pytest.raises(ValueError) as error:
        download("reuters4")
    assert str(error.value) == sentence and list(home.iterdir()) == []


def test_a_folder_that_cannot_be_written_to(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FEEDBACK_LAB_DOWNLOADS", str(tmp_path / "file" / "downloads"))
    with pytest.raises(ValueError, match=r"^the folder for downloads, .*, cannot be written to: Not a directory$"):
        download("reuters4")


def test_what_a_killed_server_left_is_removed(monkeypatch, home):
    (home / ".unfinished-old").mkdir(parents=True)
    (home / ".unfinished-new").mkdir()
    os.utime(home / ".unfinished-old", (0, 0))
    fake(monkeypatch, KEEP)
    download("newsgroups")
    assert sorted(os.listdir(home)) == [".unfinished-new", "newsgroups.npz"]


@pytest.mark.parametrize("content", [b"", b"broken", b"PK\x03\x04broken"])
def test_a_broken_file_is_said(home, content):
    home.mkdir()
    (home / "reuters4.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"^the stored copy of reuters4 cannot be read; delete .*reuters4.npz and "):
        create("reuters4").size()


def test_a_file_with_a_bit_that_flipped_is_said(home):
    """The directory of such a file is in order; the fault shows only where its numbers are read."""
    home.mkdir()
    arrays = packing.pack(np.eye(20), np.arange(20) % 2, ("no", "yes"), ())
    np.savez(home / "reuters4.npz", **arrays)
    content = bytearray((home / "reuters4.npz").read_bytes())
    content[content.index(b"features.npy") + 400] ^= 1
    (home / "reuters4.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"^the stored copy of reuters4 cannot be read; delete .*reuters4.npz and "):
        create("reuters4").build()


# the process of a download, which writes down for how long it would sleep between two attempts, and does not
SLEEPLESS = """
import sys, time
waits = open(sys.argv.pop(1), "a")
time.sleep = lambda seconds: print(seconds, file=waits, flush=True)
from datasets.downloads import process
sys.exit(process.main(*sys.argv[1:]))
"""


@pytest.mark.long
@pytest.mark.parametrize("id", IDS)
def test_a_machine_without_network_is_told_so_soon(monkeypatch, home, tmp_path, id):
    def command(home, dataset):
        arguments = [str(tmp_path / "waits"), str(home), dataset.id, json.dumps(dataset.params)]
        return [sys.executable, "-c", SLEEPLESS, *arguments]

    monkeypatch.setattr(downloads, "_command", command)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # nobody answers there, wherever the tests run
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    with pytest.raises(ValueError) as error:
        download(id)
    server = {"openml": "openml", "movielens": "grouplens.org"}.get(id, "figshare")
    assert str(error.value).startswith(f"{server} cannot be reached from this machine: ")
    assert str(error.value).endswith("; nothing was changed") and "\n" not in str(error.value)
    assert list(home.iterdir()) == []
    waits = [float(line) for line in (tmp_path / "waits").read_text().split()]
    assert len(waits) <= 3 and sum(waits) <= 5, "seconds between attempts, of which there are few"


# ---- what goes wrong in the process --------------------------------------------------------------------


class OpenMLError(ValueError):
    """As scikit-learn has it."""


DAMAGED = "the copy of openml x from openml was damaged in transit; try again"


@cases(
    "error, sentence",
    [
        (URLError("no route"), "openml cannot be reached from this machine: no route"),
        (URLError(OSError(-2, "Name unknown")), "openml cannot be reached from this machine: Name unknown"),
        (TimeoutError(), "openml cannot be reached from this machine: it does not answer"),
        (ConnectionResetError(104, "Reset"), "openml cannot be reached from this machine: Reset"),
        (http.client.IncompleteRead(b"x", 9), "openml cannot be reached from this machine: "
         "IncompleteRead(1 bytes read, 9 more expected)"),
        (HTTPError("u", 503, "Busy", None, None), "openml answered with the error 503 Busy"),
        (OpenMLError("Dataset x not found."), "openml has no data set named 'x' in version 1; "
         "its names can be looked up on openml.org"),
        (OSError(errno.ENOSPC, "No space"), "there is no room left on the disk for openml x"),
        (ValueError("The md5 checksum of the file differs"), DAMAGED),
        (OSError("x has an SHA256 checksum (1) differing from expected (2)"), DAMAGED),
        (ValueError("openml x has no features"), "openml x has no features"),
        (KeyError("a\nb"), "openml x cannot be downloaded: 'a\\nb'"),
        (RuntimeError("a\nb"), "openml x cannot be downloaded: a"),
        (MemoryError(), "openml x cannot be downloaded: MemoryError"),
    ],
)  # fmt: skip
def test_errors_in_words(error, sentence):
    assert process.sentence(create("openml", name="x"), error) == sentence


def test_the_process_leaves_data_or_a_sentence(monkeypatch, tmp_path):
    frame = pd.DataFrame({"x": [1.0, 2.0]})
    target = pd.Series(["a", "b"], name="kind", dtype="category")
    monkeypatch.setattr("socket.setdefaulttimeout", lambda seconds: None)
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda *_, **__: SimpleNamespace(data=frame, target=target))
    assert process.main(str(tmp_path), "openml", '{"name": "x"}') == 0
    with np.load(tmp_path / "data.npz") as arrays:
        assert packing.unpack("openml", {}, dict(arrays), False).features.tolist() == [[1], [2]]
    frame.loc[0, "x"] = np.nan
    assert process.main(str(tmp_path), "openml", '{"name": "x"}') == 1
    assert (tmp_path / "error").read_text() == (
        "openml x, row 1: column 1 ('x') has no value; missing values are not allowed; nothing was changed"
    )


# ---- what the fetchers give, converted -----------------------------------------------------------------


def fetched(monkeypatch, tmp_path, data, target, **params):
    """The data set that OpenML becomes if its fetcher gives this."""
    asked = {}

    def fetch_openml(name, **kwargs):
        asked.update(kwargs, name=name)
        return SimpleNamespace(data=data, target=target)

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch_openml)
    spec = create("openml", name="x", **params)
    arrays = spec.fetch(tmp_path)
    assert asked == {"name": "x", "version": 1, "data_home": str(tmp_path), "n_retries": 1}
    return packing.unpack("openml", spec.params, arrays, False)


def test_a_frame_with_words(monkeypatch, tmp_path):
    frame = pd.DataFrame(
        {
            "parents": pd.Categorical(["usual", "great", "usual"], categories=["usual", "never", "great"]),
            "children": pd.Categorical(["1", "more", "1"]),
            "paid": pd.Categorical(["0", "1", "1"]),
            "income": pd.array([1, 2, 3], dtype="Int64"),
            "text": ["u", "v", "u"],
            "flag": [True, False, True],
        }
    )
    target = pd.Series(pd.Categorical(["yes", "no", "yes"], categories=["yes", "unused", "no"]), name="class")
    data = fetched(monkeypatch, tmp_path, frame, target)
    #                                  usual great  1 more paid income u  v  False True
    assert data.features.tolist() == [
        [1, 0, 1, 0, 0, 1, 1, 0, 0, 1], [0, 1, 0, 1, 1, 2, 0, 1, 1, 0], [1, 0, 1, 0, 1, 3, 1, 0, 0, 1],
    ]  # fmt: skip
    assert data.names == ("yes", "no") and data.labels.tolist() == [0, 1, 0]


def test_pictures(monkeypatch, tmp_path):
    frame = pd.DataFrame(np.ones((20, 784), dtype=np.int64)).rename(columns=str)
    target = pd.Series([str(i % 10) for i in range(20)], dtype="category", name="class")
    data = fetched(monkeypatch, tmp_path, frame, target)
    assert data.image_shape == (28, 28) and data.names == tuple("0123456789")


def test_sparse_features(monkeypatch, tmp_path):
    x = csr_matrix(np.array([[0, 1.5], [2, 0], [0, 0]]))
    data = fetched(monkeypatch, tmp_path, x, np.array(["b", "a", "b"], dtype=object))
    assert data.sparse and data.features.toarray().tolist() == x.toarray().tolist()
    assert data.names == ("a", "b") and data.labels.tolist() == [1, 0, 1]
    data = fetched(monkeypatch, tmp_path, x, np.array([2, -1, 2]))
    assert data.names == ("-1", "2")


FRAME = pd.DataFrame({"age": [1.0, 2.0, 3.0]})


@cases(
    "data, target, sentence",
    [
        (FRAME, pd.Series([1.5, 2.5, 3.0], name="price"), "openml x, row 1: a label must be a whole number or a word, "
         "got 1.5; a number to be predicted is not a class"),
        (FRAME, None, "openml x names no column to predict, so it is not for classification"),
        (FRAME, pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3]}), "openml x has 2 columns to predict; one is needed"),
        (FRAME, pd.Series(["a"] * 3, name="y"), "openml x has only the class 'a'; at least 2 are needed"),
        (FRAME, pd.Series(["a", None, "b"], name="y", dtype="category"),
         "openml x, row 2: column 2 ('y') has no value; missing values are not allowed"),
        (FRAME.replace(3.0, np.nan), pd.Series(["a", "b", "a"], name="y"),
         "openml x, row 3: column 1 ('age') has no value; missing values are not allowed"),
        (FRAME.replace(3.0, np.inf), pd.Series(["a", "b", "a"], name="y"),
         "openml x, row 3: column 1 ('age') must be a number from -1e+30 to 1e+30, got inf"),
        (FRAME[[]], pd.Series(["a", "b", "a"], name="y"), "openml x has no features, only labels"),
        (csr_matrix([[np.nan], [1], [2]]), np.array([1, 2, 1]), "openml x has missing values, which are not allowed"),
    ],
)  # fmt: skip
def test_what_is_not_for_classification_is_refused(monkeypatch, tmp_path, data, target, sentence):
    with pytest.raises(ValueError) as error:
        fetched(monkeypatch, tmp_path, data, target)
    assert str(error.value) == sentence


def test_reuters_with_exactly_one_of_four_topics(monkeypatch, tmp_path):
    names = np.array(["CCAT", "E11", "ECAT", "GCAT", "MCAT"], dtype=object)
    topics = np.array(
        [[1, 0, 0, 0, 0], [0, 1, 1, 0, 0], [1, 0, 0, 0, 1], [0, 0, 0, 0, 1], [0, 1, 0, 0, 0], [0, 0, 0, 1, 0]]
    )
    bunch = SimpleNamespace(data=csr_matrix(np.eye(6) * 0.1), target=csr_matrix(topics), target_names=names)
    monkeypatch.setattr(sklearn.datasets, "fetch_rcv1", lambda **_: bunch)
    data = packing.unpack("reuters4", {}, create("reuters4").fetch(tmp_path), False)
    assert data.names == ("CCAT", "ECAT", "GCAT", "MCAT") and data.labels.tolist() == [0, 1, 3, 2]
    assert data.sparse and data.features.dtype == np.float32
    assert np.allclose(data.features.toarray(), (np.eye(6) * 0.1)[[0, 1, 3, 5]])


def test_newsgroups(monkeypatch, tmp_path):
    bunch = SimpleNamespace(data=csr_array(np.eye(3)), target=np.array([1, 0, 1]), target_names=["alt", "sci"])
    asked = {}

    def fetch(**kwargs):
        asked.update(kwargs)
        return bunch

    monkeypatch.setattr(sklearn.datasets, "fetch_20newsgroups_vectorized", fetch)
    data = packing.unpack("newsgroups", {}, create("newsgroups").fetch(tmp_path), False)
    assert asked == {"subset": "all", "data_home": str(tmp_path), "n_retries": 1}
    assert data.names == ("alt", "sci") and data.labels.tolist() == [1, 0, 1] and data.sparse


def test_all_are_in_the_catalogue():
    assert set(IDS) <= set(datasets.classes()) and set(IDS) == set(downloads.downloads())
