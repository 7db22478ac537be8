"""Small files in the forms in which the sites of the papers' data give them."""

import gzip
import struct
import zipfile

import numpy as np

GENRES = 19  # flags of a movie in u.item


def letor(rng, queries, documents=8, features=6, first=1, comment=""):
    """Lines of LETOR: grade, qid, numbered features, and a comment."""
    lines = []
    for query in range(first, first + queries):
        for document in range(documents):
            x = rng.random(features)
            grade = int(np.clip(round(3 * x[0] + rng.normal(0, 0.3) - 0.5), 0, 2)) if document > 1 else 2 * document
            numbers = " ".join(f"{j + 1}:{value:.6f}" for j, value in enumerate(x))
            lines.append(f"{grade} qid:{query} {numbers} #docid = {document}{comment}")
    return "\n".join(lines) + "\n"


def ohsumed(path, names=("trainingset", "validationset", "testset"), comment=""):
    """A zip with Fold1 … Fold5 below a folder with the name of the collection, as LETOR 3.0 has it."""
    parts = [letor(np.random.default_rng(k), 4, first=1 + 4 * k, comment=comment) for k in range(5)]
    with zipfile.ZipFile(path, "w") as file:
        for fold in range(5):
            split = ["".join(parts[(fold + i) % 5] for i in range(3)), parts[(fold + 3) % 5], parts[(fold + 4) % 5]]
            for name, text in zip(names, split, strict=True):
                file.writestr(f"OHSUMED/QueryLevelNorm/Fold{fold + 1}/{name}.txt", text)
    return path


def mq2008(path):
    """The same as LETOR 4.0 has it, with document, inc and prob in a comment."""
    return ohsumed(path, ("train", "vali", "test"), " inc = 1 prob = 0.0886222")


def yahoo(path):
    """A single file of queries."""
    path.write_text(letor(np.random.default_rng(9), 30))
    return path


def movielens(path, users=130, movies=90):
    """ml-100k.zip with u.data and u.item."""
    rng = np.random.default_rng(3)
    taste = rng.normal(size=(users, 3)) @ rng.normal(size=(3, movies))
    rated = [(u, m) for u in range(users) for m in rng.permutation(movies)[:60]]
    data = "".join(f"{u + 1}\t{m + 1}\t{int(np.clip(round(3 + taste[u, m]), 1, 5))}\t88125{u:04d}\n" for u, m in rated)
    flags = ["|".join("1" if g == 1 + m % 18 else "0" for g in range(GENRES)) for m in range(movies)]
    items = "".join(f"{m + 1}|Film {m + 1} (1995)|01-Jan-1995||http://x|{flags[m]}\n" for m in range(movies))
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("ml-100k/u.data", data)
        file.writestr("ml-100k/u.item", items)
    return path


def table(path, classes=4, rows=240):
    """A table of the UCI repository: numbers between commas, the class last, no header."""
    rng = np.random.default_rng(5)
    kinds = rng.integers(classes, size=rows)
    x = np.round(rng.normal(size=(rows, 5)) + 2 * np.eye(5)[kinds % 5], 3)
    text = "".join(",".join(map(str, row)) + f",{'abcdefgh'[kind]}\n" for row, kind in zip(x, kinds, strict=True))
    path.write_text(text)
    return path


def mnist(folder, rows=300):
    """train-images-idx3-ubyte.gz, with train-labels-idx1-ubyte.gz beside it."""
    rng = np.random.default_rng(6)
    labels = rng.integers(10, size=rows).astype(np.uint8)
    images = rng.integers(0, 60, size=(rows, 28, 28)).astype(np.uint8)
    for image, label in zip(images, labels, strict=True):
        image[2 * label : 2 * label + 4, 4:24] = 230
    path = folder / "train-images-idx3-ubyte.gz"
    path.write_bytes(gzip.compress(struct.pack(">BBBBIII", 0, 0, 8, 3, rows, 28, 28) + images.tobytes()))
    beside = folder / "train-labels-idx1-ubyte.gz"
    beside.write_bytes(gzip.compress(struct.pack(">BBBBI", 0, 0, 8, 1, rows) + labels.tobytes()))
    return path


def mediamill(folder, rows=120, labels=6, features=8):
    """mediamill.arff with mediamill.xml beside it, as Mulan has them."""
    rng = np.random.default_rng(7)
    names = [f"Class{i + 1}" for i in range(labels)]
    x = np.round(rng.random((rows, features)), 4)
    y = (x[:, :labels] > 0.6).astype(int)
    head = "".join(f"@attribute Att{i + 1} numeric\n" for i in range(features))
    head += "".join(f"@attribute {name} {{0,1}}\n" for name in names)
    body = "".join(",".join(map(str, [*a, *b])) + "\n" for a, b in zip(x, y, strict=True))
    path = folder / "mediamill.arff"
    path.write_text(f"@relation mediamill\n{head}@data\n{body}")
    listed = "".join(f'<label name="{name}"></label>' for name in names)
    (folder / "mediamill.xml").write_text(f'<labels xmlns="http://mulan.sourceforge.net/labels">{listed}</labels>')
    return path


MAKERS = {  # by the data set that reads them
    "letor-folds": lambda folder: ohsumed(folder / "OHSUMED.zip"),
    "letor-split": lambda folder: ohsumed(folder / "OHSUMED.zip"),
    "letor-file": lambda folder: yahoo(folder / "set1.train.txt"),
    "movielens-file": lambda folder: movielens(folder / "ml-100k.zip"),
    "rated-movies-file": lambda folder: movielens(folder / "ml-100k.zip"),
    "classification-file": lambda folder: table(folder / "pendigits.data"),
    "multilabel-file": mediamill,
}
