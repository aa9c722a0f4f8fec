"""How a report says what was done."""

import kilter
from kilter.metrics.citation import PUBLICATIONS
from kilter.render.page.report_page import citations_text, methods_text, signatures_text
from tests.render.page.reported import sample_report, small_report


def test_the_paragraph_says_how_much_was_scored_by_what() -> None:
    text = methods_text(sample_report())
    assert "4 systems on 48 segments with 1 reference" in text
    assert "bleu, f1, kendall, ulam, fuzzy and pef" in text
    assert "95% from 20 resamples of segments (seed 1)" in text
    assert "paired bootstrap; p-values are corrected by Holm's method" in text
    assert "tokenised by 13a." in text


def test_one_system_was_tested_against_nobody() -> None:
    assert "tested" not in methods_text(small_report(right=["a b"]))


def test_other_weights_of_systems_than_of_segments_are_told_of_version_two() -> None:
    told = "parts otherwise in scores of systems than in those of segments."
    lines = {"right": ["a b c", "d e"], "other": ["b a c", "d e"]}
    now, before = (
        methods_text(kilter.report(lines, lines["right"], metrics=["bleu", name]))
        for name in ("kilter", "kilter:weights=2")
    )
    assert told not in now
    assert f" kilter:weights=2 weighs {told}" in before


def test_signatures_are_those_of_the_metrics_one_a_line() -> None:
    report = sample_report()
    assert signatures_text(report).splitlines() == [
        facts.signature for facts in report.metrics.values()
    ]


def test_every_publication_of_a_metric_is_cited_once() -> None:
    report = sample_report()
    text = citations_text(report)
    keys = {key for facts in report.metrics.values() for key in facts.citations}
    assert all(text.count(PUBLICATIONS[key]) == 1 for key in keys)
    assert text.count("\n@") + 1 == len(keys)
