"""The dialog that makes a link for others: from which step, what it locks and hides, as a page or in a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import follow, links
from pages.ui.draw.qr import qr
from pages.ui.settings import Settings, plain
from pages.ui.share import sheet
from pages.ui.share.address import moved, nearby, own_only, snippet

PAGE, PROJECTOR, FRAME = WAYS = ("As a page", "On a projector", "Inside another page")
STEP = "t"  # of the address
_SERVER = "share:server"  # the address that was entered, for the next time


def offer(settings: Settings, place: DeltaGenerator, title: str, without: Sequence[str] = ()) -> None:
    """Draw the button beside the title of a page that opens the dialog. Inside another page there is none.

    Call it at the end of a page, when all of its parts are known. title : of the page, in words. without : keys of the
    link that are not for others.
    """
    if st.context.is_embedded:
        return
    help = "Make a link for others, with a QR code, or a frame for your own page"
    if place.button("Share", icon=":material/share:", key="share", help=help):
        _dialog(settings, title, {key: text for key, text in settings.link.items() if key not in without})


def draw(settings: Settings, title: str, link: Mapping[str, str]) -> None:
    """Draw what the dialog holds. link : the settings of the page as it was when the dialog opened."""
    with st.container(horizontal=True, vertical_alignment="center"):
        way = st.segmented_control(
            "Show it", WAYS, default=PROJECTOR if settings.present else PAGE, required=True, key="share-way",
            label_visibility="collapsed", wrap=True,
        )  # fmt: skip
        here = _here(settings)
    common = [p.name for p in links.COMMON]
    made = {key: text for key, text in link.items() if key not in common} | here
    made |= _kept(settings, link)
    if way == PROJECTOR:
        made[links.PRESENT.name] = "true"
    address = links.address(made, embed="true" if way == FRAME else "")
    if own_only(address):
        address = _elsewhere(address)
    if not address:
        return
    if way == FRAME:
        sheet.show([("Frame", snippet(address, f"{title} in Feedback Lab"))], "", "")
        st.caption("Paste it into the HTML of your page. The frame shows neither navigation nor settings.")
        return
    try:
        code = qr(address)
    except ValueError as error:
        st.caption(plain(str(error)))
        code = ""
    sheet.show([("Link", address)], code, address)
    follow.offer(address.split("?")[0])


_dialog = st.dialog("Share this page", width="medium", icon=":material/share:")(draw)


def _here(settings: Settings) -> dict[str, str]:
    """Draw the choice of the step, and return the parts of the link that say where on the page one is."""
    rest = st.session_state.get(f"{settings.page}:rest", 0)
    told = sheet.where(settings.played) or ({STEP: str(rest)} if STEP in settings.played else {})
    known, found = settings.schema(settings.link | told), {}
    for key, text in told.items():
        if key in known:
            try:
                if (value := known[key].parse(text)) != known[key].default:
                    found[key] = known[key].format(value)
            except ValueError:  # changed by hand; the page says so
                continue
    if STEP in found and not st.toggle(f"Open at step {int(found[STEP]):,}", value=True, key="share-step"):
        del found[STEP]
    return found


def _kept(settings: Settings, link: Mapping[str, str]) -> dict[str, str]:
    """Draw the choices of what the link locks and hides, and return these parts of it."""
    named = links.groups(settings) | links.lockable(settings)
    found = {}
    for column, parameter, label, help, options in zip(
        st.columns(2), (links.LOCK, links.HIDE), ("Lock", "Hide"),
        ("These settings can be seen, and are changed only after “Unlock” is pressed.",
         "These parts of the page and settings are not shown. Their values stay."),
        (named, links.parts(settings) | named), strict=True,
    ):  # fmt: skip
        before = links.names(link.get(parameter.name, ""))
        words = {name: name for name in before} | {id: text[:1].upper() + text[1:] for id, text in options.items()}
        chosen = column.multiselect(
            label, list(words), default=before, format_func=words.__getitem__, help=help, placeholder="Nothing",
            key=f"share-{parameter.name}",
        )  # fmt: skip
        if chosen:
            found[parameter.name] = ",".join(chosen)
    return found


def _elsewhere(address: str) -> str:
    """Ask for the address under which others reach the server. Return the link there, or "" if it is no address."""
    bound = st.get_option("server.address")  # None for every network of the computer
    deaf = bool(bound) and own_only(f"http://{bound}")
    near = "" if deaf else nearby(address)
    words = f"Others cannot open {plain(str(urlsplit(address).hostname))}, which means their own computer there."
    if deaf:
        words += " This server answers only the computer on which it runs. To let others in, start it with "
        words += "`--server.address 0.0.0.0`."
    if near:
        words += " The link below has this computer's address in the local network instead. Change it if it is another."
    else:
        words += " Enter the address under which they reach the server."
    st.warning(words, icon=":material/wifi_off:")
    server = st.text_input(
        "Address of the server for others", st.session_state.get(_SERVER, near), key="share-server",
        placeholder="http://192.168.1.20:8501",
    )  # fmt: skip
    st.session_state[_SERVER] = server
    if not server.strip():
        return address
    try:
        return moved(address, server)
    except ValueError as error:
        st.error(plain(str(error)))
        return ""
