"""Levels and questions, counted by hand."""

import numpy as np
import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import answer_distribution
from kilter.study.analysis.answer_distribution import (
    LevelUse,
    QuestionTable,
    level_figures,
    level_use,
    question_table,
    question_table_figure,
)
from kilter.study.analysis.permutation_degree import answers_by_degree, degree_figure
from kilter.study.analysis.summary import Summary, mean_interval
from kilter.study.judgments.judgment_study import SentenceGroup
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.picture import parsed, rises, texts
from tests.render.study_table import GROUPS, QUESTIONS, STUDY, faked
from tests.study.analysis.counted import MADE
from tests.study.analysis.studies import crossed, permutation, study


def test_levels_that_participants_use() -> None:
    found = {(use.question, use.participant): use for use in level_use(MADE)}
    everybody = found["holistic", None]
    assert (everybody.answered, everybody.missing) == (5, 1)
    assert everybody.shares == {1: 0.2, 2: 0.2, 3: 0.2, 4: 0.0, 5: 0.4}
    assert found["order", "p0"] == LevelUse(
        participant="p0",
        question="order",
        answered=2,
        missing=1,
        shares={1: 0.0, 2: 0.5, 3: 0.0, 4: 0.5, 5: 0.0},
        never_used=(1, 3, 5),
    )


def test_the_table_of_two_questions() -> None:
    found = question_table(MADE)
    assert isinstance(found, QuestionTable)
    assert sum(map(sum, found.counts)) == found.judgments == 4
    assert found.missing == 2
    assert found.counts[4] == (0, 0, 0, 1, 1)  # holistic 5 with order 4, and with order 5
    assert found.pearson == Undefined("4 sentences with both answers; a correlation needs 15")
    swaps = question_table(MADE, sentences=SentenceGroup.SWAP)
    assert isinstance(swaps, QuestionTable)
    assert swaps.pearson == Undefined("0 sentences with both answers; a correlation needs 15")
    assert question_table(MADE, rows="fluency") == Undefined(
        "the study has no question fluency on a scale"
    )


def test_two_questions_correlate_from_15_sentences_on() -> None:
    answers = np.random.default_rng(2).integers(1, 6, size=(15, 2)).astype(float)
    found = question_table(study([(0, k, *pair) for k, pair in enumerate(answers.tolist())]))
    assert isinstance(found, QuestionTable)
    assert found.pearson == pytest.approx(np.corrcoef(answers.T)[0, 1])


