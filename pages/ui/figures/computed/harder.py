"""The news of [S] §8 with features that tell less of what is relevant: a few random sums of the words, or of pixels."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from datasets import load
from datasets.ranking import RankingData
from learners import Simulation, create, create_user
from learners.base import Array
from learners.sweep.sampled_run import values_at
from pages.ui.figures.figure import Curves, Size, Steps

# data and number of sums: of the powers of two from 2 to 32, that with which the ŷ of 3PR came nearest to the .291 and
# .397 of Table 1, after 3,000 steps with the data seeds 100 and 101, which take no part; no other learner was looked at
WORLDS: Mapping[str, tuple[str, Mapping[str, Any], int]] = {
    "rcv1": ("digits-search", {"documents": 20, "topic": "all"}, 2),
    "news": ("news-topics", {"documents": 20, "topic": "all", "words": 1000}, 8),
}
Run = tuple[str, Mapping[str, Any]]  # a learner and its parameters
PERTURBED: Run = "perturbed-perceptron", {"swap_probability": 0.5}
DYNAMIC: Run = "perturbed-perceptron", {"dynamic": True, "delta": 0.0}
TOP: Run = "preference-perceptron", {"feedback": "top"}
PAIR: Run = "preference-perceptron", {"feedback": "pair"}
SHOWN = "ndcg@5"
BELIEVED = f"{SHOWN}-predicted"
# of a figure, the curves by their names, each a learner and a metric
FIG4: Mapping[str, tuple[Run, str]] = {
    "3PR": (PERTURBED, SHOWN), "PrefP[top]": (TOP, SHOWN), "PrefP[pair]": (PAIR, SHOWN),
    "Structured Perceptron": (("structured-perceptron", {"optimal": "grades"}), SHOWN),
    "Random": (("random-ranking", {}), SHOWN), "3PR, ŷ": (PERTURBED, BELIEVED), "3PR, dynamic p": (DYNAMIC, SHOWN),
}  # fmt: skip
FIGURES: Mapping[str, Mapping[str, tuple[Run, str]]] = {
    "fig7": {name: FIG4[name] for name in ("PrefP[top]", "PrefP[pair]", "3PR")},
    "tab1": {"Presented y": (PERTURBED, SHOWN), "Predicted ŷ": (PERTURBED, BELIEVED),
             "Presented y, dynamic p": (DYNAMIC, SHOWN)},
}  # fmt: skip


def curves(seed: int, size: Size) -> Curves:
    """Return the learning curves of Fig. 4 in the world that size.data names."""
    at = Steps(points=24).at(size.steps)
    return {name: (at, y) for name, y in _found(FIG4, size.data["world"], 0.2, seed, size, at).items()}


def ends(seed: int, size: Size) -> Curves:
    """Return NDCG@5 at the end of the runs. size.data : `figure`, whose learners; `places`: name, world and noise."""
    names, places = FIGURES[size.data["figure"]], size.data["places"]
    found = [_found(names, world, noise, seed, size) for _, world, noise in places]
    return {name: (tuple(place for place, *_ in places), [one[name][0] for one in found]) for name in names}


def harder(world: str, seed: int, sums: int = 0) -> RankingData:
    """Return the data of a world with fewer features. sums : how many, 0 for those of `WORLDS`."""
    id, params, usual = WORLDS[world]
    data: RankingData = load(id, data_seed=seed, **params)
    drawn = np.random.default_rng(seed).standard_normal((data.features.shape[1], sums or usual))
    seen = np.asarray(data.features @ drawn)
    changed: dict[str, Any] = {"weights": None, "image_shape": None}
    return replace(data, features=seen / np.linalg.norm(seen, axis=1, keepdims=True), **changed)


def _found(
    curves: Mapping[str, tuple[Run, str]], world: str, noise: float, seed: int, size: Size, at: tuple[int, ...] = ()
) -> dict[str, Array]:
    """Return the mean over the replicates of each curve, after the steps `at` or at the end."""
    data, user, made = harder(world, seed), create_user("scan", noise=noise), dict[str, Any]()
    for (id, params), _ in curves.values():
        if str((id, params)) not in made:
            run = Simulation(create(id, **params), data, user, replicates=size.replicates, seed=seed, megabytes=0)
            run.advance(steps=size.steps)
            made[str((id, params))] = run.history
    return {name: values_at(made[str(run)], metric, at).mean(axis=1) for name, (run, metric) in curves.items()}
