"""Pictures at keyframes: what is sent gives the same pictures, and is small."""

import base64

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.play.frames import FEW_NUMBERS, Frames, plain

TYPES = {"u1": "<u1", "i1": "<i1", "i2": "<i2", "i4": "<i4", "f4": "<f4", "f8": "<f8"}


def decoded(value):
    """The value that a browser makes of what was sent."""
    if isinstance(value, dict) and value.keys() == {"dtype", "bdata", "shape"}:
        values = np.frombuffer(base64.b64decode(value["bdata"]), TYPES[value["dtype"]])
        return values.reshape([int(n) for n in value["shape"].split(",")])
    if isinstance(value, dict) and value.keys() == {"texts", "which"}:
        return [value["texts"][i] for i in decoded(value["which"])]
    if isinstance(value, dict):
        return {key: decoded(item) for key, item in value.items()}
    return [decoded(item) for item in value] if isinstance(value, list) else value


def changed(picture, path, new):
    if not path:
        return new
    copy = picture.copy()
    copy[path[0]] = changed(picture[path[0]], path[1:], new)
    return copy


def received(*payloads):
    """All pictures that a browser has after these parts of the payload."""
    pictures = []
    for payload in payloads:
        payload = orjson.loads(orjson.dumps(payload))
        assert payload["first"] == len(pictures) and len(payload["at"]) == len(payload["frames"])
        for changes in payload["frames"]:
            now = pictures[-1] if pictures else None
            for path, value in changes or ():
                now = changed(now, path, value)
            pictures.append(now)
    return pictures


def same(sent, drawn):
    """Whether a decoded picture is the one drawn, to single precision."""
    if isinstance(drawn, dict):
        return isinstance(sent, dict) and sent.keys() == drawn.keys() and all(same(sent[k], drawn[k]) for k in drawn)
    if isinstance(drawn, np.ndarray) and drawn.dtype.kind in "biuf":
        sent = np.array(sent, dtype=float)
        return sent.shape == drawn.shape and np.allclose(sent, drawn.astype(float), 1e-6, 1e-30, equal_nan=True)
    if isinstance(drawn, list | tuple | np.ndarray):
        return len(sent) == len(drawn) and all(map(same, sent, drawn))
    if isinstance(drawn, float):
        return sent == drawn or (sent is None and not np.isfinite(drawn))
    return sent == drawn and isinstance(sent, type(drawn))


numbers = st.floats(width=32) | st.floats(-1e30, 1e30) | st.integers(-(2**40), 2**40)
arrays = st.builds(
    lambda values, rows: np.array(values * rows).reshape(rows, -1) if rows > 1 else np.array(values),
    st.lists(st.floats(-1e30, 1e30), min_size=1, max_size=2 * FEW_NUMBERS)
    | st.lists(st.integers(-300, 300), min_size=1, max_size=2 * FEW_NUMBERS)
    | st.lists(st.just(float("nan")) | st.integers(0, 255).map(float), min_size=1, max_size=2 * FEW_NUMBERS),
    st.integers(1, 3),
)
N = FEW_NUMBERS
texts = st.lists(st.sampled_from(["diamond", "circle", "<b>3</b>", 'a"b', "ü"]), max_size=3 * FEW_NUMBERS)
values = st.recursive(
    st.none() | numbers | st.text(max_size=5) | arrays | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=6,
)
traces = st.dictionaries(st.sampled_from(["x", "z", "marker", "text"]), values, max_size=4)
figures = st.fixed_dictionaries({
    "data": st.lists(traces, max_size=3),
    "layout": st.dictionaries(st.sampled_from(["height", "annotations", "xaxis"]), values, max_size=3),
})  # fmt: skip


@given(st.lists(figures, min_size=1, max_size=4), st.data())
def test_the_browser_gets_the_pictures_that_were_drawn(drawn, data):
    """Any figures in any order, received in two parts while more are added."""
    order = data.draw(st.lists(st.sampled_from(range(len(drawn))), min_size=1, max_size=8))
    cut = data.draw(st.integers(0, len(order)))
    frames, parts = Frames(), []
    for t, i in enumerate(order):
        if t == cut:
            parts.append(frames.since(0))
        frames.add(t, drawn[i])
    parts.append(frames.since(cut if parts else 0))
    found = received(*parts)
    assert len(found) == len(order) == len(frames)
    for sent, i in zip(found, order, strict=True):
        assert same(decoded(sent), drawn[i]), (sent, drawn[i])


@given(st.lists(st.text("<>=\"'ab &;/", max_size=30), min_size=1, max_size=6))
def test_html_comes_letter_by_letter(pages):
    frames = Frames()
    for t, page in enumerate(pages):
        frames.add(t, page)
    assert ["".join(parts) for parts in received(frames.since(0))] == pages


def test_only_what_changed_is_sent():
    z, more = np.zeros((5, 5)), np.linspace(0, 1, 25).reshape(5, 5)
    trace = {"type": "heatmap", "x": list(range(5)), "colorscale": [[0, "#fff"], [1, "#000"]]}
    frames = Frames()
    for t, (a, b, title) in enumerate([(z, z, "one"), (z, z, "one"), (z, more, "one"), (z, more, "two")]):
        data = [trace | {"z": a}, trace | {"z": b}]
        frames.add(t, {"data": data, "layout": {"height": 300, "annotations": [{"text": title}]}})
    _, nothing, one, two = orjson.loads(orjson.dumps(frames.since(0)))["frames"]
    assert nothing is None
    assert [path for path, _ in one] == [["data", 1, "z", "dtype"], ["data", 1, "z", "bdata"]]
    assert two == [[["layout", "annotations", 0, "text"], "two"]]


def test_html_that_stays_is_sent_once():
    frames = Frames()
    for t in range(3):
        frames.add(t, f"<table><tr><td>{'wins' * 100}</td><td>{t // 2}</td></tr></table>")
    _, nothing, last = orjson.loads(orjson.dumps(frames.since(0)))["frames"]
    assert nothing is None and last == [[[6], "1"]]


@pytest.mark.parametrize(
    ("array", "dtype"),
    [
        (np.arange(N), "u1"), (np.arange(N) - 1, "i1"), (np.arange(N) * 256.0, "i2"),
        (np.arange(N) << 20, "i4"),
        (np.arange(N) / 3, "f4"), (np.append(np.arange(N), np.nan), "f4"), (np.full(N, 1e200), "f8"),
        (np.full(N, 1e39 + 0.5), "f8"), (np.ones(N, bool), "u1"), (np.full(N, np.nan), "f4"),
    ],
)  # fmt: skip
def test_arrays_take_the_smallest_type(array, dtype):
    assert plain(array)["dtype"] == dtype


def test_frames_come_in_the_order_of_their_steps_and_no_others_are_sent():
    frames = Frames()
    frames.add(0, "a")
    frames.add(5, "b")
    with pytest.raises(ValueError, match="t must be larger than 5, the step of the latest frame, got 5"):
        frames.add(5, "c")
    assert frames.since(2) == frames.since(99) == {"first": 2, "at": [], "frames": []}
    assert frames.since(-1)["at"] == [0, 5] and frames.since(1)["at"] == [5]
