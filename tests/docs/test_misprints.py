"""The list of misprints and ambiguities has every number of the specification."""

import re

from tests.docs.pages import ROOT

_ROW = re.compile(r"^\| ([MA]\d+) \|", re.MULTILINE)


def rows(name: str) -> list[str]:
    return _ROW.findall((ROOT / "docs" / name).read_text(encoding="utf-8"))


def test_every_number_of_the_specification_is_listed_once_and_in_order() -> None:
    assert rows("misprints.md") == rows("specification.md")
    assert len(rows("misprints.md")) == 32 + 44


def test_the_order_of_the_arguments_of_the_brevity_penalty_is_told() -> None:
    text = (ROOT / "docs" / "misprints.md").read_text(encoding="utf-8")
    assert "BP(\\|pi\\|, \\|ref\\|) in the one, bp(\\|ref\\|, \\|pi\\|) in the other" in text
