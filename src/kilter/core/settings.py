"""Arguments of public functions, checked against their own annotations."""

from __future__ import annotations

import collections.abc
import inspect
import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, KeysView, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import (
    MISSING,
    dataclass,
    field,
    fields,
    is_dataclass,
    make_dataclass,
    replace,
)
from enum import Enum, StrEnum
from functools import cache, wraps
from math import isfinite
from os import PathLike, fspath
from types import GenericAlias, NoneType, SimpleNamespace, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NoReturn,
    ParamSpec,
    SupportsFloat,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from kilter.core.errors import OptionError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def unsequenced(values: object) -> str | None:
    """Return why values do not come one after another, in one dimension, or None if they do.

    >>> unsequenced(["a", "b"]), unsequenced(iter("ab"))
    (None, None)
    >>> unsequenced({"a", "b"})
    'is a set, which has no order'
    """
    return _whole(values) or _unordered(values)


def _whole(values: object) -> str | None:
    """Return what is one value rather than several."""
    if isinstance(values, str):
        return "is a single string"
    if isinstance(values, (bytes, bytearray, memoryview)):
        return f"is {type(values).__name__}, which are not decoded"
    kind = type(values)
    # Of the type: the attributes of a column of a table may be its labels.
    if hasattr(kind, "columns") or hasattr(kind, "column_names"):
        return f"is a whole table ({kind.__name__})"
    if not isinstance(values, Iterable):
        return f"is {shown(values)}"
    return None


def _unordered(values: object) -> str | None:
    """Return why several values do not come in one order."""
    kind = type(values)
    if isinstance(values, Mapping):
        return f"is a mapping ({kind.__name__})"
    # The keys of a mapping are a set that has an order.
    if isinstance(values, AbstractSet) and not isinstance(values, KeysView):
        return f"is a {kind.__name__}, which has no order"
    dimensions = getattr(values, "ndim", 1)
    if dimensions != 1:
        return f"is an array of {dimensions} dimensions"
    return None


def in_order(values: object) -> list[object]:
    """Return values that are in order as a list, whatever they came in.

    Arrays and columns give Python's own values, so that text is text. Ask `unsequenced` first.
    """
    for name in ("to_pylist", "tolist"):  # Arrow; numpy and pandas
        convert = getattr(values, name, None)
        if convert is not None:
            found: list[Any] = convert()
            return found
    if not isinstance(values, Iterable):
        raise TypeError(f"{shown(values)} holds no values one after another")
    return list(values)


def shown(value: object) -> str:
    """Return a value as a message can show it: on one line, and the beginning of a long one."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else f"{text[:77]}..."


Parameters = ParamSpec("Parameters")
Found = TypeVar("Found")
Made = TypeVar("Made")
Function = TypeVar("Function", bound="Callable[..., Any]")

INT32 = 2**31 - 1
BOUNDS: dict[str, tuple[int, int]] = {
    "attempts": (1, INT32),
    "degrees": (1, 1_000_000),
    "folds": (0, INT32),
    "jobs": (1, INT32),
    "minimum": (1, INT32),
    "resamples": (1, 1_000_000),
    "restarts": (1, INT32),
    "seed": (0, 2**64 - 1),
    "steps": (1, INT32),
    "top": (0, INT32),
    "variants": (1, INT32),
    "window": (0, INT32),
    "workers": (1, 10_000),
    "worst": (1, INT32),
    "worst_order": (1, INT32),
}
"""What whole numbers may be; a name means the same wherever it stands."""

_FILES = {
    *("path", "paths", "judgments", "references", "systems", "source", "scores", "published"),
    *("trees", "trees_reference", "trees_source", "parses", "gold"),
    *("links", "source_hypothesis", "source_reference"),
    *("cache", "data"),
}
"""Texts that name files, which may also be given as paths."""
_WHOLE = (-INT32, INT32)
_LISTS = (collections.abc.Sequence, collections.abc.Iterable, tuple, list)


class _Array:
    """What `numpy.typing.NDArray` is among annotations: numpy's own takes as long to load as our readers."""

    def __class_getitem__(cls, kind: object) -> GenericAlias:
        return GenericAlias(cls, kind)


