"""Classes by name: built-in and third-party ones register through the same entry points."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cache, cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, get_type_hints

from kilter.core.errors import OptionError
from kilter.core.settings import shown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from dataclasses import Field
    from importlib.metadata import EntryPoint

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def split_specification(specification: str, noun: str) -> tuple[str, dict[str, str]]:
    """Return name and options of `name` or `name:option=value,option=value`; `noun` says of what.

    >>> split_specification("pef:beta=0.5,gamma=0.5", "metric")
    ('pef', {'beta': '0.5', 'gamma': '0.5'})
    """
    if not isinstance(specification, str):
        article = "an" if noun[0] in "aeiou" else "a"
        raise OptionError(f"{article} {noun} is named by a text, not by {shown(specification)}")
    name, _, listed = specification.partition(":")
    options: dict[str, str] = {}
    for part in filter(None, listed.split(",")):
        option, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"{specification!r}: write options as name=value, not {part!r}")
        if option in options:
            raise OptionError(f"{specification!r}: option {option} is given twice")
        options[option] = value
    return name, options


def option_values(specifications: str | Iterable[str] | None) -> list[str]:
    """Return the values of all options, some of which may be files; what is no specification has none.

    >>> option_values(["kilter:weights=own.json", "bleu"])
    ['own.json']
    """
    listed = [specifications] if isinstance(specifications, str) else specifications or ()
    parts = (part for each in listed for part in each.partition(":")[2].split(","))
    return [value for part in parts if (value := part.partition("=")[2])]


def value_of_text(text: str, kind: type, option: str) -> Any:
    """Return the truth or number that a specification writes; text that is neither stays as it is.

    >>> value_of_text("yes", bool, "pef: flat"), value_of_text("1e-3", float, "pef: beta")
    (True, 0.001)
    """
    if kind is bool:
        if text in ("true", "yes"):
            return True
        if text in ("false", "no"):
            return False
        raise OptionError(f"{option} is {text!r}; it can be true or false")
    if kind not in (int, float):
        return text
    if not _NUMBER.fullmatch(text) or (kind is int and not text.lstrip("+-").isdigit()):
        raise OptionError(f"{option} is {text!r}, which is no number")
    return kind(text)


_NEAR = 0.7
"""How alike two names are at least, of 1, that one may be meant by the other: short ones share letters by chance."""


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return a question after the nearest of some names, upper and lower case alike; empty if none is near.

    >>> suggestion("KENDAL", ["pef", "kendall"]), suggestion("xyz", ["pef", "kendall"])
    ('did you mean kendall?', '')
    """
    folded = {each.casefold(): each for each in names}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=_NEAR)
    return f"did you mean {folded[close[0]]}?" if close else ""


def option(
    default: object, description: str, *, low: float | None = None, high: float | None = None
) -> Any:
    """Declare one option: its default, what it means, and both bounds, or none, if it is a number."""
    if (low is None) != (high is None):
        raise TypeError(f"an option has both bounds or none: {description!r} has one")
    return field(default=default, metadata={"help": description, "low": low, "high": high})


@dataclass(frozen=True, kw_only=True)
class Configured:
    """A name and options; constructor, command line, signature and docs all derive from the fields."""

    name: ClassVar[str]
    places: ClassVar[frozenset[str]] = frozenset()
    """Options that say where files are, which is elsewhere on another machine."""
    by_language: ClassVar[frozenset[str]] = frozenset()
    """Options that the language of texts sets where a specification leaves them open. What was made has decided
    them, also where they are as they would be without a language."""

    def __post_init__(self) -> None:
        for entry in fields(self):
            object.__setattr__(self, entry.name, self._checked(entry, getattr(self, entry.name)))

    @classmethod
    def option_type(cls, name: str) -> type:
        """Return the type of an option: bool, int, float, str or an enumeration."""
        found = _type_hints(cls)[name]
        assert isinstance(found, type)  # noqa: S101 - options are declared with plain types
        return found

    def _checked(self, entry: Field[Any], value: Any) -> Any:
        kind = self.option_type(entry.name)
        if issubclass(kind, StrEnum):
            try:
                return kind(value)
            except ValueError:
                allowed = ", ".join(kind)
                raise OptionError(
                    f"{self.name}: {entry.name} is {shown(value)}; it can be {allowed}"
                ) from None
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise OptionError(
                f"{self.name}: {entry.name} is {shown(value)}; it must be {kind.__name__}"
            )
        if isinstance(value, float) and not isfinite(value):
            raise OptionError(f"{self.name}: {entry.name} is {value}; it must be a finite number")
        low, high = entry.metadata["low"], entry.metadata["high"]
        if low is not None and not low <= value <= high:
            raise OptionError(
                f"{self.name}: {entry.name} is {value}; it must lie between {low:g} and {high:g}"
            )
        return value

    @classmethod
    def from_text(cls, options: Mapping[str, str]) -> Self:
        """Return the thing with options given as text, as on the command line."""
        known = {entry.name for entry in fields(cls)}
        values: dict[str, Any] = {}
        for name, text in options.items():
            if name not in known:
                listed = f"its options are: {', '.join(sorted(known)) or 'none'}"
                meant = f"{suggestion(name, known)} {listed}".lstrip()
                raise OptionError(f"{cls.name} has no option {name!r}; {meant}")
            if not text and name in cls.places:
                raise OptionError(
                    f"{cls.name}: {name} is empty; name a file or folder, or leave it out"
                )
            values[name] = value_of_text(text, cls.option_type(name), f"{cls.name}: {name}")
        return cls(**values)

    @classmethod
    def declared(cls) -> list[Field[Any]]:
        """Return the options in the order of signatures: its own, then the shared ones."""
        bases = [base for base in cls.__mro__[1:] if is_dataclass(base)]
        shared = [entry.name for base in bases for entry in fields(base)]
        return sorted(fields(cls), key=lambda entry: entry.name in shared)

    def options(self) -> dict[str, str]:
        """Return every option with its value as text, in the order of signatures."""
        return {entry.name: _as_text(getattr(self, entry.name)) for entry in self.declared()}

    def specification(self) -> str:
        """Return the shortest `-m` argument that makes this again: options that are not default."""
        return self._specified(self.changed_options())

    def placeless(self) -> str:
        """Return the specification without options that say where files are."""
        return self._specified(self.changed_options(without=self.places))

    def decided(self) -> str:
        """Return the specification that makes this again whatever the language of the texts."""
        changed = self.changed_options(without=self.by_language)
        own = [
            f"{name}={value}" for name, value in self.options().items() if name in self.by_language
        ]
        return self._specified(",".join(filter(None, [*own, changed])))

    def _specified(self, changed: str) -> str:
        return f"{self.name}:{changed}" if changed else self.name

    def changed_options(self, *, without: Collection[str] = ()) -> str:
        """Return the options that are not default, as a specification writes them."""
        default = type(self)().options()
        changed = {k: v for k, v in self.options().items() if default[k] != v and k not in without}
        return ",".join(f"{k}={v}" for k, v in changed.items())


_HINTS: dict[type, dict[str, Any]] = {}


def _type_hints(kind: type) -> dict[str, Any]:
    """Return the types of a class's fields, which take long to find out, kept."""
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


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
