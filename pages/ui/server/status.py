"""The address `/status`, where the one who runs the server sees how it is: numbers, settings and faults, no people.

It is there only if FEEDBACK_LAB_OPERATOR is set, and opens with `?key=` and that value. `&format=json` gives JSON.
"""

import hmac
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from datasets.variables import Variable
from learners import plugins
from pages.ui.plain import Html
from pages.ui.server import event_log
from pages.ui.server.health import Metrics, health

OPERATOR = Variable(
    "FEEDBACK_LAB_OPERATOR", "text", "", least=8,
    help="Key of the status page, /status?key=…. Without it there is no such page.",
)  # fmt: skip
EVERY = 5  # seconds after which the page is loaded again
STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.05rem; margin: 0 0 .4rem; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 1.5rem 2rem; }
section.wide { grid-column: 1 / -1; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; font-weight: 400; padding: .15rem .8rem .15rem 0; border-top: 1px solid #8884; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.ok { color: light-dark(#17692b, #7fd694); } .degraded { color: light-dark(#a3310b, #ff9d76); font-weight: 600; }
"""


def status(metrics: Metrics, variables: Sequence[Variable]) -> dict[str, Any]:
    """Return all that the page shows. metrics : by part of the app, functions that return its numbers."""
    return {
        **health(metrics),
        "events": dict(sorted(event_log.counts.items())),
        "faults": list(reversed(event_log.faults)),
        "plugins": {file: f"offers {', '.join(ids)}" for file, ids in plugins.offered.items()}
        | {file: f"Left out. {reason}" for file, reason in plugins.refused.items()},
        "variables": {variable.name: _value(variable) for variable in variables},
    }


def _value(variable: Variable) -> Any:
    try:
        value = variable.value
    except ValueError as error:
        return str(error)
    return ("set" if value else "") if variable.name == OPERATOR.name else value


def routes(base: str, metrics: Metrics, variables: Sequence[Variable]) -> list[BaseRoute]:
    """Return what `st.App` takes. base : the path below which the app is served, "" for none."""

    async def answer(request: Request) -> Response:
        key, given = str(OPERATOR.at_start), request.query_params.get("key", "")
        if not key or not hmac.compare_digest(key.encode(), given.encode("utf-8", "surrogatepass")):
            return PlainTextResponse("Not Found", status_code=404)  # as if there were no such page
        found, never = status(metrics, variables), {"cache-control": "no-store"}
        if request.query_params.get("format") == "json":
            return JSONResponse(found, headers=never)
        return HTMLResponse(page(found), headers=never)

    return [Route(f"{'/' + base if base else ''}/status", answer, methods=["GET"])]


def page(found: Mapping[str, Any]) -> Html:
    """Return the page as HTML."""
    server = {name: value for name, value in found.items() if not isinstance(value, dict | list) and name != "status"}
    metrics = {name: value for name, value in found.items() if isinstance(value, dict)}
    variables, counts, added = (metrics.pop(name) for name in ("variables", "events", "plugins"))
    said = "".join(f"<p class=degraded>{escape(words)}</p>" for words in found["problems"])
    parts = [_section("Server", server), *(_section(_title(name), values) for name, values in metrics.items())]
    parts.append(_section("Events since the start", counts or {"None": ""}))
    faults = [(fault["time"], f"{fault['kind']} at {fault['where']}") for fault in found["faults"]]
    parts.append(_section("Latest faults", faults or [("None", "")], wide=True))
    if added:
        parts.append(_section("Plugins", dict(sorted(added.items())), wide=True))
    parts.append(_section("Variables", variables, wide=True))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="{EVERY}">'
        '<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">'
        f"<title>Feedback Lab: status</title><style>{STYLE}</style></head><body><h1>Feedback Lab: "
        f'<span class="{escape(found["status"])}">{escape(found["status"])}</span></h1>{said}'
        f"<main>{''.join(parts)}</main></body></html>"
    )


def _title(name: str) -> str:
    words = name.replace("_", " ").capitalize()
    return f"{words.removesuffix(' mb')} (MB)" if words.endswith(" mb") else words


def _section(title: str, rows: Mapping[str, Any] | Sequence[tuple[str, Any]], wide: bool = False) -> Html:
    pairs = rows.items() if isinstance(rows, Mapping) else rows
    names: Callable[[str], str] = str if wide or title.startswith("Events") else _title
    lines = "".join(f"<tr><th>{escape(names(name))}</th><td>{escape(_plain(value))}</td></tr>" for name, value in pairs)
    return f"<section{' class=wide' if wide else ''}><h2>{escape(title)}</h2><table>{lines}</table></section>"


def _plain(value: Any) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool | str):
        return str(value)
    return f"{value:,g}" if isinstance(value, float) else f"{value:,}"
