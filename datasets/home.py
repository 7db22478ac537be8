"""The place of the code: in a checkout, whose folder holds this package beside others, or installed as one package."""

from pathlib import Path

PREFIX = (__package__ or "").removesuffix("datasets")  # of the names of all modules: "", or that of the one package
CODE = Path(__file__).parents[1]  # the folder that holds datasets/ and learners/
ROOT = CODE.parents[PREFIX.count(".") - 1] if PREFIX else CODE  # the folder from which they are imported


def module(name: str) -> str:
    """Return the full name of a module.

    >>> module("learners.warm").endswith("learners.warm")
    True
    """
    return PREFIX + name
