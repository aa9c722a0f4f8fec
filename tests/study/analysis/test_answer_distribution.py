"""Levels and questions, counted by hand."""

import numpy as np
import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.answer_distribution import (
    LevelUse,
    QuestionTable,
    level_use,
    question_table,
)
from kilter.study.analysis.judgment_study import SentenceGroup
from tests.study.analysis.counted import MADE
from tests.study.analysis.studies import study


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
