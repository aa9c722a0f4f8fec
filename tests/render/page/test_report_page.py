"""The page of a report as text: what stands in it, and what cannot."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import kilter
from kilter.metrics.citation import PUBLICATIONS
from kilter.render.page.report_page import citations_text, methods_text, signatures_text
from kilter.stats.resampling import Resampling
from tests.render.page.reported import sample_report, small_report

EVIL = "</script><script>window.broken = 1</script><img src=x onerror=alert(1)> & \u2028"


def scripts(page: str) -> list[str]:
    return re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)


def test_the_page_holds_no_address_that_anything_could_be_loaded_from() -> None:
    page = sample_report().to_html()
    assert re.findall(r'(?:src|href)="(?!#|data:,")[^"]*"', page) == []
    assert "url(" not in page
    assert "@import" not in page
    assert "import(" not in page


def test_the_policy_lets_only_the_script_of_the_page_run() -> None:
    page = sample_report().to_html()
    _, script = scripts(page)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)[0]
    assert f"script-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "connect-src" not in policy


def test_only_a_live_page_may_ask_its_server() -> None:
    report = small_report(right=["a b"])
    live = report.to_html(live=True)
    assert "connect-src 'self'" in live
    assert 'fetch("version"' in live
    assert "fetch(" not in report.to_html()


def test_no_text_of_the_data_ends_a_script_or_begins_an_element() -> None:
    report = small_report(**{"right": [EVIL, "b"], EVIL: ["a", EVIL]})
    page = report.to_html()
    data, _ = scripts(page)
    assert len(scripts(page)) == 2
    assert "<img" not in page
    assert not set(data) & set("<>&\u2028\u2029")
    assert json.loads(data)["systems"] == ["right", EVIL]


def test_the_page_has_landmarks_headings_and_a_way_past_them() -> None:
    page = sample_report().to_html()
    for tag in ("header", "nav", "main", "footer"):
        assert page.count(f"<{tag}") - page.count("<header>") * (tag == "head") == 1, tag
    assert page.count("<h1") == 1
    sections = re.findall(r'<section id="([a-z]+)" aria-labelledby="([a-z-]+)"', page)
    assert [title for _, title in sections] == [f"{key}-title" for key, _ in sections]
    assert set(re.findall(r'<a href="#([a-z]+)"', page)) == {key for key, _ in sections}
    assert page.count('id="') == len(set(re.findall(r'\bid="([^"]+)"', page)))


def test_scores_stand_in_the_page_before_any_script_runs() -> None:
    report = sample_report()
    before = report.to_html().partition("<script")[0]
    for metric in report.comparison.metrics:
        for interval in metric.intervals:
            assert f"{interval.value:.4f}" in before


def test_of_many_systems_all_have_a_row_and_the_leaders_are_told() -> None:
    systems = {f"s{number}": ["a b c"] for number in range(15)}
    page = small_report(right=["a b c"], **systems).to_html()
    section = page.partition('<section id="summary"')[2].partition("</section>")[0]
    assert section.count('<th scope="row"') == 16
    assert (
        "right is best in kendall (1.000), but it cannot be told from 15 other systems" in section
    )


def test_what_marks_stand_for_is_said_beside_them() -> None:
    page = sample_report().to_html()
    assert (
        "Marks compare with local: + better, - worse (corrected p &lt; .05, with ** p &lt; .01); "
        "0 no significant difference" in page
    )
    few = kilter.report(
        {name: ["a b", "b a"] * 20 for name in "abcdef"},
        ["a b"] * 40,
        metrics="kendall",
        resampling=Resampling(resamples=100),
    )
    caption = (
        "? too few resamples to decide: no pair in the matrix can be significant with 100 resamples"
    )
    assert caption in few.to_html()
    assert any(note.startswith("no pair in the matrix can be significant") for note in few.notes)


# How a report says what was done.


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


def test_a_page_without_a_reference_says_nothing_is_better() -> None:
    sources, lines = ["eins zwei drei"] * 8, ["one two three"] * 8
    batches = [kilter.LinkBatch.of([[*enumerate(order)]] * 8) for order in ((0, 1, 2), (2, 0, 1))]
    found = kilter.report(
        {"a": lines, "b": lines},
        source=sources,
        links=kilter.Links(source_hypothesis=tuple(batches)),
        resampling=Resampling(resamples=200),
    )
    page = found.to_html().partition('<script type="application/json"')[0]
    assert "no reference: systems are compared with the order of the source" in page
    summary = page.partition('<section id="summary"')[2].partition("</section>")[0]
    assert "<strong><bdi>b</bdi></strong>: moves farther from the order of the source" in summary
    assert re.findall(r"better|worse|reference", re.sub(r"<[^>]+>", " ", summary)) == []
    sections = re.findall(r'<section id="([a-z]+)"', page)
    assert sections == ["summary", "systems", "distributions", "pair", "segments", "methods"]
    assert set(re.findall(r'<a href="#([a-z]+)">', page)) == {*sections}
