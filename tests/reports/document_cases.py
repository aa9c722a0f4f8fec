"""Scores, tuning, sensitivity and lists: documents and tables of results made from their types."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kilter.reports.table import segment_file
from kilter.reports.table.lint import write_lint
from kilter.reports.table.preorder_analysis import write_analyses
from kilter.reports.table.preorder_change import write_change
from kilter.reports.table.score import write_scores
from kilter.reports.table.segment_file import write_segments
from kilter.reports.table.sensitivity import sensitivity_rows, write_sensitivity
from kilter.reports.table.study_status import write_status
from kilter.reports.table.table import TableFormat
from kilter.reports.table.tuning import curve_rows, write_tuning
from kilter.structures.result.analysis_result import (
    AnalysedSentence,
    Analysis,
    AnalysisResult,
    AnalysisRow,
    MisorderedClass,
    MisorderedWord,
    RuleCost,
)
from kilter.structures.result.by_metric import ByMetric
from kilter.structures.result.lint_report import Check, Finding, LintReport, Severity
from kilter.structures.result.score_result import MetricFacts, MetricScore, ScoreResult
from kilter.structures.result.score_table import ScoreTable
from kilter.structures.result.sensitivity_result import (
    LabelResult,
    PerturbationResult,
    Reaction,
    Separation,
)
from kilter.structures.result.study_status import QuestionnaireProgress, StudyStatus
from kilter.structures.result.tune_result import CurvePoint, TunedOption, TuneFold, TuneResult
from tests.reports.cases import case
from tests.reports.distinct import Book, check_document
from tests.reports.written import halved, long_rows, number, objects, pages, tables, written

PATCH = pytest.MonkeyPatch


@case("write_scores")
def _(book: Book, _: PATCH) -> None:
    metrics = {name: book.make(MetricFacts, name) for name in ("kendall", "bleu")}
    made = {
        system: ByMetric({name: book.make(MetricScore, system, name) for name in metrics})
        for system in ("one", "two")
    }
    result = ScoreResult(
        systems=made, metrics=ByMetric(metrics), count=9, seed=4, segment_arrays={}
    )
    document = result.to_dict()
    assert check_document(book, document, aliases={}) == 22
    rows = objects(write_scores, result)
    assert len(rows) == 4
    for row in rows:
        found = made[row.pop("system")][row["metric"]]
        assert row.pop("metric") in metrics
        assert set(row) == {"score", "low", "high", "segments", "signature"}
        assert row == {name: getattr(found, name) for name in row}
    header, first, *_rest = written(write_scores, result, form=TableFormat.TSV).splitlines()
    cells = dict(zip(header.split("\t"), first.split("\t"), strict=True))
    score = made["one"]["kendall"]
    for name in ("score", "low", "high", "segments"):
        assert float(cells[name]) == getattr(score, name)
    (table,) = pages(write_scores, result)
    for line in table:
        for name in metrics:
            score = made[line["system"]][name]
            assert line[name] == halved(*map(number, (score.score, score.low, score.high)))


def tuned(book: Book) -> TuneResult:
    options = tuple(
        TunedOption(name=name, low=0.0, high=1.0, whole=False) for name in ("alpha", "beta")
    )
    made: TuneResult = book.make(
        TuneResult, "tuned", options=options, counts={"pairs": 4}, notes=(),
        method="exact", objective="tau",
        folds=tuple(book.make(TuneFold, "tuned", "folds", str(k)) for k in range(3)),
        curves={
            name: [
                book.make(CurvePoint, "curve", name, str(k))
                for k in range(2)
            ]
            for name in ("alpha", "beta")
        },
    )  # fmt: skip
    return made


OF_TUNE = {"metric": "specification", "options": "values",
           "alpha": "0", "beta": "1"}  # fmt: skip


@case("curve_rows")
def _(book: Book, _: PATCH) -> None:
    made = tuned(book)
    found = long_rows(curve_rows(made))
    points = [(name, *point) for name, curve in made.curves.items() for point in curve]
    assert [tuple(row.values()) for row in found] == points
    assert [*found[0]] == ["option", "value", "tau"]


@case("write_tuning")
def _(book: Book, _: PATCH) -> None:
    made = tuned(book)
    document = made.to_dict()
    figures = {key: document[key] for key in ("metric", "signature", "systems", "segments", "start",
                                              "training", "held_out", "start_value")}  # fmt: skip
    assert check_document(book, figures, aliases=OF_TUNE) == len(figures)
    assert document["options"] == dict(zip(("alpha", "beta"), made.values, strict=True))
    head, folds = pages(write_tuning, made)
    assert {line["tuned"]: line["exact"] for line in head} == {
        "metric": made.specification,
        "tau in training": f"{made.training:.4f}",
        "tau on held-out segments": f"{made.held_out:.4f}",
        f"tau of {made.start}": f"{made.start_value:.4f}",
    }
    for rank, (line, fold, entry) in enumerate(
        zip(folds, made.folds, document["folds"], strict=True), start=1
    ):
        alpha, beta = fold.values
        assert entry == {
            "options": {"alpha": alpha, "beta": beta}, "training": fold.training, "held_out": fold.held_out,
        }  # fmt: skip
        assert line == {
            "fold": str(rank), "alpha": f"{alpha:g}", "beta": f"{beta:g}",
            "training": f"{fold.training:.4f}", "held out": f"{fold.held_out:.4f}",
        }  # fmt: skip


def noticed(book: Book) -> PerturbationResult:
    kinds = ("swap", "word")
    return PerturbationResult(
        resamples=9,
        seed=4,
        lexical=("word",),
        kinds={kind: book.make(int, "kinds", kind, "items") for kind in kinds},
        unchanged=book.make(int, "unchanged"),
        signatures={name: book.make(str, name, "signature") for name in ("pef", "f1")},
        metrics={
            name: {kind: book.make(Reaction, name, kind) for kind in kinds}
            for name in ("pef", "f1")
        },
    )


def labelled(book: Book) -> LabelResult:
    return LabelResult(
        resamples=9,
        seed=4,
        window=2,
        outputs=book.make(int, "outputs"),
        wrong=book.make(int, "wrong"),
        signatures={name: book.make(str, name, "signature") for name in ("pef", "f1")},
        metrics={
            name: tuple(book.make(Separation, name, side) for side in ("every", "matched"))
            for name in ("pef", "f1")
        },
    )


@case("sensitivity_rows", "write_sensitivity")
def _(book: Book, _: PATCH) -> None:
    check_kinds(book)
    check_areas(book)


def check_kinds(book: Book) -> None:
    made = noticed(book)
    document = made.to_dict()
    assert check_document(book, document, aliases={"noticed": "share"}) == 3 + 2 + 4 * 11
    rows = long_rows(sensitivity_rows(made))
    for row in rows:
        name, kind = row.pop("metric"), row.pop("kind")
        found = made.metrics[name][kind]
        assert row == {
            "lexical": kind == "word", "items": found.items, "lower": found.lower,
            "equal": found.equal, "higher": found.higher,
            "noticed": found.share.value, "noticed_low": found.share.low,
            "noticed_high": found.share.high, "drop": found.drop.value,
            "drop_low": found.drop.low, "drop_high": found.drop.high,
        }  # fmt: skip
    shares, raised, drops = pages(write_sensitivity, made)
    for table, title in (
        (shares, "noticed, %"),
        (raised, "scored higher, %"),
        (drops, "mean drop"),
    ):
        for line in table:
            name = line.pop(title)
            for column, cell in line.items():
                found = made.metrics[name][column.removesuffix(" (lexical)")]
                expected = {
                    "noticed, %": halved(*found.share, digits=1, scale=100.0),
                    "scored higher, %": f"{100 * found.higher / found.items:.1f}",
                    "mean drop": halved(*found.drop),
                }
                assert cell == expected[title]


def check_areas(book: Book) -> None:
    made = labelled(book)
    document = made.to_dict()
    for name, (every, matched) in made.metrics.items():
        entry = document["metrics"][name]
        for found, side in ((entry["auc"], every), (entry["matched_auc"], matched)):
            assert found == {**side.auc._asdict(), "pairs": side.pairs}
    assert (document["outputs"], document["wrong"]) == (made.outputs, made.wrong)
    for row in long_rows(sensitivity_rows(made)):
        every, matched = made.metrics[row.pop("metric")]
        assert row == {
            "auc": every.auc.value, "auc_low": every.auc.low, "auc_high": every.auc.high,
            "matched_auc": matched.auc.value, "matched_low": matched.auc.low,
            "matched_high": matched.auc.high, "matched_pairs": matched.pairs,
        }  # fmt: skip
    (table,) = pages(write_sensitivity, made)
    for line in table:
        every, matched = made.metrics[line.pop("metric")]
        assert line == {
            "auc": halved(*every.auc), "auc, matched length": halved(*matched.auc),
            "pairs": str(matched.pairs),
        }  # fmt: skip


@case("write_change")
def _(_book: Book, _: PATCH) -> None:
    before = {("frs", "P1R1"): np.array([0.5, 0.5, 0.5, 0.5]), ("frs", "P2R1"): np.ones(4)}
    after = {("frs", "P1R1"): np.array([0.6, 0.5, 0.9, 0.1]), ("frs", "P2R1"): np.ones(4)}
    systems = [("P2R1", "second", "other"), ("P1R1", "first", "rules")]
    (table,) = pages(write_change, systems, before, after)
    assert table == [
        {
            "metric": "frs", "system": "P1R1", "parser": "first", "rules": "rules",
            "change": "+0.0250", "better (most)": "2 (3 1)", "worse (most)": "1 (4)",
        }
    ]  # fmt: skip
    assert "nothing has changed" in written(
        write_change, systems, before, before, form=TableFormat.TEXT
    )


@case("write_lint")
def _(book: Book, _: PATCH) -> None:
    findings = tuple(
        book.make(Finding, str(k), check=Check.TARGET, severity=Severity.WARNING, segment=3 * k)
        for k in range(2)
    )
    report = LintReport(
        segments=8, severities=dict.fromkeys(Check, Severity.WARNING), findings=findings
    )
    rows = [
        {
            "segment": finding.segment + 1,
            "severity": "warning",
            "check": "target-unaligned",
            **{name: getattr(finding, name) for name in ("position", "word", "reason")},
        }
        for finding in findings
    ]
    assert objects(write_lint, report) == rows
    document = json.loads(written(write_lint, report, form=TableFormat.JSON))
    assert document == report.to_dict()
    assert document["rows"] == rows
    assert [document[name] for name in ("segments", "clean", "clean_share")] == [8, 6, 0.75]
    listed, counts = pages(write_lint, report)
    assert listed == [{name: str(value) for name, value in row.items()} for row in rows]
    assert counts == [
        {"check": str(check), "severity": "warning", "findings": found, "sentences": found}
        for check in Check
        for found in ["2" if check is Check.TARGET else "0"]
    ]
    brief = written(write_lint, report, form=TableFormat.MD, summary=True)
    assert tables(brief) == [counts]
    assert "6 of 8 sentences without finding (75.0%)" in brief


@case("write_status")
def _(book: Book, _: PATCH) -> None:
    progress = tuple(
        book.make(QuestionnaireProgress, str(k), median_seconds=seconds)
        for k, seconds in enumerate((12.25, None))
    )
    status = StudyStatus(
        paused=True, links=7, open_limit=3, questionnaires=progress,
        agreement={"order": 0.5, "sense": None}, participants_answering=9, participants_doubtful=4,
    )  # fmt: skip
    counts = ("questionnaire", "participants", "started", "submitted", "withdrawn")
    rows = [
        {name: getattr(row, name) for name in (*counts, "answered", "expected", "median_seconds")}
        for row in progress
    ]
    assert objects(write_status, status) == rows
    assert json.loads(written(write_status, status, form=TableFormat.JSON)) == {
        "schema": "kilter.survey-status/1", "paused": True, "links": 7, "open_limit": 3,
        "questionnaires": rows, "agreement": {"order": 0.5, "sense": None},
        "participants_answering": 9, "participants_doubtful": 4,
    }  # fmt: skip
    ((_rule, *table),) = pages(write_status, status)  # all columns are numbers, flush right
    assert table == [
        {
            **{name: str(getattr(row, name)) for name in counts},
            "answered": f"{row.answered}/{row.expected}",
            "median s": spent,
        }
        for row, spent in zip(progress, ("12.2", "-"), strict=True)
    ]
    text = written(write_status, status, form=TableFormat.TEXT)
    assert text.splitlines()[-4:] == [
        "Krippendorff's alpha of order on shared items: 0.500",
        "Krippendorff's alpha of sense on shared items: undefined",
        "4 of 9 participants with doubtful answers",
        "the study is paused",
    ]


def analysed(book: Book, name: Analysis, rows: list[AnalysisRow]) -> AnalysisResult:
    made: AnalysisResult = book.make(AnalysisResult, "result", analyses={name: rows})
    return made


@case("write_analyses")
def _(book: Book, _: PATCH) -> None:
    counts = ("count", "misordered", "rate", "wrong_pairs")
    costs = ("fires", "sentences", "without", "alone", "difference", "low", "high")
    orders = ("segment", "score", "chunks", "source", "system", "reference")
    words = [book.make(MisorderedWord, "word", str(k)) for k in range(2)]
    classes = [replace(book.make(MisorderedClass, str(k)), kind="tag") for k in range(2)]
    rules = [book.make(RuleCost, "rule", str(k)) for k in range(2)]
    sentences = [book.make(AnalysedSentence, "sentence", str(k)) for k in range(2)]
    expected: dict[Analysis, tuple[list[Any], list[dict[str, Any]]]] = {
        Analysis.WORDS: (words, [{"word": row.word, **named(row, *counts)} for row in words]),
        Analysis.CLASSES: (
            classes,
            [{"kind": "tag", "class": row.name, **named(row, *counts)} for row in classes],
        ),
        Analysis.RULES: (
            rules,
            [{**named(row, "rule", "group", *costs), "with": row.whole} for row in rules],
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
        listed = written(write_analyses, result, form=TableFormat.JSONL)
        assert [json.loads(line) for line in listed.splitlines()] == rows
        document = json.loads(written(write_analyses, result.top(1), form=TableFormat.JSON))
        assert document["analyses"] == {str(name): rows[:1]}
        assert (document["frs"], document["segments"]) == (result.score, result.segments)
        shown: dict[str, str] = {}
        for table in tables(written(write_analyses, result.top(1), form=TableFormat.MD)):
            for line in table:
                if "order" in line:
                    line = {line["order"].replace(" ", "_"): line["words"]}  # noqa: PLW2901
                shown |= line
        shown = {key: cell for key, cell in shown.items() if not cell.startswith("--")}
        assert shown == {
            key: f"{value:.4f}" if isinstance(value, float) else str(value)
            for key, value in rows[0].items()
        }
    label = replace(classes[1], kind="label")
    kinds = analysed(book, Analysis.CLASSES, [*classes, label])
    assert kinds.top(1).analyses == {Analysis.CLASSES: [classes[0], label]}


def named(record: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


@case("write_segments")
def _(book: Book, monkeypatch: PATCH) -> None:
    # Three rows in blocks of two: none is lost between them.
    monkeypatch.setattr(segment_file, "_BLOCK", 2)
    columns = {
        "system": np.array(["b", "a", "a"], dtype=object),
        "segment": np.array([3, 1, 2]),
        "score": np.array([book.make(float, str(k), "score") for k in range(3)]),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        write_segments(ScoreTable(columns), str(path))
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert rows == [{name: column[k] for name, column in columns.items()} for k in range(3)]
