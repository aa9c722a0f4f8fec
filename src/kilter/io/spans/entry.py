"""What files of spans are made of: JSON that anybody may have written, names and numbers of segments."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kilter.core.counted import counted
from kilter.core.errors import InputError, OptionError, Setting
from kilter.core.settings import Choice
from kilter.io.json_text import parse_json
from kilter.io.table import json_object, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kilter.core.spans import (
        MarkedSegment,
        Spans,
    )


class SpanFormatName(Choice):
    """How spans are written in a file."""

    KILTER = "kilter"
    PEARMUT = "pearmut"
    ESA = "esa"
    MQM = "mqm"
    XCOMET = "xcomet"
    WMT = "wmt"
    MTME = "mtme"
    M2 = "m2"
    LABEL_STUDIO = "label-studio"
    DOCCANO = "doccano"
    TAGS = "tags"


MISSING = "missing"
"""What ESA writes in the place of an offset, and the category of a span without characters there."""
SEVERITIES = frozenset({"neutral", "minor", "major", "critical", "undecided"})


def whole_json(lines: Sequence[str], name: str) -> Any:
    """Return the JSON that a file is as a whole."""
    try:
        return parse_json("\n".join(lines))
    except ValueError as error:
        raise InputError(f"is not JSON: {error}", where=name) from error


def entries(lines: Sequence[str], name: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the objects of JSON lines, or of one JSON list, and where each stands."""
    if lines and lines[0].lstrip().startswith("["):
        for index, entry in enumerate(listing(whole_json(lines, name), "the file", name), start=1):
            yield mapping(entry, "an entry", f"{name}: entry {index}"), f"{name}: entry {index}"
        return
    for index, line in enumerate(lines, start=1):
        if line.strip():
            yield json_object(line, where=f"{name}:{index}"), f"{name}:{index}"


def mapping(value: object, called: str, where: str) -> dict[str, Any]:
    """Return a JSON object; anything else is an `InputError` that says how the value is called."""
    if not isinstance(value, dict):
        raise InputError(f"{called} is {shown(value)}; it must be a JSON object", where=where)
    return value


def listing(value: object, called: str, where: str) -> list[Any]:
    """Return a JSON list; anything else is an `InputError` that says how the value is called."""
    if not isinstance(value, list):
        raise InputError(f"{called} is {shown(value)}; it must be a JSON list", where=where)
    return value


def text_at(entry: Mapping[str, Any], keys: Sequence[str], where: str) -> str | None:
    """Return the text that one of the keys has; None where there is none."""
    key = next((each for each in keys if entry.get(each) is not None), None)
    if key is None:
        return None
    if isinstance(entry[key], (str, int)) and not isinstance(entry[key], bool):
        return str(entry[key])
    raise InputError(f"{key} is {shown(entry[key])}; it must be a text", where=where)


def offset(value: object, called: str, where: str) -> int:
    """Return a whole number, also one that is written as a text."""
    if isinstance(value, bool) or not isinstance(value, int):
        if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
            return int(value)
        raise InputError(f"{called} is {shown(value)}; it must be a whole number", where=where)
    return value


def score_at(value: object, where: str) -> float | None:
    """Return a number, or None where there is none."""
    if value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)):
        return value
    found = number(value) if isinstance(value, str) else None
    if found is None:
        raise InputError(f"the score is {shown(value)}, which is not a number", where=where)
    return found


def shown(value: object) -> str:
    """Return a value as JSON, short enough for a message."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:37]}..."


def dumped(document: object) -> str:
    """Return a value as JSON in one line."""
    return json.dumps(document, ensure_ascii=False)


class Numbering:
    """Numbers of segments: those that a file states, or the order in which names come."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, name: object) -> tuple[int, str]:
        """Return the number of a segment, and its name where that is not a number."""
        text = str(name)
        if re.fullmatch(r"[1-9][0-9]{0,8}", text):
            return int(text), ""
        return self._numbers.setdefault(text, len(self._numbers) + 1), text


def stated(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what has a value."""
    return {key: value for key, value in values.items() if value not in (None, "")}


def json_line(document: object) -> str:
    """Return a line of JSON."""
    return dumped(document) + "\n"


def needed_text(each: MarkedSegment) -> str:
    """Return the text that was marked, without which a format cannot be written."""
    if each.target is None:
        raise InputError(
            f"segment {each.segment} has no text, which this format needs",
            where=each.where or None,
            advice=Setting("text", "FILE"),
        )
    return each.target


def check_one_system(spans: Spans, called: str) -> None:
    """Raise an `OptionError` for spans of several systems, where a format names none."""
    if len(spans.systems) > 1:
        raise OptionError(
            f"there are {counted(len(spans.systems), 'system')}, and a file of {called} does not say whose its lines "
            "are; choose one"
        )
