"""Columns hold what they name: lengths and source languages of the judged sentences. Section 13.1"""

import pytest

from kilter.study.analysis.sentence_length import LengthReport, Lengths
from kilter.study.chapter import sentence_length
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.study_table import STUDY, SUMMARY, faked


@case("length_report")
def test_columns_of_length_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths = tuple(book.make(Lengths, text, text=text) for text in ("source", "reference"))
    made = book.make(LengthReport, "all", lengths=lengths, pairs={})
    faked(sentence_length, monkeypatch, sentence_lengths=lambda _: made)
    report = sentence_length.length_report(STUDY)
    assert report.data.names == ("text", "words", "sentences")
    assert [*report.data.rows] == [(e.text, *entry) for e in lengths for entry in e.counts.items()]
    (shown,) = report.tables
    for row in shown.rows:
        check_row(book, shown.names, row, titles=SUMMARY)


@case("language_report")
def test_columns_of_language_report_hold_what_they_name(monkeypatch: pytest.MonkeyPatch) -> None:
    languages = {"de": 30, "cs": 10}
    faked(sentence_length, monkeypatch, source_languages=lambda _: languages)
    report = sentence_length.language_report(STUDY)
    assert report.data.names == ("source language", "sentences", "share")
    assert [*report.data.rows] == [("de", 30, 0.75), ("cs", 10, 0.25)]
