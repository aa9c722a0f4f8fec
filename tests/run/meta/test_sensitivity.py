"""What metrics notice, against plain loops over drawn items."""

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kilter.core.estimate import Estimate
from kilter.run.meta.sensitivity import noticed, separation
from kilter.stats.resampling import Resampling, bootstrap_indices
from tests.oracles import meta as oracle
from tests.tolerance import close

DRAWN = Resampling(resamples=20, seed=2)


def test_scores_that_fall_stay_or_rise_are_counted() -> None:
    original, perturbed = np.array([1.0, 0.5, 0.5, nan]), np.array([0.5, 0.5, 0.75, 0.5])
    found = noticed(original, perturbed, tie=0.0, resampling=DRAWN)
    assert (found.items, found.lower, found.equal, found.higher, found.unscored) == (3, 1, 1, 1, 1)
    assert found.share.value == close(1 / 3)
    assert found.drop.value == close(0.25 / 3)


def test_intervals_resample_items() -> None:
    chance = np.random.default_rng(1)
    original, perturbed = chance.random(15), chance.random(15)
    found = noticed(original, perturbed, tie=0.0, resampling=DRAWN)
    places = bootstrap_indices(15, resamples=20, seed=2)
    drops = (original - perturbed)[places].mean(axis=1)
    shares = (original > perturbed)[places].mean(axis=1)
    assert [found.drop.low, found.drop.high] == close(np.quantile(drops, [0.025, 0.975]).tolist())
    assert [found.share.low, found.share.high] == close(
        np.quantile(shares, [0.025, 0.975]).tolist()
    )


def test_one_item_is_no_evidence() -> None:
    found = noticed(np.array([1.0]), np.array([0.5]), tie=0.0)
    assert found.share.value == 1.0
    assert found.share.low is None
    assert found.drop.high is None


def test_nothing_scored_is_undefined() -> None:
    found = noticed(np.array([nan]), np.array([0.5]), tie=0.0)
    assert found.share == found.drop == Estimate()
    assert (found.items, found.unscored) == (0, 1)


OUTPUTS = st.lists(
    st.tuples(st.integers(0, 4), st.booleans(), st.integers(3, 6)), min_size=1, max_size=14
)


@given(outputs=OUTPUTS, window=st.sampled_from([None, 0, 1]))
def test_areas_under_the_curve_are_those_of_the_oracle(
    outputs: list[tuple[int, bool, int]], window: int | None
) -> None:
    columns = [np.array(column) for column in zip(*outputs, strict=True)]
    scores, wrong, lengths = columns[0] / 4, columns[1].astype(bool), columns[2]
    found = separation(
        scores,
        wrong,
        lengths=None if window is None else lengths,
        window=window or 0,
        resampling=DRAWN,
    )
    expected = area(outputs, window)
    assert found.auc.value == (None if isnan(expected) else close(expected))
    draws = bootstrap_indices(len(outputs), resamples=20, seed=2).tolist()
    again = [area([outputs[place] for place in draw], window) for draw in draws]
    known = [value for value in again if not isnan(value)]
    assert not known or found.auc.low is not None
    if known and found.auc.value is not None:
        low, high = np.quantile(known, [0.025, 0.975])
        assert (found.auc.low, found.auc.high) == (close(low), close(high))


def area(outputs: list[tuple[int, bool, int]], window: int | None) -> float:
    """Return the share of pairs of a wrong and a right output of matched lengths in order."""
    won, whole = 0.0, 0
    for score, wrong, length in outputs:
        for other, also_wrong, other_length in outputs:
            if wrong and not also_wrong:
                if window is not None and abs(length - other_length) > window:
                    continue
                won += oracle.auc([-score], [-other])
                whole += 1
    return won / whole if whole else nan


def test_a_score_that_follows_length_alone_is_worth_nothing_at_matched_length() -> None:
    lengths = np.repeat(np.arange(5, 25), 6)
    wrong = np.tile([True, True, False, False, False, False], 20)
    wrong[:60] = False
    scores = -lengths.astype(float)
    every = separation(scores, wrong, resampling=DRAWN).auc.value
    assert every is not None
    assert every > 0.6
    matched = separation(scores, wrong, lengths=lengths, resampling=DRAWN)
    assert matched.auc.value == pytest.approx(0.5)


def test_differences_up_to_the_tie_are_none_on_either_side() -> None:
    original = np.array([1.0, 1.0, 1.0, 1.0, 1.0])
    perturbed = np.array([0.75, 0.875, 1.0, 1.125, 1.25])
    found = noticed(original, perturbed, tie=0.125, resampling=DRAWN)
    assert (found.items, found.lower, found.equal, found.higher) == (5, 1, 3, 1)
    assert found.share.value == close(0.2)
