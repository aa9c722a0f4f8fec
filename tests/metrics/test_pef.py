"""PEFscore, its variants and options, against the oracle."""

from fractions import Fraction

import pytest

from kilter import Permutation
from kilter.core.errors import OptionError
from kilter.metrics.operator_score import OperatorScore
from kilter.metrics.pef import Pef, PefVariant, pef
from tests.arrays import all_up_to, batch, zero_based
from tests.oracles import permutation as oracle
from tests.tolerance import close

SMALL = all_up_to(5)
HALF = Fraction(1, 2)


def test_function_and_metric_score_what_the_oracle_says() -> None:
    expected = [oracle.pef(pi, beta=HALF, gamma=HALF) for pi in SMALL]
    found = [pef(Permutation.from_one_based(pi), beta=0.5, gamma=0.5) for pi in SMALL]
    assert found == close(expected)
    assert Pef(beta=0.5, gamma=0.5).permutation_scores(batch(map(zero_based, SMALL))) == close(
        expected
    )


def test_operators_may_be_scored_by_kendall() -> None:
    expected = [oracle.pef(pi, operator_score=oracle.kendall) for pi in SMALL]
    metric = Pef(operator=OperatorScore.KENDALL)
    assert metric.permutation_scores(batch(map(zero_based, SMALL))) == close(expected)
    by_function = [
        pef(
            Permutation.from_one_based(pi),
            operator_score=lambda operator: float(oracle.kendall(operator)),
        )
        for pi in SMALL
    ]
    assert by_function == close(expected)


def test_beers_variant_is_the_mean_over_all_trees() -> None:
    found = Pef(variant=PefVariant.BEER).permutation_scores(batch(map(zero_based, SMALL)))
    assert found == close([oracle.pef_beer(pi) for pi in SMALL])


def test_beers_variant_is_right_for_the_least_beta_it_takes() -> None:
    found = Pef(variant=PefVariant.BEER, beta=0.001).permutation_scores(
        batch(map(zero_based, SMALL))
    )
    exact = [oracle.pef_beer(pi, beta=0.001) for pi in SMALL]
    assert max(abs(Fraction(a) - b) for a, b in zip(found.tolist(), exact, strict=True)) < 2e-12


@pytest.mark.parametrize("length", [2, 3, 6, 30, 100])
def test_beers_variant_scores_reversals_zero_and_never_below(length: int) -> None:
    found = Pef(variant=PefVariant.BEER).permutation_scores(
        batch([range(length)[::-1], range(length)])
    )
    assert found.min() >= 0.0
    assert found.max() <= 1.0
    assert found == close([0.0, 1.0])


@pytest.mark.parametrize(
    ("pi", "score"),
    [([2, 4, 5, 6, 1, 3], 0.4), ([5, 7, 4, 6, 3, 1, 2], 0.14), ([5, 6, 7, 8, 4, 1, 2, 3], 0.28)],
)
def test_worked_examples(pi: list[int], score: float) -> None:
    assert pef(Permutation.from_one_based(pi)) == close(score)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"beta": 1.5}, "beta is 1.5; it must lie between 0 and 1"),
        ({"beta": "0.5"}, "beta is '0.5'; it must be float"),
        ({"gamma": float("nan")}, "gamma is nan"),
        ({"gamma": True}, "gamma is True; it must be float"),
        ({"operator": "length"}, "operator is 'length'; it can be order, kendall"),
        ({"variant": "new"}, "variant is 'new'; it can be paper, beer"),
        ({"operator": "kendall", "gamma": 0.5}, "leave out gamma"),
        ({"variant": "beer", "gamma": 0.5}, "takes neither gamma nor operator"),
        ({"variant": "beer", "operator": "kendall"}, "takes neither gamma nor operator"),
        ({"variant": "beer", "beta": 0}, "variant=beer needs a beta of 0.001 or more"),
        ({"variant": "beer", "beta": 1e-300}, "beta is 1e-300, with which scores are lost"),
        ({"variant": "beer", "beta": 0.0009}, "lost in rounding"),
        ({"empty": 2}, "empty is 2.0; it must lie between 0 and 1"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, object], reason: str) -> None:
    with pytest.raises(OptionError) as caught:
        Pef(**options)  # type: ignore[arg-type]
    assert reason in str(caught.value)
