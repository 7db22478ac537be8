"""A form without widgets: a link gives its values, and it records what is asked for. The drawn form derives from it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from datasets.parameters import Declared, Parameter
from datasets.spec import Spec
from pages.ui.plain import Markdown

# Settings asked for, each with its name in plain words, by its key in the link
Asked = dict[str, tuple[Parameter, str]]


class Form:
    """A form that answers from a link, draws nothing, and records what it is asked for.

    asked : the parameters asked for, each with its name in plain words, by their keys in the link. hidden : keys of
    those that have no field. also : keys of settings that it would ask for if other ids were chosen, apart from the
    parameters of classes. draws : whether widgets are drawn.

    >>> form = Form({"steps": "20"})
    >>> form.widget(Parameter("steps", "integer", 10, 1, 100)), form.asked["steps"][0].default
    (20, 10)
    """

    draws = False

    def __init__(self, query: Mapping[str, str]) -> None:
        self.query = query
        self.asked: Asked = {}
        self.hidden: set[str] = set()
        self.also: set[str] = set()
        self._possible: list[tuple[Collection[type[Declared]], str]] = []

    @property
    def known(self) -> dict[str, Parameter]:
        """The parameters asked for, by key."""
        return {key: parameter for key, (parameter, _) in self.asked.items()}

    def faults(self) -> dict[str, str]:
        """Return what is wrong with the link, once all is asked for: a clause by key, "" for an unknown key."""
        known, found = self.known, dict[str, str]()
        for key, text in self.query.items():
            if key not in known:
                found[key] = ""
                continue
            try:
                known[key].parse(text)
            except ValueError as error:
                found[key] = str(error).replace(known[key].name, key, 1)  # with the slot: gamma-2
        return found

    # ---- what a page asks for ----------------------------------------------------------------------------

    def widget(
        self, parameter: Parameter, key: str | None = None, label: Markdown | None = None,
        titles: Callable[[str], str] | None = None, owner: str = "", slider: bool = True, of: str = "",
        row: bool = False,
    ) -> Any:  # fmt: skip
        """Return the value of a setting that has a widget; a link with a wrong value stands for the default.

        titles : function from the ids of a choice to their titles. owner : whose parameter it is, if several have one
        of this name, so that they do not share a widget. slider : whether a number may have a slider. of : whose
        parameter it is, in words. row : whether a choice is a row of buttons without a label.
        """
        key, _ = self._note_asked(parameter, key, label, of)
        return self.value(parameter, key)

    def number(
        self, parameter: Parameter, key: str | None = None, label: Markdown | None = None, owner: str = ""
    ) -> Any:
        """Return a number that is typed into a field and never set by a slider."""
        return self.widget(parameter, key, label, owner=owner, slider=False)

    def get(self, parameter: Parameter, noted: bool = True) -> Any:
        """Return the value of a setting without a widget. noted : whether links that the page makes contain it."""
        self.hidden.add(parameter.name)
        self._note_asked(parameter)
        return self.value(parameter, parameter.name)

    def several(self, name: str, default: list[str], known: Mapping[str, str], label: Markdown) -> list[str]:
        """Return several ids in the order chosen; a link's are unchecked. `known` maps ids to titles."""
        return str(self.get(Parameter(name, "text", ",".join(default)))).split(",")

    def choose(
        self, parameter: Parameter, classes: Mapping[str, type[Any]], label: Markdown, owner: str = "", suffix: str = ""
    ) -> type[Any] | None:
        """Return the class with the id that is chosen, or None for an id that no class has.

        suffix : of the keys of the class's own parameters.
        """
        self.offer([classes[id] for id in parameter.choices if id in classes], suffix)

        def title(id: str) -> str:
            return classes[id].title if id in classes else f"— {id} —"

        return classes.get(self.widget(parameter, label=label, titles=title, owner=owner))

    def declared(
        self, cls: type[Declared], suffix: str = "", fixed: Mapping[str, Any] = {}, family: str = "",
        defaults: Mapping[str, Any] = {}, of: str = "",
    ) -> Spec:  # fmt: skip
        """Return the id of a class with the values of its parameters, of which those that are `fixed` are not asked.

        A parameter without effect is left at its default, so that the same run has one description.

        family : id of the learners' family, which may use parameters that others do not. defaults : by name, where they
        differ from the declared ones. of : whose parameters they are, in words.
        """
        own = [replace(p, default=defaults[p.name]) if p.name in defaults else p for p in cls.used_by(family)]
        values = dict(fixed)
        # parameters on which others depend come first, so that their values are known
        asked = sorted((p for p in own if p.name not in fixed), key=lambda p: p.when is not None)
        rare = {p.name + suffix: p for p in asked if p.rare}
        opened = any(self.value(p, key) != p.default for key, p in rare.items())
        for several in ([p for p in asked if not p.rare], list(rare.values())):
            with self.expander("More", rare, opened) if several and several[0].rare else nullcontext():
                for p in several:
                    key = p.name + suffix
                    if p.when and values.get(p.when[0]) != p.when[1]:
                        values[p.name] = p.default
                        self._idle(p, key, cls.id, of)
                    else:
                        values[p.name] = self._own(p, key, cls.id, of)
        return Spec(cls.id, tuple((p.name, values[p.name]) for p in own))

    # ---- what only a form with widgets does ----------------------------------------------------------------

    def now(self, parameter: Parameter, owner: str = "") -> Any:
        """Return the value of a setting that is asked for further down, or None: a link may have any value."""
        return None

    def belongs(self, key: str, owner: str, name: str = "") -> None:
        """Let a setting start from its default if it was set for another owner, of whom it no longer is.

        name : of its widget; without it that of a setting of the page.
        """

    def spell_out(self, key: str, text: str) -> None:
        """Have links contain a setting even at its default, which depends on others or on the server."""

    def section(self, title: Markdown, group: str = "") -> None:
        """Begin a section. Its heading is drawn with its first widget. group : one of `links.GROUPS`."""

    def caption(self, text: Markdown, of: str = "") -> None:
        """Draw a note below the widget of a setting."""

    def note(self, text: Markdown) -> None:
        """Draw a note in place of widgets."""

    def expander(self, title: Markdown, keys: Iterable[str] = (), opened: bool = False) -> Any:
        """Return a container of settings that is closed at first, unless it is `opened`."""
        return nullcontext()

    def columns(self, widths: Sequence[int], keys: Iterable[str] = ()) -> Sequence[Any]:
        """Return columns for settings; none are drawn if all with these keys are hidden."""
        return [nullcontext() for _ in widths]

    # ---- what else a link may name -------------------------------------------------------------------------

    def offer(self, classes: Collection[type[Declared]], suffix: str = "") -> None:
        """Note classes whose parameters the form would ask for if they were chosen, with the suffix of their keys."""
        self._possible.append((classes, suffix))

    def possible(self) -> set[str]:
        """Return the keys of what would be asked for if other ids were chosen, found from the declarations."""
        return self.also | {
            p.name + suffix for classes, suffix in self._possible for cls in classes for p in cls.parameters()
        }

    # ---- how it answers --------------------------------------------------------------------------------------

    def _note_asked(
        self, parameter: Parameter, key: str | None = None, label: Markdown | None = None, of: str = ""
    ) -> tuple[str, Markdown]:
        """Note that a setting is asked for, and return its key and its name in plain words, without its owner."""
        key, title = key or parameter.name, label or Markdown(parameter.label)
        self.asked[key] = parameter, f"{title} of {of}" if of else title
        return key, title

    def value(self, parameter: Parameter, key: str) -> Any:
        """Return the value in the link, or the default if it is missing or wrong."""
        try:
            return parameter.parse(self.query[key])
        except (KeyError, ValueError):
            return parameter.default

    def _own(self, parameter: Parameter, key: str, owner: str, of: str) -> Any:
        """Return the value of a parameter of a class."""
        return self.widget(parameter, key, owner=owner, of=of)

    def _idle(self, parameter: Parameter, key: str, owner: str, of: str) -> None:
        """Note a parameter without effect, which a link may contain."""
        self._note_asked(parameter, key, of=of)


def known(ask: Callable[[Form], Any], query: Mapping[str, str] = {}) -> dict[str, Parameter]:
    """Return the parameters that a link with this query may contain, by key."""
    form = Form(query)
    ask(form)
    return form.known


def each(*parameters: Parameter) -> Callable[[Form], None]:
    """Return a function that asks for these settings, for a page whose link has no others."""

    def ask(form: Form) -> None:
        for parameter in parameters:
            form.get(parameter)

    return ask
