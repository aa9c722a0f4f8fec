"""Participant adjustment of studies: what is taken away, from what it is estimated, and degenerate data."""

from statistics import mean, variance

import numpy as np
import pytest

from kilter.stats.participant_effect import ParticipantEffects, anova_effects, reml_effects
from kilter.stats.significance import two_sided_p
from kilter.stats.undefined import Undefined
from kilter.study.analysis import adjustment
from kilter.study.analysis.adjustment import (
    Adjustment,
    EffectSource,
    Estimator,
    adjust,
    adjusted_figures,
    adjustment_report,
    effect_figures,
    effect_report,
    tool_adjustments,
)
from kilter.study.design.study import ItemKind
from kilter.study.judgments.judgment_study import JudgedSentence, JudgmentStudy
from tests.render.cases import case
from tests.render.distinct import Book
from tests.render.picture import parsed, texts
from tests.render.study_table import QUESTIONS, STUDY, check_report, faked
from tests.study.analysis.studies import crossed, scores, study, translation

PLAIN = crossed([[1, 2, 3, 5], [2, 3, 4, 5], [3, 4, 5, 5], [1, 1, 2, 4]])
UNDEFINED_ONCE = "every sentence was judged once; its effect cannot be told from noise"


def effects(found: Adjustment) -> list[float]:
    return [effect.effect for effect in found.effects]


@pytest.mark.parametrize("estimator", Estimator)
def test_effects_are_taken_from_the_answers_of_their_participants(estimator: Estimator) -> None:
    found = adjust(PLAIN, "order", estimator=estimator)
    own = PLAIN.scores("order") - np.array(effects(found))[PLAIN.participant]
    assert found.scores.tolist() == own.tolist()
    assert effects(found)[2] > 0 > effects(found)[3]
    assert (found.judgments, found.missing) == (16, 0)
    for effect in found.effects:
        assert isinstance(effect.low, float)
        assert isinstance(effect.high, float)
        assert effect.low < effect.effect < effect.high
    assert not isinstance(found.change, Undefined)
    assert found.change.freedom == 30


def test_sentences_explain_what_the_closed_form_takes_for_noise() -> None:
    closed, reml = (adjust(PLAIN, "order", estimator=estimator) for estimator in Estimator)
    assert isinstance(closed.sentence_variance, Undefined)
    assert isinstance(closed.residual_variance, float)
    assert isinstance(reml.residual_variance, float)
    assert reml.residual_variance < closed.residual_variance / 5


def test_effects_from_shared_sentences_apply_to_all_answers() -> None:
    sentences = [translation(f"s{k}", shared=k < 2) for k in range(4)]
    made = crossed([[1, 2, 5, 5], [3, 4, 1, 1]], sentences=sentences)
    shared = adjust(made, "order", source=EffectSource.SHARED)
    assert (shared.judgments, shared.missing) == (4, 0)
    assert effects(shared)[0] < 0 < effects(shared)[1]
    assert (shared.scores[2] > 1.0, shared.scores[6] < 0.0) == (True, True)  # not clipped


def test_missing_counts_judgments_about_the_sentences_that_effects_are_estimated_on() -> None:
    """n and missing make up the judgments in question, with shared sentences only and with a predictor."""
    sentences = [translation(f"s{k}", shared=k < 3) for k in range(5)]
    levels = [[1, None, 5, None, 2], [3, 4, 1, None, 1]]
    made = crossed(levels, sentences=sentences)
    shared = adjust(made, "order", source=EffectSource.SHARED)
    assert (shared.judgments, shared.missing) == (5, 1)
    tool = scores("x", [0.1, 0.2, np.nan, 0.4, 0.5])
    both = adjust(made, "order", source=EffectSource.SHARED, predictor=tool)
    assert (both.judgments, both.missing) == (3, 3)
    assert (adjust(made, "order").judgments, adjust(made, "order").missing) == (7, 3)


