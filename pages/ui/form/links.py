"""The query keys that a page understands, and those of trackers and of Streamlit, which it ignores.

`lock=noise,world` shows settings as they are, and nobody changes them by accident; `hide=seed,inspector` leaves their
widgets and parts of the page out. Both name settings by their keys in the link, groups of them, or all. Keys that
newsletters, search engines and Streamlit add are left alone. Any other key is reported as wrong.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol
from urllib.parse import urlencode

import streamlit as st

from datasets.parameters import Parameter
from pages.ui.form.form import Form

LOCK = Parameter("lock", "text", "", help="Settings that stay as this link has them.")
HIDE = Parameter("hide", "text", "", help="Settings and parts of the page that are not shown.")
PRESENT = Parameter(
    "present", "flag", False,
    help="Letters are larger, to be read from the last row, and settings and navigation are hidden. The button "
    "“Settings” beside the title brings them back.",
)  # fmt: skip
COMMON = (LOCK, HIDE, PRESENT)  # understood by every page; they stay when a setting changes or a try is opened

ALL = "all"
GROUPS = {  # of settings, by the headings above them
    "race": "the learners",
    "world": "the data and the user",
    "comparison": "the comparison",
    "vary": "the parameters to vary",
    "run": "replicates, length and seed",
    "charts": "charts and how they are drawn",
}
PARTS = {  # of a page
    "sidebar": "the sidebar with the settings",
    "question": "the question above the charts",
    "scene": "the scene above the charts",
    "preview": "the preview of a run before it is played",
    "table": "the table of values",
    "inspector": "the inspector of a step",
    "tries": "what to try next",
    "crowd": "the crowd that goes on searching",
    "study": "the study of Raman et al., repeated",
    "take-away": "the export",
}

_NO_PARTS: Mapping[str, str] = {}

TRACKING_KEYS = frozenset((  # js/tracking.js has the same
    "embed", "embed_options",  # of Streamlit
    "follow",  # of the class that a page follows, see pages/ui/follow
    "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "gad_source", "srsltid", "_ga", "_gl",
    "fbclid", "igsh", "igshid", "twclid", "ttclid", "li_fat_id", "msclkid", "yclid", "ysclid", "_openstat",
    "epik", "scid", "rb_clickid", "wickedid", "mkt_tok", "vero_id", "vero_conv", "oly_enc_id", "oly_anon_id",
    "hsctatracking", "s_cid", "s_kwcid", "sc_campaign", "sc_channel", "cmpid", "ncid", "trk", "trkcampaign", "_ke",
    "__s", "si", "spm", "ref", "ref_src", "ref_url", "referrer",
))  # fmt: skip
TRACKING_PREFIXES = (
    "utm_",
    "mc_",
    "_hs",
    "hsa_",
    "pk_",
    "piwik_",
    "matomo_",
    "mtm_",
    "ga_",
    "fb_",
    "wt_",
    "stm_",
    "itm_",
)


def is_tracking_key(key: str) -> bool:
    """Return whether a tracker or Streamlit added this key to the address.

    >>> [is_tracking_key(key) for key in ("utm_source", "embed", "noise")]
    [True, True, False]
    """
    return key.lower() in TRACKING_KEYS or key.lower().startswith(TRACKING_PREFIXES)


def own(query: Mapping[str, str]) -> dict[str, str]:
    """Return a query without keys of trackers."""
    return {key: text for key, text in query.items() if not is_tracking_key(key)}


def choice_of(name: str, default: str, ids: list[str], help: str = "") -> Parameter:
    """Return a parameter whose value is one of some ids."""
    return Parameter(name, "choice", default, choices=tuple(ids), help=help)


def read_link(
    query: Mapping[str, str],
    ask: Callable[[Form], Any],
    controls: Callable[[Mapping[str, str]], Iterable[str]] = lambda query: (),
) -> tuple[dict[str, Any], list[str]]:
    """Return the values that a link sets, and a sentence for each part of it that is wrong.

    ask : asks a form for everything that a link of the page may contain. controls : function from the link to keys of
    settings that it may lock and hide but not set.
    """
    form = Form(own(query))
    ask(form)
    for parameter in COMMON:
        form.get(parameter)
    faults, known = form.faults(), form.known
    values = {key: form.value(known[key], key) for key in form.query if key not in faults}
    return values, problems(form, values, controls)


def common(query: Mapping[str, str]) -> dict[str, Any]:
    """Return what a link locks and hides, and whether it is for a projector, where it says so."""
    form = Form(query)
    return {parameter.name: form.value(parameter, parameter.name) for parameter in COMMON if parameter.name in query}


def problems(
    form: Form, values: dict[str, Any], controls: Callable[[Mapping[str, str]], Iterable[str]] = lambda query: ()
) -> list[str]:
    """Return a sentence for each part of a form's link that is wrong, once the form was asked for everything.

    values : of the link; what it locks and hides is left with the names that there are. controls : as for `read_link`.
    """
    found: list[str] = []
    known = form.known
    for key, words in form.faults().items():
        if not words:
            found.append(f"{key[:60]!r} is not a setting of this page.")
        elif default := known[key].format(known[key].default):
            found.append(f"{words}; the default {default} is used.")
        else:
            found.append(f"{words}.")
    for parameter, parts in ((LOCK, _NO_PARTS), (HIDE, PARTS)):
        if asked := names(values.get(parameter.name, "")):
            every = {*known, *controls(form.query), *GROUPS, *parts, ALL}
            if not every.issuperset(asked):  # a setting of another learner, data set or user is right as well
                every |= form.possible()
            values[parameter.name] = ",".join(name for name in asked if name in every)
            if wrong := [name for name in asked if name not in every]:
                found.append(_unknown(parameter.name, wrong, parts))
    return found


def names(text: str) -> list[str]:
    """Return the names that `lock` or `hide` of a link holds, each once.

    >>> names("noise, documents,noise")
    ['noise', 'documents']
    """
    return list(dict.fromkeys(filter(None, (name.strip() for name in text.split(",")))))


def _unknown(key: str, wrong: list[str], parts: Mapping[str, str]) -> str:
    shown = ", ".join(repr(name[:30]) for name in wrong[:3]) + f" and {len(wrong) - 3} more" * (len(wrong) > 3)
    listed = ", ".join((*GROUPS, *parts, ALL))
    return f"{key} must name settings by their keys in the address, or {listed}, got {shown}; the rest holds."


# ---- for those who make links ------------------------------------------------------------------------------


class DrawnForm(Protocol):
    """The settings of a page that was drawn: in words each setting, its group, and the parts that may be hidden."""

    titles: dict[str, str]
    groups: dict[str, str]
    parts: set[str]


def address(link: Mapping[str, str], **more: str) -> str:
    """Return the whole address of the page with a link, as another person can open it.

    more : settings added to the link, or changed; an empty text leaves one out.
    """
    page = (st.context.url or "").split("?")[0]
    query = {key: text for key, text in {**link, **more}.items() if text != ""}
    return f"{page}?{urlencode(query, safe=',~')}" if query else page


def lockable(settings: DrawnForm) -> dict[str, str]:
    """Return in words, by key, each setting that the page has drawn, or would have drawn if it were not hidden."""
    return {key: title for key, title in settings.titles.items() if key != PRESENT.name}


def shortest(chosen: Iterable[str], single: Mapping[str, str]) -> list[str]:
    """Return the fewest names that `lock` or `hide` needs: `all` stands for every setting and every group.

    single : the settings of the page by key.

    >>> shortest(["noise", "seed", "inspector"], {"noise": "Noise", "seed": "Seed"})
    ['inspector', 'all']
    >>> shortest(["noise"], {"noise": "Noise", "seed": "Seed"})
    ['noise']
    """
    listed = list(chosen)
    if ALL not in listed and (not single or not set(single) <= set(listed)):
        return listed
    return [*(name for name in listed if name not in {*single, *GROUPS, ALL}), ALL]


def groups(settings: DrawnForm) -> dict[str, str]:
    """Return in words the groups into which the page's settings fall, and all."""
    return {id: words for id, words in GROUPS.items() if id in settings.groups.values()} | {ALL: "every setting"}


def parts(settings: DrawnForm) -> dict[str, str]:
    """Return in words the parts of the page that a link may hide."""
    return {id: words for id, words in PARTS.items() if id in settings.parts}
