"""Lengths and languages of sentences, counted by hand."""

import numpy as np
import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import sentence_length
from kilter.study.analysis.permutation_degree import answers_by_degree
from kilter.study.analysis.sentence_length import (
    LengthReport,
    Lengths,
    Regression,
    regression,
    sentence_lengths,
    source_languages,
)
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.study_table import STUDY, SUMMARY, faked
from tests.study.analysis.counted import MADE
from tests.study.analysis.studies import permutation, study


def test_lengths_and_their_regression() -> None:
    report = sentence_lengths(MADE)
    assert [entry.text for entry in report.lengths] == ["source", "reference", "hypothesis"]
    assert report.lengths[0].counts == {2: 1}
    assert report.lengths[0].summary.missing == 4
    assert report.lengths[1].counts == {2: 1, 3: 3, 4: 1}
    assert report.lengths[2].counts == {3: 4, 5: 1}
    assert report.regression == Undefined("5 sentences; a correlation needs 15")
    reference, hypothesis = [2, 4, 3, 3, 3] * 3, [3, 5, 3, 3, 3] * 3
    line = regression(np.array(reference, dtype=float), np.array(hypothesis, dtype=float))
    assert isinstance(line, Regression)
    slope, intercept = np.polyfit(reference, hypothesis, 1)
    assert (line.slope, line.intercept) == pytest.approx((slope, intercept))
    assert line.pearson == pytest.approx(np.corrcoef(reference, hypothesis)[0, 1])


def test_lengths_that_do_not_vary_have_no_regression() -> None:
    found = sentence_lengths(study([(0, k, 1, 1) for k in range(15)])).regression
    assert found == Undefined("15 sentences whose lengths do not vary")
    assert isinstance(sentence_lengths(study([])).regression, Undefined)


def test_source_languages_are_counted_over_judged_sentences() -> None:
    assert source_languages(MADE) == {"de": 4, "cs": 1}


def test_a_sentence_that_several_people_judge_is_one_sentence() -> None:
    listed = [permutation("o1", "order", 2), permutation("o2", "order", 2)]
    made = study([(0, 0, 1, 1), (1, 0, 3, 3), (2, 0, 5, 5), (0, 1, 2, None)], listed)
    holistic, order = answers_by_degree(made)
    assert (holistic.sentences, holistic.answers.count, holistic.answers.missing) == (2, 4, 0)
    assert (order.sentences, order.answers.count, order.answers.missing) == (2, 3, 1)
    assert order.answers.mean == pytest.approx(0.5)


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
