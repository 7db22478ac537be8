"""The processor time of the preference perceptron and of the ranking SVM on the same data ([C] §6.2.5)."""

import time

from datasets import load
from learners import Simulation, create, create_user
from pages.ui.figures.figure import Curves, Size

WORLDS = {"web search": ("web-search", "strict-alpha"), "movies": ("movies", "item-alpha")}
FEWER = 5  # times fewer steps with movies, as in the figures
LEARNERS = {"Preference Perceptron": "preference-perceptron", "SVM": "ranking-svm"}
WARM = 20  # steps before the clock starts, so that nothing is left to compile


def seconds(seed: int, size: Size) -> Curves:
    """Return the processor time of one run by each learner, in seconds, with the two worlds on the x axis.

    A run of web search has `size.steps` steps, one of movies a fifth of them. Times differ from call to call.
    """
    found: dict[str, list[float]] = {name: [] for name in LEARNERS}
    for world, (dataset, user) in WORLDS.items():
        data = load(dataset, data_seed=seed)
        steps = size.steps if world == "web search" else size.steps // FEWER
        for name, learner in LEARNERS.items():
            runs = [Simulation(create(learner), data, create_user(user), replicates=1, seed=seed) for _ in range(2)]
            runs[0].advance(steps=WARM)
            began = time.process_time()
            runs[1].advance(steps=steps)
            found[name].append(time.process_time() - began)
    return {name: (tuple(WORLDS), taken) for name, taken in found.items()}
