"""Preferences between translations: win rates, strengths, agreement, and their tables."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.stats.resampling import Resampling
from kilter.study.analysis.preference import (
    bradley_terry,
    preference_agreement,
    preference_agreement_report,
    strength_report,
    strengths,
    win_rates,
    win_report,
)
from kilter.study.design.study import ItemKind
from kilter.study.judgments.judgment_study import JudgedSentence, JudgmentStudy
from tests.render.cases import case
from tests.study.analysis.studies import study

PAIRS = (("a", "b"), ("b", "a"), ("a", "c"), ("b", "c"), ("a", "b"), ("c", "a"))
DRAWN = Resampling(resamples=200)


def compared(answers: list[float]) -> JudgmentStudy:
    """Return a study of pairs; `answers` are those of each participant about each item in turn."""
    sentences = [
        JudgedSentence(id=f"i{k}", kind=ItemKind.PAIR, system=one, second_system=other)
        for k, (one, other) in enumerate(PAIRS)
    ]
    people = len(answers) // len(PAIRS)
    made = study([(p, s, None, None) for p in range(people) for s in range(len(PAIRS))], sentences)
    return replace(made, questions=(), levels={}, preferences={"better": np.array(answers)})


def test_wins_are_counted_whichever_translation_stood_first() -> None:
    rates = win_rates(compared([1, 0, 0.5, 1, 1, np.nan]), resampling=DRAWN)
    found = {(each.system, each.other): (each.wins, each.ties, each.losses) for each in rates}
    assert found == {("a", "b"): (3, 0, 0), ("a", "c"): (0, 1, 0), ("b", "c"): (1, 0, 0)}
    assert [each.rate.value for each in rates] == [1.0, 0.5, 1.0]


@given(
    st.integers(2, 5).flatmap(
        lambda count: st.lists(st.integers(0, 9), min_size=count**2, max_size=count**2)
    )
)
def test_strengths_are_where_the_likelihood_has_its_peak(counts: list[int]) -> None:
    """The gradient of the penalised likelihood, written down plainly, is zero there."""
    size = int(len(counts) ** 0.5)
    wins = np.array(counts, dtype=float).reshape(size, size)
    np.fill_diagonal(wins, 0.0)
    chance = bradley_terry(wins)
    strength = chance / (1.0 - chance)
    for own in range(size):
        expected = sum(
            (wins[own, other] + wins[other, own])
            * strength[own]
            / (strength[own] + strength[other])
            for other in range(size)
            if other != own
        )
        average = strength[own] / (strength[own] + 1.0)
        assert expected + average == pytest.approx(wins[own].sum() + 0.5, abs=1e-6)


def test_strengths_do_not_depend_on_the_order_of_systems() -> None:
    wins = np.array([[0.0, 6, 2], [1, 0, 5], [4, 3, 0]])
    for order in permutations(range(3)):
        assert bradley_terry(wins[np.ix_(order, order)]) == pytest.approx(
            bradley_terry(wins)[list(order)]
        )


def test_a_system_that_always_wins_has_a_strength_below_one_and_ties_are_a_half() -> None:
    assert 0.9 < bradley_terry(np.array([[0.0, 100], [0, 0]]))[0] < 1.0
    assert bradley_terry(np.array([[0.0, 7], [7, 0]])) == pytest.approx([0.5, 0.5])
    found = strengths(compared([1, 0, 1, 1, 1, 0]), resampling=DRAWN)
    assert [each.system for each in found] == ["a", "b", "c"]
    assert found[0].comparisons == 5
    assert found[0].strength.bounds is not None


def test_agreement_is_complete_where_all_say_the_same_and_needs_two_answers() -> None:
    alike = preference_agreement(compared([1, 0, 0.5, 1, 1, 0] * 3))
    assert [(each.items, each.answers, each.alpha) for each in alike] == [(6, 18, 1.0)]
    (alone,) = preference_agreement(compared([1, 0, 0.5, 1, 1, 0]))
    assert alone.items == 0
    assert "no item has two answers" in str(alone.alpha)


def test_sentences_say_who_was_preferred_and_how_sure_that_is() -> None:
    (text, *_) = win_report(win_rates(compared([1, 0, 0.5, 1, 1, np.nan]), resampling=DRAWN)).text
    assert text == (
        "a was preferred to b in 3 of 3 answers, b in 0, and 0 were ties: a rate of 1.00; too few items say so for an "
        "interval."
    )


@case("win_report", "strength_report", "preference_agreement_report")
def test_columns_of_preferences_hold_what_they_name() -> None:
    of = compared([1, 0, 0.5, 1, 1, np.nan, 1, 0, 0, 1, 0.5, 0])
    rates, strong, agreed = win_rates(of), strengths(of, resampling=DRAWN), preference_agreement(of)
    for report, rows, number in (
        (win_report(rates), rates, "rate"),
        (strength_report(strong, simulated=False), strong, "strength"),
        (preference_agreement_report(agreed), agreed, None),
    ):
        for cells, each in zip(report.data.rows, rows, strict=True):
            named = dict(zip(report.data.names, cells, strict=True))
            if number is not None:
                triple = tuple(named.pop(name) for name in (number, "low", "high"))
                assert triple == getattr(each, number).triple
            for column, cell in named.items():
                assert cell == getattr(each, column), column
        for table in report.shown or ():
            for shown, each in zip(table.rows, rows, strict=True):
                for column, cell in zip(table.names, shown, strict=True):
                    value = getattr(each, column)
                    assert cell == value or str(cell).startswith(f"{value.value:.3f}"), column
