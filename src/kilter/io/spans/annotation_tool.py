"""Spans of annotation tools: Pearmut and ESA, Label Studio, doccano."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.spans import (
    MarkedSegment,
    Side,
    Span,
    Spans,
    utf16_characters,
    utf16_units,
)
from kilter.io.spans.entry import (
    MISSING,
    SEVERITIES,
    Numbering,
    entries,
    json_line,
    listing,
    mapping,
    needed_text,
    offset,
    score_at,
    stated,
    text_at,
    whole_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# Pearmut and ESA: inclusive ends, in units of UTF-16 that leave out line ends.

_BREAK = "\n"


def _inclusive_span(entry: Mapping[str, Any], line: str, where: str, *, units: bool) -> Span:
    """Return a span of ESA: its end is the last character, and what is missing has no offsets."""
    first, last = entry.get("start_i"), entry.get("end_i")
    characters = utf16_characters(line, without=_BREAK) if units else range(len(line) + 1)
    size = len(characters) - 1
    kept = {
        "severity": text_at(entry, ["severity"], where) or "",
        "category": text_at(entry, ["category"], where) or "",
    }
    if first == MISSING or (units and first == last == size):
        kept["category"] = kept["category"] or MISSING
        return Span(start=len(line), end=len(line), **kept)  # type: ignore[arg-type]
    start, end = offset(first, "start_i", where), offset(last, "end_i", where)
    if not 0 <= start <= end < size:
        raise InputError(
            f"a span is from {start} to {end}, and the text has {counted(size, 'character')}; ESA counts from 0, "
            f"and the end is the last character (inclusive), at most {size - 1}",
            where=where,
        )
    return Span(start=characters[start], end=characters[end] + 1, **kept)  # type: ignore[arg-type]


def _inclusive_document(span: Span, line: str) -> dict[str, Any]:
    units = utf16_units(line, without=_BREAK)
    empty = units[span.start] == units[span.end]  # nothing, or line ends alone
    return {
        "start_i": units[-1] if empty else units[span.start],
        "end_i": units[-1] if empty else units[span.end] - 1,
        "severity": span.severity or None,
        "category": None if empty and span.category == MISSING else span.category or None,
    }


def read_esa(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return what Pearmut logs, a line a document and annotator, or ESA's own lines, one a segment."""
    numbering = Numbering()
    found: list[MarkedSegment] = []
    for entry, where in entries(lines, name):
        if "esa_spans" in entry:
            found.append(_esa_line(entry, where))
        else:
            found += _pearmut_log(entry, numbering, where)
    return found


def _esa_line(entry: Mapping[str, Any], where: str) -> MarkedSegment:
    line = text_at(entry, ["tgt"], where) or ""
    spans = listing(entry["esa_spans"], "esa_spans", where)
    return MarkedSegment(
        segment=offset(entry.get("line_id"), "line_id", where) + 1,
        system=text_at(entry, ["system"], where) or "",
        annotator=text_at(entry, ["annotator"], where) or "",
        target=line,
        source=text_at(entry, ["src"], where),
        score=score_at(entry.get("esa_score"), where),
        spans=tuple(
            _inclusive_span(mapping(each, "a span", where), line, where, units=False)
            for each in spans
        ),
        where=where,
    )


def _pearmut_log(
    entry: Mapping[str, Any], numbering: Numbering, where: str
) -> Iterator[MarkedSegment]:
    """Yield what one annotator marked in the segments of one document; tutorials and skipped items are left out."""
    place = entry.get("item_i")
    if isinstance(place, str) and place.startswith(("welcome_", "random_", "goodbye_")):
        return
    items = listing(entry.get("item"), "item", where)
    annotations = listing(entry.get("annotation"), "annotation", where)
    for index, (each, marked) in enumerate(zip(items, annotations, strict=False)):
        item = mapping(each, "an item", where)
        if marked is None or "tgt" not in item:
            continue
        segment, called = numbering.of(item.get("item_id", f"{place}/{index}"))
        targets = mapping(item["tgt"], "tgt", where)
        for system, given in mapping(marked, "an annotation", where).items():
            answer = mapping(given, "an annotation", where)
            line = targets.get(system)
            if not isinstance(line, str):
                raise InputError(f"annotates {system}, which tgt does not have", where=where)
            yield MarkedSegment(
                segment=segment,
                name=called,
                system=system,
                annotator=text_at(entry, ["user_id"], where) or "",
                target=line,
                source=text_at(item, ["src"], where),
                score=score_at(answer.get("score"), where),
                spans=_pearmut_spans(answer.get("error_spans"), line, where),
                where=where,
            )


