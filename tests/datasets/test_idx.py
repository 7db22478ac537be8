"""Pictures and labels in the files of MNIST."""

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest

import datasets
from datasets.tables import idx
from datasets.tables.classification_file import label_words, read
from tests.cases import cases
from tests.pages.figures.files import mnist


def write(folder, pictures, labels, names=("a-images-idx3-ubyte", "a-labels-idx1-ubyte")):
    """Write arrays of bytes as MNIST has them; return the path of the pictures."""
    for name, array in zip(names, (pictures, labels), strict=True):
        head = struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
        content = head + array.astype(np.uint8).tobytes()
        (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return folder / names[0]


PICTURES = np.arange(3 * 2 * 2).reshape(3, 2, 2)


@cases(
    "names",
    [
        ("a-images-idx3-ubyte", "a-labels-idx1-ubyte"),
        ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"),
        ("train-images.idx3-ubyte", "train-labels.idx1-ubyte"),
    ],
)
def test_each_pixel_is_a_feature_and_either_file_leads_to_both(tmp_path, names):
    write(tmp_path, PICTURES, np.array([7, 2, 7]), names)
    for name in names:
        data = read(tmp_path / name, unit_length=False, cached=False)
        np.testing.assert_array_equal(data.features, PICTURES.reshape(3, 4))
        assert data.names == ("2", "7") and data.labels.tolist() == [1, 0, 1] and data.image_shape == (2, 2)
    assert datasets.find_files(tmp_path, family="classification") == [tmp_path / names[0]]
    assert "beside it" in label_words(tmp_path / names[0])


def test_the_files_of_mnist_are_pictures_of_28_by_28(tmp_path):
    data = datasets.load("classification-file", path=str(mnist(tmp_path)))
    assert data.image_shape == (28, 28) and data.classes == 10 and data.features.shape == (300, 784)
    np.testing.assert_allclose(np.linalg.norm(data.features, axis=1), 1)


def test_what_is_kept_on_disk_depends_on_both_files(tmp_path):
    path = write(tmp_path, PICTURES, np.array([7, 2, 7]))
    assert read(path).labels.tolist() == [1, 0, 1]
    write(tmp_path, PICTURES, np.array([2, 2, 7]))
    assert read(path).labels.tolist() == [0, 0, 1]


def spoil(path, change):
    path.write_bytes(change(path.read_bytes()))


@cases(
    ("change", "words"),
    [
        (lambda a, b: b.unlink(), "a-images-idx3-ubyte needs a-labels-idx1-ubyte beside it"),
        (lambda a, b: spoil(a, lambda c: c[:-1]), "a-images-idx3-ubyte is damaged: it should hold 12 numbers"),
        (lambda a, b: spoil(a, lambda c: c + b"1"), "a-images-idx3-ubyte is damaged"),
        (lambda a, b: spoil(a, lambda c: c[:9]), "does not hold pictures in the form of MNIST"),
        (lambda a, b: spoil(a, lambda c: c[:4] + b"\xff" * 12 + c[16:]), "says that it holds 4294967295 × 4294967295"),
        (lambda a, b: spoil(a, lambda c: c[:4] + b"\xff" * 4 + c[8:]), "a-images-idx3-ubyte"),
        (lambda a, b: b.write_bytes(a.read_bytes()), "a-labels-idx1-ubyte does not hold labels"),
        (lambda a, b: spoil(b, lambda c: c[:4] + struct.pack(">I", 2) + c[8:-1]), "has 2 labels, but a-images"),
        (lambda a, b: spoil(b, lambda c: c[:8] + b"\7\7\7"), "a-labels-idx1-ubyte has only the class '7'"),
        (lambda a, b: a.rename(a.with_name("mnist")), "mnist must be named as in MNIST"),
    ],
)
def test_bad_files_end_in_one_sentence(tmp_path, change, words):
    path = write(tmp_path, PICTURES, np.array([7, 2, 7]))
    change(path, tmp_path / "a-labels-idx1-ubyte")
    path = path if path.is_file() else tmp_path / "mnist"
    for cached in (True, False):
        with pytest.raises(ValueError, match=words) as refused:
            read(path, cached=cached)
        assert "\n" not in str(refused.value) and str(tmp_path) not in str(refused.value)


def test_a_label_column_cannot_be_chosen(tmp_path):
    path = write(tmp_path, PICTURES, np.array([7, 2, 7]))
    with pytest.raises(ValueError, match="label must be empty for the files of MNIST, got 'last'"):
        read(path, label="last", cached=False)


def test_another_binary_file_is_not_taken_for_it(tmp_path):
    (tmp_path / "x").write_bytes(b"\0\0\x09\3" + b"\0" * 20)
    assert not idx.is_idx(tmp_path / "x") and not idx.is_idx(Path(tmp_path / "nothing"))
