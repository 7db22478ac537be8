"""The former addresses of pages, each of which leads to where its content is now, with all that its query says."""

from collections.abc import Mapping
from functools import partial
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

FORMER: Mapping[str, tuple[str, Mapping[str, str]]] = {  # page and what its query says first
    "algorithms": ("catalogue", {}),
    "data": ("catalogue", {"show": "data"}),
    "interleaving": ("stability", {"mode": "interleaved"}),
    "lower_bound": ("coactive", {"mode": "lower-bound"}),
    "published": ("figures", {"statements": "true"}),
}


def now(page: str, query: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return page and query of a link today, which may be one to a former page.

    >>> now("published", {"paper": "S"}), now("bandit", {"seed": "3"})
    (('figures', {'statements': 'true', 'paper': 'S'}), ('bandit', {'seed': '3'}))
    """
    page, first = FORMER.get(page, (page, {}))
    return page, {**first, **query}


def lead_on(former: str, request: Request) -> Response:
    """Answer with the way to the present page. It is relative, since a proxy may have the app below another path."""
    page, first = FORMER[former]
    query = "&".join(filter(None, (urlencode(first), request.url.query)))
    above = "../" if request.url.path.endswith("/") else ""
    return RedirectResponse(f"{above}{page}{'?' if query else ''}{query}", 307)  # a browser must not keep it


def routes(base: str = "") -> list[BaseRoute]:
    """Return what `st.App` takes. base : the path below which the app stands."""
    above = f"/{base}" if base else ""
    return [Route(f"{above}/{page}{end}", partial(lead_on, page)) for page in FORMER for end in ("", "/")]
