"""Two metrics compared: who is better, and the same the other way round."""

from dataclasses import replace

from kilter.results.meta_result import MetricPair, NewBaselineDraw, Verdict

PAIR = MetricPair(
    first="a", second="b", first_value=0.25, second_value=0.5, value=0.25, low=0.125,
    high=0.375, p=0.01, significant=True, shared=9,
)  # fmt: skip


def test_the_second_is_the_new_metric() -> None:
    assert PAIR.verdict is Verdict.NEW
    assert PAIR.reversed().verdict is Verdict.BASELINE
    assert replace(PAIR, significant=False).verdict is Verdict.DRAW
    assert replace(PAIR, value=None).verdict is Verdict.DRAW


def test_turning_round_swaps_and_negates_and_twice_is_nothing() -> None:
    turned = PAIR.reversed()
    assert (turned.first, turned.second) == ("b", "a")
    assert (turned.first_value, turned.second_value) == (0.5, 0.25)
    assert (turned.low, turned.difference, turned.high) == (-0.375, -0.25, -0.125)
    assert turned.reversed() == PAIR
    open_ended = replace(PAIR, low=None, value=None)
    assert (open_ended.reversed().high, open_ended.reversed().difference) == (None, None)


def test_a_metric_wins_that_is_better_more_often() -> None:
    assert [NewBaselineDraw(2, 1, 0).wins, NewBaselineDraw(1, 1, 4).wins] == [True, False]
