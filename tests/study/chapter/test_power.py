"""Columns hold what they name: the power of the next study, by simulation. Section 13.6"""

from typing import Any

import pytest

from kilter.study.analysis.adjustment import Adjustment
from kilter.study.analysis.power import Power
from kilter.study.chapter import power
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import QUESTIONS, STUDY, faked


@case("power_report")
def test_columns_of_power_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: dict[tuple[object, ...], Power] = {}

    def drawn_power(layout: Any, *, question: str, accuracy: float, **_options: Any) -> Power:
        key = (question, accuracy, layout.participants)
        found[key] = book.make(Power, *map(str, key), question=question)
        return found[key]

    faked(power, monkeypatch, simulated_power=drawn_power)
    variances = {name: book.make(Adjustment, name, question=name) for name in QUESTIONS}
    report = power.power_report(STUDY, variances, seed=1)
    titles = {"sentences": "count", "power": "share", "mean rho": "rho"}
    assert len(found) == len(report.data.rows)
    for row in report.data.rows:
        named = dict(zip(report.data.names, row, strict=True))
        made, noise = found[row[:3]], variances[str(row[0])]
        for name, variance in (("participant", noise.participant_variance),
                               ("noise", noise.residual_variance)):  # fmt: skip
            assert isinstance(variance, float)
            assert named.pop(f"{name}_deviation") == pytest.approx(variance**0.5)
        for column in [*named][3:]:
            assert named[column] == getattr(made, titles.get(column, column)), column
    (shown,) = report.tables
    assert shown.names == report.data.names[:8]
    assert [*shown.rows] == [row[:8] for row in report.data.rows]
