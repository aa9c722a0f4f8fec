"""Lists of the best translations of each segment: Moses' `id ||| text ||| features ||| score`, or JSON lines.

Moses may add the links of source and translation behind the score (`-print-alignment-info-in-n-best`).
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.settings import Choice
from kilter.io.table import json_object, number, table_lines
from kilter.io.text import check_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kilter.core.links import Link
    from kilter.io.stream import ByteSource

_BETWEEN = "|||"
_ALIGNMENT = re.compile(r"(?:[0-9]{1,9}-[0-9]{1,9}(?:\s+|$))*")
_HELD = "translations, such as 0 ||| a translation ||| lm= -1.5 ||| -2.5"


class NbestForm(Choice):
    """How lists are written: the best texts alone, one a line, or chosen entries as they were read."""

    TEXT = "text"
    MOSES = "moses"
    JSONL = "jsonl"


class NbestEntry(NamedTuple):
    """A translation of a segment (from 0), its features by name and its score, if it has any; its line.

    `links` are those of source and translation, zero-based; None where the list has none.
    """

    segment: int
    text: str
    features: dict[str, float]
    score: float | None
    line: int
    links: tuple[Link, ...] | None = None


def read_nbest(source: ByteSource) -> list[NbestEntry]:
    """Return the candidates of a list in its order; what is malformed is an `InputError` with its line.

    A feature of Moses with several values is `NAME_0`, `NAME_1` and so on; one whose name is missing is
    called by its place, `feature_0`.
    """
    lines = table_lines(source, held=_HELD)
    try:
        return [
            _candidate(text, line, f"{source.name}:{line}")
            for line, text in enumerate(lines, start=1)
        ]
    except InputError:
        for _ in lines:  # what is wrong with the bytes comes first
            pass
        raise


def _candidate(text: str, line: int, where: str) -> NbestEntry:
    parse = _from_json if text.lstrip().startswith("{") else _from_moses
    segment, words, features, score, links = parse(text, where)
    check_cell(words, where=where)
    return NbestEntry(segment, words, features, score, line, links)


_Fields: TypeAlias = (
    "tuple[int, str, dict[str, float], float | None, tuple[tuple[int, int], ...] | None]"
)


def _from_moses(text: str, where: str) -> _Fields:
    fields = [field.strip() for field in text.split(_BETWEEN)]
    if len(fields) < 2:
        raise InputError(
            "is no candidate; write id ||| text ||| features ||| score, or a JSON object",
            where=where,
        )
    features = _features(fields[2], where) if len(fields) > 2 else {}
    score = _number(fields[3], "the score", where) if len(fields) > 3 else None
    # Phrases may be listed too, as 0-1=0-2; word links are the last field that holds nothing else.
    links = next((field for field in reversed(fields[4:]) if _ALIGNMENT.fullmatch(field)), None)
    return _segment(fields[0], where), fields[1], features, score, _links(links)


def _links(text: str | None) -> tuple[tuple[int, int], ...] | None:
    if text is None:
        return None
    pairs = (word.split("-") for word in text.split())
    return tuple((int(first), int(second)) for first, second in pairs)


def _features(text: str, where: str) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    name = "feature"
    for word in text.split():
        label, sign, rest = word.rpartition("=")
        if word.endswith(":") or (sign and not rest):
            name = word[:-1]
        elif sign:
            values.setdefault(label, []).append(_number(rest, f"the feature {label}", where))
        else:
            values.setdefault(name, []).append(_number(word, f"the feature {name}", where))
    return {
        (f"{name}_{index}" if len(listed) > 1 or name == "feature" else name): value
        for name, listed in values.items()
        for index, value in enumerate(listed)
    }


def _from_json(text: str, where: str) -> _Fields:
    entry = json_object(text, where=where)
    words, features = entry.get("text"), entry.get("features", {})
    if not isinstance(words, str) or not isinstance(features, dict):
        raise InputError(
            "needs the keys id and text, and may have features, an object, and score", where=where
        )
    named = {name: _number(value, f"the feature {name}", where) for name, value in features.items()}
    score, alignment = entry.get("score"), entry.get("alignment")
    if alignment is not None and not (
        isinstance(alignment, str) and _ALIGNMENT.fullmatch(alignment.strip())
    ):
        raise InputError(
            f"alignment is {alignment!r}; write links of source and translation, such as 0-0 1-2",
            where=where,
        )
    return (
        _segment(entry.get("id"), where),
        words,
        named,
        None if score is None else _number(score, "the score", where),
        _links(alignment),
    )


def _segment(cell: object, where: str) -> int:
    text = str(cell)
    if isinstance(cell, bool) or not (text.isascii() and text.isdigit() and int(text) < 2**31):
        raise InputError(
            f"id is {cell!r}; segments are numbered from 0 to {2**31 - 1}", where=where
        )
    return int(text)


def _number(cell: object, called: str, where: str) -> float:
    value = number(str(cell)) if isinstance(cell, (str, int, float)) else None
    if value is None or isinstance(cell, bool) or not isfinite(value):
        raise InputError(f"{called} is {cell!r}, which is not a number", where=where)
    return value


def write_nbest(candidates: Iterable[NbestEntry], form: NbestForm) -> Iterator[str]:
    """Yield candidates as lines, without line ends; of Moses' form, what is there of features and score.

    >>> best = NbestEntry(0, "a dog", {"lm": -1.5}, -2.0, 1)
    >>> list(write_nbest([best], NbestForm.MOSES))
    ['0 ||| a dog ||| lm= -1.5 ||| -2.0']
    """
    for each in candidates:
        if form is NbestForm.TEXT:
            yield each.text
        elif form is NbestForm.JSONL:
            entry: dict[str, object] = {
                "id": each.segment,
                "text": each.text,
                "features": each.features,
            }
            entry["score"] = each.score
            if each.links is not None:
                entry["alignment"] = _alignment(each.links)
            yield json.dumps(entry, ensure_ascii=False)
        else:
            features = " ".join(f"{name}= {value!r}" for name, value in each.features.items())
            score = "" if each.score is None else f" {_BETWEEN} {each.score!r}"
            if each.links is not None and score:  # links stand behind the score
                score += f" {_BETWEEN} {_alignment(each.links)}"
            yield f"{each.segment} {_BETWEEN} {each.text} {_BETWEEN} {features}{score}"


def _alignment(links: Iterable[Link]) -> str:
    return " ".join(f"{first}-{second}" for first, second in links)


def grouped(
    candidates: Sequence[NbestEntry], segments: int, *, where: str
) -> list[list[NbestEntry]]:
    """Return the candidates of each segment in order; one without any is an `InputError`."""
    groups: dict[int, list[NbestEntry]] = {}
    for each in candidates:
        if each.segment >= segments:
            raise InputError(
                f"id is {each.segment}, but there are references of {counted(segments, 'segment')}, numbered from 0",
                where=f"{where}:{each.line}",
            )
        groups.setdefault(each.segment, []).append(each)
    if len(groups) < segments:
        missing = next(index for index in range(segments) if index not in groups)
        raise InputError(f"has no candidate of segment {missing}, counted from 0", where=where)
    return [groups[index] for index in range(segments)]
