"""Results with and without participants who show a sign of careless answers."""

from dataclasses import replace

import numpy as np
import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis.careless_effect import (
    AGREEMENT,
    MEAN,
    CarelessEffect,
    careless_effect_report,
    careless_effects,
)
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.study_table import QUESTIONS, check_report
from tests.study.analysis.studies import crossed

# Three who agree, and one who turns the scale around.
LEVELS: list[list[float | None]] = [
    [*levels * 4] for levels in ([1, 2, 3, 4, 5], [1, 2, 3, 4, 4], [2, 2, 3, 4, 5], [5, 4, 3, 2, 1])
]


def test_who_answers_against_all_others_is_left_out_of_the_second_number() -> None:
    study = crossed(LEVELS)
    effects = {(each.question, each.result): each for each in careless_effects(study)}
    mean = effects["order", MEAN]
    scores = (np.array(LEVELS, dtype=float) - 1) / 4
    assert mean.everybody == pytest.approx(scores.mean())
    assert mean.careful == pytest.approx(scores[:3].mean())
    assert mean.difference == pytest.approx(scores[:3].mean() - scores.mean())
    agreement = effects["order", AGREEMENT]
    assert isinstance(agreement.difference, float)
    assert agreement.difference > 0.5, "the others agree"


def test_without_a_sign_there_is_nothing_to_compare() -> None:
    study = crossed(LEVELS[:3])
    assert careless_effects(study) == ()


def test_the_report_says_what_changes_most() -> None:
    study = crossed(LEVELS)
    report = careless_effect_report(study, careless_effects(study))
    assert report.text[0].startswith(
        "Leaving out the 1 participant who shows a sign of careless answers changes mean answers by at most 0.0"
    )
    effects = [
        CarelessEffect(question="order", result=MEAN, everybody=0.5, careful=0.25),
        CarelessEffect(question="order", result=AGREEMENT, everybody=Undefined("x"), careful=0.5),
        CarelessEffect(
            question="order",
            result="correlation on translations: bleu",
            everybody=0.25,
            careful=0.5,
        ),
        CarelessEffect(
            question="order", result="correlation on translations: ter", everybody=0.5, careful=0.4
        ),
    ]
    report = careless_effect_report(study, effects)
    assert "changes mean answers by at most 0.250." in report.text[0]
    assert report.text[1] == (
        "Of the correlations with tools, that of bleu with order changes most: 0.500 instead of 0.250."
    )


def test_a_study_in_which_all_are_careless_has_no_second_number() -> None:
    study = crossed(LEVELS)
    fast = replace(study, seconds=np.ones(len(study)))
    effects = careless_effects(fast)
    assert effects
    assert all(isinstance(each.careful, Undefined) for each in effects)


@case("careless_effect_report")
def test_columns_of_careless_effect_report_hold_what_they_name(book: Book) -> None:
    effects = [book.make(CarelessEffect, name, question=name, result=MEAN) for name in QUESTIONS]
    report = careless_effect_report(crossed(LEVELS), effects)
    check_report(
        book, report, titles={"without them": "careful"}, computed=("result", "difference")
    )
    for row, made in zip(report.data.rows, effects, strict=True):
        assert row[-1] == pytest.approx(made.careful - made.everybody)
