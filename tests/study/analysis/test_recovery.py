"""Known truths come back: many simulated studies, and how often they must.

A count of successes must lie where 99.9% of binomial counts with the stated probability lie, a mean within
four standard errors of the truth. The designs (how good the tools are, how many studies) were settled in
trial runs with the same seeds; these bounds were not.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from kilter.stats.correlation import spearman
from kilter.stats.participant_effect import ParticipantEffects, anova_effects, reml_effects
from kilter.stats.resampling import Resampling
from kilter.study.analysis.adjustment import EffectSource, Estimator, adjust
from kilter.study.analysis.hypothesis_table import hypothesis_table
from kilter.study.analysis.judged_correlation import Correlation, tool_correlations
from kilter.study.analysis.power import PowerDesign, Unit, share_interval, simulated_power
from kilter.study.judgments.judgment_study import SentenceGroup
from kilter.study.simulation.draw import Stream
from kilter.study.simulation.effect import Effects, QuestionEffect
from kilter.study.simulation.simulation import draw
from tests.study.analysis.studies import drawn
from tests.thorough import tried

PUBLISHED = PowerDesign(participants=36, sentences=50, shared=20)
TRANSLATIONS = PowerDesign(participants=36, sentences=25, shared=10)
UNIQUE = PowerDesign(participants=36, sentences=25, shared=0)
EFFECTS = Effects()
STUDIES = tried(40, quick=8)
MADE = tried(50, quick=20)


@cache
def fitted(estimator: Estimator) -> tuple[list[ParticipantEffects], NDArray[np.float64]]:
    """Return the fits of many studies with the published design, before rounding, and true offsets."""
    layout = PUBLISHED.layout(seed=1)
    made = draw(layout, EFFECTS, questions=["order"], seed=7, repetitions=STUDIES)
    effect = EFFECTS.of("order")
    quality = effect.base - effect.order * layout.order - effect.choice * layout.choice
    found = []
    for scores in made.scores["order"] - quality[layout.sentence]:
        if estimator is Estimator.ANOVA:
            found.append(anova_effects(scores, layout.participant, layout.participants))
        else:
            levels = (layout.participants, len(layout.order))
            found.append(reml_effects(scores, layout.participant, layout.sentence, levels=levels))
    return found, made.offsets


def assert_mean_near(values: list[float], truth: float) -> None:
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    assert abs(np.mean(values) - truth) < 4 * error


def numbers(fits: list[ParticipantEffects], name: str) -> list[float]:
    values = [getattr(fit, name) for fit in fits]
    assert all(isinstance(value, float) for value in values)
    return values


@pytest.mark.parametrize("estimator", Estimator)
def test_true_offsets_lie_in_their_intervals_as_often_as_stated(estimator: Estimator) -> None:
    fits, offsets = fitted(estimator)
    shares = [
        float(np.mean(np.abs(fit.effects - truth) <= 1.96 * fit.deviations))
        for fit, truth in zip(fits, offsets, strict=True)
    ]
    assert_mean_near(shares, 0.95)


@pytest.mark.parametrize("estimator", Estimator)
def test_variances_of_participants_are_estimated_without_bias(estimator: Estimator) -> None:
    fits, _ = fitted(estimator)
    assert_mean_near(numbers(fits, "participant_variance"), EFFECTS.participant_deviation**2)


def test_reml_tells_sentences_from_noise_and_the_closed_form_takes_both_for_noise() -> None:
    fits, _ = fitted(Estimator.REML)
    sentence, noise = EFFECTS.sentence_deviation**2, EFFECTS.noise_deviation**2
    assert_mean_near(numbers(fits, "sentence_variance"), sentence)
    assert_mean_near(numbers(fits, "residual_variance"), noise)
    closed = np.mean(numbers(fitted(Estimator.ANOVA)[0], "residual_variance"))
    assert closed == pytest.approx(sentence + noise, rel=0.1)


def test_both_estimators_find_the_same_participants_mild() -> None:
    for closed, reml in zip(fitted(Estimator.ANOVA)[0], fitted(Estimator.REML)[0], strict=True):
        assert float(np.corrcoef(closed.effects, reml.effects)[0, 1]) > 0.97


def test_offsets_come_through_boxes_and_shared_sentences_alone() -> None:
    # Rounding to five boxes that end at 0 and 1 shrinks differences; their order must remain.
    for seed in range(tried(10, quick=3)):
        study, made = drawn(TRANSLATIONS, EFFECTS, seed=seed, tools={})
        for source in EffectSource:
            found = adjust(study, "order", source=source, estimator=Estimator.REML)
            effects = [effect.effect for effect in found.effects]
            assert np.corrcoef(effects, made.offsets[0])[0, 1] > 0.6


def test_adjustment_brings_correlations_nearer_to_those_without_participants() -> None:
    gains = []
    for seed in range(40):
        effects = replace(EFFECTS, participant_deviation=0.25)
        study, _ = drawn(TRANSLATIONS, effects, seed=seed, tools={("x", ""): 0.9})
        rows = tool_correlations(
            study,
            adjustments={"order": adjust(study, "order")},
            sentences=[SentenceGroup.TRANSLATION],
        )
        plain, adjusted = (
            row.highest for row in rows if row.question == "order" and row.tool == "x"
        )
        assert isinstance(plain, float)
        assert isinstance(adjusted, float)
        gains.append(adjusted - plain)
    assert np.mean(gains) > 4 * np.std(gains, ddof=1) / np.sqrt(len(gains))


def test_true_correlations_lie_in_their_intervals_as_often_as_stated() -> None:
    # The truth is that of 80,000 judgments about as many sentences, in `make test` of 20,000.
    tools = {("x", ""): 0.6}
    everything, _ = drawn(
        PowerDesign(participants=tried(2000, quick=500), sentences=40, shared=0),
        EFFECTS,
        seed=10**6,
        tools=tools,
    )
    truth = {
        name: float(spearman(levels, everything.tools[0].values[everything.sentence]))
        for name, levels in everything.levels.items()
    }
    hits = dict.fromkeys(truth, 0)
    for seed in range(tried(100, quick=30)):
        study, _ = drawn(TRANSLATIONS, EFFECTS, seed=seed, tools=tools)
        for row in tool_correlations(
            study, sentences=[SentenceGroup.TRANSLATION], resampling=Resampling(resamples=400)
        ):
            value = row.configurations[""]
            assert isinstance(value, Correlation)
            assert isinstance(value.low, float)
            assert isinstance(value.high, float)
            hits[row.question] += value.low <= truth[row.question] <= value.high
    # Of 100 trials that succeed with probability 0.95, 87 to 100 do in 99.9% of cases; of 30, 23.
    assert all(count >= tried(87, quick=23) for count in hits.values()), hits


def outcomes(tools: dict[tuple[str, str], float], effects: Effects) -> dict[str, int]:
    """Return how many of the studies support each hypothesis."""
    counts: dict[str, int] = {}
    for seed in range(MADE):
        study, _ = drawn(UNIQUE, effects, seed=seed, tools=tools)
        rows = tool_correlations(study, sentences=[SentenceGroup.TRANSLATION])
        for result in hypothesis_table(rows, adjusted=False):
            counts[result.id] = counts.get(result.id, 0) + (result.supported is True)
    return counts


def test_hypotheses_that_are_true_are_supported_and_those_that_are_false_are_not() -> None:
    effects = replace(
        EFFECTS,
        questions={
            "order": QuestionEffect(order=1.2, choice=0.0),
            "holistic": QuestionEffect(order=0.2, choice=1.2),
        },
    )
    tools = {
        ("dted", "variant=b"): 0.95,
        ("dted", "variant=b,flat=true"): 0.2,
        ("derp", ""): 0.2,
        ("derp", "flat=true"): 0.35,
        ("bleu", ""): 0.5,
    }
    found = outcomes(tools, effects)
    # Differences of this size are many standard errors apart: nine of ten must come out right.
    for name in ("EVAL", "EVAL_DTED", "STRUC", "ORD"):
        assert found[name] >= 0.9 * MADE, (name, found)
    for name in ("EVAL_DERP", "EVAL_DD", "STRUC_ALL"):
        assert found[name] <= 0.1 * MADE, (name, found)


def test_equal_tools_beat_one_another_about_as_often_as_a_coin_says() -> None:
    tools = {("dted", "variant=b"): 0.5, ("dted", "variant=b,flat=true"): 0.5}
    # Of 50 fair coins, 14 to 36 show heads in 99.8% of cases; of 20, 4 to 16 in 99.7%.
    least = tried(14, quick=4)
    assert least <= outcomes(tools, EFFECTS)["STRUC"] <= MADE - least


def test_a_useless_tool_is_found_significant_as_often_as_the_level_says() -> None:
    found = simulated_power(
        TRANSLATIONS.layout(seed=1),
        effects=EFFECTS,
        question="order",
        accuracy=0.0,
        repetitions=(trials := tried(2000, quick=500)),
    )
    # Of 2,000 trials at 5%, 68 to 133 succeed in 99.9% of cases; of 500, 10 to 42.
    low, high = tried(68, quick=10), tried(133, quick=42)
    assert low <= round(found.share * trials) <= high
    assert found.low <= found.share <= found.high


def test_counting_judgments_of_shared_sentences_as_evidence_finds_too_much() -> None:
    published = simulated_power(
        TRANSLATIONS.layout(seed=1),
        effects=EFFECTS,
        question="order",
        accuracy=0.0,
        unit=Unit.JUDGMENTS,
        repetitions=tried(500, quick=200),
    )
    assert published.low > 0.3


def test_power_grows_with_accuracy_and_with_participants() -> None:
    def power(accuracy: float, participants: int) -> float:
        design = replace(TRANSLATIONS, participants=participants)
        return simulated_power(
            design.layout(seed=1),
            effects=EFFECTS,
            question="order",
            accuracy=accuracy,
            repetitions=tried(500, quick=200),
        ).share

    by_accuracy = [power(accuracy, 36) for accuracy in (0.0, 0.05, 0.1, 0.2)]
    assert by_accuracy == sorted(by_accuracy)
    assert power(0.1, 12) < power(0.1, 36) < power(0.1, 108)


def test_power_is_the_share_of_significant_studies_that_are_analysed() -> None:
    hits, trials = 0, tried(100, quick=40)
    for seed in range(trials):
        study, _ = drawn(TRANSLATIONS, EFFECTS, seed=seed, tools={("x", ""): 0.1})
        for row in tool_correlations(study, sentences=[SentenceGroup.TRANSLATION]):
            value = row.configurations[""]
            if row.question == "order" and isinstance(value, Correlation):
                hits += isinstance(value.sentence_p, float) and value.sentence_p < 0.05
    share = simulated_power(
        TRANSLATIONS.layout(seed=1), effects=EFFECTS, question="order", accuracy=0.1
    ).share
    low, high = share_interval(hits, trials, level=0.999)
    assert low <= share <= high


@pytest.mark.parametrize("repetitions", [1, 250, 251])
def test_a_study_is_repeated_as_often_as_asked_and_blocks_do_not_repeat_one_another(
    repetitions: int,
) -> None:
    small = PowerDesign(participants=3, sentences=12, shared=2)
    found = simulated_power(
        small.layout(seed=1),
        effects=EFFECTS,
        question="order",
        accuracy=0.5,
        repetitions=repetitions,
    )
    assert found.repetitions == repetitions
    assert found.share * repetitions == pytest.approx(round(found.share * repetitions))
    assert found.count == 2 + 3 * 10
    streams = [stream.of(block) for stream in Stream for block in range(4)]
    assert len({*streams}) == len(streams)
