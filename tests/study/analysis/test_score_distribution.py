"""Scores, counted by hand."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import score_distribution
from kilter.study.analysis.score_distribution import (
    ScoreDistribution,
    TokenChange,
    score_distributions,
    token_changes,
)
from kilter.study.analysis.uniformity import quality_by_questionnaire
from kilter.study.judgments.judgment_study import SentenceGroup
from tests.render.cases import case
from tests.render.distinct import Book, check_row
from tests.render.study_table import STUDY, SUMMARY, check_report, faked
from tests.study.analysis.counted import MADE, ROWS, SENTENCES
from tests.study.analysis.studies import permutation, scores, study, translation


def test_distributions_of_scores() -> None:
    found = score_distributions(MADE, sentences=SentenceGroup.PERMUTATION)
    dted = found[-1]
    assert (dted.tool, dted.variant) == ("dted", "variant=b,flat=true")
    assert (dted.summary.count, dted.summary.lowest) == (3, 0.45)
    assert len(dted.edges) == len(dted.counts) + 1
    assert sum(dted.counts) == 3
    rank = found[0]
    assert rank.summary.mean == Undefined("there is no value")


def test_permutations_that_changed_their_number_of_words() -> None:
    found = token_changes(MADE)
    assert not isinstance(found, Undefined)
    assert {row.type: row.changed for row in found} == {
        SentenceGroup.ORDER: 0.5,
        SentenceGroup.SWAP: Undefined("there is no scored permutation of type swap"),
        SentenceGroup.PHRASE: Undefined("there is no scored permutation of type phrase"),
        SentenceGroup.CHOICE: 0.0,
    }
    assert isinstance(token_changes(study(ROWS, SENTENCES)), Undefined)


def test_rank_scores_describe_translations_and_degree_scores_permutations() -> None:
    listed = [translation("t"), permutation("o", "order", 1)]
    tools = [scores("wmt-rank", [0.25, 0.75]), scores("degree", [0.5, 1.0])]
    made = study([(0, 0, 1, 1), (0, 1, 2, 2)], listed, tools=tools)
    (row,) = quality_by_questionnaire(made)
    assert (row.rank_score.count, row.rank_score.mean) == (1, 0.25)
    assert (row.degree_score.count, row.degree_score.mean) == (1, 1.0)


def test_scores_outside_0_and_1_have_bins_of_their_own() -> None:
    tools = [scores("x", [-3.0, 0.5, 2.0]), scores("y", [0.0, 0.49, 1.0])]
    wide, usual = score_distributions(study([(0, k, 1, 1) for k in range(3)], tools=tools))
    assert (wide.edges[0], wide.edges[-1], sum(wide.counts)) == (-3.0, 2.0, 3)
    assert (usual.edges[0], usual.edges[-1], len(usual.counts)) == (0.0, 1.0, 20)
    assert [place for place, count in enumerate(usual.counts) if count] == [0, 9, 19]


def _joined(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


@case("score_report")
def test_columns_of_score_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    check_row(book, shown.names[2:-1], cells[2:], titles=titles)
    assert extent == f"{made.summary.lowest:.3f} to {made.summary.highest:.3f}"


@case("token_report")
def test_columns_of_token_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tuple(book.make(TokenChange, str(k)) for k in range(2))
    faked(score_distribution, monkeypatch, token_changes=lambda _: found)
    check_report(book, score_distribution.token_report(STUDY))
