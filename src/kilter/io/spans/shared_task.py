"""Spans of shared tasks and metrics: MQM, xCOMET, tables of WMT, ratings of mt-metrics-eval."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kilter.core.counted import counted
from kilter.core.errors import InputError
from kilter.core.spans import (
    MarkedSegment,
    Side,
    Span,
    Spans,
)
from kilter.io.spans.entry import (
    MISSING,
    Numbering,
    dumped,
    entries,
    listing,
    mapping,
    needed_text,
    offset,
    score_at,
    stated,
    text_at,
    whole_json,
)
from kilter.io.table import json_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# MQM: a row for each error, between <v> and </v>.

_MQM = ("system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity", "metadata")  # fmt: skip
_NO_ERROR = "No-error"
_OPENED, _CLOSED = "<v>", "</v>"


def read_mqm(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return the marked segments of the rows, in the order in which they begin."""
    columns = [cell.strip() for cell in lines[0].split("\t")]
    index = {
        wanted: next((columns.index(each) for each in names if each in columns), None)
        for wanted, names in (
            ("system", ["system"]),
            ("segment", ["globalSegId", "global_seg_id", "seg_id", "docSegId"]),
            ("rater", ["rater"]),
            ("source", ["source"]),
            ("target", ["target"]),
            ("category", ["category"]),
            ("severity", ["severity"]),
        )
    }
    lacking = [wanted for wanted, place in index.items() if place is None and wanted != "segment"]
    if lacking:
        raise InputError(
            f"has no column {lacking[0]}; a file of MQM has the columns {', '.join(_MQM)}",
            where=f"{name}:1",
        )
    found: dict[tuple[str, str, str], MarkedSegment] = {}
    numbering = Numbering()
    for number_, line in enumerate(lines[1:], start=2):
        where, cells = f"{name}:{number_}", line.split("\t")
        if not line.strip():
            continue
        if len(cells) < max(place for place in index.values() if place is not None) + 1:
            raise InputError(
                f"has {counted(len(cells), 'field')}; the header names {len(columns)}", where=where
            )
        row = {wanted: cells[place] for wanted, place in index.items() if place is not None}
        called = row.get("segment") or _unmarked(row["target"])
        key = row["system"], called, row["rater"]
        if key not in found:
            segment, other = numbering.of(called)
            found[key] = MarkedSegment(
                segment=segment,
                name=other,
                system=row["system"],
                annotator=row["rater"],
                target=_unmarked(row["target"]),
                source=_unmarked(row["source"]),
                where=where,
            )
        more = _marked_spans(row, where)
        found[key] = replace(found[key], spans=(*found[key].spans, *more))
    return list(found.values())


def _unmarked(text: str) -> str:
    return text.replace(_OPENED, "").replace(_CLOSED, "")


def _marked_spans(row: Mapping[str, str], where: str) -> Iterator[Span]:
    """Yield the spans of a row: one a side, or none where there is no error."""
    if (
        row["severity"].casefold() == _NO_ERROR.casefold()
        or row["category"].casefold() == _NO_ERROR.casefold()
    ):
        return
    marked = False
    for side in Side:
        text = row[side]
        if (text.count(_OPENED), text.count(_CLOSED)) not in ((0, 0), (1, 1)):
            raise InputError(
                f"the {side} is not marked by one {_OPENED} and one {_CLOSED}", where=where
            )
        if _OPENED not in text:
            continue
        start, end = text.index(_OPENED), text.index(_CLOSED) - len(_OPENED)
        marked = True
        yield Span(
            start=start,
            end=end,
            side=side,
            severity=row["severity"],
            category=row["category"],
        )
    if not marked:
        length = len(row["target"])
        yield Span(start=length, end=length, severity=row["severity"], category=row["category"])


def write_mqm(spans: Spans) -> Iterator[str]:
    """Yield a row for each error, and one that says so where there is none."""
    yield "\t".join(_MQM) + "\n"
    for each in spans:
        line, source = needed_text(each), each.source or ""
        for text in (line, source, each.system, each.annotator):
            if any(mark in text for mark in ("\t", "\n", "\r", _OPENED, _CLOSED)):
                raise InputError(
                    f"segment {each.segment} holds a tab, a line end or {_OPENED}, which a file of MQM cannot",
                    where=each.where or None,
                )
        name = each.name or str(each.segment)
        head = [each.system, "", name, name, each.annotator]
        for span in each.spans:
            texts = {Side.SOURCE: source, Side.TARGET: line}
            text = texts[span.side]
            texts[span.side] = (
                f"{text[: span.start]}{_OPENED}{text[span.start : span.end]}{_CLOSED}{text[span.end :]}"
            )
            row = [
                *head,
                texts[Side.SOURCE],
                texts[Side.TARGET],
                span.category,
                span.severity,
                "{}",
            ]
            yield "\t".join(row) + "\n"
        if not each.spans:
            yield "\t".join([*head, source, line, _NO_ERROR, _NO_ERROR, "{}"]) + "\n"


