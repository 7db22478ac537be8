"""The document of a run: written and read again, by its schema, and in versions that were written before."""

import base64
import copy
import functools
import gzip
import json
import math
import zlib
from functools import cache
from pathlib import Path

import jsonschema
import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import load
from datasets.spec import Spec
from learners import Simulation
from learners.spec import RunSpec
from pages.ui.families.ranking.scene import RankingScene
from pages.ui.library.record import document_of
from pages.ui.recordings import document, folding, schema, texts
from pages.ui.recordings.document import Document, read, spec_of, written

SAVED = Path(__file__).parents[2] / "saved" / "recordings"


@cache
def run():
    """The recording of a short run."""
    sim = Simulation("perturbed-perceptron", "toy-ranking", "cascade", replicates=2, seed=0)
    sim.advance(steps=40)
    return document_of(sim)


def parts():
    """The content of the file of the short run, to be changed."""
    return folding.unfolded(gzip.decompress(run().packed()))


def packed(made):
    return gzip.compress(json.dumps(made).encode() if not isinstance(made, bytes) else made)


def refused(file):
    """The sentence with which a file is refused."""
    with pytest.raises(ValueError) as error:
        read(file)
    words = str(error.value)
    assert words.endswith(".") and "\n" not in words and len(words) < 400, words
    return words


# ---- there and back

NAMES = st.text("abcdefgh-", min_size=1, max_size=12)
VALUES = st.one_of(st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False),
                   st.text(max_size=30), st.tuples(st.integers(0, 9), st.integers(0, 9)))  # fmt: skip
SPECS = st.builds(Spec, NAMES, st.dictionaries(NAMES, VALUES, max_size=5).map(lambda found: tuple(found.items())))
ANSWERS = st.dictionaries(st.integers(1, 500), st.lists(st.integers(0, 30), max_size=4, unique=True), max_size=5).map(
    lambda found: tuple((t, tuple(sorted(items))) for t, items in sorted(found.items()))
)
RUNS = st.builds(
    RunSpec, st.lists(SPECS, min_size=1, max_size=4).map(tuple), SPECS, st.none() | SPECS, st.integers(1, 1000),
    st.integers(0, 10**6), st.integers(0, 2**31),
    st.none() | st.dictionaries(NAMES, st.integers(0, 99) | NAMES, max_size=3).map(lambda found: tuple(found.items())),
    ANSWERS,
)  # fmt: skip
TEXTS = st.text(max_size=60)


@settings(deadline=None, max_examples=25)
@given(spec=st.none() | RUNS, title=TEXTS, words=TEXTS, link=TEXTS)
def test_what_was_written_is_read(spec, title, words, link):
    """Texts may be anything, since they are drawn as they are."""
    made = Document(title, shortened(run().payload), run().stories[:2], words, link, spec, run().source)
    assert read(made.packed()) == made


@given(spec=RUNS)
def test_the_setup_comes_back_as_it_was(spec):
    again = spec_of(orjson.loads(orjson.dumps(written(spec))))
    assert again == spec and again.key == spec.key


@cache
def world(learner):
    """Data of the family of a learner."""
    data = {"banditron": ("synsep", {"examples": 200}), "multilabel-ucb": ("multilabel-synthetic", {}),
            "ndcg-boost": ("web-search", {"queries": 40, "documents": 10})}  # fmt: skip
    id, few = data.get(learner, ("toy-ranking", {}))
    return load(id, **few)


@settings(deadline=None, max_examples=8)
@given(
    learner=st.sampled_from(["preference-perceptron", "banditron", "multilabel-ucb", "ndcg-boost"]),
    steps=st.integers(1, 30), replicates=st.integers(1, 3), seed=st.integers(0, 99),
)  # fmt: skip
def test_runs_that_were_recorded_are_valid(learner, steps, replicates, seed):
    sim = Simulation(learner, world(learner), replicates=replicates, seed=seed)
    sim.advance(steps=steps)
    made = document_of(sim)
    assert read(made.packed()) == made
    assert made.spec.simulation(0, made.spec.load()).learner.params == sim.learner.params
    assert (made.spec.steps, made.spec.replicates, made.spec.seed) == (steps, replicates, seed)


