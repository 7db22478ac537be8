"""The notes of a `Watch` on one replicate, made slowly from `Simulation.at`, and scenes as the browser gets them."""

import numpy as np

from pages.ui.draw.charts import COLORS
from pages.ui.play.frames import plain
from pages.ui.race.scene import Scene
from tests.pages.modes import SHOWN

SCENES = {lab.face.scene.kind: lab.face.scene for lab in SHOWN.values() if isinstance(lab.face.scene, Scene)}


def watched(simulation, steps, replicate=0):
    """Columns of some steps of a simulation, by name."""
    kind = {"ranking": _ranking, "classification": _answer, "multilabel": _labels}[simulation.learner.family]
    rows = [kind(simulation, simulation.at(t), replicate) for t in steps]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def _ranking(simulation, step, r):
    n, count = step.grades.shape[1], int(step.lengths[r])
    shown, predicted, improved = (
        np.where(np.arange(n) < count, ranking[r], -1)
        for ranking in (step.shown.ranking, step.shown.predicted, step.feedback_ranking)
    )
    by_place = np.where(shown >= 0, step.grades[r][shown], -1)
    clicks = step.response.clicks
    clicked = np.zeros(n, int) if clicks is None else clicks[r].astype(int)
    mistaken = np.zeros(n, int) if clicks is None else _mistaken(simulation, by_place, step.response, r)
    pairs = step.shown.pairs
    return {
        "query": step.query[r], "rows": step.documents[r], "count": count, "shown": shown, "predicted": predicted,
        "improved": improved, "clicked": clicked, "mistaken": mistaken, "grades": step.grades[r],
        "swapped": np.zeros(n, int) if pairs is None else pairs.swapped[r].astype(int),
    }  # fmt: skip


def _mistaken(simulation, by_place, response, r):
    one = type(response)(**{k: None if v is None else v[r : r + 1] for k, v in vars(response).items()})
    return simulation.user.mistaken(by_place[None], one)[0].astype(int)


def _answer(simulation, step, r):
    shown = step.shown
    return {"row": step.row[r], "label": step.truth[r], "played": shown.label[r], "predicted": shown.predicted[r],
            "explored": int(shown.explored[r]), "heard": int(np.any(step.heard.right[r])),
            "told": -1 if step.heard.label is None else step.heard.label[r]}  # fmt: skip


def _labels(simulation, step, r):
    size, order = int(step.shown.size[r]), step.shown.order[r]
    places = np.arange(len(order))
    true = np.flatnonzero(step.truth[r])
    return {
        "row": step.row[r], "shown": np.where(places < size, order, -1),
        "right": np.where(places < size, step.truth[r][order], 0), "true": np.pad(true, (0, len(order) - len(true)),
                                                                                  constant_values=-1),
    }  # fmt: skip


def scene(kind, simulations, steps, replicate=0, **more):
    """The scene of the payload with some steps of some simulations that race on the same data."""
    declared, data = SCENES[kind], simulations[0].dataset
    slots = [declared.columns(watched(sim, steps, replicate), data) for sim in simulations]
    return plain({
        "kind": kind, "name": "a", "replicate": replicate, "complete": True, "title": declared.title,
        "help": declared.help, "change": None, "faces": declared.faces(data),
        "learners": [declared.about(sim.learner) for sim in simulations], "first": 0, "at": np.asarray(steps),
        "slots": slots, **more,
    })  # fmt: skip


def learners(simulations):
    """The learners of the payload."""
    return [{"label": sim.learner.title, "color": COLORS[i], "dash": ""} for i, sim in enumerate(simulations)]