def test_control_items_and_missing_answers_are_not_estimated_from() -> None:
    control = JudgedSentence(id="k", kind=ItemKind.IDENTICAL, reference="a", hypothesis="a")
    sentences = [*(translation(f"s{k}") for k in range(3)), control]
    found = adjust(crossed([[1, 2, 3, 5], [3, 4, None, 1]], sentences=sentences), "order")
    assert (found.judgments, found.missing) == (5, 1)


def test_a_predictor_explains_what_participants_do_not() -> None:
    # The second participant got the better sentences and is no milder than the first.
    made = study(
        [(0, k, k + 1, k + 1) for k in range(3)] + [(1, k, k + 1, k + 1) for k in range(2, 5)]
    )
    tool = scores("tool", [0.0, 0.25, 0.5, 0.75, 1.0])
    assert abs(effects(adjust(made, "order"))[0]) > 0.05
    found = adjust(made, "order", predictor=tool)
    assert effects(found) == pytest.approx([0.0, 0.0], abs=1e-12)
    assert found.predictor == "tool"
    assert found.slope == pytest.approx(1.0)


@pytest.mark.parametrize("estimator", Estimator)
@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (crossed([[1, 2, 3]]), "differences between participants need two, not 1"),
        (crossed([[1], [2], [3]]), "3 participants have one judgment each"),
        (crossed([[None, None], [None, None]]), "there is no judgment to estimate it from"),
        (study([]), "there is no judgment to estimate it from"),
    ],
)
def test_data_that_show_no_differences_say_so_and_change_nothing(
    made: JudgmentStudy, reason: str, estimator: Estimator
) -> None:
    found = adjust(made, "order", estimator=estimator)
    assert found.participant_variance == Undefined(reason)
    assert set(effects(found)) <= {0.0}
    assert np.array_equal(found.scores, made.scores("order"), equal_nan=True)


def test_no_shared_sentence_leaves_nothing_to_estimate_from() -> None:
    found = adjust(PLAIN, "order", source=EffectSource.SHARED)
    assert found.participant_variance == Undefined("there is no judgment to estimate it from")
    assert found.effects[0].low == Undefined("no judgment to estimate it from")


@pytest.mark.parametrize("estimator", Estimator)
def test_constant_answers_stay_what_they_are(estimator: Estimator) -> None:
    found = adjust(crossed([[3, 3, 3], [3, 3, 3]]), "order", estimator=estimator)
    assert set(found.scores.tolist()) == {0.5}
    assert found.change == Undefined("all answers are the same")
    if estimator is Estimator.REML:
        assert found.residual_variance == Undefined("answers do not vary")


def test_reml_says_what_it_cannot_separate() -> None:
    unique = study(
        [(p, 5 * p + k, 1 + (p + k) % 5, 1 + (2 * p + k) % 4) for p in range(4) for k in range(5)]
    )
    found = adjust(unique, "order", estimator=Estimator.REML)
    assert found.sentence_variance == Undefined(UNDEFINED_ONCE)
    assert effects(found) == pytest.approx(effects(adjust(unique, "order")), abs=1e-7)
    exact = crossed([[1, 2, 3], [2, 3, 4], [3, 4, 5]])
    assert adjust(exact, "order", estimator=Estimator.REML).residual_variance == Undefined(
        "participants and sentences explain every answer; no noise is left"
    )


def test_adjusted_answers_tie_where_they_are_the_same_but_for_rounding() -> None:
    chance = np.random.default_rng(5)
    offsets = chance.integers(-1, 2, size=(24, 1))
    levels = np.clip(chance.integers(2, 5, size=(24, 15)) + offsets, 1, 5).astype(float)
    found = adjust(crossed(levels.tolist()), "order")
    # Participants whose levels have the same sum have the same effect.
    exact = {(level, row.sum()) for row in levels for level in row}
    apart = np.unique(found.scores)
    assert 5 < len(apart) <= len(exact)
    assert np.diff(apart).min() > 1e-11


