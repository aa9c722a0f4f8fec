"""Classes by name: built-in and third-party ones register through the same entry points."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from kilter.core.configured import Configured
from kilter.core.errors import OptionError
from kilter.core.near_name import suggestion
from kilter.core.specification import split_specification

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Kind = TypeVar("Kind", bound=Configured)


@cache
def _entry_points() -> Any:  # of a type that depends on the version of Python
    """Return what all installed packages register, which takes a while to read: once for all groups."""
    from importlib.metadata import entry_points

    return entry_points()


class Registry(Generic[Kind]):
    """What is registered under one entry-point group; nothing is imported before it is asked for."""

    def __init__(self, group: str, noun: str) -> None:
        self.group = group
        self.noun = noun

    @cached_property
    def _registered(self) -> dict[str, EntryPoint]:
        return {entry.name: entry for entry in _entry_points().select(group=self.group)}

    def names(self) -> list[str]:
        """Return the registered names, in the order of registration."""
        return list(self._registered)

    def find(self, name: str) -> type[Kind]:
        """Return the class behind a name."""
        try:
            found: type[Kind] = self._registered[name].load()
        except KeyError:
            meant = suggestion(name, self.names())
            listed = f"{meant} there are: {', '.join(self.names())}".lstrip()
            raise OptionError(f"there is no {self.noun} {name!r}; {listed}") from None
        return found

    def make(self, specification: str) -> Kind:
        """Return what a specification such as `name` or `name:option=value,option=value` describes."""
        name, options = split_specification(specification, self.noun)
        return self.find(name).from_text(options)

    def specified(self, chosen: str | Configured) -> str:
        """Return the specification of what is chosen by one, or as it was made.

        What no specification makes again is an `OptionError`.
        """
        if not isinstance(chosen, Configured):
            return chosen
        specification = chosen.specification()
        if self.make(specification) != chosen:
            raise OptionError(
                f"{specification} makes another {self.noun} than the one that is given; register it under a "
                "name of its own"
            )
        return chosen.decided()