_NAMESPACE: dict[str, object] = {
    **{name: getattr(collections.abc, name) for name in collections.abc.__all__},
    "NDArray": _Array,
}
"""What annotations may name without an import that is there when the program runs."""


class _RefusedError(Exception):
    """A value is not of the kind that was looked for."""


def checked(function: Callable[Parameters, Found]) -> Callable[Parameters, Found]:
    """Return a function that refuses arguments of other kinds than it is annotated with.

    Whatever is wrong is an `OptionError` that names the argument, its value and what would be right, and
    is raised before the function begins. An option may be given by the name of its value.

    >>> @checked
    ... def twice(text: str, *, jobs: int = 1) -> str:
    ...     return text * 2
    >>> twice("ab", jobs=0)
    Traceback (most recent call last):
        ...
    kilter.core.errors.OptionError: jobs is 0; it must be a whole number from 1 to 2147483647
    """
    signature = inspect.signature(function)
    hints: dict[str, Any] = {}

    @wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Found:
        bound = signature.bind(*args, **kwargs)
        # Not when the function is made: what it is annotated with may be defined after it.
        if not hints:
            hints.update(argument_types(function))
        for name, value in bound.arguments.items():
            if name in hints:
                parameter = signature.parameters[name]
                # Data may be empty; an option that is says nothing.
                empty = parameter.kind is not parameter.KEYWORD_ONLY or parameter.default == ""
                bound.arguments[name] = checked_value(name, value, hints[name], empty=empty)
        return function(*bound.args, **bound.kwargs)

    return call


def argument_types(function: Callable[..., object]) -> dict[str, Any]:
    """Return the types of the arguments of a function that say of what kind they must be."""
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        several = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if not several and parameter.annotation is not parameter.empty:
            inner = inspect.unwrap(function)
            found[name] = _resolved(parameter.annotation, inner.__globals__)
    return found


def _resolved(annotation: object, scope: Mapping[str, object]) -> Any:
    holder = SimpleNamespace(__annotations__={"found": annotation})
    return get_type_hints(holder, dict(scope), _NAMESPACE)["found"]


def check_fields(made: DataclassInstance, *, empty: bool = False) -> None:
    """Raise an `OptionError` for a field of a frozen dataclass whose value is of another kind.

    Options that were given by the names of their values become these values. Texts may be `empty` if asked, else only
    where the default is.
    """
    hints = _field_types(type(made))
    for entry in fields(made):
        value = getattr(made, entry.name)
        allowed = empty or (isinstance(entry.default, str) and not entry.default)
        found = checked_value(entry.name, value, hints[entry.name], empty=allowed)
        if found is not value:
            object.__setattr__(made, entry.name, found)


@cache
def _field_types(kind: type) -> dict[str, Any]:
    """Return the types of a class's fields, which take longer to find out than values to check."""
    return get_type_hints(kind, None, _NAMESPACE)


def checked_value(name: str, value: object, hint: object, *, empty: bool = False) -> Any:
    """Return a value as an annotation wants it; one of another kind is an `OptionError`.

    An `empty` text is refused unless it is allowed: where there is nothing to say, there is None.
    """
    try:
        found = _taken(name, value, hint)
    except _RefusedError:
        raise OptionError(
            f"{name} is {shown(value)}; it must be {_described(name, hint, value)}"
        ) from None
    if isinstance(found, str) and not found and not empty:
        none = ", or None" if type(None) in get_args(hint) else ""
        raise OptionError(f"{name} is an empty text; name something{none}")
    return found


def _taken(name: str, value: object, hint: object) -> object:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _one_of(name, value, inner)
    if origin in _LISTS:
        fixed = origin is tuple and Ellipsis not in inner
        return _tuple_of(name, value, inner) if fixed else _list_of(name, value, inner[0])
    if origin is collections.abc.Mapping or origin is dict:
        return _mapping_of(name, value, *inner)
    if origin is collections.abc.Callable:
        hint = origin
    # An array, or a kind of its own, is looked at by its function.
    if hint is Any or not isinstance(hint, type):
        return value
    return _single(name, value, hint)


