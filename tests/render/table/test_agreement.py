"""Agreement as tables for people: metrics beyond their controls, stars, what intervals are drawn from."""

import io
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.meta_result import (
    Agreement,
    AgreementMeasure,
    ComparedMetric,
    MetaResult,
    MetricPair,
    NewBaselineDraw,
    PairAverage,
    PairResult,
    Resample,
)

TAU = AgreementMeasure.SEGMENT_TAU
METRICS = (
    ComparedMetric(name="full", signature="full|v:1", control="part"),
    ComparedMetric(name="part", signature="part|v:1"),
)


def pair(first: str, second: str) -> MetricPair:
    return MetricPair(
        first=first, second=second, first_value=0.25, second_value=0.375, value=0.125,
        low=0.0625, high=0.25, p=0.03125, significant=True, shared=7,
    )  # fmt: skip


def agreement(
    *pairs: MetricPair, measures: Sequence[AgreementMeasure] = (TAU,), names: Sequence[str] = ("",)
) -> MetaResult:
    found = Agreement(value=0.3, low=0.1, high=0.4, counts={"unscored": 0}, undefined=0)
    return MetaResult(
        measures=tuple(measures), resample=Resample.SEGMENTS, resamples=100, seed=1,
        tie_rule="wmt13", test="percentile",
        pairs=tuple(
            PairResult(
                name=name, metrics=METRICS, systems=("a", "b", "c", "d"), segments=9,
                counts={"pairs": 20}, comparisons={TAU: pairs},
                agreements={key: [found, found] for key in measures},
            )
            for name in names
        ),
    )  # fmt: skip


def written(found: MetaResult, form: TableFormat = TableFormat.MD) -> str:
    out = io.StringIO()
    write_result(found, out, form)
    return out.getvalue()


def beyond_control(found: MetaResult) -> dict[str, str]:
    """Return the row of the table that sets a metric against its control, by column."""
    lines = written(found).replace("\\", "").splitlines()
    (start,) = [
        place for place, line in enumerate(lines) if line.startswith("| metric | control |")
    ]
    header, row = ([cell.strip() for cell in lines[k].split("|")] for k in (start, start + 2))
    return dict(zip(header, row, strict=True))


def test_a_metric_beyond_its_control_is_shown_as_it_was_compared() -> None:
    found = beyond_control(agreement(pair("part", "full")))
    assert found["segment_tau"] == "+0.1250"
    assert (found["low"], found["high"]) == ("+0.0625", "+0.2500")
    assert (found["p"], found["significant"]) == ("0.0312", "yes")


def test_a_comparison_the_other_way_round_is_turned_with_its_interval() -> None:
    found = beyond_control(agreement(pair("full", "part")))
    low, value, high = (float(found[name]) for name in ("low", "segment_tau", "high"))
    assert (low, value, high) == (-0.25, -0.125, -0.0625)
    assert low <= value <= high


def test_an_interval_without_an_end_stays_so_the_other_way_round() -> None:
    found = beyond_control(agreement(replace(pair("full", "part"), low=None)))
    assert (found["low"], found["high"]) == ("-0.2500", "-")


@pytest.mark.parametrize(
    ("cell", "shown"),
    [((2, 1, 0), "2/1/0*"), ((1, 1, 3), "1/1/3"), ((0, 0, 5), "0/0/5"), ((1, 2, 0), "1/2/0")],
)
def test_a_star_is_for_a_metric_that_is_better_more_often_and_for_no_tie(
    cell: tuple[int, int, int], shown: str
) -> None:
    found = replace(
        agreement(pair("part", "full"), names=("de-en", "cs-en")),
        averages={TAU: {"full": PairAverage(1.0, 0.3)}},
        new_baseline_draw={TAU: {"full": {"part": NewBaselineDraw(*cell)}}},
    )
    text = written(found, TableFormat.TEXT)
    (line,) = re.findall(r"^full +(\d+/.*)$", text, re.MULTILINE)
    assert line.strip() == shown


@pytest.mark.parametrize(
    ("drawn", "measures", "said"),
    [
        ("segments", ["pearson"], "over segments, 100 resamples"),
        ("systems", [], "over systems (differences between metrics on pairs: over segments), 100"),
        (
            "judgments",
            ["spearman_item"],
            "over judgments (differences between metrics on pairs and correlations of segment scores: over",
        ),
    ],
)
def test_what_draws_segments_although_others_do_not_is_told(
    drawn: str, measures: list[str], said: str
) -> None:
    asked = [TAU, *map(AgreementMeasure, measures)]
    found = replace(agreement(measures=asked), resample=Resample(drawn))
    assert said in " ".join(written(found, TableFormat.TEXT).split())


def test_the_half_interval_is_half_of_the_interval() -> None:
    text = written(agreement(pair("part", "full")))
    assert "| full | 0.3000 ±0.1500 |" in text
