"""Sample sizes by variant as tables."""

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.variant_size import PairSize, VariantSize
from kilter.study.chapter import variant_size
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import STUDY, faked
from tests.study.analysis.studies import crossed, scores


def made(variant: str, configuration: str, needed: int | Undefined) -> VariantSize:
    pair = PairSize(first="translation", second="swap", difference=0.25, needed=needed)
    return VariantSize(
        variant=variant, configuration=configuration, scored=7, deviation=0.5, comparisons=3, pairs=(pair,)
    )  # fmt: skip


@case("variant_size_report")
def test_columns_of_variant_size_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_columns("variant", book, monkeypatch)


@case("kind_size_report")
def test_columns_of_kind_size_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_columns("kind", book, monkeypatch)


def check_columns(what: str, book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    found = tuple(book.make(VariantSize, name, variant=name) for name in ("b", "derp"))
    faked(variant_size, monkeypatch, **{f"{what}_sizes": lambda *_args, **_options: found})
    report = getattr(variant_size, f"{what}_size_report")(STUDY)
    rows = iter(report.data.rows)
    for power in (0.8, 0.9):
        for each in found:
            for pair in each.pairs:
                assert dict(zip(report.data.names, next(rows), strict=True)) == {
                    "variant": each.variant, "configuration": each.configuration,
                    "first": str(pair.first), "second": str(pair.second), "power": power,
                    "scored": each.scored, "deviation": each.deviation,
                    "comparisons": each.comparisons, "difference": pair.difference,
                    "needed": pair.needed,
                }  # fmt: skip
    assert not [*rows]
    for table, each in zip(report.tables, found, strict=True):
        (row,) = table.rows
        assert row[:3] == (each.variant, each.scored, each.deviation)
        cells = dict(zip(table.names[3:], row[3:], strict=True))
        assert cells == {f"{pair.first} - {pair.second}": pair.needed for pair in each.pairs}


def test_variants_are_in_a_table_for_each_tool_with_their_first_configuration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = (made("b", "one", 12), made("b", "two", 99), made("fderp", "", Undefined("why")))
    faked(variant_size, monkeypatch, kind_sizes=lambda *_args, **_options: sizes)
    report = variant_size.kind_size_report(STUDY)
    dted, derp = report.tables
    assert dted.rows == (("b", 7, 0.5, 12),)
    assert derp.rows == (("fderp", 7, 0.5, Undefined("why")),)
    assert "b needs 12 sentences per kind to tell every two kinds" in report.text[0]
    assert report.text[1] == "No number of sentences is known for some comparisons by fderp."


def test_questions_are_columns_of_the_comparison_with_variants() -> None:
    made_of = crossed(
        [[1, 3, 5], [2, 3, 4]], tools=[scores("dted", [0.1, 0.2, 0.4], variant="variant=b")]
    )
    report = variant_size.variant_size_report(made_of)
    (table,) = report.tables
    assert table.names == ("variant", "n", "deviation", "holistic", "order")
    assert table.rows[0][:2] == ("b", 6)
    assert "to tell its scores from the answers to every question" in report.text[0]
    assert [row[2:4] for row in report.data.rows[:2]] == [("holistic", "b"), ("order", "b")]
