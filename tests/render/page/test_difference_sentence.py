"""Differences between systems in a sentence each."""

import re
from decimal import Decimal

import pytest

from kilter.core.estimate import p_text
from kilter.render.page.report_page import difference_sentences
from tests.render.page.reported import sample_report, small_report

LINES = [f"word {n} stands here now" for n in range(40)]
TURNED = [" ".join(reversed(line.split())) for line in LINES]


def test_every_system_but_the_baseline_has_one_sentence() -> None:
    report = sample_report()
    assert [name for name, _ in difference_sentences(report)] == list(report.systems[1:])


def test_numbers_are_those_of_the_comparison() -> None:
    report = sample_report()
    told = dict(difference_sentences(report))
    for name in report.systems[1:]:
        for metric in report.comparison.metrics:
            pair = metric.pair(report.systems[0], name)
            assert pair is not None
            assert pair.difference is not None
            assert pair.low is not None
            assert pair.high is not None
            # As `compare` shows it: corrected over the pairs with the baseline, not over all.
            assert pair.holm_baseline is not None
            p = next(iter(pair.holm_baseline.values()))
            numbers = (
                f"by {metric.name} ({pair.difference:+.4f}, 95% interval {pair.low:+.4f} to "
                f"{pair.high:+.4f}, corrected p {p_text(p)})"
            )
            assert (numbers in told[name].replace("\u2212", "-")) == (
                metric.name in ("bleu", "kendall")
            )
        assert "of 4 further metrics" in told[name]


def test_a_difference_in_a_penalised_score_is_told_by_its_parts_which_add_up() -> None:
    report = sample_report()
    told = dict(difference_sentences(report))
    for name in report.systems[1:]:
        (text,) = re.findall(r"by kendall \([^)]*\), of which ([^;]*);", told[name])
        text = text.replace("\u2212", "-")
        parts = dict(re.findall(r"([+-][0-9.]+) by (order|coverage) \(p [=<] [.0-9]+\)", text))
        assert sorted(parts.values()) == ["coverage", "order"]
        pair = next(each for each in report.comparison.metrics if each.name == "kendall").pair(
            report.systems[0], name
        )
        assert pair is not None
        assert sum(map(Decimal, parts)) == Decimal(f"{pair.difference:.4f}")


def test_what_is_surely_worse_is_called_worse() -> None:
    ((name, text),) = difference_sentences(small_report(right=LINES, turned=TURNED))
    assert name == "turned"
    assert text.startswith("Against right, it is worse by bleu (\u2212")
    assert "; worse by kendall (\u22121.0000, " in text
    assert "significantly" not in text


def test_equal_systems_are_called_equal() -> None:
    ((_, text),) = difference_sentences(small_report(right=LINES, same=LINES))
    assert "equal by bleu (0.0000" in text


def test_one_segment_gives_a_difference_and_no_interval() -> None:
    ((_, text),) = difference_sentences(small_report(right=LINES[:1], turned=TURNED[:1]))
    assert "not significantly worse by kendall (\u22121.0000)" in text


def test_one_system_has_nobody_to_differ_from() -> None:
    assert [*difference_sentences(small_report(right=LINES))] == []


def test_order_errors_are_told_beside_those_of_the_baseline() -> None:
    report = sample_report()
    counts = report.error_counts
    told = dict(difference_sentences(report))
    for place, name in enumerate(report.systems[1:], start=1):
        rates = [
            100 * counts[n].sum() / len(report.corpus.systems[n].tokens.ids) for n in (place, 0)
        ]
        found = re.search(
            rf"it has {counts[place].sum()} order errors worth a look, ([0-9.]+) in 100 linked words, "
            rf"local has {counts[0].sum()}, ([0-9.]+) in 100: ",
            told[name],
        )
        assert found
        # Nearly all words of the sample are linked.
        assert [float(each) for each in found.groups()] == pytest.approx(rates, rel=0.03, abs=0.06)
        assert f"swaps {counts[place][0]} ({counts[0][0]})" in told[name]
