"""Student's t distribution, against printed tables and its symmetries."""

import pytest

from kilter.stats.significance import correlation_p, incomplete_beta, two_sided_p


@pytest.mark.parametrize(
    ("t", "freedom", "p"),
    [
        (12.706204736, 1, 0.05),
        (2.570581836, 5, 0.05),
        (3.169272673, 10, 0.01),
        (1.96233908083, 1000, 0.05),
        (1.0, 1, 0.5),
    ],
)
def test_printed_quantiles_have_their_probability(t: float, freedom: float, p: float) -> None:
    assert two_sided_p(t, freedom) == pytest.approx(p, abs=1e-9)
    assert two_sided_p(-t, freedom) == pytest.approx(p, abs=1e-9)


def test_no_difference_is_certain_to_be_reached() -> None:
    assert two_sided_p(0.0, 7) == 1.0


@pytest.mark.parametrize("x", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_the_incomplete_beta_function_is_known_where_it_is_a_power(x: float) -> None:
    assert incomplete_beta(3.0, 1.0, x) == pytest.approx(x**3)
    assert incomplete_beta(1.0, 4.0, x) == pytest.approx(1 - (1 - x) ** 4)


def test_a_correlation_of_two_pairs_proves_nothing() -> None:
    assert correlation_p(0.9, 2) is None
    assert correlation_p(1.0, 5) == 0.0
    assert correlation_p(0.878339, 5) == pytest.approx(0.05, abs=1e-6)


def test_freedom_is_positive() -> None:
    with pytest.raises(ValueError, match="freedom is 0; it must be positive"):
        two_sided_p(1.0, 0)