def _single(name: str, value: object, kind: type) -> object:
    if kind is int:
        return _whole_argument(name, value)
    if kind is float:
        return _number(value)
    if kind is str and name in _FILES and isinstance(value, PathLike):
        return fspath(value)
    if issubclass(kind, Enum) and isinstance(value, str) and not isinstance(value, kind):
        for each in kind:
            if each.value == value:
                return each
    if not isinstance(value, kind):
        raise _RefusedError
    return value


def _one_of(name: str, value: object, kinds: tuple[object, ...]) -> object:
    # Text last: the name of a value is that value where both are allowed, and else means itself.
    for kind in sorted(kinds, key=lambda each: each is str):
        try:
            return _taken(name, value, kind)
        except _RefusedError:
            continue
    raise _RefusedError


def _tuple_of(name: str, value: object, kinds: tuple[object, ...]) -> object:
    if not isinstance(value, tuple) or len(value) != len(kinds):
        raise _RefusedError
    return tuple(_taken(name, each, kind) for each, kind in zip(value, kinds, strict=True))


def _list_of(name: str, value: object, kind: object) -> tuple[object, ...]:
    if unsequenced(value) is not None:
        raise _RefusedError
    if isinstance(value, range) and value:
        # Both ends before all that lies between them, which may be more than memory holds.
        _taken(name, value[0], kind), _taken(name, value[-1], kind)
    return tuple(_taken(name, each, kind) for each in in_order(value))


def _mapping_of(name: str, value: object, keys: object, values: object) -> dict[object, object]:
    if not isinstance(value, collections.abc.Mapping):
        raise _RefusedError
    return {_taken(name, k, keys): _taken(name, each, values) for k, each in value.items()}


