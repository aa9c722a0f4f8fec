"""Columns hold what they name: analyses of pre-ordering as people and programs read them."""

import json
from dataclasses import replace
from typing import Any

from kilter.render.table.table import TableFormat
from kilter.results.preordering import (
    AnalysedSentence,
    Analysis,
    AnalysisResult,
    AnalysisRow,
    MisorderedClass,
    MisorderedWord,
    RuleCost,
)
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.written import shown, tables


def analysed(book: Book, name: Analysis, rows: list[AnalysisRow]) -> AnalysisResult:
    made: AnalysisResult = book.make(AnalysisResult, "result", analyses={name: rows})
    return made


def named(record: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def after(row: Any) -> dict[str, Any]:
    columns = ("misordered", "rate", "wrong_pairs")
    found = {f"after_{name}": getattr(row.after, name) for name in columns}
    return found | {"change": row.after.wrong_pairs - row.wrong_pairs}


@case("AnalysisResult")
def test_columns_of_write_analyses_hold_what_they_name(book: Book) -> None:
    counts = ("count", "misordered", "rate", "wrong_pairs")
    costs = ("fires", "sentences", "without", "alone", "low", "high")
    orders = ("segment", "score", "chunks", "source", "system", "reference")
    words = [book.make(MisorderedWord, "word", str(k)) for k in range(2)]
    classes = [replace(book.make(MisorderedClass, str(k)), kind="tag") for k in range(2)]
    rules = [book.make(RuleCost, "rule", str(k)) for k in range(2)]
    sentences = [book.make(AnalysedSentence, "sentence", str(k), drawn=()) for k in range(2)]
    expected: dict[Analysis, tuple[list[Any], list[dict[str, Any]]]] = {
        Analysis.WORDS: (
            words,
            [{"word": row.word, **named(row, *counts), **after(row)} for row in words],
        ),
        Analysis.CLASSES: (
            classes,
            [
                {"kind": "tag", "class": row.name, **named(row, *counts), **after(row)}
                for row in classes
            ],
        ),
        Analysis.RULES: (
            rules,
            [{**named(row, "rules", "rule", "group", *costs), "with": row.whole, "difference": row.value} for row in rules],
        ),
        Analysis.SENTENCES: (
            sentences,
            [
                {
                    **named(row, *orders), **named(row.other, "difference", "tree", "other_tree"),
                    "other_score": row.other.score, "other_system": row.other.system,
                }
                for row in sentences
            ],
        ),
    }  # fmt: skip
    for name, (made, rows) in expected.items():
        result = analysed(book, name, made)
        listed = shown(result, TableFormat.JSONL)
        assert [json.loads(line) for line in listed.splitlines()] == rows
        document = json.loads(shown(result.top(1), TableFormat.JSON))
        assert document["analyses"] == {str(name): rows[:1]}
        assert (document["frs"], document["segments"]) == (result.score, result.segments)
        assert document["after_frs"] == result.after_score
        assert document["after_rules"] == result.after_rules
        cells: dict[str, str] = {}
        for table in tables(shown(result.top(1), TableFormat.MD)):
            for line in table:
                if "order" in line:
                    line = {line["order"].replace(" ", "_"): line["words"]}  # noqa: PLW2901
                cells |= line
        cells = {key: cell for key, cell in cells.items() if not cell.startswith("--")}
        assert cells == {
            key: f"{value:.4f}" if isinstance(value, float) else str(value)
            for key, value in rows[0].items()
        }
    # Of one rule set, no column says what is after it.
    alone = replace(words[0], after=None)
    assert alone.to_dict() == {"word": alone.word, **named(alone, *counts)}
    assert "rules" not in replace(rules[0], rules=None).to_dict()
    label = replace(classes[1], kind="label")
    kinds = analysed(book, Analysis.CLASSES, [*classes, label])
    assert kinds.top(1).analyses == {Analysis.CLASSES: [classes[0], label]}
