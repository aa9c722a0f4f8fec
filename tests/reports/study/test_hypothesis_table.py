"""Columns hold what they name: the hypotheses about variants and configurations. Section 13.4"""

import pytest

from kilter.agreement.hypothesis import HypothesisResult
from kilter.reports.study import (
    hypothesis_table,
)
from tests.reports.cases import case
from tests.reports.distinct import Book
from tests.reports.study_table import faked


@case("hypothesis_report")
def test_columns_of_hypothesis_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(hypothesis_table, monkeypatch)
    results = [book.make(HypothesisResult, str(k)) for k in range(2)]
    report = hypothesis_table.hypothesis_report(results, adjusted=True, simulated=False)
    rows = iter(report.data.rows)
    for made in results:
        for name, value in made.numbers.items():
            assert dict(zip(report.data.columns, next(rows), strict=True)) == {
                "id": made.id, "alternative": made.alternative, "result": made.result,
                "supporting": " ".join(made.variants), "variant": name, "number": value,
            }  # fmt: skip
    assert not [*rows]
    for row, made in zip(report.tables[0].rows, results, strict=True):
        numbers = ", ".join(f"{name} {value:+.3f}" for name, value in made.numbers.items())
        assert dict(zip(report.tables[0].columns, row, strict=True)) == {
            "id": made.id, "supported when": made.alternative, "result": made.result,
            "supporting": ", ".join(made.variants), "numbers": numbers,
        }  # fmt: skip