def test_the_same_document_gives_the_same_bytes():
    assert run().packed() == run().packed() == read(run().packed()).packed()


def test_arrays_are_written_as_lists_and_missing_values_as_null():
    payload = run().payload | {"ghosts": [{"x": np.array([1.5, np.nan], np.float32)}]}
    assert Document.of("", payload, []).payload["ghosts"] == [{"x": [1.5, None]}]


# ---- folding

ARRAYS = st.builds(lambda data, n: base64.b64encode(data * n).decode(), st.binary(max_size=40), st.integers(1, 9))
FOLDED = st.recursive(
    ARRAYS | st.text("=A1 \0", max_size=6) | TEXTS | st.none() | st.integers(-9, 9) | st.just("AB" * 40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12,
)  # fmt: skip


@given(value=FOLDED)
def test_what_was_folded_is_unfolded(value):
    plain = gzip.decompress(folding.packed({"one": value, "again": value}))
    assert folding.unfolded(plain) == {"one": value, "again": value}


def test_an_array_is_folded_once_with_the_like_bytes_of_its_numbers_together():
    text = base64.b64encode(np.arange(500, 564, dtype="<i4").tobytes()).decode()
    plain = gzip.decompress(folding.packed([text, text]))
    assert plain[:31] == b'["=4 0 256","=4 0 256"]\0' + bytes(range(500 - 256, 256))[:7] and len(plain) == 24 + 256
    assert folding.unfolded(plain, most=512) == [text, text]


@pytest.mark.parametrize("place", ["=4 0 10", "=4 0 16", "=1 5 4", "=3 0 6", "=1 0", "=", "=1 0 -1", "=1 0 8"])
def test_an_array_that_is_nowhere_is_refused(place):
    """The last is there, and larger than all arrays may be."""
    with pytest.raises(ValueError, match="not where it should be"):
        folding.unfolded(json.dumps([place]).encode() + b"\0" + bytes(8), most=7)
    damaged = json.dumps(parts() | {"title": place}).encode() + b"\0" + (b"" if place == "=1 0 8" else bytes(8))
    assert "not where it should be" in refused(packed(damaged))


def test_what_is_nested_too_deeply_is_refused():
    assert "damaged" in refused(packed(b'{"a":' * 900 + b"0" + b"}" * 900 + b"\0"))
    made = parts()
    made["payload"]["charts"][0]["layout"]["margin"] = functools.reduce(lambda inner, _: {"a": inner}, range(300), 0)
    assert "damaged: it is nested too deeply" in refused(packed(made)), "orjson reads it and does not write it"


# ---- versions


@pytest.mark.parametrize("file", sorted(SAVED.glob("*.flab")), ids=lambda file: file.stem)
def test_a_file_of_an_earlier_version_is_read(file):
    found = read(file.read_bytes())
    assert found.spec.ids == ["preference-perceptron", "perturbed-perceptron"] and found.payload["steps"] == 60
    assert found.payload["events"]["list"] and found.stories and found.payload["scene"]["kind"] == "ranking"
    assert found.spec.simulations(found.spec.load())[1].learner.swap_probability == 0.25


def test_there_is_a_file_of_each_version():
    assert {file.stem for file in SAVED.glob("*.flab")} == {
        f"version-{n}" for n in range(1, document.VERSION + 1)
    }  # fmt: skip


@pytest.mark.parametrize("version", [3, 99, 0, -1, "1", 1.5, None, True])
def test_versions_that_are_not_there_are_refused(version):
    assert "version" in refused(packed(parts() | {"version": version}))


# ---- the schema


def test_the_schema_is_one_and_agrees_with_others_that_read_schemas():
    jsonschema.Draft202012Validator.check_schema(document._schema())
    validator = jsonschema.Draft202012Validator(document._schema())
    assert validator.is_valid(parts()) and not schema.problem(parts(), document._schema())


def places(value, path=()):
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(min(len(value), 2)):
            yield from places(value[key], (*path, key))


def changed(made, path, value):
    if not path:
        return value
    made = copy.copy(made)
    made[path[0]] = changed(made[path[0]], path[1:], value)
    return made


def shortened(value):
    """The same with two items of every list, which is a valid document as well and is soon read."""
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    return [shortened(part) for part in value[:2]] if isinstance(value, list) else value


@cache
def short():
    """The content of the file of the short run, shortened, with every place in it and another reader of its schema."""
    made = shortened(parts())
    validator = jsonschema.Draft202012Validator(document._schema())
    assert validator.is_valid(made) and read(packed(made))
    return made, [path for path in places(made) if path], validator


PLACES = st.deferred(lambda: st.sampled_from(short()[1]))
WRONG = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 10**12), st.text(max_size=9), st.just([]), st.just({}),
    st.just([[[[[]]]]]), st.just({"__proto__": 1}), st.floats(-9, 9).filter(lambda x: x % 1 > 0),
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(path=PLACES, value=WRONG)
def test_a_part_of_another_kind_is_refused_by_both_readers_or_by_none(path, value):
    """With anything in the place of a part: one sentence, or a document. 1.0 is no whole number here."""
    whole, _, validator = short()
    made = changed(whole, path, value)
    ours = schema.problem(made, document._schema())
    assert validator.is_valid(made) is (not ours), (path, value, ours)
    try:
        read(packed(made))
    except ValueError as error:
        assert str(error).endswith(".") and len(str(error)) < 400