def test_the_test_of_change_leaves_out_control_items_as_the_estimate_does() -> None:
    control = JudgedSentence(id="c", kind=ItemKind.IDENTICAL, reference="a b", hypothesis="a b")
    sentences = [translation("s0"), translation("s1"), control]
    rows = [
        (p, s, float(1 + (p + s) % 5), float(1 + (2 * p + s) % 5))
        for p in range(4)
        for s in range(3)
    ]
    found = adjust(study(rows, sentences), "order")
    without = adjust(study([row for row in rows if row[1] < 2], sentences), "order")
    assert found.judgments == 8
    assert found.change == without.change
    assert not isinstance(found.change, Undefined)
    assert found.change.freedom == 14


def estimated(estimator: Estimator) -> ParticipantEffects:
    """Return what the estimators themselves find of the plain study."""
    answers = PLAIN.scores("order")
    if estimator is Estimator.ANOVA:
        return anova_effects(answers, PLAIN.participant, 4)
    return reml_effects(answers, PLAIN.participant, PLAIN.sentence, levels=(4, 4))


@pytest.mark.parametrize("estimator", Estimator)
def test_an_adjustment_names_every_number_of_its_estimate(estimator: Estimator) -> None:
    found, expected = adjust(PLAIN, "order", estimator=estimator), estimated(estimator)
    for name in (
        "intercept", "slope", "participant_variance", "sentence_variance", "residual_variance",
    ):  # fmt: skip
        assert getattr(found, name) == getattr(expected, name), name
    for place, effect in enumerate(found.effects):
        deviation = float(expected.deviations[place])
        assert (effect.participant, effect.judgments) == (f"p{place}", 4)
        assert effect.effect == expected.effects[place]
        assert effect.mean_residual == expected.mean_residuals[place]
        # 95% of a normal distribution lie within 1.96 standard errors.
        assert effect.low == pytest.approx(effect.effect - 1.959963984540054 * deviation)
        assert effect.high == pytest.approx(effect.effect + 1.959963984540054 * deviation)


def test_original_and_adjusted_answers_are_two_samples_with_pooled_variance() -> None:
    found = adjust(PLAIN, "order")
    first, second = PLAIN.scores("order").tolist(), found.scores.tolist()
    assert not isinstance(found.change, Undefined)
    pooled = (15 * variance(first) + 15 * variance(second)) / 30
    t = (mean(first) - mean(second)) / (pooled * 2 / 16) ** 0.5
    assert found.change.t == pytest.approx(t, abs=1e-12)
    assert found.change.freedom == 30
    assert found.change.p == pytest.approx(two_sided_p(t, 30))


def test_an_unanswered_control_item_is_no_missing_judgment() -> None:
    control = JudgedSentence(id="k", kind=ItemKind.IDENTICAL, reference="a", hypothesis="a")
    sentences = [*(translation(f"s{k}") for k in range(3)), control]
    found = adjust(crossed([[1, 2, 3, None], [3, 4, None, None]], sentences=sentences), "order")
    assert (found.judgments, found.missing) == (5, 1)


def test_the_change_is_tested_on_all_answers_whatever_effects_were_estimated_on() -> None:
    sentences = [translation(f"s{k}", shared=k < 2) for k in range(5)]
    made = crossed([[1, 2, 5, 5, 4], [3, 4, 1, 1, None]], sentences=sentences)
    found = adjust(made, "order", source=EffectSource.SHARED)
    assert (found.judgments, found.missing) == (4, 0)
    before = [(level - 1) / 4 for level in (1, 2, 5, 5, 4, 3, 4, 1, 1)]
    after = [
        score - found.effects[person].effect
        for score, person in zip(before, [0] * 5 + [1] * 4, strict=True)
    ]
    squares = sum(sum((value - sum(side) / 9) ** 2 for value in side) for side in (before, after))
    expected = (sum(before) - sum(after)) / 9 / (squares / 16 * (2 / 9)) ** 0.5
    assert not isinstance(found.change, Undefined)
    assert found.change.freedom == 16
    assert found.change.t == pytest.approx(expected, abs=1e-9)


