"""What `-m`, `--aligner` and `--parser` take: a name and options, `name:option=value,option=value`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from kilter.core.errors import OptionError
from kilter.core.sequence import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

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
