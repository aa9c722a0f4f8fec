"""Tables of a study: analyses are replaced by results made from their types."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from kilter.agreement.hypothesis import HypothesisResult
from kilter.reports.page.sub_report import ReportTable, SubReport, report_csv
from kilter.reports.study import (
    adjustment,
    answer_distribution,
    demographics,
    external_tool,
    hypothesis_table,
    judge_agreement,
    permutation_degree,
    power,
    sample_size,
    score_distribution,
    sentence_length,
    subgroup,
    tool_correlation,
    uniformity,
)
from kilter.reports.study.tool_correlation import Correction
from kilter.statistics.undefined import Undefined
from kilter.survey.analysis.adjustment import Adjustment
from kilter.survey.analysis.answer_distribution import LevelUse, QuestionTable
from kilter.survey.analysis.demographics import FieldDescription
from kilter.survey.analysis.external_tool import ExternalCorrelation
from kilter.survey.analysis.judge_agreement import JudgeAgreement
from kilter.survey.analysis.judged_correlation import Correlation
from kilter.survey.analysis.judgment_study import SentenceGroup
from kilter.survey.analysis.permutation_degree import DegreeAnswers
from kilter.survey.analysis.power import Power
from kilter.survey.analysis.score_distribution import ScoreDistribution, TokenChange
from kilter.survey.analysis.sentence_length import LengthReport, Lengths
from kilter.survey.analysis.subgroup import Split, Subgroup
from kilter.survey.analysis.summary import Summary
from kilter.survey.analysis.tool_correlation import ToolCorrelation
from kilter.survey.analysis.uniformity import PlaceQuality
from tests.reports.cases import case
from tests.reports.distinct import Book, check_row, normal
from tests.survey.analysis.studies import crossed

QUESTIONS = ("holistic", "order")
STUDY = crossed([[1, 2, 3], [2, 3, 5]])
GROUPS = (SentenceGroup.ALL, SentenceGroup.TRANSLATION, SentenceGroup.PERMUTATION)
PATCH = pytest.MonkeyPatch


def faked(module: ModuleType, monkeypatch: PATCH, **functions: Callable[..., Any]) -> None:
    """Replace the analyses that a report asks for, and its figures, which cannot draw such numbers."""
    for name in [*vars(module)]:
        if name.endswith("_figure"):
            monkeypatch.setattr(module, name, lambda *_args, **_options: "<svg/>")
    for name, function in functions.items():
        monkeypatch.setattr(module, name, function)


def check_report(
    book: Book,
    report: SubReport,
    *,
    titles: Mapping[str, str] | None = None,
    computed: Sequence[str] = (),
    shown: bool = True,
) -> None:
    """Check all tables of a report, and the file that programs read."""
    tables = [report.data, *(report.shown or ())] if shown else [report.data]
    for table in tables:
        assert table.rows
        for row in table.rows:
            check_row(book, table.columns, row, titles=titles or {}, computed=computed)
    header, *lines = report_csv(report, simulated=False).splitlines()
    assert header.split(",")[: len(report.data.columns)] == list(report.data.columns)
    assert len(lines) == len(report.data.rows)


SUMMARY = {"n": "count"}


@case("summary_cells")
def _(book: Book, _: PATCH) -> None:
    from kilter.reports.study.summary_cell import SUMMARY as COLUMNS
    from kilter.reports.study.summary_cell import summary_cells

    check_row(book, COLUMNS, summary_cells(book.make(Summary, "s")), titles=SUMMARY)


@case("adjustment_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    faked(adjustment, monkeypatch)
    found = {name: book.make(Adjustment, name, question=name) for name in QUESTIONS}
    titles = {"n": "judgments", "mean": "intercept", "df": "freedom", "effects from": "source"}
    check_report(book, adjustment.adjustment_report(STUDY, found), titles=titles)


@case("effect_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    faked(adjustment, monkeypatch)
    found = {name: book.make(Adjustment, name, question=name) for name in QUESTIONS}
    report = adjustment.effect_report(found, simulated=False)
    check_report(book, report, titles={"n": "judgments"})
    assert len(report.data.rows) == 4


def judged(book: Book) -> Callable[..., JudgeAgreement]:
    def found(
        _study: object, question: str, *, sentences: SentenceGroup = SentenceGroup.ALL
    ) -> JudgeAgreement:
        made: JudgeAgreement = book.make(
            JudgeAgreement, question, str(sentences), question=question, sentences=sentences
        )
        return made

    return found


@case("agreement_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    faked(judge_agreement, monkeypatch, judge_agreement=judged(book))
    titles = {
        "pairs": "kappa_linear_pairs",
        "undefined_pairs": "kappa_linear_undefined",
        "leave_one_out": "mean_leave_one_out",
        "leave-one-out rho": "mean_leave_one_out",
        "linear kappa": "kappa_linear_mean",
        "quadratic kappa": "kappa_quadratic_mean",
    }
    report = judge_agreement.agreement_report(STUDY)
    for table in (report.data, *report.tables):
        for row in table.rows:
            by_group = [cell for cell in row if not isinstance(cell, str)]
            named = zip(table.columns, row, strict=True)
            for column, cell in named:
                if cell in by_group:
                    path = book.places[cell]
                    assert book.named(titles.get(column, column), path), (column, path)
                    assert path[:2] == row[:2]


@case("leave_one_out_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    faked(judge_agreement, monkeypatch, judge_agreement=judged(book))
    check_report(book, judge_agreement.leave_one_out_report(STUDY))


@case("level_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    def use(question: str, participant: str | None) -> LevelUse:
        place = (question, participant or "all")
        shares = {level: book.make(float, *place, "shares", str(level)) for level in range(1, 6)}
        made: LevelUse = book.make(
            LevelUse, *place, question=question, participant=participant, shares=shares
        )
        return made

    uses = tuple(use(question, who) for question in QUESTIONS for who in (None, "p0", "p1"))
    faked(answer_distribution, monkeypatch, level_use=lambda _: uses)
    report = answer_distribution.level_report(STUDY)
    titles = {"n": "answered"}
    for row in report.data.rows:
        who, question, level, share, *rest = row
        (found,) = [u for u in uses if (u.participant or "all", u.question) == (who, question)]
        assert not isinstance(found.shares, Undefined)
        assert share == found.shares[int(str(level))]
        unused = " ".join(map(str, found.never_used))
        assert rest == [found.answered, found.missing, unused]
    for table, question in zip(report.tables, QUESTIONS, strict=True):
        for row in table.rows:
            check_row(book, table.columns, row, titles=titles, computed=["participant"])
            (who, *_) = row
            assert book.places[row[1]][:2] == (question, who)


@case("question_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    def table(
        _study: object, *, rows: str, columns: str, sentences: SentenceGroup
    ) -> QuestionTable:
        made: QuestionTable = book.make(
            QuestionTable, str(sentences), rows=rows, columns=columns, sentences=sentences
        )
        return made

    faked(answer_distribution, monkeypatch, question_table=table)
    report = answer_distribution.question_report(STUDY)
    for row in report.data.rows:
        named = dict(zip(report.data.columns, row, strict=True))
        (made,) = [m for p, m in book.objects.items() if p == (named["sentences"],)]
        place = made.row_levels.index(named["holistic"]), made.column_levels.index(named["order"])
        assert named["judgments"] == made.counts[place[0]][place[1]]
        assert named["all judgments"] == made.judgments
        assert (named["missing"], named["Pearson r"]) == (made.missing, made.pearson)
    for square, group in zip(report.tables, GROUPS, strict=True):
        made = book.objects[str(group),]
        assert square.columns == ("holistic \\ order", *map(str, made.column_levels), "sum")
        assert [row[0] for row in square.rows] == [str(level) for level in made.row_levels]
        assert [row[1:-1] for row in square.rows] == [*made.counts]
        assert [row[-1] for row in square.rows] == [sum(row) for row in made.counts]


@case("degree_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    found = tuple(
        book.make(DegreeAnswers, name, question=name, type=SentenceGroup.SWAP) for name in QUESTIONS
    )
    faked(permutation_degree, monkeypatch, answers_by_degree=lambda _: found)
    check_report(book, permutation_degree.degree_report(STUDY), titles=SUMMARY)


def tool_rows(book: Book, group: str = "all") -> list[ToolCorrelation]:
    """Return correlations of two tools with both questions, adjusted and not."""
    return [
        book.make(
            ToolCorrelation, group, question, str(side), tool,
            question=question, sentences=SentenceGroup.TRANSLATION, adjusted=side, group=group,
            tool=tool, variant="",
        )
        for question in QUESTIONS
        for side in (False, True)
        for tool in ("bleu", "ter")
    ]  # fmt: skip


CORRELATION = {
    "n": "judgments",
    "p_holm": "holm",
    "sentence_p_holm": "sentence_holm",
    "kind of sentences": "kind",
}


def check_correlations(
    table: ReportTable, rows: Sequence[ToolCorrelation], *, intervals: bool
) -> None:
    listed = [(row, name, value) for row in rows for name, value in row.configurations.items()]
    assert len(listed) == len(table.rows)
    assert ("low" in table.columns) is intervals
    for (row, name, value), cells in zip(listed, table.rows, strict=True):
        named = dict(zip(table.columns, cells, strict=True))
        assert named.pop("configuration") == name
        assert named.pop("kind of sentences") == row.sentences
        assert isinstance(value, Correlation)
        for column, cell in named.items():
            attribute = CORRELATION.get(column, column)
            owner = value if hasattr(value, attribute) else row
            assert cell == getattr(owner, attribute), column


@case("correlation_table", "correlation_cells")
def _(book: Book, _: PATCH) -> None:
    rows = tool_rows(book)
    for intervals in (False, True):
        table = tool_correlation.correlation_table(rows, intervals=intervals)
        check_correlations(table, rows, intervals=intervals)
    value = book.make(Correlation, "alone")
    cells = tool_correlation.correlation_cells(value)
    check_row(book, tool_correlation.COLUMNS, cells, titles=CORRELATION)


def ranges(cell: Any) -> tuple[float, ...]:
    assert isinstance(cell, str)
    return tuple(map(float, re.findall(r"\d+\.\d+", cell)))


@case("correlation_reports")
def _(book: Book, monkeypatch: PATCH) -> None:
    faked(tool_correlation, monkeypatch)
    rows = tool_rows(book)
    (report, *others) = tool_correlation.correlation_reports(
        rows, adjusted=True, correction=Correction.HOLM, simulated=False
    )
    check_correlations(report.data, rows, intervals=True)
    assert not any(other.data.rows for other in others)
    (table,) = report.tables
    by_column = {
        (f"{row.question}{', adjusted' if row.adjusted else ''}", row.tool): row for row in rows
    }
    for cells in table.rows:
        named = dict(zip(table.columns, cells, strict=True))
        tool = named.pop("tool")
        used = [
            v
            for q in QUESTIONS
            for v in by_column[f"{q}, adjusted", str(tool)].configurations.values()
        ]
        for column, attribute in (("n", "judgments"), ("sentences", "sentences")):
            counts = [getattr(value, attribute) for value in used]
            assert named.pop(column) == f"{min(counts)}-{max(counts)}"
        assert set(named) == {column for column, of in by_column if of == tool}
        for column, cell in named.items():
            row = by_column[column, str(tool)]
            assert ranges(cell) == (row.highest, row.lowest)


@case("external_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    faked(external_tool, monkeypatch)
    rows = [
        book.make(ExternalCorrelation, name, question=name, coverage=place + 12.5)
        for place, name in enumerate(QUESTIONS)
    ]
    report = external_tool.external_report(rows, correction=Correction.NONE, simulated=False)
    titles = {
        **CORRELATION, "n": "correlation_judgments", "sentences": "correlation_sentences",
        "tool": "tool", "corr.": "rho", "p-value": "p", "%": "coverage",
    }  # fmt: skip
    computed = ("tool", "variant")
    check_report(book, report, titles=titles, computed=computed)
    for row, made in zip(report.data.rows, rows, strict=True):
        assert row[1:3] == (made.tool, made.variant)
    for row, made in zip(report.tables[0].rows, rows, strict=True):
        assert row[1] == f"{made.tool}:{made.variant}"


@case("hypothesis_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    faked(hypothesis_table, monkeypatch)
    results = [book.make(HypothesisResult, str(k)) for k in range(2)]
    report = hypothesis_table.hypothesis_report(results, adjusted=True, simulated=False)
    rows = iter(report.data.rows)
    for made in results:
        for name, value in made.numbers.items():
            assert dict(zip(report.data.columns, next(rows), strict=True)) == {
                "id": made.id, "alternative": made.alternative, "result": made.result,
                "supporting": " ".join(made.variants), "variant": name, "number": value,
            }  # fmt: skip
    assert not [*rows]
    for row, made in zip(report.tables[0].rows, results, strict=True):
        numbers = ", ".join(f"{name} {value:+.3f}" for name, value in made.numbers.items())
        assert dict(zip(report.tables[0].columns, row, strict=True)) == {
            "id": made.id, "supported when": made.alternative, "result": made.result,
            "supporting": ", ".join(made.variants), "numbers": numbers,
        }  # fmt: skip


@case("sample_size_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    made = iter([book.make(Summary, name) for name in QUESTIONS])
    asked: dict[int, dict[str, float]] = {}

    def needed(**options: float) -> int:
        size = len(asked)
        asked[size] = options
        return size

    faked(sample_size, monkeypatch, summarise=lambda _: next(made), sample_size=needed)
    report = sample_size.sample_size_report(STUDY)
    for row in report.data.rows:
        named = dict(zip(report.data.columns, row, strict=True))
        summary = book.objects[str(named.pop("question")),]
        assert (named.pop("n"), named["deviation"]) == (summary.count, summary.deviation)
        options = asked[int(str(named.pop("needed")))]
        assert options == {**named, "level": sample_size.LEVEL}


@case("power_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    found: dict[tuple[object, ...], Power] = {}

    def drawn_power(layout: Any, *, question: str, accuracy: float, **_options: Any) -> Power:
        key = (question, accuracy, layout.participants)
        found[key] = book.make(Power, *map(str, key), question=question)
        return found[key]

    faked(power, monkeypatch, simulated_power=drawn_power)
    variances = {name: book.make(Adjustment, name, question=name) for name in QUESTIONS}
    report = power.power_report(STUDY, variances, seed=1)
    titles = {"sentences": "count", "power": "share", "mean rho": "rho"}
    assert len(found) == len(report.data.rows)
    for row in report.data.rows:
        named = dict(zip(report.data.columns, row, strict=True))
        made, noise = found[row[:3]], variances[str(row[0])]
        for name, variance in (("participant", noise.participant_variance),
                               ("noise", noise.residual_variance)):  # fmt: skip
            assert isinstance(variance, float)
            assert named.pop(f"{name}_deviation") == pytest.approx(variance**0.5)
        for column in [*named][3:]:
            assert named[column] == getattr(made, titles.get(column, column)), column
    (shown,) = report.tables
    assert shown.columns == report.data.columns[:8]
    assert [*shown.rows] == [row[:8] for row in report.data.rows]


@case("participant_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    fields = {name: book.make(FieldDescription, name, field=name) for name in ("age", "degree")}
    faked(demographics, monkeypatch, demographics=lambda _: fields)
    report = demographics.participant_report(STUDY)
    for row in report.data.rows:
        made = fields[str(row[0])]
        count = made.counts[str(row[1])]
        assert dict(zip(report.data.columns, row, strict=True)) == {
            "field": made.field, "answer": row[1], "participants": count,
            "share": count / made.answered, "answered": made.answered, "missing": made.missing,
        }  # fmt: skip
    summaries, again = report.tables
    assert again is report.data
    for row in summaries.rows:
        check_row(book, summaries.columns[1:], row[1:], titles=SUMMARY)
        assert book.places[row[1]][0] == row[0]


@case("length_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    lengths = tuple(book.make(Lengths, text, text=text) for text in ("source", "reference"))
    made = book.make(LengthReport, "all", lengths=lengths, pairs={})
    faked(sentence_length, monkeypatch, sentence_lengths=lambda _: made)
    report = sentence_length.length_report(STUDY)
    assert report.data.columns == ("text", "words", "sentences")
    assert [*report.data.rows] == [(e.text, *entry) for e in lengths for entry in e.counts.items()]
    (shown,) = report.tables
    for row in shown.rows:
        check_row(book, shown.columns, row, titles=SUMMARY)


@case("language_report")
def _(_book: Book, monkeypatch: PATCH) -> None:
    languages = {"de": 30, "cs": 10}
    faked(sentence_length, monkeypatch, source_languages=lambda _: languages)
    report = sentence_length.language_report(STUDY)
    assert report.data.columns == ("source language", "sentences", "share")
    assert [*report.data.rows] == [("de", 30, 0.75), ("cs", 10, 0.25)]


@case("position_report", "questionnaire_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    for by in ("position", "questionnaire"):
        places = tuple(
            book.make(
                PlaceQuality, by, str(k),
                answers={name: book.make(Summary, by, str(k), "answers", name) for name in QUESTIONS},
                kinds={kind: book.make(int, by, str(k), "kinds", kind) for kind in ("swap", "plain")},
            )
            for k in range(2)
        )  # fmt: skip
        analyses = {f"quality_by_{by}": lambda _, found=places: found}
        faked(uniformity, monkeypatch, **analyses)
        report = getattr(uniformity, f"{by}_report")(STUDY)
        for table in (report.data, *report.tables):
            for place, row in zip(places, table.rows, strict=True):
                for column, cell in zip(table.columns, row, strict=True):
                    path = book.places[cell]
                    assert book.objects[path[:2]] is place
                    title = {by: "place"}.get(column, column)
                    title = re.sub(r"_n$", "_count", title)
                    mean = table is not report.data and normal(column) in (
                        *QUESTIONS, "rank_score", "degree_score",
                    )  # fmt: skip
                    assert book.named(f"{title}_mean" if mean else title, path), (column, path)


@case("score_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    def found(_study: object, *, sentences: SentenceGroup) -> tuple[ScoreDistribution, ...]:
        made: ScoreDistribution = book.make(ScoreDistribution, str(sentences), sentences=sentences)
        return (made,)

    faked(score_distribution, monkeypatch, score_distributions=found)
    report = score_distribution.score_report(STUDY)
    titles = {**SUMMARY, "bins": "edges", "range": "lowest"}
    check_report(book, replace(report, shown=None), titles=titles, computed=("bins", "counts"))
    for row in report.data.rows:
        made = book.objects[str(row[3]),]
        assert row[-2:] == (_joined(made.edges), _joined(made.counts))
    (shown,) = report.tables
    ((*cells, extent),) = shown.rows
    made = book.objects["all",]
    assert cells[:2] == [f"{made.tool}:{made.variant}", made.configuration]
    check_row(book, shown.columns[2:-1], cells[2:], titles=titles)
    assert extent == f"{made.summary.lowest:.3f} to {made.summary.highest:.3f}"


def _joined(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


@case("token_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    found = tuple(book.make(TokenChange, str(k)) for k in range(2))
    faked(score_distribution, monkeypatch, token_changes=lambda _: found)
    check_report(book, score_distribution.token_report(STUDY))


def split(book: Book) -> Split:
    groups = tuple(book.make(Subgroup, "split", "groups", str(k)) for k in range(2))
    made: Split = book.make(Split, "split", groups=groups)
    return made


@case("split_report")
def _(book: Book, _: PATCH) -> None:
    report = subgroup.split_report({"age": split(book)}, participants=7)
    check_report(book, report, titles={"group": "name"})


@case("subgroup_report")
def _(book: Book, monkeypatch: PATCH) -> None:
    faked(subgroup, monkeypatch)
    made = split(book)
    rows = [row for group in made.groups for row in tool_rows(book, group.name)]
    report = subgroup.subgroup_report(
        "age", made, rows, adjusted=True, correction=Correction.NONE, simulated=False
    )
    check_correlations(report.data, rows, intervals=False)
    for table, question in zip(report.tables, QUESTIONS, strict=True):
        assert table.columns == ("tool", *(group.name for group in made.groups))
        for tool, *cells in table.rows:
            for group, cell in zip(made.groups, cells, strict=True):
                (row,) = [r for r in rows if r.adjusted
                          and (r.question, r.group, r.tool) == (question, group.name, tool)]  # fmt: skip
                assert ranges(cell) == (row.highest, row.lowest)
