"""Files of spans: every format there and back, and files as other tools write them."""

import contextlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.errors import InputError, OptionError
from kilter.core.spans import MarkedSegment, Side, Span, Spans, blank_words, covered_words
from kilter.io.spans.entry import SpanFormatName
from kilter.io.spans.format import FORMATS, lost, read_spans, write_spans

# Combining accents, emoji of one unit and of several code points, right-to-left, CJK, line ends.
_LETTERS = (
    "ab \u00e9e\u0301\U0001f600\U0001f469\u200d\U0001f52c\u05d0\u05d1\u0627\u4e2d\u6587\u3042\ufe0f"
)
_LINES = st.text(alphabet=_LETTERS, min_size=1, max_size=20).filter(str.strip)


@st.composite
def _span(draw: st.DrawFn, target: str, source: str, *, words: bool) -> Span:
    side = draw(st.sampled_from(Side))
    line = target if side is Side.TARGET else source
    if words:
        listed = blank_words(line)
        first = draw(st.integers(0, len(listed) - 1))
        last = draw(st.integers(first, len(listed) - 1))
        start, end = listed[first][0], listed[last][1]
    else:
        start = draw(st.integers(0, len(line)))
        end = draw(st.integers(start, len(line)))
    return replace(
        Span.of(line, start, end, side=side),
        severity=draw(st.sampled_from(["", "minor", "major"])),
        category=draw(st.sampled_from(["", "order/word", "Accuracy/Omission"])),
        cost=draw(st.sampled_from([None, 0.25])),
        correction=draw(st.sampled_from([None, "", "a b"])),
    )


@st.composite
def marked(draw: st.DrawFn, *, words: bool, line_ends: bool) -> Spans:
    """Return segments of two systems, each marked by up to two annotators."""
    segments = []
    sources = draw(st.lists(_LINES, min_size=3, max_size=3))
    for system in draw(st.sampled_from([("one",), ("one", "two")])):
        for number in range(1, draw(st.integers(1, 3)) + 1):
            target, source = draw(_LINES), sources[number - 1]
            if line_ends:
                target = (
                    draw(st.sampled_from(["", "\n"])) + target + draw(st.sampled_from(["", "a\nb"]))
                )
            segments += [
                MarkedSegment(
                    segment=number,
                    system=system,
                    annotator=annotator,
                    target=target,
                    source=source,
                    score=draw(st.sampled_from([None, 75.5])),
                    spans=tuple(draw(st.lists(_span(target, source, words=words), max_size=4))),
                )
                for annotator in ("ann", "bob")[: draw(st.integers(1, 2))]
            ]
    return Spans(tuple(segments))


def kept(spans: Spans, name: SpanFormatName) -> list[MarkedSegment]:
    """Return what a format has room for."""
    keeps = FORMATS[name].keeps

    def of(span: Span) -> Span | None:
        if span.side is Side.SOURCE and "side" not in keeps:
            return None
        if span.start == span.end and "empty" not in keeps:
            return None
        plain = Span(start=span.start, end=span.end, text=span.text, side=span.side)
        names = ("severity", "category", "cost", "correction")
        return replace(plain, **{name: getattr(span, name) for name in names if name in keeps})

    fields = ("system", "annotator", "target", "source", "score")
    return [
        MarkedSegment(
            segment=each.segment,
            spans=tuple(filter(None, map(of, each.spans))),
            **{name: getattr(each, name) for name in fields if name in keeps},
        )
        for each in spans
    ]


def _one_annotator(spans: Spans) -> Spans:
    return spans.chosen(lambda each: each.annotator == "ann")


def _one_system(spans: Spans) -> Spans:
    return spans.chosen(lambda each: each.system == "one")


_ALONE = {SpanFormatName.PEARMUT, SpanFormatName.MTME, SpanFormatName.TAGS}
_NAMELESS = {SpanFormatName.M2, SpanFormatName.TAGS}
_BY_LINES = {SpanFormatName.MQM, SpanFormatName.WMT, SpanFormatName.M2, SpanFormatName.TAGS}


