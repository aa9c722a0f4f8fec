"""Columns hold what they name: how many judgments the next study needs. Section 13.6"""

import pytest

from kilter.study.analysis import sample_size
from kilter.study.analysis.summary import Summary
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import QUESTIONS, STUDY, faked


@case("sample_size_report")
def test_columns_of_sample_size_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = iter([book.make(Summary, name) for name in QUESTIONS])
    asked: dict[int, dict[str, float]] = {}

    def needed(**options: float) -> int:
        size = len(asked)
        asked[size] = options
        return size

    faked(sample_size, monkeypatch, summarise=lambda _: next(made), sample_size=needed)
    report = sample_size.sample_size_report(STUDY)
    for row in report.data.rows:
        named = dict(zip(report.data.names, row, strict=True))
        summary = book.objects[str(named.pop("question")),]
        assert (named.pop("n"), named["deviation"]) == (summary.count, summary.deviation)
        options = asked[int(str(named.pop("needed")))]
        assert options == {**named, "level": sample_size.LEVEL}
