"""A share of the damaged files, and each cause that they found."""

import struct
import zipfile

import pytest

from datasets import guard
from datasets.letor.folds import read as read_folds
from datasets.movies.text import read as read_movies
from datasets.tables.classification_file import read as read_table
from tests.attack.files import case, judge, run, unclear
from tests.attack.samples import samples

TITLES = ("u.data", "u.item")


def movielens(path, method=zipfile.ZIP_DEFLATED, **changed):
    """Write a zip file of ratings; `changed` replaces files by other contents."""
    sample = next(s for s in samples() if s.name == "MovieLens 100K" and not s.packed)
    with zipfile.ZipFile(path, "w", method) as archive:
        for name in TITLES:
            archive.writestr(name, changed.get(name.replace(".", "_"), sample.files[name]))
    return path


def refusal(reader, path):
    guard.reached.clear()
    with pytest.raises(ValueError) as error:
        reader(path)
    assert not guard.reached
    return str(error.value)


def test_a_share_of_the_damaged_files():
    tally, read = run(600, seed=11)
    assert tally.faults == 0, "\n".join(tally.lines)
    readers = {words.split(":")[0] for words in read if words.endswith("as it should be")}
    assert readers == {"classification", "multilabel", "ranking", "folds", "movies", "rated", "downloaded", "cached"}


def test_undamaged_files_are_read(tmp_path):
    for number, sample in enumerate(samples()):
        given = case(number)
        whole = type(given)(number, sample, *_whole(sample), "nothing changed")
        outcome, words = judge(whole, tmp_path / "case")
        refused = sample.packed in ("bzip2", "lzma")
        assert outcome == ("refused in a sentence" if refused else "as it should be"), (str(whole), words)


def _whole(sample):
    from tests.attack.samples import pack

    files = pack(sample.files, sample.packed)
    return files, "data.zip" if "data.zip" in files else sample.opened + (".gz" if sample.packed == "gz" else "")


def test_the_harness_finds_what_it_looks_for(tmp_path, monkeypatch):
    given = next(case(i) for i in range(100) if case(i).sample.name == "LETOR")

    def outcome(raised):
        def read(_):
            raise raised

        return judge(type(given)(0, type(given.sample)("x", read, {}, ""), {}, "", ""), tmp_path / "case")[0]

    assert outcome(ZeroDivisionError("division by zero")) == "traceback"
    assert outcome(ValueError("a.txt\nhas two lines")) == "not one sentence"
    assert unclear("could not convert string to float", given)

    @guard.guarded
    def broken(path):
        return {}[path]

    assert (
        judge(type(given)(0, type(given.sample)("x", broken, {}, ""), {}, "", ""), tmp_path / "c")[0] == "guard reached"
    )


@pytest.mark.parametrize(("method", "name"), [(zipfile.ZIP_LZMA, "lzma"), (zipfile.ZIP_BZIP2, "bzip2")])
def test_methods_of_compression_that_unpack_to_gigabytes_at_once_are_refused(tmp_path, method, name):
    path = movielens(tmp_path / "ml-100k.zip", method)
    way = "must be compressed by deflate, as usual in zip files, or not at all"
    assert refusal(read_movies, path) == f"ml-100k.zip: u.item {way}"


def test_a_member_whose_name_is_said_to_be_utf_8_and_is_not(tmp_path):
    path = movielens(tmp_path / "ml-100k.zip")
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 8 : at + 10] = struct.pack("<H", 0x800)
    data[at + 46] = 0xFF
    path.write_bytes(data)
    sentence = "ml-100k.zip is a damaged zip file: it is cut off or was changed"
    assert refusal(read_movies, path) == sentence
    assert refusal(read_folds, path) == sentence


def test_an_encrypted_member_is_named(tmp_path):
    path = movielens(tmp_path / "ml-100k.zip")
    data = path.read_bytes()
    at = data.rindex(b"PK\x01\x02")  # of u.item, which is read first
    path.write_bytes(data[: at + 8] + b"\1" + data[at + 9 :])
    assert refusal(read_movies, path) == "ml-100k.zip: u.item is encrypted, which is not allowed"


def test_a_list_of_members_that_would_fill_the_memory(tmp_path):
    path = movielens(tmp_path / "ml-100k.zip")
    data = path.read_bytes()
    at = data.index(b"PK\x05\x06")
    path.write_bytes(data[: at + 12] + struct.pack("<I", 2_000_000_000) + data[at + 16 :])
    assert "ml-100k.zip" in refusal(read_movies, path)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"u_item": b"x" * 2000}, "u.item, line 1: a movie may have at most 1000 letters, got 2000"),
        ({"u_item": b"\n" * 20_001}, "u.item has more than the 20000 movies that are allowed"),
        ({"u_data": b" \n "}, "u.data has no ratings"),
    ],
)
def test_titles_and_ratings_keep_their_limits(tmp_path, changed, sentence):
    assert refusal(read_movies, movielens(tmp_path / "ml-100k.zip", **changed)) == sentence


def test_a_number_with_a_separator_behind_it_is_read(tmp_path):
    sample = next(s for s in samples() if s.name == "MovieLens 100K" and not s.packed)
    path = movielens(tmp_path / "ml.zip", u_item=sample.files["u.item"].replace(b"\n3|", b"\n3\x1e|"))
    assert len(read_movies(path).names) == 12


def test_one_movie_cannot_have_a_genre_for_itself_without_end(tmp_path):
    path = tmp_path / "ml-1m.zip"
    genres = "|".join(f"g{k}" for k in range(101))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ratings.dat", "1::1::3::8\n")
        archive.writestr("movies.dat", f"1::Film (1990)::{genres}\n")
    assert refusal(read_movies, path) == "movies.dat, line 1: these are more than the 100 genres that are allowed"


def test_the_guard_makes_one_printable_line_of_names_that_hold_anything(tmp_path):
    path = tmp_path / "two\nlines.zip"
    path.write_bytes(b"no zip")
    assert refusal(read_movies, path) == "two lines.zip is not a zip file, although its name ends in .zip"
    with pytest.raises(ValueError, match=r"^path must be the path of a file, got 3$"):
        read_movies(3)


def test_a_line_of_sixteen_thousand_words_is_refused_at_once(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(",".join(["red"] * 16_000) + "\n")
    assert refusal(read_table, path) == "wide.csv has 16000 columns of words; at most 500 are allowed"