def _pearmut_spans(value: object, line: str, where: str) -> tuple[Span, ...]:
    spans = [] if value is None else listing(value, "error_spans", where)
    return tuple(
        _inclusive_span(mapping(each, "a span", where), line, where, units=True) for each in spans
    )


def read_pearmut(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return the spans that a campaign holds beforehand; segments without any are not marked."""
    if lines and '"annotation"' in lines[0]:
        return read_esa(lines, name)
    campaign = mapping(whole_json(lines, name), "the file", name)
    numbering = Numbering()
    found: list[MarkedSegment] = []
    for item in _items(campaign.get("data"), name):
        targets, given = item.get("tgt"), item.get("error_spans") or {}
        if not isinstance(targets, dict) or not isinstance(given, dict):
            continue
        segment, called = numbering.of(item.get("item_id", f"item {len(found) + 1}"))
        where = f"{name}: item {item.get('item_id', segment)}"
        for system, line in targets.items():
            if system in given and isinstance(line, str):
                found.append(
                    MarkedSegment(
                        segment=segment,
                        name=called,
                        system=system,
                        target=line,
                        source=text_at(item, ["src"], where),
                        spans=_pearmut_spans(given[system], line, where),
                        where=where,
                    )
                )
    return found


def _items(value: object, name: str) -> Iterator[dict[str, Any]]:
    """Yield the items of a campaign, of all its documents and tasks."""
    if isinstance(value, list):
        for each in value:
            yield from _items(each, name)
    elif isinstance(value, dict):
        yield value
    else:
        raise InputError("data is not a list of tasks, documents and items", where=name)


def write_pearmut(spans: Spans) -> Iterator[str]:
    """Yield a campaign whose items have the spans to begin with; a document for each segment."""
    items: dict[str, dict[str, Any]] = {}
    for each in spans:
        item = items.setdefault(
            each.name or str(each.segment), {"src": each.source, "tgt": {}, "error_spans": {}}
        )
        if each.system in item["tgt"]:
            raise InputError(
                f"segment {each.name or each.segment} of {each.system} was marked by several annotators, and a campaign "
                "holds the spans of one; choose one, or write esa",
                where=each.where or None,
            )
        item["tgt"][each.system] = needed_text(each)
        item["error_spans"][each.system] = _inclusive_spans(each)
    data = [
        [stated({"src": item["src"]}) | {"tgt": item["tgt"], "error_spans": item["error_spans"], "item_id": name}]
        for name, item in items.items()
    ]  # fmt: skip
    info = {"assignment": "task-based", "protocol": "ESA"}
    yield json_line({"campaign_id": "kilter", "info": info, "data": [data]})


def _inclusive_spans(each: MarkedSegment) -> list[dict[str, Any]]:
    line = needed_text(each)
    return [_inclusive_document(span, line) for span in each.spans if span.side is Side.TARGET]


def write_esa(spans: Spans) -> Iterator[str]:
    """Yield a line of Pearmut's log for each marked segment."""
    for index, each in enumerate(spans):
        answer = {"score": each.score, "error_spans": _inclusive_spans(each)}
        item = stated({"item_id": each.name or str(each.segment), "src": each.source})
        yield json_line(
            {
                "annotation": [{each.system: answer}],
                "item": [item | {"tgt": {each.system: needed_text(each)}}],
                "user_id": each.annotator,
                "item_i": index,
            }
        )


# Label Studio and doccano: half-open characters.


def read_label_studio(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return the annotations and predictions of the tasks."""
    found = []
    for index, (task, where) in enumerate(entries(lines, name), start=1):
        data = mapping(task.get("data"), "data", where)
        for given in (*(task.get("annotations") or ()), *(task.get("predictions") or ())):
            answer = mapping(given, "an annotation", where)
            if answer.get("was_cancelled"):
                continue
            by = answer.get("completed_by", answer.get("model_version"))
            by = by.get("email", by.get("id")) if isinstance(by, dict) else by
            results = listing(answer.get("result"), "result", where)
            found.append(
                MarkedSegment(
                    segment=offset(data.get("segment", task.get("id", index)), "segment", where),
                    system=text_at(data, ["system"], where) or "",
                    annotator="" if by is None else str(by),
                    target=text_at(data, ["text"], where),
                    source=text_at(data, ["source"], where),
                    spans=tuple(_labelled(results, where)),
                    where=where,
                )
            )
    return found


def _labelled(results: Iterable[object], where: str) -> Iterator[Span]:
    for result in results:
        entry = mapping(result, "a result", where)
        value = mapping(entry.get("value"), "value", where)
        if "start" not in value:
            continue  # a choice or a rating of the whole text
        labels = [str(each) for each in value.get("labels") or value.get("hypertextlabels") or ()]
        yield Span(
            start=offset(value.get("start"), "start", where),
            end=offset(value.get("end"), "end", where),
            text=text_at(value, ["text"], where),
            side=Side.SOURCE if entry.get("to_name") == Side.SOURCE else Side.TARGET,
            severity=_severity(labels),
            category=_category(labels),
        )


def _severity(labels: Sequence[str]) -> str:
    """Return the label that names a severity."""
    return next((each for each in labels if each.casefold() in SEVERITIES), "")


def _category(labels: Sequence[str]) -> str:
    """Return the first label that names no severity."""
    return next((each for each in labels if each.casefold() not in SEVERITIES), "")


def _label_texts(span: Span) -> list[str]:
    return [each for each in (span.category, span.severity) if each]


def write_label_studio(spans: Spans) -> Iterator[str]:
    """Yield one JSON list of tasks with all annotations of a segment."""
    tasks: list[dict[str, Any]] = []
    for marked in spans.by_segment().values():
        first = marked[0]
        data = {"text": needed_text(first), "segment": first.segment} | stated(
            {"system": first.system, "source": first.source}
        )
        answers = [
            stated({"completed_by": each.annotator})
            | {
                "result": [
                    _result(span, number_) for number_, span in enumerate(each.spans, start=1)
                ]
            }
            for each in marked
        ]
        tasks.append({"data": data, "annotations": answers})
    yield json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def _result(span: Span, number_: int) -> dict[str, Any]:
    value = {"start": span.start, "end": span.end, "text": span.text, "labels": _label_texts(span)}
    of = Side.SOURCE if span.side is Side.SOURCE else "text"
    return {"id": f"span{number_}", "type": "labels", "from_name": "label", "to_name": of, "value": value}  # fmt: skip


def read_doccano(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return the labelled texts, one a line."""
    found = []
    for index, (entry, where) in enumerate(entries(lines, name), start=1):
        key = next((each for each in ("label", "labels", "entities") if each in entry), "label")
        spans = []
        for each in listing(entry.get(key), key, where):
            if isinstance(each, list) and len(each) == 3:
                first, last, tag = each
            else:
                mark = mapping(each, "a label", where)
                first, last, tag = (
                    mark.get("start_offset"),
                    mark.get("end_offset"),
                    mark.get("label"),
                )
            spans.append(
                Span(
                    start=offset(first, "a start", where),
                    end=offset(last, "an end", where),
                    severity=_severity([str(tag)]),
                    category=_category([str(tag)]),
                )
            )
        found.append(
            MarkedSegment(
                segment=offset(entry.get("segment", index), "segment", where),
                system=text_at(entry, ["system"], where) or "",
                annotator=text_at(entry, ["annotator"], where) or "",
                target=text_at(entry, ["text", "data"], where),
                source=text_at(entry, ["source"], where),
                spans=tuple(spans),
                where=where,
            )
        )
    return found


def write_doccano(spans: Spans) -> Iterator[str]:
    """Yield a line for each marked segment; a span has one label, its category or else its severity."""
    for each in spans:
        labels = [
            [span.start, span.end, (_label_texts(span) or ["error"])[0]]
            for span in each.spans
            if span.side is Side.TARGET
        ]
        more = {"system": each.system, "annotator": each.annotator, "source": each.source}
        yield json_line(
            {"text": needed_text(each), "label": labels, "segment": each.segment} | stated(more)
        )
