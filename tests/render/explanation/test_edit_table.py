"""Tables of edits have a row for each and the sums of their costs. [TH] table 4.1"""

import pytest

from kilter.core.dependency_tree import DependencyTree
from kilter.metrics.dted import dted_table
from kilter.render.explanation.error_table import (
    HEADINGS,
    edit_cells,
    edit_table_picture,
    table_sums,
)
from tests.golden.test_tree_examples import CELLIST_LINKS
from tests.render.explanation.look import check
from tests.render.explanation.worked import CELLIST_TREE, MS_TREE
from tests.render.picture import parsed, texts


def test_the_table_has_every_cell_in_its_row() -> None:
    table = dted_table(CELLIST_TREE, MS_TREE, links=CELLIST_LINKS)
    picture = edit_table_picture(table)
    check(picture)
    cells = texts(picture)
    rows = [tuple(cells[at : at + 7]) for at in range(0, 7 * 12, 7)]
    assert rows == [HEADINGS, *map(edit_cells, table.rows)]
    assert cells[84:] == ["distance", "7"]


@pytest.mark.parametrize(
    ("variant", "sums"),
    [
        ("b", [("distance", "10")]),
        ("c", [("distance", "7")]),
        ("co", [("dist_a: linked words", "2"), ("dist_na: other words", "5")]),
    ],
)
def test_costs_are_added_up_as_the_variant_does(variant: str, sums: list[tuple[str, str]]) -> None:
    table = dted_table(CELLIST_TREE, MS_TREE, links=CELLIST_LINKS, variant=variant)
    assert table_sums(table) == sums
    assert sum(int(edit_cells(row)[-1]) for row in table.rows) == sum(int(v) for _, v in sums)


def test_edits_that_cost_are_bold() -> None:
    table = dted_table(CELLIST_TREE, MS_TREE, links=CELLIST_LINKS)
    bold = [
        text.text
        for text in parsed(edit_table_picture(table)).findall(".//{*}text")
        if text.get("font-weight")
    ]
    assert bold.count("1") == 7
    assert "match" not in bold


def test_no_edit_is_a_table_without_rows() -> None:
    none = DependencyTree([], [])
    picture = edit_table_picture(dted_table(none, none, links=[]))
    check(picture)
    assert texts(picture) == [*HEADINGS, "distance", "0"]
