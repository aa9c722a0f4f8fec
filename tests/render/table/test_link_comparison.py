"""Columns hold what they name: agreement of links."""

from kilter import __version__
from kilter.core.estimate import Estimate
from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.links import MEASURES, LinkComparison, LinkComparisons
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import document, objects, pages, shown

COUNTS = ("sentences", "compared", "links", "sure", "common")


@case("LinkComparisons")
def test_columns_of_write_link_comparisons_hold_what_they_name(book: Book) -> None:
    whole = {
        name: Estimate(0.5 + place / 16, 0.25 + place / 16, 0.75 + place / 16)
        for place, name in enumerate(MEASURES)
    }
    nothing = {name: Estimate(reason=f"no {name}") for name in MEASURES}
    found = [
        book.make(LinkComparison, "0", **whole),
        book.make(LinkComparison, "1", **nothing),
    ]
    result = LinkComparisons(found)
    rows = []
    for each in found:
        row = {name: getattr(each, name) for name in ("first", "second", *COUNTS)}
        for name in MEASURES:
            value = getattr(each, name)
            row |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
        rows.append(row)
    assert objects(write_result, result) == rows
    assert document(result) == {
        "schema": "kilter.link-agreement/1",
        "version": __version__,
        "comparisons": [
            rows[0] | {"undefined": {}},
            rows[1] | {"undefined": {name: f"no {name}" for name in MEASURES}},
        ],
    }
    table, spans = pages(write_result, result)
    titles = {"f1": "F1", "aer": "AER", "frs": "FRS"}
    assert table == [
        {name: str(getattr(each, name)) for name in ("first", "second", *COUNTS)}
        | {
            titles.get(name, name): "-" if value.value is None else f"{value.value:.4f}"
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
    text = shown(result, TableFormat.TEXT)
    assert "kappa is undefined: no kappa." in text
