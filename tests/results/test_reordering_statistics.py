"""Shares of what is counted."""

import csv
import json

import kilter
from kilter.render.table.table import TableFormat
from kilter.results.reordering_statistics import OrderCounts
from tests.render.cases import case
from tests.render.written import shown

NONE = dict.fromkeys(OrderCounts.__dataclass_fields__, 0)


def test_a_share_of_nothing_and_of_words_that_nobody_counted_is_none() -> None:
    assert set(OrderCounts(**NONE).shares().values()) == {None}
    counted = OrderCounts(**{**NONE, "source_words": 8, "linked_source_words": 6, "links": 4})
    assert counted.shares()["unaligned source words"] == 0.25
    unknown = OrderCounts(
        **{**NONE, "links": 4, "links_ahead": 1},
    )
    assert unknown.shares()["links ahead"] == 0.25


# Tables of how far words move.


LINKS = kilter.LinkBatch.of([[(0, 0), (1, 3), (2, 1), (3, 2)], [(0, 0), (1, 1)], []])
RESULT = kilter.reorder.statistics(["She reads a book", "Yes sir", "Oh"], LINKS)


def written(form: TableFormat) -> str:
    return shown(RESULT, form)


@case("ReorderingStatistics")
def test_columns_of_reordering_statistics_hold_what_they_name() -> None:
    rows = list(csv.DictReader(written(TableFormat.TSV).splitlines(), delimiter="\t"))
    assert list(rows[0]) == ["by", "range", "measure", "value", "low", "high", "count"]
    found = {(row["by"], row["range"], row["measure"]): row for row in rows}
    kendall = found["all", "", "kendall"]
    mean = RESULT.means["kendall"]
    assert (float(kendall["value"]), kendall["count"]) == (mean.value, "2")
    assert (float(kendall["low"]), float(kendall["high"])) == (mean.low, mean.high)
    assert found["all", "", "crossing"]["count"] == "2"
    assert found["length", "1-5", "monotone pairs"]["value"] == "0.5"
    backward = found["distance", "1", "steps backward"]
    assert (backward["value"], backward["count"]) == ("0.25", "1")
    assert json.loads(written(TableFormat.JSON)) == RESULT.to_dict()


def test_people_read_shares_means_lengths_and_distances() -> None:
    text = written(TableFormat.TEXT)
    assert "monotone pairs           50.00%\n" in text
    assert "\nkendall       0.8333  [" in text
    assert "\n1-5        3    50.00%     14.29%   0.8333" in text
    assert "\n1             25.00%          25.00%       33.33%\n" in text
    assert "crossings: share of pairs of links that do not cross (1: none crosses)" in text
    assert "of 1 pair without any link only the words are" in text
    assert "2 sentence pairs are few" in text
    assert text.endswith("order:birch(null:previous)\n")
    assert "unaligned target words        -\n" in text
