"""Kilter's own spans: JSON lines `kilter.spans/1`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kilter.core.errors import InputError
from kilter.core.spans import (
    MarkedSegment,
    Side,
    Span,
    Spans,
)
from kilter.io.spans.entry import (
    entries,
    json_line,
    listing,
    mapping,
    offset,
    score_at,
    shown,
    stated,
    text_at,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SCHEMA = "kilter.spans/1"
OFFSETS = "characters, half-open"
"""How Kilter's own files count, which they say of themselves."""


def marked_document(entry: Mapping[str, Any], where: str = "") -> MarkedSegment:
    """Return the marked segment of a document `kilter.spans/1`."""
    stated = entry.get("offsets", OFFSETS)
    if stated != OFFSETS:
        raise InputError(f"counts offsets as {shown(stated)}; Kilter counts {OFFSETS}", where=where)
    segment = offset(entry.get("segment"), "segment", where)
    spans = listing(entry.get("error_spans"), "error_spans", where)
    return MarkedSegment(
        segment=segment,
        system=text_at(entry, ["system"], where) or "",
        annotator=text_at(entry, ["annotator"], where) or "",
        name=text_at(entry, ["name"], where) or "",
        target=text_at(entry, ["hypothesis"], where),
        source=text_at(entry, ["source"], where),
        score=score_at(entry.get("score"), where),
        spans=tuple(_own_span(mapping(each, "a span", where), where) for each in spans),
        where=where,
    )


def _own_span(entry: Mapping[str, Any], where: str) -> Span:
    cost = entry.get("cost")
    if isinstance(cost, dict):
        cost = next(iter(cost.values()), None)
    return Span(
        start=offset(entry.get("start_i"), "start_i", where),
        end=offset(entry.get("end_i"), "end_i", where),
        text=text_at(entry, ["text"], where),
        side=Side(entry.get("side") or Side.TARGET),
        severity=text_at(entry, ["severity"], where) or "",
        category=text_at(entry, ["category"], where) or "",
        cost=score_at(cost, where),
        correction=text_at(entry, ["correction"], where),
    )


def read_own(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return the marked segments of documents, one a line."""
    return [marked_document(entry, where) for entry, where in entries(lines, name)]


def write_own(spans: Spans) -> Iterator[str]:
    """Yield a document for each marked segment."""
    for each in spans:
        head = {"system": each.system, "segment": each.segment}
        more = {"name": each.name, "annotator": each.annotator, "score": each.score}
        texts = {"source": each.source, "hypothesis": each.target}
        yield json_line(
            {"schema": SCHEMA}
            | head
            | stated(more)
            | {key: value for key, value in texts.items() if value is not None}
            | {"offsets": OFFSETS, "error_spans": [_own_document(span) for span in each.spans]}
        )


def _own_document(span: Span) -> dict[str, Any]:
    side = span.side if span.side is Side.SOURCE else ""
    return {"start_i": span.start, "end_i": span.end} | stated(
        {"text": span.text, "side": side, "severity": span.severity, "category": span.category}
        | {"cost": span.cost},
    ) | ({} if span.correction is None else {"correction": span.correction})  # fmt: skip
