"""Things chosen by name with options: metrics, aligners. Their options are dataclass fields."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Self, get_type_hints

from kilter.core.errors import OptionError
from kilter.core.near_name import suggestion
from kilter.core.sequence import shown
from kilter.core.specification import value_of_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from dataclasses import Field


def option(
    default: object, description: str, *, low: float | None = None, high: float | None = None
) -> Any:
    """Declare one option: its default, what it means, and its bounds if it is a number."""
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
