"""Agreement of raters against plain loops over pairs of ratings."""

from itertools import combinations, permutations
from statistics import mean

import numpy as np
import pytest

from kilter.core.estimate import Estimate
from kilter.run.meta.rated_systems import Rating, rater_agreement, rater_summaries
from kilter.stats.correlation import ScaleLevel, krippendorff_alpha
from kilter.stats.resampling import Resampling, bootstrap_indices
from tests.oracles import meta as oracle
from tests.tolerance import close

SEGMENTS = 7


def drawn(seed: int) -> list[Rating]:
    """Return ratings of three systems by up to three people, some of them missing."""
    chance = np.random.default_rng(seed)
    return [
        Rating(system, segment, rater, float(chance.integers(0, 7)))
        for segment in range(SEGMENTS)
        for system in range(3)
        for rater in "abc"
        if chance.random() < 0.8
    ]


def units(ratings: list[Rating]) -> list[list[float]]:
    found: dict[tuple[int, int], list[float]] = {}
    for each in ratings:
        found.setdefault((each.system, each.segment), []).append(each.score)
    return [scores for scores in found.values() if len(scores) > 1]


def alpha(scores: list[list[float]]) -> float:
    """Return 1 - observed / expected squared difference, pair by pair."""
    together = [score for unit in scores for score in unit]
    observed = sum(
        sum((one - other) ** 2 for one, other in permutations(unit, 2)) / (len(unit) - 1)
        for unit in scores
    )
    expected = sum((one - other) ** 2 for one, other in permutations(together, 2))
    return 1 - observed / len(together) / (expected / len(together) / (len(together) - 1))


@pytest.mark.parametrize("seed", range(3))
def test_agreement_is_that_of_plain_loops(seed: int) -> None:
    ratings = drawn(seed)
    found = rater_agreement(ratings, SEGMENTS, resampling=Resampling(resamples=4, seed=2))
    scores = units(ratings)
    apart = [abs(one - other) for unit in scores for one, other in combinations(unit, 2)]
    assert (found.translations, found.pairs) == (len(scores), len(apart))
    assert found.alpha.value == close(alpha(scores))
    assert found.exact.value == close(mean(each == 0 for each in apart))
    assert found.near.value == close(mean(each <= 1 for each in apart))
    assert found.distance.value == close(mean(apart))
    whole = [[int(score) for score in unit] for unit in scores]
    ordinal = krippendorff_alpha(whole, values=range(7), scale=ScaleLevel.ORDINAL)
    assert found.ordinal.value == close(ordinal)


def test_intervals_come_from_drawn_segments() -> None:
    ratings, sample = drawn(5), Resampling(resamples=3, seed=4)
    found = rater_agreement(ratings, SEGMENTS, resampling=sample)
    values = []
    for row in bootstrap_indices(SEGMENTS, resamples=3, seed=4):
        again = [
            each._replace(segment=place)
            for place, segment in enumerate(row.tolist())
            for each in ratings
            if each.segment == segment
        ]
        values.append(alpha(units(again)))
    low, high = np.quantile(values, [0.025, 0.975])
    assert found.alpha.low == close(low)
    assert found.alpha.high == close(high)


def test_what_cannot_be_said_has_its_reason() -> None:
    alone = rater_agreement([Rating(0, 0, "a", 3.0), Rating(1, 0, "b", 4.0)], 1)
    assert alone.pairs == 0
    assert alone.alpha == Estimate(None, reason="no translation has two ratings")
    same = rater_agreement([Rating(0, place, rater, 2.0) for place in (0, 1) for rater in "ab"], 2)
    assert same.alpha == same.ordinal == Estimate(None, reason="all ratings are the same")
    assert same.exact == Estimate(1.0, 1.0, 1.0)
    one = rater_agreement([Rating(0, 0, "a", 1.0), Rating(0, 0, "b", 2.0)], 1)
    assert one.near == Estimate(1.0)


def test_a_rater_is_compared_with_the_mean_of_the_others() -> None:
    ratings = drawn(9)
    (first, *_) = rater_summaries(ratings)
    own = {(r.system, r.segment): r.score for r in ratings if r.rater == first.name}
    others = {
        place: [
            r.score for r in ratings if (r.system, r.segment) == place and r.rater != first.name
        ]
        for place in own
    }
    shared = [(own[place], mean(scores)) for place, scores in others.items() if scores]
    assert first.correlation.value == close(oracle.pearson(*map(list, zip(*shared, strict=True))))
    assert first.ratings == len(own)
    assert first.mean == close(mean(own.values()))
    assert first.share == first.segments / SEGMENTS
    two = [Rating(0, place, rater, float(place)) for place in (0, 1) for rater in "ab"]
    assert "fewer than 3" in rater_summaries(two)[0].correlation.reason
