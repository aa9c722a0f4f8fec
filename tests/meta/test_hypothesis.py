"""Hypotheses about variants: what supports them, and what leaves them open."""

import pytest

from kilter.meta.hypothesis import hypotheses
from kilter.structures.undefined import Undefined


def test_margins_say_which_variants_support_a_hypothesis() -> None:
    order = {"b": [0.5, 0.6], "fb": [0.4], "derp": [0.3, 0.35], "fderp": [0.32]}
    found = {row.id: row for row in hypotheses(order, order, {"bleu": [0.45]})}
    assert found["EVAL"].variants == ("b",)
    assert found["EVAL"].numbers["b"] == 0.5 - 0.45
    assert found["STRUC"].variants == ("b",)
    assert found["STRUC_ALL"].result == "not rejected"
    assert found["EVAL_DERP"].supported is False
    assert found["ORD"].variants == ("b", "derp")  # a single number does not exceed itself


def test_without_correlations_every_hypothesis_says_what_is_missing() -> None:
    for row in hypotheses({}, {}, {}):
        assert isinstance(row.supported, Undefined)
        assert row.result.startswith("undefined: no ")


def test_one_configuration_says_nothing_about_configurations() -> None:
    (row,) = [row for row in hypotheses({"b": [0.5], "c": [0.4]}, {}, {}) if row.id == "EVAL_CONF"]
    assert row.supported == Undefined("no structured variant was scored in two configurations")


def test_the_threshold_of_configurations_is_the_sample_deviation_of_structured_variants() -> None:
    order = {"b": [0.5, 0.6], "co": [0.2, 0.23], "derp": [0.35, 0.4], "fb": [0.1, 0.9]}
    (found,) = [row for row in hypotheses(order, {}, {}) if row.id == "EVAL_CONF"]
    values = [0.5, 0.6, 0.2, 0.23, 0.35, 0.4]
    mean = sum(values) / 6
    deviation = (sum((value - mean) ** 2 for value in values) / 5) ** 0.5
    assert found.numbers["threshold"] == pytest.approx(deviation, rel=1e-12)
    assert found.numbers["fb"] == pytest.approx(0.8)
    assert found.variants == ("b", "co", "derp")
    assert found.supported is False


def test_a_spread_that_is_the_threshold_is_none_too_many() -> None:
    # Two configurations differ by sqrt(2) sample deviations of their own, so others must vary more.
    near = {"b": [0.4, 0.41], "c": [0.1, 0.11], "co": [0.8, 0.81]}
    (found,) = [row for row in hypotheses(near, {}, {}) if row.id == "EVAL_CONF"]
    assert found.supported is True
    (alone,) = [row for row in hypotheses({"b": [0.4, 0.5]}, {}, {}) if row.id == "EVAL_CONF"]
    assert alone.supported is False