def test_many_judgments_of_few_sentences_are_no_correlation_of_questions() -> None:
    """36 people who judge three sentences make 108 judgments, and three sentences."""
    answers = np.random.default_rng(2).integers(1, 6, size=(108, 2)).tolist()
    made = study([(k // 3, k % 3, first, second) for k, (first, second) in enumerate(answers)])
    found = question_table(made)
    assert isinstance(found, QuestionTable)
    assert found.judgments == 108
    assert found.pearson == Undefined("3 sentences with both answers; a correlation needs 15")


@case("level_report")
def test_columns_of_level_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
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
            check_row(book, table.names, row, titles=titles, computed=["participant"])
            (who, *_) = row
            assert book.places[row[1]][:2] == (question, who)


@case("question_report")
def test_columns_of_question_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        named = dict(zip(report.data.names, row, strict=True))
        (made,) = [m for p, m in book.objects.items() if p == (named["sentences"],)]
        place = made.row_levels.index(named["holistic"]), made.column_levels.index(named["order"])
        assert named["judgments"] == made.counts[place[0]][place[1]]
        assert named["all judgments"] == made.judgments
        assert (named["missing"], named["Pearson r"]) == (made.missing, made.pearson)
    for square, group in zip(report.tables, GROUPS, strict=True):
        made = book.objects[str(group),]
        assert square.names == ("holistic \\ order", *map(str, made.column_levels), "sum")
        assert [row[0] for row in square.rows] == [str(level) for level in made.row_levels]
        assert [row[1:-1] for row in square.rows] == [*made.counts]
        assert [row[-1] for row in square.rows] == [sum(row) for row in made.counts]


def test_shares_of_levels_fill_the_bar_in_percent() -> None:
    made = crossed([[1, 1, 1, 5], [3, None, 3, 3]])
    shown = texts(*level_figures(level_use(made), simulated=False))
    assert shown.count("75") == 2  # of the first participant, in both questions
    assert shown.count("25") == 2
    assert shown.count("n = 3, 1 missing") == 2
    assert {"level 1", "level 5", "all participants", "p0", "p1"} <= set(shown)


def test_somebody_without_answers_is_told_in_place() -> None:
    made = crossed([[1, 2], [None, None]])
    assert (
        texts(*level_figures(level_use(made), simulated=False)).count(
            "undefined: there is no answer"
        )
        == 2
    )


def test_sliders_have_too_many_levels_for_shares() -> None:
    use = LevelUse(
        participant=None,
        question="adequacy",
        answered=101,
        missing=0,
        shares=dict.fromkeys(range(101), 1 / 101),
        never_used=(),
    )
    shown = texts(*level_figures([use], simulated=False))
    assert "undefined: there are 101 levels, too many for shares of each" in shown


def test_cells_hold_their_counts_and_the_fullest_is_darkest() -> None:
    made = study([(0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 5), (0, 3, 5, 5), (0, 4, None, 2)])
    picture = question_table_figure(
        question_table(made, sentences=SentenceGroup.TRANSLATION), simulated=False
    )
    assert [texts(picture).count(count) for count in ("2", "0")] == [3, 22]  # two labels are 2
    fills = [cell.get("fill") for cell in parsed(picture).findall("{*}rect")]
    assert fills.count("#08306b") == 1
    assert any("n = 4 judgments with both answers, 1 without" in text for text in texts(picture))


def test_a_missing_question_is_told() -> None:
    table = question_table(crossed([[1]]), rows="style")
    shown = texts(question_table_figure(table, simulated=False))
    assert "undefined: the study has no question style on a scale" in shown


def test_means_of_degrees_have_intervals() -> None:
    sentences = [permutation("a", "order", 1), permutation("b", "order", 3)]
    made = study([(k, s, 1, 5 - 2 * s - k % 2) for k in range(4) for s in range(2)], sentences)
    picture = degree_figure(answers_by_degree(made), question="order", simulated=False)
    (curve,) = parsed(picture).findall(".//{*}polyline")
    assert len(curve.get("points", "").split()) == 2
    assert "order (n = 8 judgments)" in texts(picture)
    upright = [
        text.text
        for text in parsed(picture).findall(".//{*}text")
        if text.get("text-anchor") == "end"
    ]
    assert upright[0] == "0"
    assert "1" in upright  # the whole scale of answers, and no more than intervals need
    assert "1.5" not in upright
    assert "2" not in upright
    nothing = degree_figure((), question="order", simulated=False)
    assert "undefined: there is no judgment about a permutation" in texts(nothing)


def test_the_interval_of_a_mean_is_that_of_the_normal_distribution() -> None:
    summary = Summary(
        count=25, missing=0, mean=0.5, deviation=0.2, median=0.5, lowest=0.0, highest=1.0
    )
    found = mean_interval(summary)
    assert not isinstance(found, Undefined)
    assert (found.low, found.high) == pytest.approx((0.4216, 0.5784), abs=1e-4)


def test_curves_of_types_stand_on_both_sides_of_their_degree() -> None:
    kinds = ("order", "phrase", "swap")
    sentences = [permutation(kind, kind, 2) for kind in kinds]
    made = study([(k, s, 1, 1 + k) for k in range(4) for s in range(3)], sentences)
    picture = parsed(degree_figure(answers_by_degree(made), question="order", simulated=False))
    places = [
        float(curve.get("points", "").split(",")[0]) for curve in picture.findall(".//{*}polyline")
    ]
    (degree,) = [
        float(text.get("x", "")) for text in picture.findall(".//{*}text") if text.text == "2"
    ]
    assert len(places) == 3
    assert rises(places)
    assert sum(places) / 3 == pytest.approx(degree)
