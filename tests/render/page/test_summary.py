"""The first screen of a report: verdicts, and a table of scores with pictures of their intervals."""

import re
from dataclasses import replace

import kilter
from kilter.render.page.report_page import report_page
from kilter.results.verdict import claim, overview
from kilter.stats.resampling import Resampling
from tests.render.page.reported import sample_report, small_report

LINES = [f"word {n} stands here now" for n in range(40)]
TURNED = [" ".join(reversed(line.split())) for line in LINES]


def summary(page: str) -> str:
    """Return the section of the summary."""
    return page.partition('<section id="summary"')[2].partition("</section>")[0]


def rows(page: str) -> list[str]:
    return re.findall(r"<tr>(.*?)</tr>", summary(page).partition("<tbody>")[2], re.DOTALL)


def test_verdicts_are_those_of_compare() -> None:
    report = sample_report()
    shown = summary(report.to_html())
    assert [each.count(" against ") > 0 for each in overview(report.comparison)] == [True] * 3
    for sentence in overview(report.comparison):
        assert f"<p>{sentence}</p>".replace("&", "&amp;").replace("<p ", "<p ") in shown.replace(
            "&lt;", "<"
        )


def test_every_score_stands_in_its_cell_with_its_interval() -> None:
    report = sample_report()
    found = rows(report.to_html())
    assert len(found) == len(report.systems)
    for place, row in enumerate(found):
        cells = re.findall(r"<td(.*?)</td>", row, re.DOTALL)
        for metric, cell in zip(report.comparison.metrics, cells, strict=False):
            interval = metric.intervals[place]
            assert f'data-value="{interval.value!r}"' in cell
            assert f">{interval.value:.4f}" in cell
            assert f'title="{interval.low:.4f} to {interval.high:.4f}"' in cell
            assert cell.count("<circle") == 1


def test_the_last_column_is_the_difference_from_the_baseline() -> None:
    report = small_report(right=LINES, turned=TURNED)
    baseline, turned = rows(report.to_html())
    assert baseline.rpartition("<td")[2].startswith(' title="">-')
    last = turned.rpartition("<td")[2]
    pair = report.comparison.metrics[0].pair("right", "turned")
    assert pair is not None
    assert f'data-value="{pair.difference!r}"' in last
    assert 'class="axis"' in last


def test_what_is_surely_worse_is_marked_and_said() -> None:
    report = small_report(right=LINES, turned=TURNED)
    _, turned = rows(report.to_html())
    (verdict,) = overview(report.comparison)
    if "?" not in turned:
        assert '<span class="mark down">\u2212' in turned
    assert verdict.startswith(("turned is worse than right in bleu", "There are too few resamples"))


def test_one_system_alone_has_scores_and_nobody_to_differ_from() -> None:
    page = small_report(right=LINES).to_html()
    (row,) = rows(page)
    assert row.count("<td") == 2
    assert "verdict" not in summary(page)
    assert 'id="differing"' not in page


def test_of_many_systems_the_leaders_are_told() -> None:
    reference = [f"the {n} old cats see a small grey mouse" for n in range(40)]
    turned = [" ".join(reversed(line.split())) for line in reference]
    lines = {f"s{n}": turned if n else reference for n in range(6)}
    drawn = Resampling(resamples=3000)
    found = kilter.compare(lines, reference, resampling=drawn, metrics=["order", "bleu"])
    assert overview(found) == [
        "s0 is best in order (1.000); every other system is significantly worse."
    ]
    alike = kilter.compare(
        dict.fromkeys(lines, reference), reference, resampling=drawn, metrics=["bleu"]
    )
    assert overview(alike) == [
        (
            "s0 is best in bleu (1.000); not significantly worse: s1 (1.000), s2 (1.000), "
            "s3 (1.000), s4 (1.000), s5 (1.000)."
        )
    ]


def test_a_claim_says_in_words_what_differs_what_does_not_and_what_is_open() -> None:
    reference = [f"the {n} old cats see a small grey mouse" for n in range(40)]
    turned = [" ".join(reversed(line.split())) for line in reference]
    systems = {"right": reference, "turned": turned, "same": reference}
    metrics = ["kilter", "order", "coverage"]
    drawn = Resampling(resamples=2000)
    found = kilter.compare(systems, reference, resampling=drawn, metrics=metrics)
    assert claim(found, "turned") == (
        "orders words worse and is worse overall; no significant difference in coverage"
    )
    assert (
        claim(found, "same") == "no significant difference in order, coverage and overall quality"
    )
    few = kilter.compare(
        {"right": reference[:3], "turned": turned[:3]}, reference[:3], metrics=["bleu", "order"]
    )
    assert claim(few, "turned") == "too few segments to tell in order"
    plain = kilter.compare(
        {"turned": turned, "right": reference}, reference, resampling=drawn, metrics=["bleu", "f1"]
    )
    assert claim(plain, "right") == "is better in bleu; no significant difference in f1"


def test_a_claim_names_metrics_that_say_the_same_together() -> None:
    drawn = Resampling(resamples=2000)
    metrics = ["f1", "kendall", "bleu"]
    found = kilter.compare(
        {"right": LINES, "turned": TURNED}, LINES, resampling=drawn, metrics=metrics
    )
    told = "is worse in kendall and bleu; no significant difference in f1"
    assert claim(found, "turned") == told


def test_of_many_systems_each_row_has_its_claim() -> None:
    reference = [f"the {n} old cats see a small grey mouse" for n in range(40)]
    report = small_report(**{"right": reference, **{f"s{n}": reference for n in range(6)}})
    for system, row in zip(report.systems, rows(report.to_html()), strict=True):
        told = claim(report.comparison, system) if system != "right" else "baseline"
        assert f'<span class="low">{told}</span>' in row


def test_with_too_few_resamples_many_systems_are_not_called_equal() -> None:
    reference = [f"the {n} old cats see a small grey mouse" for n in range(40)]
    turned = [" ".join(reversed(line.split())) for line in reference]
    lines = {f"s{n}": turned if n else reference for n in range(8)}
    found = kilter.compare(lines, reference, resampling=Resampling(resamples=20), metrics=["order"])
    (sentence,) = overview(found)
    assert sentence.startswith("s0 is best in order (1.000), but it cannot be told from 7 other ")
    assert found.decision_note is not None
    assert found.decision_note in sentence


def test_names_and_notes_are_text() -> None:
    report = sample_report()
    evil = replace(report, notes=("<b>",))
    assert "<li>&lt;b&gt;</li>" in summary(report_page(evil))