def test_every_tool_may_be_the_predictor_of_its_own_adjustment() -> None:
    tools = [scores("x", [0.1, 0.2, 0.3, 0.5], configuration="one"), scores("y", [4, 1, np.nan, 2])]
    made = crossed([[1, 2, 3, 5], [2, 3, 4, 5], [3, 4, 5, 5]], tools=tools)
    found = tool_adjustments(made)
    assert {*found} == {(q, *t) for q in ("holistic", "order") for t in (("x", "one"), ("y", ""))}
    for (question, name, _), each in found.items():
        tool = next(tool for tool in tools if tool.name == name)
        alone = adjust(made, question, predictor=tool)
        assert (each.predictor, each.slope) == (name, alone.slope)
        assert each.scores.tolist() == alone.scores.tolist()
    assert found["order", "y", ""].missing == 3


NONE = ("Judgments were not adjusted, as asked for.",)


def test_reports_without_adjustments_say_so() -> None:
    made = crossed([[1, 3, 5], [2, 3, 4]])
    assert adjustment_report(made, {}).text == NONE
    assert effect_report({}, simulated=False).text == NONE


def test_notes_are_about_the_first_question() -> None:
    made = crossed([[1, 3, 5], [2, 3, 4], [1, 2, 5]])
    first, second = (adjust(made, "order", estimator=each) for each in Estimator)
    for listed, said in (((first, second), "in closed form"), ((second, first), "by restricted")):
        notes = adjustment_report(made, dict(zip(("order", "holistic"), listed, strict=True))).notes
        assert f"Effects are estimated {said}" in notes[1]


@case("adjustment_report")
def test_columns_of_adjustment_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(adjustment, monkeypatch)
    found = {name: book.make(Adjustment, name, question=name) for name in QUESTIONS}
    titles = {"n": "judgments", "mean": "intercept", "df": "freedom", "effects from": "source"}
    check_report(book, adjustment.adjustment_report(STUDY, found), titles=titles)


@case("tool_adjustment_report")
def test_columns_of_tool_adjustment_report_hold_what_they_name(book: Book) -> None:
    found = {
        (name, "tool", "one"): book.make(Adjustment, name, question=name) for name in QUESTIONS
    }
    report = adjustment.tool_adjustment_report(found)
    titles = {"n": "judgments"}
    check_report(book, report, titles=titles, computed=("tool", "configuration"))
    assert [row[:3] for row in report.data.rows] == [*found]


@case("effect_report")
def test_columns_of_effect_report_hold_what_they_name(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    faked(adjustment, monkeypatch)
    found = {name: book.make(Adjustment, name, question=name) for name in QUESTIONS}
    report = adjustment.effect_report(found, simulated=False)
    check_report(book, report, titles={"n": "judgments"})
    assert len(report.data.rows) == 4


DRAWN_LEVELS = [[1, 2, 3, 4], [2, 3, 4, 5], [1, 1, 2, 3]]


def test_effects_are_listed_from_the_most_severe_to_the_mildest() -> None:
    found = adjust(crossed(DRAWN_LEVELS), "order")
    (picture,) = effect_figures(found, simulated=False)
    shown = texts(picture)
    assert [text for text in shown if text in ("p0", "p1", "p2")] == ["p2", "p0", "p1"]
    for entry in found.effects:
        assert f"{entry.effect:+.3f} (n = 4)" in shown
    dots = [float(dot.get("cx", "")) for dot in parsed(picture).findall(".//{*}circle")]
    assert dots == sorted(dots)


def test_one_participant_has_an_effect_without_an_interval_and_the_reason_below() -> None:
    shown = texts(*effect_figures(adjust(crossed([[1, 2, 3]]), "order"), simulated=False))
    assert any("Variance of participants: undefined: " in text for text in shown)


def test_original_and_adjusted_means_stand_on_one_line() -> None:
    made = crossed([*DRAWN_LEVELS, [None] * 4])
    found = adjust(made, "order")
    shown = texts(*adjusted_figures(made, found, simulated=False))
    assert f"0.375, {0.375 - found.effects[0].effect:.3f}" in shown
    assert "undefined: there is no answer" in shown
    assert any(
        text.startswith("t-test between original and adjusted scores: t = ") for text in shown
    )
