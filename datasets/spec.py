"""The description of a learner, a data set or a user: an id and parameters, apart from what is made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from datasets.own_code import reference
from datasets.parameters import Declared


@dataclass(frozen=True)
class Spec:
    """An id with parameters, sorted by name. It is hashable, so that it can be a key, and cheap to send elsewhere.

    Parameters that are left out have their defaults. `Spec.of` names them all, so that two specs of the same thing are
    equal.

    >>> Spec("toy-ranking", (("documents", 10), ("data_seed", 1)))
    Spec(id='toy-ranking', params=(('data_seed', 1), ('documents', 10)))
    """

    id: str
    params: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", tuple(sorted(self.params, key=lambda pair: pair[0])))

    @classmethod
    def of(cls, made: Declared) -> Self:
        """Return the description of an instance, with all its parameters.

        >>> import datasets
        >>> Spec.of(datasets.create("synnonsep", examples=100)).values["examples"]
        100
        """
        return cls(reference(type(made)) if isinstance(made, Declared) else made.id, tuple(made.params.items()))

    @property
    def values(self) -> dict[str, Any]:
        """The parameters by name."""
        return dict(self.params)

    def given(self, values: Mapping[str, Any]) -> Self:
        """Return the same with other values of some parameters.

        >>> Spec("banditron", (("gamma", 0.1),)).given({"gamma": 0.2})
        Spec(id='banditron', params=(('gamma', 0.2),))
        """
        return type(self)(self.id, tuple((self.values | dict(values)).items()))
