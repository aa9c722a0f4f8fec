"""What scores are for, below the table."""

from math import exp

import pytest

import kilter
from kilter.render.table.table import TableFormat
from kilter.run.scoring.settings import DEFAULT_METRICS
from tests.render.written import shown

TEXTS = ({"one": ["a c b", "d e f"], "two": ["a b c", "d f e"]}, ["a b c", "d e f"])


def written(*metrics: str) -> list[str]:
    """Return what is written below scores and below a comparison."""
    chosen = kilter.Settings(metrics=metrics or DEFAULT_METRICS)
    results = (kilter.score(*TEXTS, settings=chosen), kilter.compare(*TEXTS, settings=chosen))
    return [" ".join(shown(each, TableFormat.TEXT).split()) for each in results]


def test_where_no_metric_is_named_each_is_told_with_what_it_is_for() -> None:
    purposes = [f"{name}: {kilter.metric(name).purpose}" for name in DEFAULT_METRICS]
    assert all(purpose.partition(": ")[2] for purpose in purposes)
    for page in written():
        assert "; ".join(purposes) in page


def test_the_part_order_of_the_overall_score_is_told_from_the_score_of_order() -> None:
    told = "kilter, by order: what disorder takes away, and not all that order costs"
    assert [told in page for page in written()] == [False, True]
    assert not any(told in page for page in written("pef"))
    assert not any(told in page for page in written("kilter:order=0"))


def test_coverage_is_told_as_what_it_is() -> None:
    for page in written():
        assert "coverage: penalty for reference words not found, exp(1 - 1/share);" in page
    one_of_five = kilter.score(["a x y z w"], ["a b c d e"], metrics="coverage")
    assert one_of_five.system["coverage"].score == pytest.approx(exp(1 - 5))


def test_who_names_metrics_without_the_overall_score_is_not_told() -> None:
    for page in written("bleu", "chrf", "order"):
        assert kilter.metric("bleu").purpose not in page


def test_options_of_the_overall_score_do_not_hide_what_it_is_for() -> None:
    for page in written("kilter:order=0"):
        assert f"kilter:order=0.0: {kilter.metric('kilter').purpose}" in page
