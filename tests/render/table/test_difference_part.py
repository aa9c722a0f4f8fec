"""What differences consist of reads well, and adds up as it is printed."""

import io
import json
import re
from dataclasses import replace
from decimal import Decimal

import pytest

from kilter.core.estimate import Estimate
from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.comparison import (
    Comparison,
    MetricComparison,
    Pair,
    PartDifference,
    SignificanceTest,
    part_sentences,
    printed_parts,
)
from kilter.run.scoring.compare import compare
from kilter.stats.resampling import Resampling
from kilter.stats.significance import MarkRule, SegmentEffect
from tests.render.written import objects, pages
from tests.run.scoring.scored import FEW, sample

BOOTSTRAP = SignificanceTest.BOOTSTRAP


def pair_of(difference: float, *parts: tuple[str, float, float | None]) -> Pair:
    """Return a pair of which only the parts and the difference, with p = 0.011, matter."""
    return Pair(
        first="A", second="B", difference=difference, low=-0.01, high=0.01, share=0.5, mark=None,
        mark_baseline=None, p={BOOTSTRAP: 0.5}, holm={BOOTSTRAP: 0.6}, holm_baseline={BOOTSTRAP: 0.011},
        exact=False, effect=SegmentEffect(better=1, equal=2, worse=3, standardised=0.1),
        parts=tuple(
            PartDifference(
                name=name, difference=value, low=value - 0.001, high=value + 0.002, p={BOOTSTRAP: 0.7},
                holm={BOOTSTRAP: 0.8}, holm_baseline={BOOTSTRAP: p},
            )
            for name, value, p in parts
        ),
    )  # fmt: skip


def comparison_of(*pairs: Pair) -> Comparison:
    metric = MetricComparison(
        name="pef",
        signature="pef|v",
        higher_is_better=True,
        range=(0.0, 1.0),
        intervals=(),
        pairs=pairs,
    )
    return Comparison(
        systems=("A", "B"), baseline="A", segments=99, tests=(BOOTSTRAP,), resampling=Resampling(),
        metrics=(metric,), marks=MarkRule.CORRECTED,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        (
            pair_of(-0.0058, ("order", -0.00012, 0.96), ("coverage", -0.00568, 0.0081)),
            "B scores 0.0058 lower than A in pef (p = .011): -0.0001 by order (p = .960), -0.0057 by coverage (p = .008).",
        ),
        (
            pair_of(0.02, ("order", 0.03, 0.0002), ("coverage", -0.01, 1.0), ("words", 0.0, None)),
            "B scores 0.0200 higher than A in pef (p = .011): +0.0300 by order (p < .001), -0.0100 by coverage (p = 1.000), +0.0000 by words.",
        ),
        (
            pair_of(0.00001, ("order", 0.00201, 0.2), ("coverage", -0.002, 0.3)),
            "B and A score the same to four decimals in pef (p = .011): +0.0020 by order (p = .200), -0.0020 by coverage (p = .300).",
        ),
    ],
)  # fmt: skip
def test_a_difference_is_told_in_a_sentence(pair: Pair, sentence: str) -> None:
    assert list(part_sentences("pef", [pair], BOOTSTRAP)) == [sentence]


def test_an_undefined_difference_has_no_sentence() -> None:
    pair = replace(pair_of(0.1, ("order", 0.1, 0.5)), difference=None)
    assert list(part_sentences("pef", [pair], BOOTSTRAP)) == []


def test_columns_of_parts_hold_what_they_name() -> None:
    pair = pair_of(-0.0058, ("order", -0.00012, 0.96), ("coverage", -0.00568, 0.0081))
    bare = replace(pair, first="A", second="C", parts=())
    rows = objects(write_result, _with_scores(pair, bare))
    for part in pair.parts:
        found = {key: rows[0][f"{part.name}_{key}"] for key in ("difference", "low", "high")}
        assert found == {key: getattr(part, key) for key in found}
        for kind in ("p", "holm", "holm_baseline"):
            assert rows[0][f"{part.name}_{kind}_bootstrap"] == getattr(part, kind)[BOOTSTRAP]
            assert rows[1][f"{part.name}_{kind}_bootstrap"] is None
        assert rows[1][f"{part.name}_difference"] is None


def test_json_holds_the_parts_of_a_pair_that_has_them() -> None:
    pair = pair_of(-0.0058, ("order", -0.00012, 0.96), ("coverage", -0.00568, 0.0081))
    document = _with_scores(pair, replace(pair, parts=())).to_dict()
    with_parts, without = json.loads(json.dumps(document))["comparisons"]
    assert with_parts["parts"] == {
        part.name: {
            "difference": part.difference, "low": part.low, "high": part.high,
            "p": {"bootstrap": 0.7}, "holm": {"bootstrap": 0.8},
            "holm_baseline": {"bootstrap": dict(part.holm_baseline or {})[BOOTSTRAP]},
        }
        for part in pair.parts
    }  # fmt: skip
    assert "parts" not in without


def _with_scores(*pairs: Pair) -> Comparison:
    made = comparison_of(*pairs)
    systems = tuple(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    intervals = tuple(Estimate(0.5, 0.4, 0.6) for _ in systems)
    metric = replace(made.metrics[0], intervals=intervals)
    return replace(made, systems=systems, metrics=(metric,))


def test_tables_hold_one_row_for_each_part_and_add_up_as_printed() -> None:
    systems = {name: sample(f"{name}.en") for name in ("verb", "lexical", "phrase", "local")}
    found = compare(
        systems,
        sample("reference.en"),
        metrics=["pef", "bleu", "sen"],
        resampling=FEW,
        tests=["bootstrap"],
    )
    _, pef, pef_parts, _, _, _, sen, sen_parts, _ = pages(write_result, found)
    for whole, parts, metric in (
        (pef, pef_parts, found.metrics[0]),
        (sen, sen_parts, found.metrics[2]),
    ):
        for line in whole:
            mine = [part for part in parts if part["system"] == line["system"]]
            pair = metric.pair("verb", line["system"])
            assert pair is not None
            assert sum(Decimal(part["diff."]) for part in mine) == Decimal(line["diff."])
            for row, part, shown in zip(mine, pair.parts, printed_parts(pair), strict=True):
                assert part.holm_baseline is not None
                assert row == {
                    "system": pair.second,
                    "part": part.name,
                    "diff.": shown,
                    "interval": f"[{part.low:+.4f}, {part.high:+.4f}]",
                    "p boot": f"{part.holm_baseline[BOOTSTRAP]:.3f}",
                }


@pytest.mark.parametrize("form", [TableFormat.TEXT, TableFormat.MD, TableFormat.LATEX])
def test_sentences_stand_below_the_table_in_every_format_for_people(form: TableFormat) -> None:
    out = io.StringIO()
    systems = {name: sample(f"{name}.en") for name in ("verb", "lexical")}
    found = compare(systems, sample("reference.en"), metrics=["pef", "bleu"], resampling=FEW)
    write_result(found, out, form=form, details=True)
    text = re.sub(r"\s+", " ", out.getvalue().replace("\\", ""))
    assert "lexical scores 0.1323 lower than verb in pef (p = " in text
    assert " in bleu" not in text
    assert "Parts: what each contributes" in text


def test_a_comparison_without_parts_says_nothing_of_them() -> None:
    out = io.StringIO()
    systems = {name: sample(f"{name}.en") for name in ("verb", "lexical")}
    found = compare(systems, sample("reference.en"), metrics=["bleu"], resampling=FEW)
    write_result(found, out, form=TableFormat.TEXT, details=True)
    assert "part" not in out.getvalue().lower()