@settings(deadline=None, max_examples=60)
@given(path=PLACES.filter(lambda path: isinstance(path[-1], str)))
def test_a_part_that_is_missing_ends_in_one_sentence(path):
    made = copy.deepcopy(short()[0])
    there = made
    for key in path[:-1]:
        there = there[key]
    del there[path[-1]]
    try:
        read(packed(made))
    except ValueError as error:
        assert str(error).endswith(".")


# ---- bad files


def test_what_is_no_file_of_a_recording_is_refused():
    for file in (b"", b"PK\x03\x04 a zip", b"{}" * 100):
        assert refused(file) == "This file is no recording, which would be packed by gzip."
    assert "damaged" in refused(b"\x1f\x8b" + b"\0" * 40)
    assert "no recording" in refused(packed(b"[1, 2]")) and "no recording" in refused(packed(b'{"format": "x"}'))
    for text in (b"{", b"\xff\xfe", b"[" * 100_000, b'{"a": NaN}', b'{"a": Infinity}', b""):
        assert "no JSON" in refused(packed(text))


@settings(deadline=None, max_examples=100)
@given(cut=st.integers(0, 2000), flip=st.integers(0, 10**6), bit=st.integers(0, 7))
def test_a_file_that_is_cut_or_changed_ends_in_one_sentence(cut, flip, bit):
    whole = run().packed()
    refused(whole[: len(whole) - cut - 1])
    broken = bytearray(whole)
    broken[10 + flip % (len(whole) - 18)] ^= 1 << bit
    try:
        assert read(bytes(broken)) == run(), "a bit that nothing reads"
    except ValueError as error:
        assert str(error).endswith(".")


def test_a_file_with_something_behind_it_is_refused():
    assert "follows" in refused(run().packed() + b"more")


def test_a_bomb_is_not_unpacked():
    """A gigabyte in a megabyte: no more is unpacked than a recording may hold."""
    packer = zlib.compressobj(9, wbits=31)
    head = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    part = packer.compress(b" " * 10_000_000) + packer.flush(zlib.Z_FULL_FLUSH)  # needs nothing of what is before it
    bomb = head + 100 * part
    assert len(bomb) < 2_000_000 and "has more" in refused(bomb)
    assert refused(b"\x1f\x8b" + b"\0" * document.MOST_BYTES) == "A recording may have 20 MB, and this file has 20."
    assert "more than 4,000,000 values" in refused(packed(b"[" + b"[]," * 4_000_000 + b"0]"))