# xCOMET: JSON with the translation (mt) and its error_spans.


def read_xcomet(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return the segments of each system, or of a list or lines of one."""
    try:
        value = whole_json(lines, name)
    except InputError:
        value = [entry for entry, _ in entries(lines, name)]
    if isinstance(value, dict) and "mt" in value:
        value = [value]
    files = value if isinstance(value, dict) else {"": value}
    found = []
    for system, segments in files.items():
        for index, each in enumerate(listing(segments, "a system", name), start=1):
            where = f"{name}: {system or 'entry'} {index}"
            entry = mapping(each, "a segment", where)
            if not {"error_spans", "errors"} & set(entry):
                raise InputError("has no error_spans, as xCOMET writes them", where=where)
            spans = entry.get("error_spans", entry.get("errors"))
            found.append(
                MarkedSegment(
                    segment=offset(entry.get("segment", index), "segment", where),
                    system=system or text_at(entry, ["system"], where) or "",
                    target=text_at(entry, ["mt"], where),
                    source=text_at(entry, ["src"], where),
                    score=score_at(entry.get("COMET", entry.get("score")), where),
                    spans=tuple(_comet_span(mapping(span, "a span", where), where) for span in listing(spans, "error_spans", where)),
                    where=where,
                )
            )  # fmt: skip
    return found


def _comet_span(entry: Mapping[str, Any], where: str) -> Span:
    return Span(
        start=offset(entry.get("start"), "start", where),
        end=offset(entry.get("end"), "end", where),
        severity=text_at(entry, ["severity"], where) or "",
        cost=score_at(entry.get("confidence"), where),
    )


def write_xcomet(spans: Spans) -> Iterator[str]:
    """Yield one JSON object with the segments of each system."""
    files: dict[str, list[dict[str, Any]]] = {}
    for each in spans:
        line = needed_text(each)
        errors = [
            {"text": line[span.start : span.end], "confidence": span.cost, "severity": span.severity or None}
            | {"start": span.start, "end": span.end}
            for span in each.spans
            if span.side is Side.TARGET
        ]  # fmt: skip
        entry = stated({"src": each.source, "COMET": each.score})
        files.setdefault(each.system, []).append(
            {"segment": each.segment, "mt": line} | entry | {"error_spans": errors}
        )
    yield json.dumps(files, ensure_ascii=False, indent=1) + "\n"


# Tables of WMT's tasks: half-open offsets, divided by blanks.

_WMT = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "source_segment",
        "hypothesis_segment", "reference_segment", "domain_name", "method", "start_indices", "end_indices",
        "error_types")  # fmt: skip
_WMT23 = ("language_pair", "method", "segment_id", "hypothesis_segment", "start_indices", "end_indices", "error_types")  # fmt: skip
_NONE = "no-error"


def read_wmt(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return the spans of a table of WMT 2025, or of a submission of 2023, which has no header."""
    first = lines[0].split("\t")
    headed = "start_indices" in first
    columns: Sequence[str] = first if headed else _WMT23
    found = []
    for index, line in enumerate(lines[headed:], start=1 + headed):
        where, cells = f"{name}:{index}", line.split("\t")
        if not line.strip() or (not headed and len(cells) == 1 and index <= 3):
            continue  # a submission begins with three numbers about the model
        if len(cells) != len(columns):
            raise InputError(
                f"has {counted(len(cells), 'field')}; it needs {len(columns)}", where=where
            )
        row = dict(zip(columns, cells, strict=True))
        number_ = offset(row["segment_id"], "segment_id", where) + (not headed)
        document = row.get("doc_id", "")
        target = row["hypothesis_segment"]
        found.append(
            MarkedSegment(
                segment=number_,
                name=f"{document}/{number_}" if document else "",
                system=row.get("system_id", ""),
                annotator=row.get("method", ""),
                target=target,
                source=row.get("source_segment") or None,
                spans=tuple(_table_spans(row, target, where)),
                where=where,
            )
        )
    return found


def _table_spans(row: Mapping[str, str], line: str, where: str) -> Iterator[Span]:
    starts, ends, types = (
        row[key].split() for key in ("start_indices", "end_indices", "error_types")
    )
    if types in ([_NONE], []) or starts == ["-1"]:
        return
    if not len(starts) == len(ends) == len(types):
        raise InputError(
            f"has {len(starts)} starts, {len(ends)} ends and {len(types)} error types; write one of each for every "
            "span",
            where=where,
        )
    for first, last, severity in zip(starts, ends, types, strict=True):
        if first == MISSING:
            yield Span(start=len(line), end=len(line), severity=severity, category=MISSING)
        else:
            yield Span(
                start=offset(first, "a start index", where),
                end=offset(last, "an end index", where),
                severity=severity,
            )


def write_wmt(spans: Spans) -> Iterator[str]:
    """Yield a table as in WMT 2025."""
    yield "\t".join(_WMT) + "\n"
    for each in spans:
        line = needed_text(each)
        if any(mark in text for mark in "\t\n" for text in (line, each.source or "")):
            raise InputError(
                f"segment {each.segment} holds a tab or a line end, which the table cannot",
                where=each.where or None,
            )
        marked = [span for span in each.spans if span.side is Side.TARGET]
        gone = [span.start == span.end for span in marked]
        columns = [
            [MISSING if none else str(span.start) for none, span in zip(gone, marked, strict=True)],
            [MISSING if none else str(span.end) for none, span in zip(gone, marked, strict=True)],
            [span.severity or "undecided" for span in marked],
        ]
        document = each.name.rpartition("/")[0]
        row = [document, str(each.segment), "", "", "official", each.system, each.source or "", line, "", "",
               each.annotator]  # fmt: skip
        indices = [" ".join(column) for column in columns] if marked else ["-1", "-1", _NONE]
        yield "\t".join([*row, *indices]) + "\n"


# mt-metrics-eval: a line for each segment of a system, in order, as ratings.py has it.


def read_mtme(lines: Sequence[str], name: str) -> list[MarkedSegment]:
    """Return the rated segments; None stands for one that nobody rated."""
    counts: Counter[str] = Counter()
    found = []
    for index, line in enumerate(lines, start=1):
        where, cells = f"{name}:{index}", line.split("\t")
        if not 2 <= len(cells) <= 3:
            raise InputError(
                "is no rating; write SYSTEM, its errors as JSON, and the rater, between tabs",
                where=where,
            )
        counts[cells[0]] += 1
        if cells[1] == "None":
            continue
        errors = listing(json_object(cells[1], where=where).get("errors"), "errors", where)
        found.append(
            MarkedSegment(
                segment=counts[cells[0]],
                system=cells[0],
                annotator=cells[2] if len(cells) == 3 else "",
                spans=tuple(_mtme_span(mapping(each, "an error", where), where) for each in errors),
                where=where,
            )
        )
    return found


def _mtme_span(entry: Mapping[str, Any], where: str) -> Span:
    return Span(
        start=offset(entry.get("start"), "start", where),
        end=offset(entry.get("end"), "end", where),
        side=Side.SOURCE if entry.get("is_source_error") else Side.TARGET,
        severity=text_at(entry, ["severity"], where) or "",
        category=text_at(entry, ["category"], where) or "",
        cost=score_at(entry.get("score"), where),
    )


def write_mtme(spans: Spans) -> Iterator[str]:
    """Yield a line for every segment of every system, None where nobody rated it."""
    found: dict[str, dict[int, MarkedSegment]] = {}
    for each in spans:
        rows = found.setdefault(each.system, {})
        if each.segment in rows:
            raise InputError(
                f"segment {each.segment} of {each.system} was marked by several annotators, and a file of ratings "
                "holds one line for each segment; choose one annotator",
                where=each.where or None,
            )
        rows[each.segment] = each
    last = max((each.segment for each in spans), default=0)
    for system in sorted(found):
        for segment in range(1, last + 1):
            if segment not in found[system]:
                yield f"{system}\tNone\n"
                continue
            each = found[system][segment]
            errors = [
                {"start": span.start, "end": span.end, "category": span.category or None}
                | {"severity": span.severity or None, "score": span.cost}
                | {"is_source_error": span.side is Side.SOURCE}
                for span in each.spans
            ]
            rater = f"\t{each.annotator}" if each.annotator else ""
            yield f"{system}\t{dumped({'errors': errors})}{rater}\n"
