"""The page of a report as text: what stands in it, and what cannot."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import kilter
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


def test_differences_of_many_systems_are_told_below_one_another_or_opened() -> None:
    systems = {f"s{number}": ["a b c"] for number in range(15)}
    page = small_report(right=["a b c"], **systems).to_html()
    section = page.partition('<section id="differences"')[2].partition("</section>")[0]
    assert section.count("<li><strong>") == 15
    assert section.partition("<details>")[0].count("<li><strong>") == 12
    assert "<summary>3 further systems</summary>" in section
    assert "<details>" not in small_report(right=["a b"], wrong=["b a"]).to_html().partition("<main>")[2].partition('<section id="systems"')[0]  # fmt: skip


def test_what_marks_stand_for_is_said_beside_them() -> None:
    page = sample_report().to_html()
    assert (
        "better +** / +* or worse -** / -* with corrected p &lt; .01 / &lt; .05, 0 neither" in page
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
