"""Columns hold what they name: parsers x rule sets as people and programs read them."""

import re
from io import StringIO
from typing import Any

import pytest

from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.preordering import (
    ParserAccuracy,
    PreorderEvaluation,
    PreorderSystem,
)
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.made_comparison import check_pairs, compared
from tests.render.written import objects, pages


@case("PreorderEvaluation")
def test_columns_of_write_preorder_hold_what_they_name(book: Book) -> None:
    systems = tuple(
        book.make(PreorderSystem, "systems", name, name=name) for name in ("P1R1", "P2R1", "P3R1")
    )
    made = PreorderEvaluation(
        systems=systems,
        comparison=compared(book, *(system.name for system in systems)),
        accuracies={
            system.parser: book.make(ParserAccuracy, "accuracies", system.name)
            for system in systems
        },
        scores={},
    )
    document, metrics = made.to_dict(), made.comparison.metrics
    check_pairs(document, made.comparison)
    rows = objects(write_result, made)
    (table, *triangles) = pages(write_result, made)
    for place, system in enumerate(systems):
        accuracy = made.accuracies[system.parser]
        expected: dict[str, Any] = {
            "name": system.name, "parser": system.parser, "rules": system.rules, **accuracy._asdict(),
        }  # fmt: skip
        for metric in metrics:
            found = metric.intervals[place]
            expected[metric.name] = found.value
            expected[f"{metric.name}_low"] = found.low
            expected[f"{metric.name}_high"] = found.high
        assert rows[place] == expected
        entry = document["systems"][place]
        assert {key: entry[key] for key in accuracy._fields} == accuracy._asdict()
        line = table[place]
        assert [line[key] for key in ("system", "parser", "rules")] == [
            system.name, system.parser, system.rules,
        ]  # fmt: skip
        for key, value in accuracy._asdict().items():
            assert line[key] == f"{value:.4f}"
        for metric in metrics:
            found = metric.intervals[place]
            numbers = [float(text) for text in re.findall(r"\d\.\d+", line[metric.name])]
            assert numbers[0] == found.value
    for metric, triangle in zip(metrics, triangles, strict=True):
        for line in triangle:
            row = line.pop("")
            for column, cell in line.items():
                pair = metric.pair(column, row)
                assert cell == ("" if pair is None else str(pair.mark))


@pytest.mark.parametrize(
    ("rules", "note"),
    [
        (("r1", "r2"), ""),
        (("r1", "r4"), "P1R2 is r4, R4 of [FRS]."),
        (("own", "r2"), ""),
        (("r2", "own"), "P1R1 is r2, R2 of [FRS]."),
    ],
)
def test_numbers_of_rule_sets_are_told_from_those_of_the_publication(
    book: Book, rules: tuple[str, str], note: str
) -> None:
    made = PreorderEvaluation(
        systems=tuple(
            PreorderSystem(name=f"P1R{number}", parser="trees", rules=name)
            for number, name in enumerate(rules, start=1)
        ),
        comparison=compared(book, "P1R1", "P1R2"),
        accuracies={},
        scores={},
    )
    out = StringIO()
    write_result(made, out, form=TableFormat.TEXT, width=200)
    told = "P and R count parsers and rule sets in the order given: "
    assert (told in out.getvalue()) == bool(note)
    assert note in out.getvalue()
