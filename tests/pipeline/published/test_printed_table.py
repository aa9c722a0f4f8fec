"""Tables as they are printed."""

import re

import pytest

from kilter.agreement.published import published_tables
from kilter.errors import OptionError
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.registry import metric
from kilter.pipeline.published.printed_table import PrintedTable, printed_table, printed_tables
from tests.docs.pages import ROOT

TABLES = list(printed_tables().values())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_is_whole(table: PrintedTable) -> None:
    assert len({row.name for row in table.rows}) == len(table.rows)
    for row in table.rows:
        assert len(row.printed) == len(row.unrecorded) == len(table.columns)
        assert row.misprint is None or row.misprint in table.misprints
    assert set(table.data) <= set(table.columns)
    assert table.entry.title
    assert re.fullmatch(r"\[(PC|PEF|LR|FRS|TH)\]", table.entry.publication)


def test_every_misprint_of_a_table_is_in_the_list_of_misprints() -> None:
    listed = (ROOT / "docs" / "misprints.md").read_text(encoding="utf-8")
    numbers = {number for table in TABLES for number in table.misprints}
    assert [number for number in sorted(numbers) if f"\n| {number} |" not in listed] == []


def test_figures_of_agreement_stand_in_tables_as_they_are_recorded_once() -> None:
    pef = next(each for each in published_tables() if each.publication.startswith("[PEF]"))
    halves = printed_table("pef-1").rows, printed_table("pef-2").rows
    for first, second in zip(*halves, strict=True):
        assert first.given == second.given
        assert (*first.printed, *second.printed) == pef.values[first.given["metric"]]
    assert printed_table("pef-2").columns.index("de-en") + 5 == pef.columns.index("wmt13-de-en")
    system = next(each for each in published_tables() if each.publication == "[PC] table 2")
    assert printed_table("pc-2").columns.index("de-en") + 5 == system.columns.index("wmt13-de-en")


def test_metrics_of_rows_can_be_computed() -> None:
    for table in TABLES:
        for row in table.rows:
            if table.measure:
                assert metric(row.given["metric"])


def test_an_unknown_table_is_an_error_that_lists_them() -> None:
    with pytest.raises(OptionError, match="lr-1, lr-2"):
        printed_table("")


def test_publications_are_those_that_kilter_cites() -> None:
    for file in ("pc", "pef", "lr", "frs", "th"):
        text = (ROOT / "src" / "kilter" / "published" / f"{file}.toml").read_text(encoding="utf-8")
        (key,) = re.findall(r'^citation = "(.*)"$', text, re.MULTILINE)
        assert key in PUBLICATIONS
