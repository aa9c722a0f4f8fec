"""Columns hold what they name: parsers x rule sets as people and programs read them."""

import json
import re
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from kilter.render.table.page import write_result
from kilter.render.table.table import TableFormat
from kilter.results.preordering import (
    AnalysedSentence,
    Analysis,
    AnalysisResult,
    AnalysisRow,
    MisorderedClass,
    ParserAccuracy,
    PreorderEvaluation,
    PreorderSystem,
    RuleCost,
    RuleScores,
    RuleSearchResult,
    SearchLevel,
    SearchStep,
)
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.made_comparison import check_pairs, compared
from tests.render.written import objects, pages, shown, tables

if TYPE_CHECKING:
    from numpy.typing import NDArray


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


# Columns hold what they name: analyses of pre-ordering as people and programs read them.


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

    def misordered(kind: str, number: str) -> MisorderedClass:
        after = book.make(MisorderedClass, kind, "after", number, after=None)
        made: MisorderedClass = book.make(MisorderedClass, kind, number, after=after)
        return replace(made, kind=kind)

    words, classes = ([misordered(kind, str(k)) for k in range(2)] for kind in ("word", "tag"))
    rules = [book.make(RuleCost, "rule", str(k)) for k in range(2)]
    sentences = [book.make(AnalysedSentence, "sentence", str(k), drawn=()) for k in range(2)]
    expected: dict[Analysis, tuple[list[Any], list[dict[str, Any]]]] = {
        Analysis.WORDS: (
            words,
            [{"word": row.name, **named(row, *counts), **after(row)} for row in words],
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
    assert alone.to_dict() == {"word": alone.name, **named(alone, *counts)}
    assert "rules" not in replace(rules[0], rules=None).to_dict()
    label = replace(classes[1], kind="label")
    kinds = analysed(book, Analysis.CLASSES, [*classes, label])
    assert kinds.top(1).analyses == {Analysis.CLASSES: [classes[0], label]}


# Columns hold what they name: what an edit of a rule file did: systems and sentences that got better or worse.


def test_a_change_names_systems_and_sentences(book: Book) -> None:
    systems = (
        PreorderSystem(name="P2R1", parser="second", rules="other"),
        PreorderSystem(name="P1R1", parser="first", rules="rules"),
    )
    comparison = compared(book, "P2R1", "P1R1")

    def evaluation(*scores: float) -> PreorderEvaluation:
        found: dict[tuple[str, str], NDArray[np.float64]] = {
            ("frs", "P1R1"): np.array(scores),
            ("frs", "P2R1"): np.ones(4),
        }
        return PreorderEvaluation(
            systems=systems, comparison=comparison, accuracies={}, scores=found
        )

    before = evaluation(0.5, 0.5, 0.5, 0.5)
    (table,) = pages(write_result, evaluation(0.6, 0.5, 0.9, 0.1).change_since(before))
    assert table == [
        {
            "metric": "frs", "system": "P1R1", "parser": "first", "rules": "rules",
            "change": "+0.0250", "better (most)": "2 (3 1)", "worse (most)": "1 (4)",
        }
    ]  # fmt: skip
    assert shown(before.change_since(before), TableFormat.TEXT) == "nothing has changed\n"


# The steps of a search as people read them.


RESULT = RuleSearchResult(
    start="none",
    objective="mix",
    sentences=80,
    held_out=20,
    tried=321,
    finished=True,
    steps=(
        SearchStep("where the search begins", RuleScores(0.9, 0.5, 0.8), RuleScores(0.8, 0.4, 0.8)),
        SearchStep("VERB: obj last", RuleScores(1.0, 0.55, 0.9), RuleScores(0.85, 0.45, 0.8)),
    ),
    gain=(0.05, 0.01, 0.09),
    folds=0,
    levels=(),
    level=5,
    digest="0123abcd",
)


def page(result: RuleSearchResult) -> str:
    return shown(result, TableFormat.TEXT)


@case("RuleSearchResult")
def test_scores_stand_below_their_names() -> None:
    assert RESULT.data().records()[1] == {
        "step": 1,
        "change": "VERB: obj last",
        "gain": pytest.approx(0.1),
        "frs": 0.55,
        "kendall": 0.9,
        "held_out_frs": 0.45,
        "held_out_kendall": 0.8,
    }
    assert page(RESULT).splitlines()[2].split() == [
        "1", "VERB:", "obj", "last", "0.1000", "0.5500", "0.9000", "0.4500", "0.8000",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("gain", "verdict"),
    [
        ((0.05, 0.01, 0.09), "a gain"),
        ((0.01, -0.02, 0.04), "no difference beyond chance"),
        ((-0.05, -0.08, -0.01), "a loss"),
    ],
)
def test_the_verdict_follows_the_interval(gain: tuple[float, float, float], verdict: str) -> None:
    found = page(replace(RESULT, gain=gain))
    assert f"{gain[0]:+.4f} [{gain[1]:+.4f}, {gain[2]:+.4f}]" in " ".join(found.split())
    assert verdict in " ".join(found.split())
    assert "20 sentences are few" in found


def test_without_held_out_sentences_nothing_is_claimed() -> None:
    steps = tuple(replace(step, held_out=None) for step in RESULT.steps)
    found = page(replace(RESULT, held_out=0, gain=None, steps=steps, finished=False))
    assert "held out frs" not in found
    assert "is not known" in found
    assert "was stopped" in found


def test_levels_stand_above_the_steps_and_the_chosen_one_is_marked() -> None:
    levels = (
        SearchLevel(
            minimum_gain=None, steps=0.0, held_out=RuleScores(0.9, 0.5, 0.8), gain=(0.0, 0.0, 0.0)
        ),
        SearchLevel(
            minimum_gain=0.0016,
            steps=7.5,
            held_out=RuleScores(0.95, 0.52, 0.86),
            gain=(0.05, -0.01, 0.11),
        ),
    )
    lines = page(replace(RESULT, levels=levels, level=1, folds=4)).splitlines()
    assert lines[0] == "how far to go: cross-validation"
    assert lines[1].split("  ")[0] == "level"
    assert lines[2].split() == [
        "0", "-", "0.0", "0.5000", "0.8000", "+0.0000", "+0.0000", "+0.0000",
    ]  # fmt: skip
    assert lines[3].split() == [
        "1", "0.0016", "7.5", "0.5200", "0.8600", "+0.0500", "-0.0100", "+0.1100", "*",
    ]  # fmt: skip
    assert lines[5] == "the search"
    assert "decided by 4 folds of these sentences" in " ".join(lines)
