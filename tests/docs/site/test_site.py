"""What the site adds to the pages."""

from pathlib import Path

import pytest

import kilter
from kilter.metrics.registry import metric_names
from tests.docs.pages import ROOT
from tests.docs.site.command_reference import command_reference
from tests.docs.site.metric_page import framed, missing, picture
from tests.docs.site.navigation import SECTIONS, index
from tests.docs.site.python_reference import python_reference
from tests.docs.test_completeness import commands


@pytest.mark.parametrize("name", metric_names())
def test_the_page_of_every_metric_is_complete(name: str) -> None:
    written = (ROOT / "docs" / "metrics" / f"{name}.md").read_text(encoding="utf-8")
    assert {"a picture", "the steps of a score"} <= {*missing(written)}
    assert missing(framed(name, written)) == []
    assert picture(name).startswith("<svg ")


def test_every_public_name_and_every_command_is_in_the_reference() -> None:
    page = python_reference()
    assert [name for name in kilter.__all__ if f"## kilter.{name}\n" not in page] == []
    told = command_reference()
    assert [name for name in commands() if f"## kilter {name}\n" not in told] == []


def test_every_page_is_in_the_navigation_once(tmp_path: Path) -> None:
    for name in [
        *(each for names in SECTIONS.values() for each in names),
        "docs/new",
        "docs/metrics/pef",
    ]:
        path = tmp_path / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    lines = index(tmp_path, "# Kilter").splitlines()
    assert (
        lines.count("docs/new") == lines.count("docs/metrics/pef") == lines.count("docs/cli") == 1
    )
    (tmp_path / "docs" / "cli.md").unlink()
    with pytest.raises(ValueError, match=r"are not there: docs/cli$"):
        index(tmp_path, "# Kilter")
