"""Quality by position and questionnaire, counted by hand."""

import re

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import uniformity
from kilter.study.analysis.summary import Summary
from kilter.study.analysis.uniformity import (
    PlaceQuality,
    quality_by_position,
    quality_by_questionnaire,
)
from tests.render.cases import case
from tests.render.distinct import Book, normal
from tests.render.study_table import QUESTIONS, STUDY, faked
from tests.study.analysis.counted import MADE
from tests.study.analysis.studies import crossed


def test_quality_by_position_and_questionnaire() -> None:
    first, second, third, fourth = quality_by_position(MADE)
    assert (first.place, first.judgments, first.kinds) == (1, 2, {"translation": 2})
    assert first.rank_score.mean == 0.75
    assert first.answers["order"].mean == 0.875
    assert second.kinds == {"permutation": 1, "translation": 1}
    assert second.degree_score.mean == 1.0
    assert (second.answers["holistic"].count, second.answers["holistic"].missing) == (1, 1)
    assert third.degree_score.mean == 0.0
    assert third.rank_score.mean == Undefined("there is no value")
    assert fourth.answers["order"].mean == Undefined("there is no value")  # a control item
    lists = quality_by_questionnaire(MADE)
    assert [entry.place for entry in lists] == [1, 2]
    assert lists[0].answers["holistic"].mean == pytest.approx((1 + 0.5 + 0) / 3)


@case("position_report", "questionnaire_report")
def test_columns_of_position_report_and_questionnaire_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    for by in ("position", "questionnaire"):
        places = tuple(
            book.make(
                PlaceQuality, by, str(k),
                answers={name: book.make(Summary, by, str(k), "answers", name) for name in QUESTIONS},
                kinds={kind: book.make(int, by, str(k), "kinds", kind) for kind in ("swap", "plain")},
            )
            for k in range(2)
        )  # fmt: skip
        analyses = {f"quality_by_{by}": lambda _, found=places: found}
        faked(uniformity, monkeypatch, **analyses)
        report = getattr(uniformity, f"{by}_report")(STUDY)
        for table in (report.data, *report.tables):
            for place, row in zip(places, table.rows, strict=True):
                for column, cell in zip(table.names, row, strict=True):
                    path = book.places[cell]
                    assert book.objects[path[:2]] is place
                    title = {by: "place"}.get(column, column)
                    title = re.sub(r"_n$", "_count", title)
                    mean = table is not report.data and normal(column) in (
                        *QUESTIONS, "rank_score", "degree_score",
                    )  # fmt: skip
                    assert book.named(f"{title}_mean" if mean else title, path), (column, path)


def test_differences_of_means_stand_beside_those_that_chance_gives() -> None:
    """Four people at two positions: means 0.25 and 0.75; all eight answers deviate by 0.3780."""
    made = crossed([[1, 3], [3, 5], [1, 3], [3, 5]])
    (text, _) = uniformity.position_report(made).text
    assert text == (
        "Mean holistic scores by position lie between 0.250 and 0.750, on average 0.500. Their standard deviation is "
        "0.354; independent judgments that differ by chance alone would give 0.189."
    )
    alone = uniformity.position_report(crossed([[1], [3]])).text[0]
    assert alone.endswith("on average 0.250.")
