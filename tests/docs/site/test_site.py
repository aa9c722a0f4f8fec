"""What the site adds to the pages."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import kilter
from kilter.metrics.registry import metric_names
from tests.docs.pages import ROOT
from tests.docs.site.__main__ import stage
from tests.docs.site.metric_page import framed, missing, picture
from tests.docs.site.navigation import kinds
from tests.docs.site.python_reference import python_reference
from tests.study import browsing

TASKS = {
    "score two files": "score-two-files",
    "why is this sentence low": "why-is-it-low",
    "is the difference real": "is-it-real",
    "use my own alignments": "use-own-alignments",
    "run a study": "run-a-study",
}


@pytest.mark.parametrize("name", metric_names())
def test_the_page_of_every_metric_is_complete(name: str) -> None:
    written = (ROOT / "docs" / "metrics" / f"{name}.md").read_text(encoding="utf-8")
    assert "a picture" in missing(written)
    assert missing(framed(name, written)) == []
    assert picture(name).startswith("<svg ")


def test_every_public_name_is_in_the_reference() -> None:
    page = python_reference()
    assert [name for name in kilter.__all__ if f"## kilter.{name}\n" not in page] == []


def links(page: Path) -> set[Path]:
    """Return the pages that a page links to, without the navigation."""
    text = re.sub(
        r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    found = re.findall(r"\]\(([^)#\s]+\.md)[^)\s]*\)", text)
    return {(page.parent / name).resolve() for name in found if "://" not in name}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    staged = tmp_path_factory.mktemp("site") / "source"
    stage(staged)
    return staged.resolve()


def test_every_page_says_what_kind_it_is(source: Path) -> None:
    here = {"index", "README", "docs/README", "docs/tutorials", "docs/how-to-guides"}
    here |= {"docs/reference", "docs/explanation"}
    for page in source.rglob("*.md"):
        if page.relative_to(source).with_suffix("").as_posix() not in here:
            kind = page.read_text(encoding="utf-8").split("\n", 4)[3]
            assert re.match(r"\[(Tutorial|How-to guide|Reference|Explanation)\]", kind), page


def test_the_first_page_has_the_install_line_the_picture_and_six_doors(source: Path) -> None:
    page = (source / "index.md").read_text(encoding="utf-8")
    line = "pip install ."
    assert f"\n{line}\n" in page
    assert f"\n{line} " in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "docs/explained.svg" in page
    doors = page.partition("{.doors}\n")[2].partition("\n\nNew here")[0]
    assert len(re.findall(r"^\* \[", doors, re.MULTILINE)) == 6


def test_tasks_metrics_and_commands_are_two_clicks_from_the_first_page(source: Path) -> None:
    one = links(source / "index.md")
    two = {page for first in one for page in links(first)} | one
    assert {source / "docs" / "how-to" / f"{name}.md" for name in TASKS.values()} <= one
    for folder in ("cli", "metrics", "how-to"):
        assert {*(source / "docs" / folder).glob("*.md")} <= two


def test_a_page_that_is_not_listed_listed_twice_or_not_there_is_told() -> None:
    listed = "# All\n\n## Tutorials\n\n* [One](one.md)\n\n## Reference\n\n* [Commands](cli.md)\n"
    there = {"docs/README", "docs/one", "docs/cli", "docs/cli/score"}
    assert kinds(listed, there) == {
        "docs/one": "Tutorial",
        "docs/cli": "Reference",
        "docs/cli/score": "Reference",
    }
    with pytest.raises(ValueError, match="does not list docs/new"):
        kinds(listed, {*there, "docs/new"})
    with pytest.raises(ValueError, match="are not there: docs/one"):
        kinds(listed, there - {"docs/one"})
    with pytest.raises(ValueError, match="lists docs/one twice"):
        kinds(f"{listed}* [Again](one.md)\n", there)


@pytest.mark.skipif(browsing.chromium() is None, reason=browsing.MISSING)
def test_the_table_of_metrics_is_filtered_by_any_of_its_words(chromium: Browser) -> None:
    table = (ROOT / "docs" / "metrics" / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in table if line.startswith("| [")]
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    script = (Path(__file__).parent / "static" / "site.js").read_text(encoding="utf-8")
    page = chromium.new_page()
    page.set_content(
        f"<section id='metrics'><table><tbody>{cells}</tbody></table><pre>a</pre>"
        f"<script>{script}</script></section>"
    )
    shown = page.locator("tbody tr:visible")
    expect(page.locator("output")).to_have_text(f" {len(rows)} of {len(rows)} metrics")
    for asked in ("trees lower", "Trees links", "order"):
        page.get_by_label("Filter").fill(asked)
        words = asked.lower().split()
        wanted = [row[0] for row in rows if all(word in " ".join(row).lower() for word in words)]
        expect(shown).to_have_count(len(wanted))
        assert [
            name.split("]")[0] for name in shown.locator("td:first-child").all_inner_texts()
        ] == [name.split("]")[0] for name in wanted]
    expect(page.locator("pre")).to_have_attribute("tabindex", "0")
    page.close()
