"""Columns hold what they name: agreement of links."""

import json

from kilter import __version__
from kilter.render.table.links import write_link_comparisons
from kilter.render.table.table import TableFormat
from kilter.results.links import MEASURES, IntervalValue, LinkComparison
from kilter.stats.undefined import Undefined
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import objects, pages, written

COUNTS = ("sentences", "compared", "links", "sure", "common")


@case("write_link_comparisons")
def test_columns_of_write_link_comparisons_hold_what_they_name(book: Book) -> None:
    whole = {
        name: IntervalValue(0.5 + place / 16, 0.25 + place / 16, 0.75 + place / 16)
        for place, name in enumerate(MEASURES)
    }
    nothing = {name: IntervalValue(Undefined(f"no {name}")) for name in MEASURES}
    found = [
        book.make(LinkComparison, "0", **whole),
        book.make(LinkComparison, "1", **nothing),
    ]
    rows = []
    for each in found:
        row = {name: getattr(each, name) for name in ("first", "second", *COUNTS)}
        for name in MEASURES:
            value = getattr(each, name)
            row |= {name: value.known, f"{name}_low": value.low, f"{name}_high": value.high}
        rows.append(row)
    assert objects(write_link_comparisons, found) == rows
    assert json.loads(written(write_link_comparisons, found, form=TableFormat.JSON)) == {
        "schema": "kilter.link-agreement/1",
        "version": __version__,
        "comparisons": [
            rows[0] | {"undefined": {}},
            rows[1] | {"undefined": {name: f"no {name}" for name in MEASURES}},
        ],
    }
    table, spans = pages(write_link_comparisons, found)
    titles = {"f1": "F1", "aer": "AER", "frs": "FRS"}
    assert table == [
        {name: str(getattr(each, name)) for name in ("first", "second", *COUNTS)}
        | {
            titles.get(name, name): "-" if value.known is None else f"{value.known:.4f}"
            for name, value in each.measures().items()
        }
        for each in found
    ]
    assert spans == [
        {"first": each.first, "second": each.second}
        | {
            titles.get(name, name): "-"
            if value.low is None
            else f"[{value.low:.4f}, {value.high:.4f}]"
            for name, value in each.measures().items()
        }
        for each in found
    ]
    text = written(write_link_comparisons, found, form=TableFormat.TEXT)
    assert "kappa is undefined: no kappa." in text
