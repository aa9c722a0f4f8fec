"""Arguments of public functions, checked against their own annotations."""

from __future__ import annotations

import collections.abc
import inspect
import operator
import re
from collections.abc import Iterable, KeysView, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum
from functools import cache, wraps
from math import isfinite
from os import PathLike, fspath
from types import GenericAlias, NoneType, SimpleNamespace, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    NoReturn,
    ParamSpec,
    SupportsFloat,
    SupportsIndex,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from kilter.core.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import Field

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


def check_fields(made: DataclassInstance) -> None:
    """Raise an `OptionError` for a field of a frozen dataclass whose value is of another kind.

    Options that were given by the names of their values become these values.
    """
    hints = _field_types(type(made))
    for entry in fields(made):
        value = getattr(made, entry.name)
        empty = isinstance(entry.default, str) and not entry.default
        found = checked_value(entry.name, value, hints[entry.name], empty=empty)
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


_SPELLING = "spelling"


@dataclass(frozen=True, kw_only=True)
class Spelling:
    """How a command line spells a setting, and what its help says."""

    flags: tuple[str, ...]
    description: str
    metavar: str | None = None


def setting(*flags: str, default: object, description: str, metavar: str | None = None) -> Any:
    """Declare a field of settings: its names on a command line, its default, what help says of it."""
    spelling = Spelling(flags=flags, description=description, metavar=metavar)
    return field(default=default, metadata={_SPELLING: spelling})


def spelled_fields(kind: type) -> dict[str, tuple[Field[object], Spelling]]:
    """Return the fields of a kind of settings that a command line spells, in their order.

    >>> @dataclass(frozen=True)
    ... class Kept:
    ...     jobs: int = setting("-j", "--jobs", default=1, description="Threads.")
    >>> [spelling.flags for _, spelling in spelled_fields(Kept).values()]
    [('-j', '--jobs')]
    """
    return {
        entry.name: (entry, entry.metadata[_SPELLING])
        for entry in fields(kind)
        if _SPELLING in entry.metadata
    }
