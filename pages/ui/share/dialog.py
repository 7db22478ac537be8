"""The dialog that makes a link for others: from which step, what it locks and hides, as a page or in a frame."""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import follow
from pages.ui.draw.qr import qr
from pages.ui.form import links
from pages.ui.form.settings import Settings
from pages.ui.plain import plain
from pages.ui.share import sheet
from pages.ui.share.address import moved, nearby, own_only, snippet

PAGE, PROJECTOR, FRAME = WAYS = ("As a page", "On a projector", "Inside another page")
STEP = "t"  # of the address
_SERVER = "share:server"  # the address that was entered, for the next time


def offer(
    settings: Settings, place: DeltaGenerator, title: str, without: Sequence[str] = (),
    count: Callable[[], None] | None = None,
) -> None:  # fmt: skip
    """Draw the button beside the title of a page that opens the dialog. Inside another page there is none.

    Call it at the end of a page, when all of its parts are known. title : of the page, in words. without : keys of the
    link that are not for others. count : draws how predictions of a class are counted, where a page asks for them.
    """
    if st.context.is_embedded:
        return
    help = "A link and a QR code for others; lead a class, count its predictions, lock settings"
    pressed = place.button("Share & teach", icon=":material/share:", key="share", help=help)
    if st.session_state.pop(follow.STAYS_OPEN, False) or pressed:
        link = {key: text for key, text in settings.link.items() if key not in without}
        _dialog(settings, title, link, count)


def draw(settings: Settings, title: str, link: Mapping[str, str], count: Callable[[], None] | None = None) -> None:
    """Draw what the dialog holds: link, QR code, lead, count, lock. link : of the page when the dialog opened."""
    with st.container(horizontal=True, vertical_alignment="center"):
        way = st.segmented_control(
            "Show it", WAYS, default=PROJECTOR if settings.present else PAGE, required=True, key="share-way",
            label_visibility="collapsed", wrap=True,
        )  # fmt: skip
        here = _here(settings)
    above = st.container()  # the link follows from what is chosen below it
    if way != FRAME:
        st.markdown("**Count predictions**")
        (count or _in_lessons)()
    common = [p.name for p in links.COMMON]
    made = {key: text for key, text in link.items() if key not in common} | here
    made |= _kept(settings, link)
    if way == PROJECTOR:
        made[links.PRESENT.name] = "true"
    with above:
        _link(links.address(made, embed="true" if way == FRAME else ""), title, way == FRAME)


def _in_lessons() -> None:
    st.caption("Lessons ask for predictions. Open one, and this dialog counts those of a class.")


def _link(address: str, title: str, framed: bool) -> None:
    """Draw the link with its QR code and how to lead a class, or the frame that holds the page."""
    if own_only(address):
        address = _elsewhere(address)
    if not address:
        return
    if framed:
        sheet.show([("Frame", snippet(address, f"{title} in Feedback Lab"))], "", "")
        st.caption("Paste it into the HTML of your page. The frame shows neither navigation nor settings.")
        return
    led = follow.link()
    texts = [("Link for your class", led), ("Link of this page alone", address)] if led else [("Link", address)]
    try:
        code = qr(texts[0][1])
    except ValueError as error:
        st.caption(plain(str(error)))
        code = ""
    sheet.show(texts, code, texts[0][1])
    follow.offer(address.split("?")[0])


_dialog = st.dialog("Share & teach", width="medium", icon=":material/share:")(draw)


def _here(settings: Settings) -> dict[str, str]:
    """Draw the choice of the step, and return the parts of the link that say where on the page one is."""
    rest = st.session_state.get(f"{settings.page}:rest", 0)
    told = sheet.where(settings.played) or ({STEP: str(rest)} if STEP in settings.played else {})
    known, found = settings.known, {}
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
    st.markdown("**Lock and hide**")
    settings_of, named = links.lockable(settings), links.groups(settings) | links.lockable(settings)
    found = {}
    for column, parameter, label, help, options in zip(
        st.columns(2), (links.LOCK, links.HIDE), ("Lock", "Hide"),
        ("These settings can be seen, and are changed only after “Unlock” is pressed.",
         "These parts of the page and settings are not shown. Their values stay."),
        (named, links.parts(settings) | named), strict=True,
    ):  # fmt: skip
        before = links.shortest(links.names(link.get(parameter.name, "")), settings_of)
        words = {name: name for name in before} | {id: text[:1].upper() + text[1:] for id, text in options.items()}
        key = f"share-{parameter.name}"

        def shorten(key: str = key) -> None:
            st.session_state[key] = links.shortest(st.session_state[key], settings_of)

        chosen = column.multiselect(
            label, list(words), default=before, format_func=words.__getitem__, help=help, placeholder="Nothing",
            key=key, on_change=shorten,
        )  # fmt: skip
        if chosen:
            found[parameter.name] = ",".join(chosen)
    return found


def _elsewhere(address: str) -> str:
    """Ask for the address under which others reach the server. Return the link there, or "" if it is no address."""
    bound = st.get_option("server.address")  # None for every network of the computer
    deaf = bool(bound) and own_only(f"http://{bound}")
    near = "" if deaf else nearby(address)
    above = st.container()
    server = st.text_input(
        "Address of the server for others", st.session_state.get(_SERVER, near), key="share-server",
        placeholder="http://192.168.1.20:8501",
        help="At first this computer's address in the local network, where it has one. Change it if it is another.",
    )  # fmt: skip
    st.session_state[_SERVER] = server
    started = "Others reach this server if it was started with `--server.address 0.0.0.0`, or through a proxy."
    if not server.strip():
        words = (
            f"“{plain(str(urlsplit(address).hostname))}” works on this computer only. Enter the address under which "
        )
        above.warning(f"{words}others reach the server.{f' {started}' if deaf else ''}", icon=":material/wifi_off:")
        return address
    if deaf:
        st.caption(started)
    try:
        return moved(address, server)
    except ValueError as error:
        st.error(plain(str(error)))
        return ""
