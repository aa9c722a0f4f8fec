"""Files of error spans: Kilter's own, Pearmut and ESA, MQM, xCOMET, WMT, mt-metrics-eval, M2, Label Studio, doccano, tags.

A format says how it counts offsets; in memory they are code points from 0, the end behind the last. What a
format has no room for is lost, which `SpanFormat.keeps` tells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from kilter.core.counted import counted
from kilter.core.errors import InputError, Setting
from kilter.core.settings import checked
from kilter.core.spans import (
    MarkedSegment,
    Side,
    Span,
    Spans,
    blank_words,
)
from kilter.io.json_text import parse_json
from kilter.io.spans.annotation_tool import (
    read_doccano,
    read_esa,
    read_label_studio,
    read_pearmut,
    write_doccano,
    write_esa,
    write_label_studio,
    write_pearmut,
)
from kilter.io.spans.entry import (
    SpanFormatName,
    whole_json,
)
from kilter.io.spans.own import read_own, write_own
from kilter.io.spans.shared_task import (
    read_mqm,
    read_mtme,
    read_wmt,
    read_xcomet,
    write_mqm,
    write_mtme,
    write_wmt,
    write_xcomet,
)
from kilter.io.spans.word import read_m2, read_tags, untagged, write_m2, write_tags
from kilter.io.stream import ByteSource, byte_source
from kilter.io.text import read_table_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    Reader: TypeAlias = Callable[[Sequence[str], str], list[MarkedSegment]]
    Writer: TypeAlias = Callable[[Spans], Iterator[str]]

_HELD = "marked segments"


@dataclass(frozen=True, kw_only=True)
class SpanFormat:
    """A format of files: how it counts, what it keeps of a marked segment and its spans, and how it is read and written."""

    summary: str
    offsets: str
    keeps: frozenset[str]
    read: Reader
    write: Writer
    whole_words: bool = False
    """Whether spans are of whole words between blanks."""


@checked
def read_spans(
    source: ByteSource | str,
    *,
    form: SpanFormatName | str | None = None,
    text: Sequence[str] | None = None,
    check: bool = True,
) -> Spans:
    """Return the spans of a file; without a `form`, its content says what it is.

    `text` holds the lines that were marked, where the file has no text of its own. An offset that does not fit its
    text is an `InputError`, which says how it was counted if that can be told; `check=False` leaves it as it is.
    """
    file = byte_source(source)
    lines = read_table_lines(file, held=_HELD)
    name = SpanFormatName(form) if form else _detected(lines, file.name)
    if name is SpanFormatName.TAGS and text is None:
        raise InputError(
            "tags say nothing of the words they are for; name the text that was tagged",
            where=file.name,
            advice=Setting("text", "FILE"),
        )
    segments = [
        replace(each, target=_its_text(each, text)) for each in FORMATS[name].read(lines, file.name)
    ]
    if name is SpanFormatName.TAGS:
        segments = [untagged(each) for each in segments]
    spans = Spans(tuple(segments))
    return spans.checked() if check else spans


def json_spans(source: ByteSource) -> Spans | None:
    """Return the spans of a JSON file; None where it holds something else, such as a table in JSON lines."""
    lines = read_table_lines(source, held=_HELD)
    first = next((line for line in lines if line.strip()), "").strip()
    try:
        form = _json_form(lines, first, source.name)
    except (
        InputError
    ):  # a table whose first cell begins as JSON does; its reader says what is wrong
        return None
    if form is None:
        return None
    return Spans(tuple(FORMATS[form].read(lines, source.name))).checked()


@checked
def write_spans(
    spans: Spans, *, form: SpanFormatName | str = SpanFormatName.KILTER
) -> Iterator[str]:
    """Yield a file of spans in pieces; what the format cannot hold at all is an `InputError`."""
    yield from FORMATS[SpanFormatName(form)].write(spans)


def lost(spans: Spans, form: str) -> tuple[str, ...]:
    """Return what a format does not keep of these spans, in words."""
    kept = FORMATS[SpanFormatName(form)]
    counts: Counter[str] = Counter()
    for each in spans:
        for name in ("annotator", "source", "score"):
            counts[name] += getattr(each, name) not in (None, "") and name not in kept.keeps
        for span in each.spans:
            counts["side"] += span.side is Side.SOURCE and "side" not in kept.keeps
            kinds = {"order"} if span.category.startswith("order/") else set()
            for name in ("severity", "category", "cost", "correction"):
                if name == "category" and kinds & kept.keeps:
                    continue  # a tag says the kind of an order error
                counts[name] += getattr(span, name) not in (None, "") and name not in kept.keeps
            counts["empty"] += span.start == span.end and "empty" not in kept.keeps
            counts["words"] += kept.whole_words and not _is_whole(each.line(span.side), span)
    told = {
        "side": "spans of the source are left out",
        "empty": "spans without characters are left out",
        "words": "spans reach to the ends of their words",
    }
    return tuple(
        f"{form}: {told.get(name, f'{name} is not kept')} ({count})"
        for name, count in counts.items()
        if count
    )


def _is_whole(line: str | None, span: Span) -> bool:
    if line is None or span.start == span.end:
        return True
    words = blank_words(line)
    return any(span.start == begin for begin, _ in words) and any(
        span.end == end for _, end in words
    )


def _its_text(segment: MarkedSegment, text: Sequence[str] | None) -> str | None:
    if text is None:
        return segment.target
    if not 1 <= segment.segment <= len(text):
        raise InputError(
            f"marks segment {segment.segment}, and the text has {counted(len(text), 'line')}",
            where=segment.where,
        )
    line = text[segment.segment - 1]
    if segment.target not in (None, line):
        raise InputError(
            f"marks {segment.target!r}, and line {segment.segment} of the text is {line!r}; the text is not the one "
            "that was marked",
            where=segment.where,
        )
    return line


def _detected(lines: Sequence[str], name: str) -> SpanFormatName:
    """Return the format that a file seems to have."""
    first = next((line for line in lines if line.strip()), "").strip()
    if first.startswith(("{", "[")):
        form = _json_form(lines, first, name)
        if form is None:
            raise InputError(
                f"is JSON of no known format; name one of {', '.join(SpanFormatName)}",
                where=f"{name}:1",
            )
        return form
    if first.startswith("S "):
        return SpanFormatName.M2
    cells = first.split("\t")
    if {"severity", "target"} <= set(cells) or any("<v>" in line for line in lines):
        return SpanFormatName.MQM
    if "start_indices" in cells or len(cells) == 7 or first.isdigit():
        return SpanFormatName.WMT
    if len(cells) in (2, 3) and cells[1].startswith(("{", "None")):
        return SpanFormatName.MTME
    if all(re.fullmatch(r"(OK|BAD|ORDER)\S*", word) for word in first.split()):
        return SpanFormatName.TAGS
    raise InputError(
        f"is in no known format; name one of {', '.join(SpanFormatName)}", where=f"{name}:1"
    )


def _json_form(lines: Sequence[str], first: str, name: str) -> SpanFormatName | None:
    """Return the format that JSON is in by its keys; None where it is in none."""
    try:
        entry = parse_json(first)
    except ValueError:
        entry = whole_json(lines, name)
    probe = entry[0] if isinstance(entry, list) and entry else entry
    keys = set(probe) if isinstance(probe, dict) else set()
    for form, wanted in (
        (SpanFormatName.KILTER, {"schema", "hypothesis"}),
        (SpanFormatName.PEARMUT, {"campaign_id", "data"}),
        (SpanFormatName.ESA, {"annotation", "item"}),
        (SpanFormatName.ESA, {"esa_spans"}),
        (SpanFormatName.LABEL_STUDIO, {"data", "annotations"}),
        (SpanFormatName.LABEL_STUDIO, {"data", "predictions"}),
        (SpanFormatName.DOCCANO, {"text", "label"}),
        (SpanFormatName.DOCCANO, {"text", "labels"}),
        (SpanFormatName.DOCCANO, {"text", "entities"}),
        (SpanFormatName.XCOMET, {"mt"}),
    ):
        if wanted <= keys:
            return form
    held = next(iter(probe.values()), None) if isinstance(probe, dict) else None
    if isinstance(held, list) and held and isinstance(held[0], dict) and "mt" in held[0]:
        return SpanFormatName.XCOMET
    return None


_HALF_OPEN = "characters from 0, the end behind the last"
_BASE = frozenset({"segment", "target"})
FORMATS: dict[SpanFormatName, SpanFormat] = {
    SpanFormatName.KILTER: SpanFormat(
        summary="JSON lines kilter.spans/1",
        offsets=_HALF_OPEN,
        keeps=_BASE
        | {"name", "system", "annotator", "source", "score", "side", "severity", "category", "cost"}
        | {"correction", "empty"},
        read=read_own,
        write=write_own,
    ),
    SpanFormatName.PEARMUT: SpanFormat(
        summary="a campaign of Pearmut with spans to begin with",
        offsets="UTF-16 units from 0 without line ends, the end is the last unit (inclusive)",
        keeps=_BASE | {"name", "system", "source", "severity", "category", "missing"},
        read=read_pearmut,
        write=write_pearmut,
    ),
    SpanFormatName.ESA: SpanFormat(
        summary="the log of Pearmut, JSON lines; also read: the JSON lines of WMT 2024 ESA (esa_spans)",
        offsets="UTF-16 units from 0 without line ends, the end is the last unit (inclusive); of esa_spans characters, inclusive",
        keeps=_BASE
        | {"name", "system", "annotator", "source", "score", "severity", "category", "missing"},
        read=read_esa,
        write=write_esa,
    ),
    SpanFormatName.MQM: SpanFormat(
        summary="TSV of MQM, one row for each error",
        offsets="<v> before the first character, </v> behind the last",
        keeps=_BASE
        | {"name", "system", "annotator", "source", "side", "severity", "category", "empty"},
        read=read_mqm,
        write=write_mqm,
    ),
    SpanFormatName.XCOMET: SpanFormat(
        summary="JSON of xCOMET with error_spans, by system or a list",
        offsets=_HALF_OPEN,
        keeps=_BASE | {"system", "source", "score", "severity", "cost", "empty"},
        read=read_xcomet,
        write=write_xcomet,
    ),
    SpanFormatName.WMT: SpanFormat(
        summary="tables of WMT's tasks of error spans: with a header as in 2025, or without as in 2023",
        offsets=_HALF_OPEN,
        keeps=_BASE | {"system", "annotator", "source", "severity", "missing"},
        read=read_wmt,
        write=write_wmt,
    ),
    SpanFormatName.MTME: SpanFormat(
        summary="ratings of mt-metrics-eval, a line for each segment of a system",
        offsets=_HALF_OPEN,
        keeps=frozenset(
            {"segment", "system", "annotator", "side", "severity", "category", "cost", "empty"}
        ),
        read=read_mtme,
        write=write_mtme,
    ),
    SpanFormatName.M2: SpanFormat(
        summary="M2 of grammatical error correction (ERRANT)",
        offsets="words between blanks from 0, the end behind the last",
        keeps=_BASE | {"category", "correction", "empty"},
        read=read_m2,
        write=write_m2,
        whole_words=True,
    ),
    SpanFormatName.LABEL_STUDIO: SpanFormat(
        summary="tasks of Label Studio, a JSON list",
        offsets=_HALF_OPEN,
        keeps=_BASE | {"system", "annotator", "source", "side", "severity", "category", "empty"},
        read=read_label_studio,
        write=write_label_studio,
    ),
    SpanFormatName.DOCCANO: SpanFormat(
        summary="JSON lines of doccano",
        offsets=_HALF_OPEN,
        keeps=_BASE | {"system", "annotator", "source", "category", "empty"},
        read=read_doccano,
        write=write_doccano,
    ),
    SpanFormatName.TAGS: SpanFormat(
        summary="a line of tags for each segment, one a word: OK, BAD, BAD-major, ORDER-SWAP",
        offsets="words between blanks",
        keeps=frozenset({"segment", "severity", "order"}),
        read=read_tags,
        write=write_tags,
        whole_words=True,
    ),
}
"""The formats by name: one reader and one writer each."""
