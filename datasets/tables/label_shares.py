"""Other defaults for what semi-supervised learners are told, for data sets too small for the usual ones."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any

from datasets.classification import ClassificationDataset

_USUAL = {f.name: dict(f.metadata["parameter"]) for f in fields(ClassificationDataset)}


def labelled(default: float) -> Any:
    """The parameter `labelled` of every classification data set, with this default."""
    return _again("labelled", default)


def training(default: float) -> Any:
    """The parameter `training` of every classification data set, with this default."""
    return _again("training", default)


def _again(name: str, default: float) -> Any:
    return field(default=default, metadata={"parameter": _USUAL[name] | {"default": default}})
