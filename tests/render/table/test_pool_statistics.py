"""Columns hold what they name: the pool of a study."""

from dataclasses import replace

from kilter.render.table.table import TableFormat
from kilter.results.study import PoolCount, PoolStatistics
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import shown

TYPES = ("order", "swap")


@case("PoolStatistics")
def test_columns_of_a_pool_hold_what_they_name(book: Book) -> None:
    row = book.make(PoolCount, "0", pair="de-en", permutations={"order": 31, "swap": 11})
    total = book.make(
        PoolCount,
        "1",
        pair=None,
        year=None,
        rank_score=None,
        permutations={"order": 32, "swap": 12},
    )
    for counted in (True, False):
        given = [row, total]
        if not counted:
            given = [replace(each, permutations=None) for each in given]
        text = shown(PoolStatistics(rows=(given[0],), total=given[1]), TableFormat.TEXT, width=200)
        header, *lines = text.splitlines()
        cells = [line.split() for line in lines]
        assert header.split()[:9] == [
            "pair", "year", "corpora", "sentences", "in", "pool", "reference", "length", "hypothesis",
        ]  # fmt: skip
        assert cells[0][:9] == [
            "de-en", str(row.year), str(row.corpora), str(row.sentences), str(row.in_pool),
            f"{row.reference_length:.1f}", f"{row.hypothesis_length:.1f}", str(row.ranked),
            f"{row.rank_score:.3f}",
        ]  # fmt: skip
        assert cells[1][:3] == ["all", str(total.corpora), str(total.sentences)]
        assert cells[1][7] == "-"
        assert header.split()[13:] == ([*TYPES, "permutations"] if counted else [])
        assert [each[-3:] for each in cells] == (
            [["31", "11", "42"], ["32", "12", "44"]] if counted else [each[-3:] for each in cells]
        )
