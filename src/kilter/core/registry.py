"""Classes by name: built-in and third-party ones register through the same entry points."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cache, cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast, get_type_hints

from kilter.core.errors import OptionError
from kilter.core.language import base_language
from kilter.core.settings import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
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
        raise OptionError(f"{option} is {text!r}, which is not a number")
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


Kind = TypeVar("Kind", bound="Configured")
Asked = TypeVar("Asked")


def _kept(function: Callable[[type[Kind]], Asked]) -> Callable[[type[Kind]], Asked]:
    """Return a function of classes that is asked once of each: what it finds out takes long."""
    return cast("Callable[[type[Kind]], Asked]", cache(function))


@dataclass(frozen=True, kw_only=True)
class Configured:
    """A name and options; constructor, command line, signature and docs all derive from the fields."""

    name: ClassVar[str]
    places: ClassVar[frozenset[str]] = frozenset()
    """Options that say where files are, which is elsewhere on another machine."""
    by_language: ClassVar[frozenset[str]] = frozenset()
    """Options that the language of texts sets where a specification leaves them open. What was made has decided
    them, also where they are as they would be without a language."""

    @classmethod
    def language_options(cls, language: str) -> dict[str, str]:  # noqa: ARG003 - for those that have any
        """Return the options, as text, that texts of a language (`de`, no country) ask for.

        A specification that names one of these options decides itself.
        """
        return {}

    def __post_init__(self) -> None:
        kinds = _option_types(type(self))
        for entry in fields(self):
            value = self._checked(entry, kinds[entry.name], getattr(self, entry.name))
            object.__setattr__(self, entry.name, value)

    @classmethod
    def option_type(cls, name: str) -> type:
        """Return the type of an option: bool, int, float, str or an enumeration."""
        return _option_types(cls)[name]

    def _checked(self, entry: Field[Any], kind: type, value: Any) -> Any:
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
        known = _option_types(cls)
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
            values[name] = value_of_text(text, known[name], f"{cls.name}: {name}")
        return cls(**values)

    @classmethod
    def declared(cls) -> list[Field[Any]]:
        """Return the options in the order of signatures: its own, then the shared ones."""
        return list(_declared(cls))

    def options(self) -> dict[str, str]:
        """Return every option with its value as text, in the order of signatures."""
        found = {}
        for entry in _declared(type(self)):
            value = getattr(self, entry.name)
            found[entry.name] = str(value).lower() if isinstance(value, bool) else str(value)
        return found

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
        default = default_options(type(self))
        changed = []
        for name, value in self.options().items():
            if value != default[name] and name not in without:
                changed.append(f"{name}={value}")
        return ",".join(changed)


@_kept
def _option_types(kind: type[Configured]) -> dict[str, type]:
    hints = get_type_hints(kind)
    return {entry.name: hints[entry.name] for entry in fields(kind)}


@_kept
def _declared(kind: type[Configured]) -> tuple[Field[Any], ...]:
    bases = [base for base in kind.__mro__[1:] if is_dataclass(base)]
    shared = [entry.name for base in bases for entry in fields(base)]
    return tuple(sorted(fields(kind), key=lambda entry: entry.name in shared))


@_kept
def default_options(kind: type[Configured]) -> dict[str, str]:
    """Return the options of what is made without any, as text."""
    return kind().options()


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

    def make(self, specification: str, *, language: str | None = None) -> Kind:
        """Return what a specification such as `name` or `name:option=value,option=value` describes.

        The language of the texts gives options that the specification leaves open.
        """
        name, options = split_specification(specification, self.noun)
        kind, base = self.find(name), base_language(language)
        return kind.from_text({**(kind.language_options(base) if base else {}), **options})

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


def check_knows(tool: Configured, only: str | None, language: str | None) -> None:
    """Raise an `OptionError` if a tool knows only another language than that of the texts."""
    if only is not None and language is not None and language != only:
        raise OptionError(
            f"{tool.name} knows only the language {only}, not {language}; choose another"
        )
