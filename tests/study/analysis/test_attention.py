"""Signs of careless answers, and control items."""

from dataclasses import replace

import numpy as np
import pytest

from kilter.stats.undefined import Undefined
from kilter.study.analysis import attention as module
from kilter.study.analysis.attention import (
    Attention,
    ControlAnswers,
    attention,
    attention_report,
    control_answers,
)
from kilter.study.analysis.power import PowerDesign
from kilter.study.design.study import ItemKind
from kilter.study.judgments.judgment_study import JudgedSentence
from kilter.study.simulation.effect import Effects
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.picture import texts
from tests.render.study_table import QUESTIONS, STUDY, check_report, faked
from tests.study.analysis.studies import crossed, drawn, study, translation


def control(kind: ItemKind) -> JudgedSentence:
    return JudgedSentence(id=str(kind), kind=kind, reference="a b", hypothesis="a b")


SENTENCES = [translation("s0"), control(ItemKind.IDENTICAL), control(ItemKind.SHUFFLED)]


@pytest.mark.parametrize(
    ("identical", "shuffled", "missed"),
    [((5, 5), (1, 1), 0), ((4, 4), (3, 3), 0), ((3, 5), (1, 1), 1), ((5, 5), (1, 4), 1), ((1, 1), (5, 5), 2)],
)  # fmt: skip
def test_control_items_are_missed_in_the_wrong_half_of_any_scale(
    identical: tuple[int, int], shuffled: tuple[int, int], missed: int
) -> None:
    made = study([(0, 0, 3, 3), (0, 1, *identical), (0, 2, *shuffled)], SENTENCES)
    (found,) = attention(made)
    assert (found.controls, found.controls_missed) == (2, missed)
    assert ("control item missed" in found.signs) is (missed > 0)


def test_control_answers_are_summed_up_by_question_and_kind() -> None:
    made = study([(0, 1, 5, 3), (1, 1, 4, None), (0, 2, 1, 5)], SENTENCES)
    found = {(each.question, each.kind): each for each in control_answers(made)}
    assert {*found} == {(q, k) for q in ("holistic", "order") for k in ("identical", "shuffled")}
    holistic, order = found["holistic", "identical"], found["order", "identical"]
    assert (holistic.answers.mean, holistic.missed, holistic.items) == (0.875, 0, 1)
    assert (order.answers.count, order.answers.missing, order.missed) == (1, 1, 1)
    assert found["order", "shuffled"].missed == 1
    assert control_answers(crossed([[1, 2]])) == ()


def alone(levels: list[float | None], seconds: list[float]) -> Attention:
    made = replace(crossed([levels]), seconds=np.array(seconds))
    return attention(made)[0]


def test_equal_answers_in_a_row_and_fast_ones_are_signs() -> None:
    found = alone([1, *[2] * 9, 3, 2], [5.0] * 6 + [2.9] * 6)
    assert (found.longest_run, found.fast, found.signs) == (9, 0.5, ())
    run = alone([2] * 10, [9.0] * 10)
    assert run.signs == ("10 equal answers in a row",)
    fast = alone([1, 2, 3], [2.9, 2.9, 3.0])
    assert fast.fast == pytest.approx(2 / 3)
    assert fast.signs == ("fast",)
    gone = alone([1, None, None, 2], [np.nan] * 4)
    assert (gone.answered, gone.longest_run, gone.fast) == (2, 1, Undefined("no time is known"))


def test_rows_of_a_run_follow_the_positions_of_the_questionnaire() -> None:
    made = crossed([[2] * 6 + [1] * 6])
    mixed = replace(made, position=np.argsort([0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11]) + 1)
    assert attention(made)[0].longest_run == 6
    assert attention(mixed)[0].longest_run == 1


def test_somebody_unlike_the_others_is_found() -> None:
    ladder = [1, 2, 3, 4, 5] * 3
    found = attention(crossed([ladder, ladder, ladder, ladder[::-1]]))
    assert [each.signs for each in found] == [(), (), (), ("unlike the others",)]
    assert found[0].agreement == 1.0


def test_careless_participants_of_a_simulation_are_found_and_nobody_else() -> None:
    """Most of those who answer at random agree with nobody, even where their times are unknown."""
    design = PowerDesign(participants=36, sentences=50, shared=20)
    made, truth = drawn(design, Effects(careless=0.25), seed=1, tools={})
    found = [bool(each.signs) for each in attention(made)]
    careless = truth.careless[0].tolist()
    assert sum(careless) == 9
    assert not [k for k in range(36) if found[k] and not careless[k]]
    assert sum(found) >= 6


@case("control_report")
def test_columns_of_control_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tuple(book.make(ControlAnswers, name, question=name) for name in QUESTIONS)
    faked(module, monkeypatch, control_answers=lambda _: found)
    report = module.control_report(STUDY)
    check_report(book, report, titles={"n": "count", "missing": "answers_missing"})


@case("attention_report")
def test_columns_of_attention_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tuple(book.make(Attention, str(k)) for k in range(2))
    faked(module, monkeypatch, attention=lambda _: found)
    report = module.attention_report(STUDY)
    check_report(book, report, computed=("signs",))
    for row, made in zip(report.data.rows, found, strict=True):
        assert row[1] == ", ".join(made.signs)


def test_people_with_a_sign_are_listed_and_nobody_is_left_out() -> None:
    ladder = [1, 2, 3, 4, 5] * 3
    report = attention_report(crossed([ladder, ladder, ladder, ladder[::-1]]))
    assert report.text == (
        (
            "1 of 4 participants shows a sign of careless answers: unlike the others (1). Nobody was left out for it."
        ),
    )
    assert [row[:2] for row in report.tables[0].rows] == [("p3", "unlike the others")]
    assert len(report.data.rows) == 4
    assert {"no sign", "3 (75%)", "1 (25%)"} <= {*texts(report.figures[0].svg)}
    careful = attention_report(crossed([ladder, ladder]))
    assert careful.text == ("None of 2 participants shows a sign of careless answers.",)
    assert careful.tables == ()


def test_a_study_without_control_items_says_so() -> None:
    report = module.control_report(crossed([[1, 2]]))
    assert report.text == ("The questionnaires had no control items.",)
    assert report.tables == ()