def test_a_million_points_are_refused():
    made = parts()
    trace = made["payload"]["charts"][0]["data"][-1]
    trace["x"] = trace["y"] = [1.0] * 1_000_000
    assert "x may have 80,000 items and has 1,000,000" in refused(packed(made))


def test_a_number_that_is_none_is_refused():
    made = parts()
    made["payload"]["charts"][0]["data"][-1]["y"][0] = math.nan
    assert "no JSON" in refused(packed(made))


MARKUP = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '<p onclick="alert(1)">', "<svg/onload=x>",
    '<a href="https://elsewhere.example">', "<style>p{}</style>", '<img alt="" src="https://elsewhere.example/a">',
    '<div style="background:url(//elsewhere.example)">', '<p style="position:fixed">', "<iframe>", "<!-- -->",
    "<b", '<img alt="" src="data:image/svg+xml;base64,AA">',
    '<div class="fl-player">x</div><', "<math><mtext><script>",
    '<p class="fl-note" onfocus="x">'
]  # fmt: skip


@pytest.mark.parametrize("markup", MARKUP)
def test_markup_that_is_not_ours_is_refused_where_html_is_drawn(markup):
    made = parts()
    made["stories"][0]["html"] += markup
    assert "markup" in refused(packed(made))
    made = parts()
    frames = {"first": 0, "at": [0], "frames": [[[[], ["<b>", "1", "</b>", markup]]]]}
    head = {"id": "own", "title": "Own", "help": "", "wide": False}
    made["payload"]["charts"].append(head | {"kind": "html", "frames": frames})
    assert "markup" in refused(packed(made))
    figure = {"data": [{"type": "scatter", "text": [markup]}], "layout": {}}
    made["payload"]["charts"][-1] = head | {"kind": "figure", "frames": frames | {"frames": [[[[], figure]]]}}
    assert "markup" in refused(packed(made))
    made = parts()
    made["payload"]["charts"][0]["data"][-1]["hovertemplate"] = markup
    assert "markup" in refused(packed(made))


def test_a_figure_leads_nowhere():
    for key in ("images", "source", "template", "__proto__"):
        made = parts()
        made["payload"]["charts"][0]["layout"]["xaxis"][key] = "https://elsewhere.example"
        assert "leads out" in refused(packed(made))
        made = parts()
        frames = {"first": 0, "at": [0, 1], "frames": [[[[], {"data": []}]], [[["layout", key], 1]]]}
        chart = {"id": "own", "title": "Own", "help": "", "wide": False, "kind": "figure", "frames": frames}
        made["payload"]["charts"].append(chart)
        assert "leads out" in refused(packed(made))


@pytest.mark.parametrize(
    ("path", "value"),
    [(("events", "list", 0, "t"), 41), (("events", "list", 0, "slot"), 3), (("events", "list", 0, "kind"), "none"),
     (("reached",), 99), (("charts", 0, "lines", 0, "trace"), 50), (("charts", 0, "id"), "order-kept"),
     (("scene", "slots"), [])],
)  # fmt: skip
def test_what_belongs_to_nothing_is_refused(path, value):
    refused(packed(parts() | {"payload": changed(parts()["payload"], path, value)}))


def test_the_vocabulary_holds_what_inspectors_write():
    assert texts.allowed("".join(story["html"] for story in run().stories)) and run().stories


def test_a_recording_has_the_names_of_queries_and_the_length_of_pages():
    """A person who is asked for films has a name, and sees fewer of them than there are."""
    faces = RankingScene().faces(load("movies"))
    assert {"queries", "query_names", "names", "slots"} <= {*faces}
    made = parts()
    made["payload"]["scene"]["faces"] = faces
    assert read(gzip.compress(orjson.dumps(made))).payload["scene"]["faces"] == json.loads(orjson.dumps(faces))
    made["payload"]["scene"]["faces"] = faces | {"query_names": [3]}
    with pytest.raises(ValueError, match=r"query_names\[0\] must be a text"):
        read(gzip.compress(orjson.dumps(made)))
