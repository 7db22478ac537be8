"""The sweeps among the demos of an edition: what came out, as a curve, or as a table whose cells are shaded."""

import hashlib
import html
from pathlib import Path
from typing import Any, cast

import orjson
import pandas as pd

from datasets import disk
from pages.ui.counting import counted
from pages.ui.draw import svg
from pages.ui.gallery.demos import Demo
from pages.ui.home.page import address
from pages.ui.home.thumbnails import Swept, shown
from pages.ui.plain import Html
from pages.ui.static import films
from pages.ui.static.films import FOLDER
from pages.ui.static.page import page
from pages.ui.static.store import Store
from pages.ui.sweep.results import best, named

CODE = ("datasets", "learners", "pages/ui/draw", "pages/ui/sweep", "pages/ui/static/sweeps.py")


def is_sweep(demo: Demo) -> bool:
    """Return whether a demo is a sweep, and no run of a lab."""
    return Path(demo.page).stem == "sweep"


def _swept(demo: Demo) -> Swept:
    found = shown(demo)
    assert isinstance(found, Swept)
    return found


def mark(demo: Demo) -> str:
    """Return a text that changes with everything on which the results of a demo depend."""
    return hashlib.sha256(repr((_swept(demo).mark, films.code(*CODE))).encode()).hexdigest()[:16]


def made(folder: Path, demo: Demo) -> dict[str, Any] | None:
    """Return the `picture` of a sweep and what is `said` of it, in HTML, None where it is not there or has changed."""
    try:
        found: dict[str, Any] = orjson.loads(_path(folder, demo).read_bytes())
    except (OSError, ValueError):
        return None
    return found if found["mark"] == mark(demo) else None


def make(folder: Path, demo: Demo) -> None:
    """Run a sweep, and write what came out."""
    swept = _swept(demo)
    setup, metric, table = swept.setup, swept.metric, swept.table()
    rows = table[table.metric == metric.id]
    run = setup.run
    about = f"{named(setup)}. {counted(run.replicates, 'replicate')} of {run.steps:,} {run.family.unit}s."
    found = {
        "mark": mark(demo), "picture": _curve(swept, rows) if len(setup.grids) == 1 else _map(swept, rows),
        "about": about, "said": best(rows, setup, metric),
    }  # fmt: skip
    disk.write(_path(folder, demo), orjson.dumps(found))


def _path(folder: Path, demo: Demo) -> Path:
    return folder / FOLDER / f"sweep-{demo.id}.json"


def _curve(swept: Swept, rows: pd.DataFrame) -> Html:
    """Return the means over the values of one parameter, with bars of their standard errors."""
    (grid,) = swept.setup.grids
    found = rows.groupby(grid.name).value.agg(["mean", "sem"])
    mean, error = found["mean"].to_numpy(float), found["sem"].fillna(0).to_numpy(float)
    curve = svg.SvgCurve(found.index.to_numpy(float), mean, error, svg.INKS[0])
    title = swept.metric.label
    frame = svg.Frame(title, grid.parameter.label, "mean ± standard error", log_x=grid.log)
    picture = svg.image(svg.panel(frame, [curve]), title, svg.WIDE, svg.height([curve]), ' role="img"')
    lines = "".join(
        f"<tr><th scope=row>{x:g}</th><td>{m:.4g} ± {e:.2g}</td></tr>"
        for x, m, e in zip(found.index, mean, error, strict=True)
    )
    head = f"<th scope=col>{html.escape(grid.parameter.label)}</th><th scope=col>{html.escape(title)}</th>"
    numbers = f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
    return f'<div class="fl-swept"><div class="fl-panels">{picture}</div>{numbers}</div>'


def _map(swept: Swept, rows: pd.DataFrame) -> Html:
    """Return the means over the values of two parameters, the first across."""
    across, down = swept.setup.grids
    means = rows.groupby([down.name, across.name]).value.mean().unstack()
    low, high = float(means.min().min()), float(means.max().max())

    def cell(value: float) -> Html:
        share = (value - low) / ((high - low) or 1)
        return f'<td style="--share: {100 * share:.0f}%">{value:.3g}</td>'

    heads = "".join(f"<th scope=col>{x:g}</th>" for x in means.columns)
    lines = "".join(
        f"<tr><th scope=row>{y:g}</th>{''.join(cell(value) for value in row)}</tr>"
        for y, row in zip(means.index, means.to_numpy(float), strict=True)
    )
    words = f"{swept.metric.label}: {across.parameter.label} across, {down.parameter.label} down"
    return (
        f'<table class="fl-heat-map"><caption>{html.escape(words)}</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{lines}</tbody></table>"
    )


def write(store: Store, demo: Demo, server: str, name: str) -> bool:
    """Write the page of a sweep that was made. name : of the file. Return False: nothing needs plotly.js."""
    found = made(store.folder, demo)
    assert found is not None
    picture = cast(Html, found["picture"])  # which `made` has written
    lab = f'<a href="{html.escape(server + address(demo.page, demo.link))}">Run it in the app</a>' if server else ""
    body = f"""<header class="fl-head">
<h1>{html.escape(demo.title)}</h1>
<p>{html.escape(demo.text.removesuffix(" Press Start."))}</p>
<p class="fl-fine">{html.escape(found["about"])}</p>
</header>
<div class="fl-sheet fl-one fl-values" data-full="true" style="--n: 1"><p>{html.escape(found["said"])}</p>
<div class="fl-sheet-scroll" tabindex="0" role="region" aria-label="What came out">{picture}</div></div>
<p class="fl-away">{lab}</p>"""
    store.write(name, page(demo.title, body, {}, "demos"))
    store.keep(str(_path(store.folder, demo).relative_to(store.folder)))
    return False
