"""What publications print: tables, and agreement with people."""

import re

import pytest

from kilter.core.errors import OptionError
from kilter.io.published import (
    PrintedTable,
    agreement_data_sets,
    printed_table,
    printed_tables,
    published_tables,
    published_values,
)
from kilter.metrics.citation import PUBLICATIONS
from kilter.metrics.registry import metric
from kilter.results.meta_result import AgreementMeasure
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


UNCHECKED = (
    "pc-1", "pc-2", "pef-1", "pef-2", "pef-4", "pef-5", "pef-scaled", "pef-curves",
    "frs-2", "frs-3", "frs-4", "frs-5", "frs-8", "th-7.1", "th-7.2", "th-7.3",
)  # fmt: skip


@pytest.mark.parametrize("name", UNCHECKED)
def test_what_was_not_checked_against_print_says_so(name: str) -> None:
    notes = printed_table(name).differences
    assert [note for note in notes if note.startswith("Not checked against print: ")]


def test_a_title_says_what_a_table_holds_or_that_it_is_not_recorded() -> None:
    titles = {name: printed_table(name).entry.title for name in UNCHECKED}
    assert titles["th-7.1"] == titles["frs-8"] == "Title not recorded"
    assert "Families of tools" in titles["th-7.2"]
    assert "Configurations and variants" in titles["th-7.3"]
    assert titles["frs-4"] != titles["frs-5"]
    assert "two translations" in titles["frs-2"]


def test_gamma_is_varied_for_forests_and_for_trees() -> None:
    for name in ("pef-4", "pef-5"):
        rows = {row.name: row.given["metric"] for row in printed_table(name).rows}
        assert rows == {
            "PEFs, gamma 0": "full",
            "PEFs, gamma 0.5": "full:order=pef:gamma=0.5",
            "PETs, gamma 0": "full:order=pet",
            "PETs, gamma 0.5": "full:order=pet:gamma=0.5",
        }


def test_judgments_of_the_thesis_are_said_to_be_deposited_where_they_are() -> None:
    for name in ("th-7.1", "th-7.2", "th-7.3", "th-hypotheses"):
        assert "10.5255/UKDA-SN-853215" in printed_table(name).entry.unavailable


@pytest.mark.parametrize("name", ["pc-1", "pc-2", "pef-1", "pef-2", "pef-4", "pef-5", "pef-scaled"])
def test_tables_of_ten_language_pairs_name_them(name: str) -> None:
    told = " ".join(printed_table(name).differences)
    for language in ("English", "Czech", "French", "German", "Russian", "Spanish"):
        assert language in told


def test_printed_rows_are_metrics_as_they_are_asked_for() -> None:
    for table in published_tables():
        assert table.citation in PUBLICATIONS
        assert table.measure in list(AgreementMeasure)
        for name, row in table.values.items():
            assert metric(name).specification() == name
            assert len(row) == len(table.columns)


@pytest.mark.parametrize(
    ("measure", "name", "value"),
    [
        ("segment_tau", "full:order=kendall", 0.235),
        ("segment_tau", "full", 0.237),
        ("segment_tau", "full:order=pet", 0.234),
        ("system_spearman", "sen:order=pet-size", 0.918),
        ("system_spearman", "sen:order=max-op", 0.921),
        ("system_spearman", "sen:order=pet-count", 0.786),
    ],
)
def test_printed_numbers_of_german_english(measure: str, name: str, value: float) -> None:
    assert published_values("wmt13-de-en", [name])[measure][name].value == value


def test_an_unknown_data_set_is_refused() -> None:
    with pytest.raises(OptionError, match="there are numbers about wmt13-de-en"):
        published_values("moon", [])
    assert len(agreement_data_sets()) == 5
