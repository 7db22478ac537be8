"""A page made of the files that draw pictures in the browser, with the pictures of a real race."""

import numpy as np
import orjson

import datasets
from datasets.spec import Spec
from learners.catalogue import learner_classes
from learners.spec import RunSpec
from pages.ui.draw.charts import Look
from pages.ui.modules import joined
from pages.ui.play import assets, frames
from pages.ui.race.moment import Moment

LIGHT = Look()
HTML = """<!doctype html><html lang="en"><meta charset="utf-8"><style>body {{ font-family: sans-serif; margin: 1rem;
  color: {text}; background: {ground} }} section {{ margin-bottom: 1rem }} h3 {{ font-size: .95rem; margin: 0 }}
{style}</style><body><script>{plotly}</script><script>
{script}
const payload = {payload}, player = {{ t: 0, playing: false }}, pictures = {{}}, drawn = [];
const seek = (t, playing = false) => {{
  Object.assign(player, {{ t, playing }});
  for (const picture of Object.values(pictures)) picture.reveal(t, playing);
}};
const timed = [[Plotly, 'newPlot'], [Plotly, 'react'], [Painting.prototype, 'paint']];
for (const [where, name] of timed) {{  // what is drawn or painted, and how long it takes
  const draw = where[name];
  where[name] = function (...args) {{
    const began = performance.now(), done = draw.apply(this, args);
    drawn.push(performance.now() - began);
    return done;
  }};
}}
const ready = (async () => {{
  for (const chart of payload.charts) {{
    const section = document.createElement('section'), title = document.createElement('h3');
    const plot = document.createElement('div');
    title.textContent = chart.title;
    plot.id = chart.id;
    plot.className = 'fl-plot';
    section.append(title, plot);
    document.body.append(section);
    pictures[chart.id] = new (chart.kind === 'html' ? HtmlPicture : FigurePicture)(plot, player);
    await pictures[chart.id].update(chart, payload);
  }}
}})();
</script></body></html>"""


def setup(learners, dataset, user=None, replicates=2, steps=100):
    """A race of learners with their default settings."""
    kinds = [*map(learner_classes().__getitem__, learners)]
    chosen = tuple(Spec(kind.id, tuple((p.name, p.default) for p in kind.parameters())) for kind in kinds)
    return RunSpec(chosen, dataset, user, replicates, steps, 0)


def record(race, pictures, keyframes=100, look=LIGHT):
    """Return the part of the payload that holds the pictures of a race from its first step to its last."""
    data = datasets.load(race.dataset.id, **race.dataset.values)
    simulations = race.simulations(data)
    found = {spec.id: frames.Frames() for spec in pictures}
    for t in sorted({round(t) for t in np.linspace(0, race.steps, min(race.steps, keyframes) + 1)}):
        for simulation in simulations:
            simulation.advance(steps=t - simulation.t)
        moment = Moment(race, t, simulations)
        for spec in pictures:
            found[spec.id].add(t, spec.draw(moment, look, 260) if spec.draw else spec.write(moment, look))
    charts = [
        {"id": spec.id, "title": spec.title, "kind": "figure" if spec.draw else "html"}
        | {"frames": found[spec.id].since(0)}
        for spec in pictures
    ]
    return {
        "run": "a", "drawn": "a", "revision": "a", "script": "", "unit": race.family.unit, "steps": race.steps,
        "charts": charts,
    }  # fmt: skip


def page(payload, look=LIGHT):
    """Return the page as HTML."""
    from plotly.offline import get_plotlyjs

    return HTML.format(
        text=look.text, ground="#FFFFFF" if look == LIGHT else "#14181D",
        style=assets.style(), script=joined(assets.FOLDER / "pictures.js"),
        plotly=get_plotlyjs(), payload=orjson.dumps(payload).decode().replace("</", "<\\/"),
    )  # fmt: skip
