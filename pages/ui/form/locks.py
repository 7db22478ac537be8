"""The locks and hidden parts in the link of a page, and the sections of its settings, which follow from them."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.form import links
from pages.ui.plain import NOTHING, Markdown, plain

NAMED = 5  # locked settings that a line names


class Locks:
    """The settings and parts that the link of a page locks and hides.

    While the page is drawn, `titles` collects in words each setting by its key, `groups` the group to which it belongs,
    and `parts` what of the page may be hidden. With `inert`, nobody can change anything.
    """

    page: str

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values
        self.titles: dict[str, str] = {}
        self.groups: dict[str, str] = {}
        self.parts: set[str] = set()
        self.inert = False
        self._lock, self._hide = (set(links.names(values.get(p.name, ""))) for p in (links.LOCK, links.HIDE))
        self._group, self._heading = "", Markdown("")
        self._away = False  # in a sidebar that is hidden
        self.narrow = False  # in a sidebar, where a long title is cut
        self._locked: list[str] = []  # what is drawn and locked, in words
        self._line: DeltaGenerator | None = None  # where they are listed
        self._bar: DeltaGenerator | None = None  # where chips stand that open the sections, in place of a sidebar
        self._chip = ExitStack()  # that in which settings are drawn
        self._chips: dict[str, int] = {}  # how many there are of each group
        self._opened = ""  # its words

    @property
    def present(self) -> bool:
        """Whether the page is drawn for a projector."""
        return bool(self.values.get(links.PRESENT.name, links.PRESENT.default))

    @property
    def sticky_query(self) -> dict[str, str]:
        """The part of the link that stays when another link within the page is opened: lock, hide, present."""
        return {p.name: p.format(v) for p in links.COMMON if (v := self.values.get(p.name, p.default)) != p.default}

    def hides(self, part: str) -> bool:
        """Return whether the link hides a part of the page, one of `links.PARTS`."""
        self.parts.add(part)
        return part in self._hide

    def locks(self, key: str) -> bool:
        """Return whether a setting cannot be changed."""
        return self.inert or self._among(self._lock, key)

    def shows(self, key: str) -> bool:
        """Return whether a setting has a widget that is drawn."""
        return not self._away and not self._among(self._hide, key)

    def _among(self, named: set[str], key: str) -> bool:
        return bool(named) and not named.isdisjoint((key, self.groups.get(key, self._group), links.ALL))

    def prepare(self, key: str, title: str) -> bool:
        """Note a setting that is drawn next, and return whether it has a widget, for which the heading is drawn."""
        self.titles[key] = title
        self.groups[key] = self._group
        if not self.shows(key):
            return False
        self._draw_heading()
        if self._among(self._lock, key):
            self._locked.append(links.GROUPS.get(self._group, title) if self._group in self._lock else title)
        return True

    def show_locks(self) -> None:
        """Say what the link locks, once it is drawn, and offer to unlock it."""
        if not self._locked:
            return
        titles = [plain(title) for title in dict.fromkeys(self._locked)]
        more = f" and {len(titles) - NAMED} more" * (len(titles) > NAMED)
        words = "all settings" if links.ALL in self._lock else ", ".join(titles[:NAMED]) + more
        with self._line or st.container(), st.container(key=f"{self.page}-locks", gap="xxsmall"):
            st.markdown(f":material/lock: The link locks {words}.")
            help = "All settings can then be changed, and the address locks none."
            st.button(
                "Unlock", icon=":material/lock_open:", key=f"{self.page}-unlock", on_click=self._unlock, help=help
            )
        self._locked = []

    def _unlock(self) -> None:
        self.values[links.LOCK.name] = ""

    # ---- what is drawn around the settings ---------------------------------------------------------------

    @contextmanager
    def sidebar(self) -> Iterator[None]:
        """Draw the settings that follow in the sidebar, or none of them if the link hides it."""
        self._away, self.narrow = self.hides("sidebar"), True
        with st.sidebar:
            if self._lock and not self._away and links.ALL not in self._hide:  # else the sidebar stays empty
                self._line = st.container()
            yield
        self._away = self.narrow = False

    @contextmanager
    def bar(self, place: DeltaGenerator) -> Iterator[None]:
        """Draw each section that follows behind a chip in a place, or none if the link hides the sidebar."""
        self._away, self._bar = self.hides("sidebar"), place
        with self._chip:
            self._chip.enter_context(place)  # what has no heading
            yield
        if self._lock and not self._away and links.ALL not in self._hide:
            self._line = place.container(width="content")
        self._away, self._bar = False, None

    def section(self, title: Markdown, group: str = "") -> None:
        """Begin a section. Its heading is drawn with its first widget. group : one of `links.GROUPS`.

        In a bar, sections that follow one another with the same title share a chip.
        """
        self._group, self._heading = group or title.lower(), title

    def _draw_heading(self) -> None:
        if self._heading and self._bar is None:
            st.subheader(self._heading)
        elif self._bar is not None and self._heading not in ("", self._opened):
            number = self._chips[self._group] = self._chips.get(self._group, 0) + 1
            self._chip.close()
            self._chip.enter_context(self._bar.popover(self._heading, key=f"chip-{self._group}-{number}"))
            self._opened = self._heading
        self._heading = NOTHING

    def caption(self, text: Markdown, of: str = "") -> None:
        """Draw a note below the widget of a setting."""
        if not of or self.shows(of):
            st.caption(text)

    def note(self, text: Markdown) -> None:
        """Draw a note in place of widgets."""
        st.info(text)

    def expander(self, title: Markdown, keys: Iterable[str] = (), opened: bool = False) -> Any:
        """Return a container of settings that is closed at first; nothing is drawn if all of them are hidden."""
        listed = list(keys)
        if self._away or (listed and not any(map(self.shows, listed))):
            return nullcontext()
        self._draw_heading()
        return st.expander(title, opened, icon=":material/tune:")

    def columns(self, widths: Sequence[int], keys: Iterable[str] = ()) -> Sequence[Any]:
        """Return columns for settings; none are drawn if all with these keys are hidden."""
        listed = list(keys)
        if listed and not any(map(self.shows, listed)):
            return [nullcontext() for _ in widths]
        return st.columns(widths, gap="small" if self.narrow else "large")
