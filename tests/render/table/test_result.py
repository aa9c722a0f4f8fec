"""A result in any format."""

import io
import json
from dataclasses import dataclass

import pytest

from kilter.core.estimate import Estimate
from kilter.core.table import Column, Table
from kilter.render.table.page import write_result
from kilter.render.table.table import FULL_FORMATS, TableFormat
from kilter.results.document import Document, Result
from tests.render.written import shown


@dataclass(frozen=True)
class Small(Result):
    """A small result that remembers what was made of it."""

    made: list[str]
    score: float = 0.5

    def to_dict(self) -> Document:
        self.made.append("document")
        return {"score": self.score}

    def data(self) -> Table:
        self.made.append("rows")
        return Table("", ["score"], [[self.score]])

    def tables(self) -> list[Table]:
        self.made.append("page")
        return [Table("", ["score"], [[self.score]])]


@pytest.mark.parametrize("form", TableFormat)
def test_only_what_the_format_needs_is_made_of_a_result(form: TableFormat) -> None:
    made = list[str]()
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    write_result(Small(made), out, form)
    kind = "rows" if form in FULL_FORMATS - {TableFormat.JSON} else "page"
    assert made == ["document" if form is TableFormat.JSON else kind]


def test_a_document_is_json_and_holds_no_number_that_json_lacks() -> None:
    assert json.loads(shown(Small([]), TableFormat.JSON)) == {"score": 0.5}
    with pytest.raises(ValueError, match="JSON compliant"):
        shown(Small([], float("nan")), TableFormat.JSON)


@dataclass(frozen=True)
class Plain(Result):
    """A result that is its fields."""

    names: tuple[str, ...]
    mean: Estimate

    def tables(self) -> list[Table]:
        mean = Column("mean", ".2f±", "mean <score>")
        return [
            Table("means", ["system", mean], [[name, self.mean] for name in self.names], ["a & b"])
        ]


def test_a_document_follows_from_fields() -> None:
    document = Plain(("a", "b"), Estimate(0.5, 0.4, 0.6)).to_dict()
    assert document == {"names": ["a", "b"], "mean": {"value": 0.5, "low": 0.4, "high": 0.6}}


def test_a_notebook_shows_the_tables() -> None:
    page = Plain(("a", "<b>"), Estimate(0.5, 0.4, 0.6))._repr_html_()
    assert page.startswith("<table>\n<caption>means</caption>\n")
    assert '<th style="text-align: right">mean &lt;score&gt;</th>' in page
    assert (
        '<td style="text-align: left">&lt;b&gt;</td><td style="text-align: right">0.50 ±0.10</td>'
        in page
    )
    assert page.endswith("<p>a &amp; b</p>")


def test_a_cut_name_is_spelled_out_once_beneath_the_last_table() -> None:
    name = "a-system-with-a-very-long-name"
    table = Table("", [Column("system", "name"), "n"], [[name, 1], ["b", 2]], ["noted"])
    text = shown(table, TableFormat.TEXT, width=40)
    assert text.splitlines()[1].split() == ["a-system-wit…ame", "1"]
    assert text.endswith(f"\n\nnoted\na-system-wit…ame: {name}\n")
    assert "…" not in shown(table, TableFormat.MD, width=40)