@pytest.mark.parametrize("name", SpanFormatName)
def test_what_a_format_keeps_comes_back(
    name: SpanFormatName, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("spans") / "file"
    of_words = FORMATS[name].whole_words

    @given(marked(words=of_words, line_ends=name not in _BY_LINES))
    def comes_back(spans: Spans) -> None:
        if name in _ALONE:
            spans = _one_annotator(spans)
        if name in _NAMELESS:
            spans = _one_system(spans)
        if name in {SpanFormatName.TAGS, SpanFormatName.XCOMET, SpanFormatName.WMT}:
            spans = Spans(
                tuple(
                    replace(
                        s, spans=tuple(replace(p, severity=p.severity or "minor") for p in s.spans)
                    )
                    for s in spans
                )
            )
        if name is SpanFormatName.M2:
            spans = Spans(
                tuple(
                    replace(
                        s,
                        spans=tuple(
                            replace(p, category=p.category or "UNK", correction=p.correction or "")
                            for p in s.spans
                        ),
                    )
                    for s in spans
                )
            )
        file.write_text("".join(write_spans(spans, form=name)), encoding="utf-8", newline="")
        text = [each.target or "" for each in spans] if name is SpanFormatName.TAGS else None
        back = read_spans(str(file), form=name, text=text)
        _compare(back, spans, name)

    comes_back()


def _compare(back: Spans, spans: Spans, name: SpanFormatName) -> None:
    wanted = kept(spans, name)
    if name in {SpanFormatName.PEARMUT, SpanFormatName.ESA}:
        # What is missing has no place but the end.
        wanted = [
            replace(
                each,
                spans=tuple(
                    _at_the_end(span, each.target or "")
                    for span in original.spans
                    if span.side is Side.TARGET
                ),
            )
            for each, original in zip(wanted, spans, strict=True)
        ]
        wanted = [
            replace(
                each, spans=tuple(replace(span, cost=None, correction=None) for span in each.spans)
            )
            for each in wanted
        ]
    if name is SpanFormatName.WMT:
        wanted = [
            replace(
                each,
                spans=tuple(
                    replace(
                        _at_the_end(span, each.target or ""),
                        cost=None,
                        correction=None,
                        category="missing" if span.start == span.end else "",
                    )
                    for span in original.spans
                    if span.side is Side.TARGET
                ),
            )
            for each, original in zip(wanted, spans, strict=True)
        ]
    if name is SpanFormatName.TAGS:
        _compare_tags(back, spans)
        return
    if name is SpanFormatName.DOCCANO:
        wanted = [
            replace(
                each,
                spans=tuple(
                    replace(
                        new,
                        severity="" if old.category else old.severity,
                        category=old.category or ("" if old.severity else "error"),
                    )
                    for new, old in zip(
                        each.spans,
                        (s for s in original.spans if s.side is Side.TARGET),
                        strict=True,
                    )
                ),
            )
            for each, original in zip(wanted, spans, strict=True)
        ]
    if name is SpanFormatName.MTME:
        wanted = [
            replace(each, spans=tuple(replace(span, text=None) for span in each.spans))
            for each in wanted
        ]
    if name is SpanFormatName.M2:
        # Words are divided by one blank, however the text did it.
        assert [len(each.spans) for each in back] == [len(each.spans) for each in wanted]
        for ours, theirs in zip(back, wanted, strict=True):
            words = [blank_words(each.target or "") for each in (ours, theirs)]
            assert len(words[0]) == len(words[1])
            for one, other in zip(ours.spans, theirs.spans, strict=True):
                assert covered_words(words[0], one.start, one.end) == covered_words(
                    words[1], other.start, other.end
                )
                assert (one.category, one.correction) == (other.category, other.correction)
        return
    order = [(each.system, each.segment, each.annotator) for each in wanted]
    found = sorted(back, key=lambda each: order.index((each.system, each.segment, each.annotator)))
    assert found == wanted


def _at_the_end(span: Span, line: str) -> Span:
    """Return a span as Pearmut sees it: line ends are no characters, and what has none is missing."""
    start, end = span.start, span.end
    while start < end and line[start] == "\n":
        start += 1
    while start < end and line[end - 1] == "\n":
        end -= 1
    if start < end:
        return replace(span, start=start, end=end, text=line[start:end])
    return replace(
        span, start=len(line), end=len(line), text="", category=span.category or "missing"
    )


def _compare_tags(back: Spans, spans: Spans) -> None:
    for ours, theirs in zip(back, spans, strict=True):
        words = blank_words(theirs.target or "")
        assert _touched(ours, words) == _touched(theirs, words)


def _touched(each: MarkedSegment, words: list[tuple[int, int]]) -> set[int]:
    of_target = (span for span in each.spans if span.side is Side.TARGET)
    return {
        place for span in of_target for place in range(*covered_words(words, span.start, span.end))
    }


def _written(folder: Path, text: str) -> str:
    (folder / "file").write_text(text, encoding="utf-8")
    return str(folder / "file")


def test_the_log_of_pearmut_counts_utf16_units_without_line_ends_to_the_last(
    tmp_path: Path,
) -> None:
    # As the tool writes it: \U0001f600 is two units, the line end none, and [missing] stands behind the last.
    entry = {
        "annotation": [
            {
                "a": {
                    "score": 80,
                    "error_spans": [
                        {"start_i": 4, "end_i": 6, "severity": "major", "category": None},
                        {"start_i": 7, "end_i": 7, "severity": "minor", "category": None},
                    ],
                    "textfield": None,
                }
            }
        ],
        "actions": [],
        "item": [{"item_id": "doc_#_0", "src": "x", "tgt": {"a": "ab\U0001f600\ncat"}}],
        "user_id": "ann",
        "item_i": 0,
    }
    tutorial = entry | {"item_i": "welcome_0"}
    (found,) = read_spans(
        _written(tmp_path, json.dumps(tutorial) + "\n" + json.dumps(entry) + "\n")
    )
    assert [(span.start, span.end, span.text) for span in found.spans] == [
        (4, 7, "cat"),
        (7, 7, ""),
    ]
    assert found.spans[1].category == "missing"
    assert (found.name, found.segment, found.annotator, found.score) == ("doc_#_0", 1, "ann", 80)


def test_spans_of_esa_end_with_their_last_character(tmp_path: Path) -> None:
    entry = {
        "langs": "en-cs", "line_id": 4, "src": "x", "tgt": "\U0001f600 cat", "doc_id": "d", "system": "a",
        "esa_spans": [{"start_i": 2, "end_i": 4, "severity": "minor"},
                      {"start_i": "missing", "end_i": "missing", "severity": "major"}],
        "esa_score": 90, "annotator": "ann",
    }  # fmt: skip
    (found,) = read_spans(_written(tmp_path, json.dumps(entry) + "\n"))
    assert found.segment == 5
    assert [span.text for span in found.spans] == ["cat", ""]
    entry["esa_spans"] = [{"start_i": 2, "end_i": 5, "severity": "minor"}]
    with pytest.raises(InputError, match="inclusive"):
        read_spans(_written(tmp_path, json.dumps(entry) + "\n"))


def test_a_prepared_campaign_of_pearmut_is_read(tmp_path: Path) -> None:
    campaign = {
        "info": {"assignment": "task-based", "protocol": "ESA"},
        "campaign_id": "made-up",
        "data": [[[
            {"src": "x", "tgt": {"a": "a red cat", "b": "a cat"}, "item_id": "7",
             "error_spans": {"a": [{"start_i": 2, "end_i": 4, "severity": "minor", "category": None}]}},
            {"src": "y", "tgt": {"a": "not marked"}},
        ]]],
    }  # fmt: skip
    (found,) = read_spans(_written(tmp_path, json.dumps(campaign, indent=2)))
    assert (found.system, found.segment, found.spans[0].text) == ("a", 7, "red")


MQM = """system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity
a\td\t1\t3\tr1\tein Haus\tThe <v>red</v> house\tFluency/Grammar\tMajor
a\td\t1\t3\tr1\tein <v>Haus</v>\tThe red house\tAccuracy/Omission\tMinor
b\td\t1\t3\tr1\tein Haus\tA house\tno-error\tno-error
"""


def test_rows_of_mqm_are_joined_by_segment_and_rater(tmp_path: Path) -> None:
    first, second = read_spans(_written(tmp_path, MQM))
    assert [(span.side, span.text) for span in first.spans] == [
        ("target", "red"),
        ("source", "Haus"),
    ]
    assert (first.segment, first.annotator, second.spans) == (3, "r1", ())


def test_xcomet_is_read_as_one_object_as_a_list_and_as_lines(tmp_path: Path) -> None:
    entry = {"src": "x", "mt": "a red cat", "COMET": 0.8,
             "error_spans": [{"text": "red", "confidence": 0.4, "severity": "minor", "start": 2, "end": 5}]}  # fmt: skip
    texts = [json.dumps({"out/a.txt": [entry]}), json.dumps([entry]), json.dumps(entry) + "\n"]
    for text, system in zip(texts, ["out/a.txt", "", ""], strict=True):
        (found,) = read_spans(_written(tmp_path, text))
        assert (found.system, found.spans[0].text, found.score) == (system, "red", 0.8)


def test_tables_of_wmt_have_a_header_or_none(tmp_path: Path) -> None:
    old = "24\n22\n1\nhe-en\tm\t0\ta red cat\t2 6\t5 9\tmajor minor\nhe-en\tm\t1\ta cat\t-1\t-1\tno-error\n"
    first, second = read_spans(_written(tmp_path, old))
    assert [span.text for span in first.spans] == ["red", "cat"]
    assert (first.segment, second.segment, second.spans) == (1, 2, ())
    columns = ["doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "source_segment",
               "hypothesis_segment", "reference_segment", "domain_name", "method", "start_indices", "end_indices",
               "error_types"]  # fmt: skip
    row = ["d", "4", "en", "de", "official", "a", "x", "a red cat", "", "", "m", "2 missing", "5 missing", "minor major"]  # fmt: skip
    new = "\t".join(columns) + "\n" + "\t".join(row) + "\n"
    (found,) = read_spans(_written(tmp_path, new))
    assert [(span.text, span.category) for span in found.spans] == [("red", ""), ("", "missing")]
    assert found.name == "d/4"


def test_ratings_of_mt_metrics_eval_need_no_text(tmp_path: Path) -> None:
    rating = json.dumps(
        {"errors": [{"start": 2, "end": 5, "severity": "minor", "is_source_error": False}]}
    )
    found = read_spans(_written(tmp_path, f"a\t{rating}\tr1\na\tNone\nb\t{rating}\tr1\n"))
    assert [(each.system, each.segment) for each in found] == [("a", 1), ("b", 1)]
    (with_text, _) = read_spans(
        _written(tmp_path, f"a\t{rating}\tr1\na\tNone\nb\t{rating}\tr1\n"), text=["a red cat", "b"]
    )
    assert with_text.spans[0].text == "red"


M2 = """S I see red cat a
A 2 5|||R:WO|||a red cat|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||1

S fine
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""


def test_edits_of_m2_are_spans_of_words(tmp_path: Path) -> None:
    first, second, third = read_spans(_written(tmp_path, M2))
    assert [(s.text, s.category, s.correction) for s in first.spans] == [
        ("red cat a", "R:WO", "a red cat")
    ]
    assert [(s.start, s.end) for s in second.spans] == [(6, 6)]
    assert (second.annotator, third.segment, third.spans) == ("1", 2, ())


def test_tools_that_label_text_are_read(tmp_path: Path) -> None:
    value = {"start": 2, "end": 5, "text": "red", "labels": ["major"]}
    task = {"id": 9, "data": {"text": "a red cat"}, "annotations": [
        {"completed_by": {"email": "ann@example.org"}, "result": [
            {"type": "labels", "from_name": "label", "to_name": "text", "value": value},
            {"type": "choices", "value": {"choices": ["good"]}}]}]}  # fmt: skip
    (found,) = read_spans(_written(tmp_path, json.dumps([task])))
    assert (found.annotator, found.spans[0].severity, found.spans[0].text) == (
        "ann@example.org",
        "major",
        "red",
    )
    lines = [{"id": 1, "text": "a red cat", "label": [[2, 5, "ORDER"]]},
             {"id": 2, "text": "a cat", "entities": [{"id": 3, "label": "minor", "start_offset": 0, "end_offset": 1}]}]  # fmt: skip
    first, second = read_spans(
        _written(tmp_path, "".join(json.dumps(each) + "\n" for each in lines))
    )
    assert (first.spans[0].category, second.spans[0].severity) == ("ORDER", "minor")


@pytest.mark.parametrize(
    ("start", "end", "text", "told"),
    [
        (2, 4, "red", "inclusive"),
        (3, 6, "red", "from 1"),
        (2, 12, None, "behind the 9 characters"),
        (5, 2, None, "ends before it starts"),
        (2, 5, "cat", "holds 'red', and the file says 'cat'"),
    ],
)
def test_an_offset_that_was_counted_otherwise_is_told(
    start: int, end: int, text: str | None, told: str, tmp_path: Path
) -> None:
    span = {"start_i": start, "end_i": end} | ({} if text is None else {"text": text})
    document = {
        "schema": "kilter.spans/1",
        "system": "a",
        "segment": 1,
        "hypothesis": "a red cat",
        "error_spans": [span],
    }
    path = _written(tmp_path, json.dumps(document) + "\n")
    with pytest.raises(InputError, match=told):
        read_spans(path)
    (unchecked,) = read_spans(path, check=False)
    assert told in next(unchecked.problems())


def test_units_of_utf16_are_told() -> None:
    segment = MarkedSegment(
        segment=1, target="\U0001f600 cat", spans=(Span(start=3, end=6, text="cat"),)
    )
    assert "UTF-16" in next(segment.problems())


def test_what_a_format_loses_is_told() -> None:
    span = Span.of("a red cat", 3, 4, severity="minor")
    spans = Spans(
        (MarkedSegment(segment=1, annotator="ann", target="a red cat", source="x", spans=(span,)),)
    )
    assert lost(spans, "tags") == (
        "tags: annotator is not kept (1)",
        "tags: source is not kept (1)",
        "tags: spans reach to the ends of their words (1)",
    )
    assert lost(spans, "kilter") == ()


@pytest.mark.parametrize("name", ["m2", "tags"])
def test_a_format_of_one_system_refuses_two(name: str) -> None:
    spans = Spans(tuple(MarkedSegment(segment=1, system=system, target="a") for system in "ab"))
    with pytest.raises(OptionError, match="2 systems"):
        "".join(write_spans(spans, form=name))


@pytest.mark.parametrize("name", ["pearmut", "mtme", "tags"])
def test_a_format_of_one_annotator_refuses_two(name: str) -> None:
    spans = Spans(tuple(MarkedSegment(segment=1, annotator=who, target="a") for who in "ab"))
    with pytest.raises(InputError, match="several annotators"):
        "".join(write_spans(spans, form=name))


@given(
    st.text(alphabet='{}[]":,a1\t\n<v>/|SA -', max_size=80),
    st.sampled_from([None, *SpanFormatName]),
)
def test_no_file_crashes_a_reader(text: str, name: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = _written(Path(folder), text)
        with contextlib.suppress(InputError, OptionError):
            read_spans(path, form=name, text=["a"])


@given(st.recursive(st.none() | st.integers() | st.text(max_size=3) | st.booleans(),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
                        ["data", "campaign_id", "annotation", "item", "tgt", "error_spans", "start_i", "end_i", "mt",
                         "text", "label", "annotations", "result", "value", "segment", "esa_spans", "item_i", "labels",
                         "error_spans", "schema", "hypothesis", "start", "end"]), inner, max_size=5), max_leaves=12),
       st.sampled_from([None, "kilter", "pearmut", "esa", "xcomet", "label-studio", "doccano"]))  # fmt: skip
def test_no_json_crashes_a_reader(value: object, name: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = _written(Path(folder), json.dumps(value) + "\n")
        with contextlib.suppress(InputError, OptionError):
            read_spans(path, form=name)


def test_edits_of_errant_are_written_as_they_were_read(tmp_path: Path) -> None:
    golden = Path(__file__).parents[1] / "golden" / "errant_m2.json"
    for case in json.loads(golden.read_text(encoding="utf-8"))["cases"]:
        for text in case["input"].values():
            back = "".join(write_spans(read_spans(_written(tmp_path, text)), form="m2"))
            # A sentence without edits may say so, or not.
            kept = [
                sorted(line for line in each.splitlines() if line and "noop" not in line)
                for each in (text, back)
            ]
            assert kept[0] == kept[1]
