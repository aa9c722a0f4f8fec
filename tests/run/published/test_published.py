"""Printed tables again."""

import re

import pytest

from kilter.core.errors import InputError, OptionError
from kilter.io.published import printed_tables
from kilter.results.published_result import CellVerdict
from kilter.run.published.published import RECIPES, published, published_list
from tests.golden import cases
from tests.published_data import DATA, needs_data

WORKED = [entry.name for entry in published_list() if entry.state == "nothing"]
UNAVAILABLE = [entry.name for entry in published_list() if entry.unavailable]

KNOWN_TO_DIFFER = {"pc-3"}
"""What print also asks for cannot be computed: significance needs the resamples of the publication."""


@pytest.mark.parametrize("name", WORKED)
def test_a_table_that_needs_no_data_comes_out_as_printed_but_for_misprints(name: str) -> None:
    found = published(name)
    assert found.cells
    allowed = {CellVerdict.SAME, CellVerdict.MISPRINT, CellVerdict.UNPRINTED}
    if name in KNOWN_TO_DIFFER:
        allowed.add(CellVerdict.DIFFERS)
    assert {cell.verdict for cell in found.cells} <= allowed
    assert all(cell.value is not None for cell in found.cells)


@pytest.mark.parametrize("name", WORKED)
def test_every_misprint_of_a_row_is_one_and_is_explained(name: str) -> None:
    found = published(name)
    marked = {row.name: row.misprint for row in printed_tables()[name].rows if row.misprint}
    seen = {cell.row: cell.misprint for cell in found.cells if cell.misprint}
    assert seen == marked
    assert set(marked.values()) <= set(found.misprints)


def test_figures_of_worked_examples_are_those_of_the_oracles() -> None:
    worked = {case["id"]: case for case in cases("worked_examples")}
    for place, cell in {
        "TH-4.12": published("th-4.2").cell("cl", "score"),
        "TH-4.9": published("th-4.2").cell("co", "score"),
        "TH-bleu": published("th-3.3").cell("BLEU", "value"),
        "TH-tau": published("th-3.2").cell("tau", "value"),
        "TH-meteor-F": published("th-3.4").cell("Fmean", "value"),
        "LR-d_tau-c": published("lr-1").cell("c", "kendall"),
    }.items():
        assert cell.value == pytest.approx(worked[place]["oracle"], abs=5e-5)
        assert cell.printed == worked[place]["printed"]
    rows = published("th-5.1")
    for row in rows.rows:
        case = worked[f"TH-table5.1-{row}"]
        pair = [rows.cell(row, column) for column in rows.columns]
        assert [cell.value for cell in pair] == case["oracle"]
        assert [cell.printed for cell in pair] == case["printed"]


def test_wins_and_draws_of_printed_means_are_those_of_the_vectors() -> None:
    (vectors,) = (case for case in cases("metaeval") if case["kind"] == "nbd")
    found = published("pc-3")
    for row, name in (("|PET|", "PET"), ("MAX|Op|", "MAX"), ("#PETs", "#PETS")):
        cells = [found.cell(row, column) for column in found.columns]
        assert [cell.value for cell in cells] == vectors["by_means"][name]
        assert [cell.printed for cell in cells] == vectors["printed"][name]


@pytest.mark.parametrize("name", UNAVAILABLE)
def test_a_table_that_nobody_can_compute_says_why_and_computes_nothing(name: str) -> None:
    found = published(name)
    assert len(found.entry.unavailable) > 20
    assert {cell.value for cell in found.cells} <= {None}
    unknown = {CellVerdict.UNCOMPUTED, CellVerdict.UNRECORDED}
    assert {cell.verdict for cell in found.cells} <= unknown


def test_every_recipe_is_used_and_every_table_has_one_or_a_reason() -> None:
    used = {table.recipe for table in printed_tables().values()} - {None}
    assert used == set(RECIPES)
    assert all(table.recipe or table.entry.unavailable for table in printed_tables().values())


def test_an_unknown_table_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(OptionError, match=re.escape("'lr-3'; there are: pc-1, ")):
        published("lr-3")


def test_missing_data_is_named_with_where_it_comes_from() -> None:
    with pytest.raises(InputError, match=r"wmt13-de-en/pairs\.tsv, .*statmt\.org/wmt13"):
        published("pc-2")


@needs_data("wmt13-de-en")
def test_printed_correlations_of_systems_lie_in_our_intervals_and_near_ours() -> None:
    found = published("pc-2", data=DATA)
    assert found.notes == ("de-en: 17 systems, 128668 judged pairs",)
    cells = [found.cell(row, "de-en") for row in found.rows]
    assert [cell.verdict for cell in cells[1:]] == [CellVerdict.WITHIN] * 8
    for cell in cells[1:]:
        # #PETs differs most: most sentences have the same few counts, so that links decide.
        assert cell.value == pytest.approx(cell.printed, abs=0.035)
    assert cells[0].verdict is CellVerdict.UNRECORDED
    assert cells[0].value == pytest.approx(0.8505, abs=5e-5)


@pytest.mark.parametrize(
    ("name", "why"), [("pef-1", "cannot be computed"), ("th-5.1", "needs none")]
)
def test_data_that_nothing_is_computed_from_is_refused(name: str, why: str) -> None:
    with pytest.raises(
        OptionError, match=f"data has no effect, because {name} {why}; leave it out"
    ):
        published(name, data="nowhere")
