"""Shared by the labs of the ranking learners: which ranking is measured, and weights as images."""

from datasets.parameters import Parameter
from pages.ui.draw.charts import Look
from pages.ui.draw.markup import figures, note, weight_map
from pages.ui.glossary import says
from pages.ui.plain import Html, for_html
from pages.ui.race.charts import ChartSpec
from pages.ui.race.moment import Moment

# the ranking that the charts measure
WHICH = Parameter(
    "ranking", "choice", "presented", choices=("presented", "predicted", "both"),
    help=f"Presented: {says('presented')} Predicted: {says('predicted')} They differ only for learners that perturb. "
    "If both are drawn, the predicted ranking is the thin line.",
)  # fmt: skip


def weight_maps(moment: Moment, look: Look) -> Html:
    """Draw the weights of every learner in the first run as an image, where documents are images."""
    data = moment.data
    if data.image_shape is None:
        return note("Drawn where documents are images, such as the handwritten digits.")
    maps = [
        weight_map(simulation.learner.weights[0], data.image_shape, label, f"weights of {label}")
        for label, simulation in zip(moment.setup.labels(), moment.simulations, strict=True)
        if simulation.learner.weights is not None
    ]
    task = for_html(data.task_names[0])
    return note(f"The user of this run looks for <b>{task}</b>.") + figures(maps)


PICTURES = (
    ChartSpec(
        "weight-maps", "Weights as pictures (first run)",
        "What each learner looks for, where documents are images. Red pixels speak for a document and blue ones "
        "against it.",
        write=weight_maps, wide=True, fits=lambda data: data.image_shape is not None,
    ),
)  # fmt: skip