def _whole_argument(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise _RefusedError
    try:
        found = operator.index(value)
    except TypeError:  # an array of several numbers
        raise _RefusedError from None
    low, high = BOUNDS.get(name, _WHOLE)
    if not low <= found <= high:
        raise _RefusedError
    return found


def _number(value: object) -> object:
    if not isinstance(value, (SupportsFloat, SupportsIndex)):
        raise _RefusedError
    try:
        known = isfinite(value)
    except (TypeError, OverflowError):
        raise _RefusedError from None
    if isinstance(value, bool) or not known:
        raise _RefusedError
    return value


_WORDS: dict[object, str] = {
    float: "a number",
    str: "a text",
    bool: "True or False",
    NoneType: "None",
    Any: "anything",
    collections.abc.Hashable: "a value that can be hashed, such as a text or a number",
}


def _described(name: str, hint: object, value: object) -> str:
    """Return what a value must be, in words."""
    origin = get_origin(hint)
    if origin is collections.abc.Callable:
        return "a function"
    inner = [_described(name, each, value) for each in get_args(hint)]
    if origin in (Union, UnionType):
        return ", or ".join(dict.fromkeys(inner))
    if origin is tuple and Ellipsis not in get_args(hint):
        return f"a pair of {' and '.join(inner)}"
    if origin in _LISTS:
        return f"a list, each entry {inner[0]}"
    if origin is collections.abc.Mapping or origin is dict:
        return f"a mapping from {inner[0]} to {inner[1]}"
    return _WORDS.get(hint) or _kind(name, hint, value)


def _kind(name: str, hint: object, value: object) -> str:
    if hint is int:
        low, high = BOUNDS.get(name, _WHOLE)
        told = name in BOUNDS or _is_beyond(value)
        return f"a whole number from {low} to {high}" if told else "a whole number"
    if not isinstance(hint, type):
        return "of another kind"
    if issubclass(hint, Enum):
        return f"one of {', '.join(str(each.value) for each in hint)}"
    own = hint.__module__.partition(".")[0] == "kilter"
    return f"a {'kilter ' if own else ''}{hint.__name__}"


def _is_beyond(value: object) -> bool:
    """Return whether a value is, or lists, a whole number beyond those that are taken."""
    if isinstance(value, (list, tuple)):
        return any(map(_is_beyond, value))
    return isinstance(value, int) and not _WHOLE[0] <= value <= _WHOLE[1]


# Between the words of the name of a class.
_WORDS_choice = re.compile(r"(?<=[a-z])(?=[A-Z])")
Named = TypeVar("Named", bound=StrEnum)


class Choice(StrEnum):
    """An enumeration that says what is allowed when it is given something else."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        allowed = ", ".join(cls)
        name = _WORDS_choice.sub(" ", cls.__name__).lower()
        raise OptionError(f"{name} is {shown(value)}; it can be {allowed}")


def chosen(kind: type[Named], value: str, name: str) -> Named:
    """Return the value of an enumeration; any other is an `OptionError` that lists them."""
    try:
        return kind(value)
    except ValueError:
        raise OptionError(f"{name} is {shown(value)}; it can be {', '.join(kind)}") from None


class Group(StrEnum):
    """Where help lists an option."""

    INPUT = "Input"
    SCORING = "Scoring"
    OPTIONS = "Options"
    OUTPUT = "Output"
    ADVANCED = "Advanced"


class FileUse(Enum):
    """What a text that names a file is good for."""

    READ = "read"
    WRITTEN = "written"


InputFile: TypeAlias = Annotated[str, FileUse.READ]
"""The name of a file that is read, or - for standard input."""
OutputFile: TypeAlias = Annotated[str, FileUse.WRITTEN]
"""The name of a file that is written."""


@dataclass(frozen=True, kw_only=True)
class Spelling:
    """How a command line spells a setting, what its help says, and what values are right.

    No flags mean an argument. `needs` names another setting without which this one has no effect. `choices`
    are the values that a text may have; `parse` makes the value of what was written, or raises an
    `OptionError`. `without_value` is the value where the flag stands alone. It `completes` as another setting does.
    Flags that were renamed still work by their `old` names until the next minor release.
    """

    flags: tuple[str, ...]
    old: tuple[str, ...] = ()
    description: str = ""
    group: Group | None = None
    metavar: str | None = None
    low: float | None = None
    high: float | None = None
    above_low: bool = False
    choices: tuple[str, ...] = ()
    needs: str | None = None
    parse: Callable[[Any], Any] | None = None
    without_value: str | None = None
    completes: str | None = None


_SPELLING = "spelling"
_MIXED = "mixed"
_HELD_WHOLE = "whole"


def setting(*flags: str, default: Any = MISSING, description: str, **more: Any) -> Any:
    """Declare a field of settings: its names on a command line, its default, what help says of it.

    `more` are further fields of `Spelling`. Without a default it must be given; without flags it is
    an option of its own name.
    """
    spelling = Spelling(flags=flags or ("--",), description=description, **more)
    if default is dict:
        return field(default_factory=dict, metadata={_SPELLING: spelling})
    return field(default=default, metadata={_SPELLING: spelling})


def flag(*flags: str, description: str, **more: Any) -> Any:
    """Declare a field that is false unless its flag is given."""
    return setting(*flags, default=False, description=description, **more)


def argument(*, default: Any = MISSING, description: str = "", **more: Any) -> Any:
    """Declare a field that stands on the command line without a flag."""
    spelling = Spelling(flags=(), description=description, **more)
    return field(default=default, metadata={_SPELLING: spelling})


def like(kind: type, name: str, *, default: Any = MISSING, **changed: Any) -> Any:
    """Declare a field that is spelled as one of other settings, but for what is changed."""
    (entry,) = (each for each in fields(kind) if each.name == name)
    known = entry.default if default is MISSING else default
    spelling = replace(entry.metadata[_SPELLING], **changed)
    return field(default=known, metadata={_SPELLING: spelling})


def mixed(
    make: Callable[[], object],
    *,
    without: Sequence[str] = (),
    whole: bool = False,
    **descriptions: str,
) -> Any:
    """Declare a field that holds other settings, as they are made where nothing is given.

    Some may be left `without` an option, others have other words in help. In Python they are given one by
    one, or as a `whole`.
    """
    metadata = {_MIXED: (frozenset(without), descriptions), _HELD_WHOLE: whole}
    return field(default_factory=make, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A field that is a setting, with its type and where it lies in settings that hold others."""

    name: str
    path: tuple[str, ...]
    hint: Any
    default: Any
    spelling: Spelling

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags; none of an argument."""
        own = "--" + self.name.replace("_", "-")
        return tuple(own if flag == "--" else flag for flag in self.spelling.flags)

    @property
    def called(self) -> str:
        """What messages call the setting: its long flag, or the argument."""
        return max(self.flags, key=len, default=self.spelling.metavar or self.name.upper())

    @property
    def several(self) -> bool:
        """Whether it takes any number of values."""
        if get_origin(self.hint) is collections.abc.Mapping:
            return True
        if get_origin(self.hint) is tuple:
            return Ellipsis in get_args(self.hint)
        # Such as a metric, or several.
        return any(get_origin(each) is collections.abc.Sequence for each in _members(self.hint))

    @property
    def kind(self) -> Any:
        """The type of one value, without what may be missing."""
        members = [each for each in _members(self.hint) if each is not NoneType]
        if self.several and get_origin(self.hint) is not tuple:
            return str
        first = members[0]
        first = get_args(first)[0] if get_origin(first) is tuple else first
        return first.__origin__ if hasattr(first, "__metadata__") else first

    @property
    def pair(self) -> bool:
        """Whether it takes two values at once."""
        members = [each for each in _members(self.hint) if get_origin(each) is tuple]
        return bool(members) and Ellipsis not in get_args(members[0])

    @property
    def use(self) -> FileUse | None:
        """Whether it names files that are read or written."""
        return next((use for use in FileUse if _marked(self.hint, use)), None)

    def within_bounds(self, value: Any) -> Any:
        """Return a value; a number beyond the bounds of the setting is an `OptionError`."""
        low, high, above = self.spelling.low, self.spelling.high, self.spelling.above_low
        if isinstance(value, int | float) and not isinstance(value, bool):
            under = low is not None and (value <= low if above else value < low)
            if under or (high is not None and value > high):
                least = f"more than {low:g}" if above else f"{low:g} or more"
                bounds = least if high is None else f"{least}, and at most {high:g}"
                raise OptionError(f"{self.name} is {value!r}; it must be {bounds}")
        return value

    def value(self, settings: object) -> Any:
        """Return the value that settings have."""
        for part in self.path:
            settings = getattr(settings, part)
        return settings


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (UnionType, Union) else (hint,)


def _marked(hint: Any, use: FileUse) -> bool:
    return use in getattr(hint, "__metadata__", ()) or any(
        _marked(each, use) for each in get_args(hint)
    )


def declared(kind: Any) -> Mapping[str, Setting]:
    """Return every setting of a class by its name; a field that holds settings stands for them.

    >>> @dataclass(frozen=True)
    ... class Kept:
    ...     jobs: int = setting("-j", "--jobs", default=1, description="Threads.")
    >>> [each.flags for each in declared(Kept).values()]
    [('-j', '--jobs')]
    """
    return _by_name(kind)


@cache
def _by_name(kind: Any) -> Mapping[str, Setting]:
    return {each.name: each for each in _declared(kind)}


def _declared(kind: Any) -> Iterator[Setting]:
    hints = get_type_hints(kind, None, _NAMESPACE, include_extras=True)
    for entry in fields(kind):
        hint, spelling = hints[entry.name], entry.metadata.get(_SPELLING)
        if spelling is not None:
            yield Setting(
                name=entry.name,
                path=(entry.name,),
                hint=hint,
                default={} if entry.default_factory is dict else entry.default,
                spelling=spelling,
            )
        elif is_dataclass(hint):
            without, descriptions = entry.metadata.get(_MIXED, (frozenset(), {}))
            usual = None if entry.default_factory is MISSING else entry.default_factory()
            for each in declared(hint).values():
                if without.isdisjoint(each.path):
                    said = descriptions.get(each.name, each.spelling.description)
                    yield replace(
                        each,
                        path=(entry.name, *each.path),
                        default=each.default if usual is None else each.value(usual),
                        spelling=replace(each.spelling, description=said),
                    )


def keywords(kind: Any) -> Mapping[str, inspect.Parameter]:
    """Return the settings of a class as keywords of a function: those that it holds one by one, or as a whole."""
    return _keywords(kind)


@cache
def _keywords(kind: Any) -> Mapping[str, inspect.Parameter]:
    hints = _field_types(kind)
    own = {
        entry.name: (entry.default_factory(), hints[entry.name])
        for entry in fields(kind)
        if entry.metadata.get(_HELD_WHOLE) and entry.default_factory is not MISSING
    }
    known = {}
    for name, each in declared(kind).items():
        top = each.path[0]
        known[top if top in own else name] = own.get(top, (each.default, each.hint))
    return {
        name: inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if default is MISSING else default,
            annotation=hint,
        )
        for name, (default, hint) in known.items()
    }


def from_values(kind: type[Made], values: Mapping[str, Any]) -> Made:
    """Return settings with these values, the others being as usual; what is wrong is an `OptionError`.

    Settings that have a method `problems` are asked for what is wrong across fields; it takes the names
    of what was given, also where a value is the usual one. Further problems are notes of the error.
    """
    known = declared(kind)
    for name in values:
        if name not in known:
            raise OptionError(f"there is no option {name!r}; the options are: {', '.join(known)}")
    made = _built(kind, known.values(), values)
    found = [*_idle(made, known, values), *_standard_input(made, known), *_problems(made, values)]
    if found:
        error = OptionError(found[0])
        for problem in found[1:]:
            error.add_note(problem)
        raise error
    return made


def changed(settings: Made, values: Mapping[str, Any]) -> Made:
    """Return settings with other values, given as keywords of a function are."""
    known = keywords(type(settings))
    for name in values:
        if name not in known:
            raise OptionError(f"there is no option {name!r}; the options are: {', '.join(known)}")
    whole = {name: value for name, value in values.items() if name not in declared(type(settings))}
    if whole:
        settings = replace(settings, **whole)  # type: ignore[type-var]
    return _changed(settings, declared(type(settings)).values(), values)


def _built(kind: type[Made], known: Iterable[Setting], values: Mapping[str, Any]) -> Made:
    """Return settings of values by name, with those that they hold."""
    own: dict[str, Any] = {}
    nested: dict[str, list[Setting]] = {}
    for each in known:
        if len(each.path) > 1:
            nested.setdefault(each.path[0], []).append(replace(each, path=each.path[1:]))
        elif each.name in values:
            own[each.name] = each.within_bounds(values[each.name])
    hints = _field_types(cast("type", kind))
    usual = {entry.name: entry.default_factory for entry in fields(kind)}  # type: ignore[arg-type]
    for name, some in nested.items():
        if usual[name] is MISSING:
            own[name] = _built(hints[name], some, values)
        else:
            own[name] = _changed(usual[name](), some, values)  # type: ignore[operator]
    return kind(**own)


def _changed(made: Made, known: Iterable[Setting], values: Mapping[str, Any]) -> Made:
    """Return settings with other values by name, with those that they hold."""
    own: dict[str, Any] = {}
    for each in known:
        if len(each.path) > 1:
            inner = replace(each, path=each.path[1:])
            held = own.get(each.path[0], getattr(made, each.path[0]))
            own[each.path[0]] = _changed(held, [inner], values)
        elif each.name in values:
            own[each.name] = each.within_bounds(values[each.name])
    return replace(made, **own) if own else made  # type: ignore[type-var]


def taken(kind: type[Made], settings: Made | None, values: Mapping[str, Any]) -> Made:
    """Return the settings that a function was given as one object, by keywords, or as both."""
    given = checked_value("settings", settings, kind | None)
    return changed(kind() if given is None else given, values)


def takes(kind: type) -> Callable[[Function], Function]:
    """Return a decorator that shows settings as keywords of a function, which asks `taken` for them.

    >>> @dataclass(frozen=True)
    ... class Kept:
    ...     jobs: int = setting(default=1, description="Threads.")
    >>> @takes(Kept)
    ... def threads(text: str, *, settings: Kept | None = None, **keywords: object) -> str:
    ...     return f"{text} {taken(Kept, settings, keywords).jobs}"
    >>> threads("a", jobs=3), threads("b", settings=Kept(jobs=2)), threads("c")
    ('a 3', 'b 2', 'c 1')
    """

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        shown = signature.replace(parameters=[*own, *keywords(kind).values()])
        function.__signature__ = shown  # type: ignore[attr-defined]
        return function

    return decorate


def settings_function(function: Callable[..., Any]) -> tuple[type, Callable[[Any], Any]]:
    """Return the class of a function's settings, and the function that takes them as one object.

    Its only parameter is of that class; or each parameter is a setting, declared in the place of its default.

    >>> def threads(*, jobs: int = setting(default=1, description="Threads.")) -> str:
    ...     return f"{jobs} threads"
    >>> kind, run = settings_function(threads)
    >>> run(from_values(kind, {"jobs": 3}))
    '3 threads'
    """
    hints = get_type_hints(function, None, _NAMESPACE, include_extras=True)
    parameters = inspect.signature(function).parameters
    first, *others = parameters.values()
    if not others and first.default is first.empty and is_dataclass(hints[first.name]):
        return hints[first.name], function
    entries = [
        (name, hints[name]) if each.default is each.empty else (name, hints[name], each.default)
        for name, each in parameters.items()
    ]
    kind = make_dataclass(function.__name__, entries, frozen=True, kw_only=True)
    return kind, lambda made: function(**{name: getattr(made, name) for name in parameters})


def _idle(made: object, known: Mapping[str, Setting], given: Collection[str]) -> Iterator[str]:
    """Yield what was given and has no effect, because what it goes with is not there."""
    for name in given:
        needed = known[name].spelling.needs
        if needed is not None and known[needed].value(made) in (None, False, (), ""):
            metavar = known[needed].spelling.metavar or ("FILE" if known[needed].use else None)
            yield f"{known[name].called} goes with {known[needed].called}" + (
                f" {metavar}" if metavar else ""
            )


def _standard_input(made: object, known: Mapping[str, Setting]) -> Iterator[str]:
    """Yield a problem if several inputs are to come from standard input."""
    if _standard_inputs(made, known) > 1:
        yield "only one input can come from standard input"


def _standard_inputs(made: object, known: Mapping[str, Setting]) -> int:
    return [path for named in _inputs(made, known) for path in named.split("::")].count("-")


def reads_standard_input(settings: object) -> bool:
    """Return whether settings name standard input as an input."""
    return _standard_inputs(settings, declared(type(settings))) > 0


def input_files(settings: object) -> list[str]:
    """Return the files that settings name as inputs: as named, and of `FILE#PART` and `FILE::FILE` each file."""
    found = []
    for named in _inputs(settings, declared(type(settings))):
        pieces = [piece.rpartition("#")[0] or piece for piece in named.split("::")]
        found += [path for path in dict.fromkeys((named, *pieces)) if path not in ("", "-")]
    return found


def _inputs(settings: object, known: Mapping[str, Setting]) -> Iterator[str]:
    for each in known.values():
        if each.use is FileUse.READ:
            value = each.value(settings)
            yield from (value,) if isinstance(value, str) else value or ()


def _problems(made: object, given: Collection[str]) -> Iterator[str]:
    for entry in fields(made):  # type: ignore[arg-type]
        held = getattr(made, entry.name)
        if is_dataclass(held) and not isinstance(held, type):
            yield from _problems(held, given)
    if hasattr(made, "problems"):
        yield from made.problems(given)
