"""Sample sizes by variant, against the formula by hand."""

from math import ceil, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import variant_size
from kilter.study.analysis.variant_size import PairSize, VariantSize, kind_sizes, variant_sizes
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import STUDY, faked
from tests.study.analysis.studies import crossed, permutation, scores, study, translation

SENTENCES = [
    *(translation(f"t{k}") for k in range(3)),
    *(permutation(f"o{k}", "order", 1) for k in range(2)),
    *(permutation(f"c{k}", "choice", 1) for k in range(2)),
]
VALUES = [0.1, 0.2, 0.3, 0.5, 0.7, 0.6, np.nan]


def test_every_pair_of_kinds_has_its_sample_size_at_a_shared_level() -> None:
    tools = [
        scores("dted", VALUES, variant="variant=b", configuration="one"),
        scores("derp", VALUES, variant="flat=true"),
        scores("bleu", VALUES),
        scores("dted (external)", VALUES, external=True),
    ]
    b, fderp = kind_sizes(study([(0, 0, 3, 3)], SENTENCES, tools=tools), power=0.9)
    assert (b.variant, b.configuration, b.scored, b.comparisons) == ("b", "one", 6, 3)
    assert fderp.variant == "fderp"
    # Squares within: 0.02 of translations, 0.02 of order, none of the single choice.
    deviation = sqrt(0.04 / 3)
    assert b.deviation == pytest.approx(deviation)
    pairs = {(str(each.first), str(each.second)): each for each in b.pairs}
    assert {*pairs} == {("translation", "order"), ("translation", "choice"), ("order", "choice")}
    found = pairs["translation", "order"]
    assert found.difference == pytest.approx(0.2 - 0.6)
    normal = NormalDist()
    z = normal.inv_cdf(1 - 0.05 / 6) + normal.inv_cdf(0.9)
    assert found.needed == ceil(2 * (z * deviation / 0.4) ** 2)
    same = pairs["order", "choice"].needed
    assert same == Undefined("both have the same mean")


def test_scores_that_do_not_vary_have_no_sample_size() -> None:
    flat = [0.5] * 3 + [0.25] * 4
    (found,) = kind_sizes(study([(0, 0, 3, 3)], SENTENCES, tools=[scores("derp", flat)]))
    assert {str(pair.needed) for pair in found.pairs[:2]} == {
        "undefined: nothing varies within them"
    }
    (alone,) = kind_sizes(study([(0, 0, 3, 3)], tools=[scores("derp", [0.5])]))
    assert (alone.pairs, alone.comparisons) == ((), 0)
    assert alone.deviation == Undefined("none of them has two values")


def test_questions_are_compared_with_each_variant() -> None:
    """By hand: answers 0, 0.5, 1 and one left out; scores of the sentences that were judged, once a judgment."""
    rows = [(0, 0, 1, 5), (0, 1, 3, 5), (1, 0, 5, 1), (1, 1, None, 3), (1, 2, None, None)]
    tools = [
        scores("dted", [0.2, 0.6, 0.9], variant="variant=b", configuration="one"),
        scores("bleu", [0.1] * 3),
    ]
    (found,) = variant_sizes(study(rows, tools=tools), power=0.9)
    assert (found.variant, found.configuration, found.scored, found.comparisons) == (
        "b",
        "one",
        4,
        2,
    )
    groups = {"holistic": [0.0, 0.5, 1.0], "order": [1.0, 1.0, 0.0, 0.5], "b": [0.2, 0.6, 0.2, 0.6]}
    means = {name: sum(values) / len(values) for name, values in groups.items()}
    squares = sum((value - means[name]) ** 2 for name, values in groups.items() for value in values)
    deviation = sqrt(squares / (2 + 3 + 3))
    assert found.deviation == pytest.approx(deviation)
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        ("holistic", "b"),
        ("order", "b"),
    ]
    normal = NormalDist()
    z = normal.inv_cdf(1 - 0.05 / 4) + normal.inv_cdf(0.9)
    for pair in found.pairs:
        difference = means[pair.first] - means["b"]
        assert pair.difference == pytest.approx(difference)
        assert pair.needed == ceil(2 * (z * deviation / difference) ** 2)


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
