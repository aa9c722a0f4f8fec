"""What a reader of agreement is told: undefined values, coarse scores, what is missing or left out."""

import numpy as np
import pytest

from kilter.core.judgments import Judgments
from kilter.results.meta_result import AgreementMeasure
from kilter.run.meta.matched_metrics import MatchedMetrics
from kilter.run.meta.meta import MetaSettings, evaluate
from kilter.run.meta.note import left_out
from kilter.run.meta.scored_metric import ScoredMetric
from kilter.stats.resampling import Resampling
from tests.run.meta.samples import judged, random_judgments, random_metric

DRAWN = Resampling(resamples=40)


def matched(
    seed: int, *metrics: ScoredMetric, judgments: Judgments | None = None
) -> MatchedMetrics:
    return MatchedMetrics(
        judgments=judgments or random_judgments(seed), segments=12, metrics=metrics
    )


def test_undefined_values_and_resamples_are_told_of_metrics_that_have_them() -> None:
    flat = ScoredMetric.external("flat", np.ones((5, 12)))
    settings = MetaSettings(measures=(AgreementMeasure.SEGMENT_TAU,))
    alone = evaluate("x", matched(1, flat), settings, resampling=DRAWN)
    assert [note for note in alone.notes if "undefined" in note] == [
        "segment_tau is undefined for flat: all is tied, or nothing is left"
    ]
    both = evaluate("x", matched(1, flat, random_metric("one", 3)), settings, resampling=DRAWN)
    told = [note for note in both.notes if "undefined" in note]
    assert told == ["segment_tau is undefined for flat: all is tied, or nothing is left"]


@pytest.mark.parametrize(
    ("largest", "told"), [(1e3, False), (1e5, False), (2e6, True), (1e9, True)]
)
def test_a_score_so_large_that_others_drown_beside_it_is_told(
    largest: float, *, told: bool
) -> None:
    # Differences of up to 2^-38 of the largest are ties: from about 3e5 times the median on that is
    # more than a millionth of it.
    scores = np.random.default_rng(1).random((5, 12)) + 1.0
    scores[0, 0] = largest
    settings = MetaSettings(measures=(AgreementMeasure.SEGMENT_TAU,))
    found = evaluate(
        "x", matched(1, ScoredMetric.external("m", scores)), settings, resampling=DRAWN
    )
    assert any("are ties, because one score is as large as" in note for note in found.notes) is told


def test_missing_scores_are_counted_by_pairs_and_by_systems() -> None:
    scores = random_metric("m", 3).scores.copy()
    rows = [(segment, 0, 1, 1, segment) for segment in range(12)]
    scores[0, :5] = np.nan
    settings = MetaSettings(measures=(AgreementMeasure.SEGMENT_TAU,))
    found = evaluate(
        "x",
        matched(1, ScoredMetric.external("m", scores), judgments=judged(rows)),
        settings,
        resampling=DRAWN,
    )
    assert "m: 5 of 12 pairs left out: a score is missing" in found.notes
    assert any("0 to 5 of 12 judged ones" in note for note in found.notes)


def test_what_systems_lack_is_said_once_of_all_metrics() -> None:
    rows = [(segment, 0, 1, 1, segment) for segment in range(12)]
    metrics = []
    for name, lacking in (("one", 5), ("whole", 0), ("other", 7)):
        scores = random_metric(name, 3).scores.copy()
        scores[0, :lacking] = np.nan
        metrics.append(ScoredMetric.external(name, scores))
    settings = MetaSettings(measures=(AgreementMeasure.SEGMENT_TAU,))
    found = evaluate("x", matched(1, *metrics, judgments=judged(rows)), settings, resampling=DRAWN)
    (said,) = [note for note in found.notes if "system scores" in note]
    assert said.startswith("one, other: systems lack scores of different segments, 0 to 7 of 12")


def test_what_was_left_out_is_named_by_its_reason() -> None:
    found = left_out({"unscored": 1, "missing": 3, "pairs": 9, "repeated_left_out": 0})
    assert found == [
        "1 judgment left out because a system has no output",
        "3 missing ranks or scores",
    ]
